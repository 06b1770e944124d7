"""What is known of a member, as pages of text: the same in Discord and in the terminal."""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo

from utils.errors import BadInput
from utils.model.memory import Consent, Evidence, Memory, Method, Status
from utils.model.operator import OPERATOR
from utils.model.recall import Found, Shown
from utils.model.transfer import Deed, Why, jump_link
from utils.text import age_in_words, clip, defuse_mentions, escape_markdown, one_line, utf16_length

ROWS_PER_PAGE = 10
PAGE_LIMIT = 2000  # Discord's limit for a message, in UTF-16 units
HEADING_LINES = 2
PAST_LIMIT = 60
QUOTE_LIMIT = 200
TITLE = "**What I know of {} {}**"
HERE = "here"
FOUND_TITLE = "**What I know of {} {} with “{}”**"
LINKED = "Linked with <@{}>: I recall you two together; `/kith unlink` ends it."
FOOTER = "-# Page {} of {}"
NOTHING = "I remember nothing about you here yet. Just talk to me."
NOTHING_FOUND = "I find nothing that has all of these words."
LOOKED_AT = "I looked at the newest {:,} memories only."
HAS_MORE = "These are the newest {}, and there are more; another word finds fewer."
NOTHING_OF_OTHER = "I remember nothing about them that you may see."
CONSENT_WORDS = {
    Consent.OFF: "I store nothing about you here.",
    Consent.TEMPORARY: "Nothing here lives longer than 30 days after you last said it.",
    Consent.LASTING: "You let me remember you lastingly here; each memory says how long it lives.",
}
STATUS_WORDS = {
    Status.PROPOSED: "waits for approval",
    Status.SHADOW: "kept, not used yet",
    Status.SUPERSEDED: "replaced",
}
METHOD_WORDS = {
    Method.MODEL: "noted by the model",
    Method.RULE: "noted by a built-in rule",
    Method.EXPLICIT: "you asked me to remember it",
    Method.IMPORT: "imported",
}
BY_COMMAND = "you typed it in a command"
CHOOSE = "Choose a memory from the list, or give the number /memory show prints."
LONGEST_NUMBER = 18
MOST_EVIDENCE = 5
MOST_PAST = 5


def memory_pages(
    shown: Shown, now: datetime, zone: tzinfo, *, of: str = "", where: str = HERE
) -> list[str]:
    """Return pages of at most ten memories that fit in a message, newest first; at least one page.

    The profile stands on the first one. ``of`` names the member when somebody else looks, and
    ``where`` says which place it is about.
    """
    title = TITLE.format(_safe(of) or "you", _safe(where))
    heading = title if of else f"{title}\n-# {CONSENT_WORDS[shown.consent]}"
    if shown.linked_id is not None and not of:
        heading += f"\n-# {LINKED.format(shown.linked_id)}"
    heading += "".join(f"\n-# {_view_line(view, now, zone)}" for view in shown.views if not of)
    if shown.profile:
        heading += f"\n**Profile:** {_safe(shown.profile)}"
    if not shown.rows:
        return [f"{heading}\n\n{NOTHING_OF_OTHER if of else NOTHING}"]
    lines = (memory_line(row, now, zone, shown.past.get(row.id)) for row in shown.rows)
    return _in_pages(heading, title, lines)


def found_pages(
    found: Found, words: str, now: datetime, zone: tzinfo, *, of: str = "you", where: str = HERE
) -> list[str]:
    """Return what a search found as pages, newest first; at least one page.

    ``of`` says whose memories were searched; nothing: everybody's, so that each line names whose
    it is.
    """
    asked = _safe(clip(one_line(words), PAST_LIMIT, at_word=True))
    title = FOUND_TITLE.format(_safe(of) or "members", _safe(where), asked)
    heading = title
    if found.looked_at is not None:
        heading += f"\n-# {LOOKED_AT.format(found.looked_at)}"
    if found.has_more:
        heading += f"\n-# {HAS_MORE.format(len(found.rows))}"
    if not found.rows:
        return [f"{heading}\n\n{NOTHING_FOUND}"]
    lines = (
        ("" if of else f"{_whose(row)}: ") + memory_line(row, now, zone, found.past.get(row.id))
        for row in found.rows
    )
    return _in_pages(heading, title, lines)


def _whose(row: Memory) -> str:
    return f"<@{row.user_id}>" if row.user_id else "this server"


def _in_pages(heading: str, title: str, lines: Iterable[str]) -> list[str]:
    """Spread lines over pages that fit in a message, under the heading and then the title."""
    pages = [[heading, ""]]
    for line in lines:
        longer = utf16_length("\n".join([*pages[-1], line, FOOTER.format(99_999, 99_999)]))
        if len(pages[-1]) >= ROWS_PER_PAGE + HEADING_LINES or longer > PAGE_LIMIT:
            pages.append([title, ""])
        pages[-1].append(line)
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            page.append(FOOTER.format(number, len(pages)))
    return ["\n".join(page).rstrip() for page in pages]


def memory_line(row: Memory, now: datetime, zone: tzinfo, past: Memory | None = None) -> str:
    """Return one memory with its number, its age and its end, and what it took the place of."""
    end = (
        "stays until you forget it"
        if row.expires_at is None
        else f"expires {age_in_words(row.expires_at, now, zone)}"
    )
    notes = [row.kind.value, age_in_words(min(row.last_confirmed_at, now), now, zone), end]
    if row.status in STATUS_WORDS:
        notes.append(STATUS_WORDS[row.status])
    if past is not None:
        notes.append(f"before: “{_safe(clip(past.text, PAST_LIMIT, at_word=True))}”")
    return f"`#{row.id}` {_safe(row.text)} *({', '.join(notes)})*"


def why_page(why: Why, guild_id: int, now: datetime, zone: tzinfo) -> str:
    """Return why a memory is believed: its evidence, and what came before and after it."""
    memory = why.row.memory
    lines = [memory_line(memory, now, zone), f"-# {memory.confidence:.0%} sure"]
    evidence = why.row.evidence[-MOST_EVIDENCE:]
    lines += [_evidence_line(one, guild_id, zone) for one in reversed(evidence)]
    if len(why.row.evidence) > len(evidence):
        lines.append(f"-# and {len(why.row.evidence) - len(evidence)} earlier messages")
    lines += [_past_line("Took the place of", row) for row in why.before[:MOST_PAST]]
    if why.after is not None:
        lines.append(_past_line("Replaced by", why.after))
    while utf16_length("\n".join(lines)) > PAGE_LIMIT:
        lines.pop()
    return "\n".join(lines)


def memory_number(typed: str) -> int:
    """Return the number of a memory as somebody typed it. Raises BadInput when it is none."""
    number = typed.strip().lstrip("#")
    if not (number.isascii() and number.isdecimal()) or len(number) > LONGEST_NUMBER:
        raise BadInput(CHOOSE)
    return int(number)


def unknown_memory(number: int) -> BadInput:
    """Return the error that says that a member has no such memory."""
    return BadInput("There is no memory #{number} of yours here.", number=number)


def forgotten_in_words(count: int, where: str = HERE) -> str:
    """Say what went when a member had everything forgotten."""
    memories = "1 memory" if count == 1 else f"{count} memories"
    return f"Forgotten: {memories} and everything you said to me {_safe(where)}."


def undone_in_words(rows: Sequence[Memory], now: datetime, zone: tzinfo) -> str:
    """Say what holds again."""
    lines = ["Undone. This holds again:", *(memory_line(row, now, zone) for row in rows)]
    while utf16_length("\n".join(lines)) > PAGE_LIMIT:
        lines.pop()
    return "\n".join(lines)


def _evidence_line(evidence: Evidence, guild_id: int, zone: tzinfo) -> str:
    address = jump_link(guild_id, evidence)
    how = BY_COMMAND if address is None else METHOD_WORDS[evidence.method]
    if address is not None and evidence.model:
        how += f" {_safe(evidence.model)}"
    if evidence.prompt_hash:
        how += f", prompt {_safe(evidence.prompt_hash[:12])}"
    words = clip(evidence.quote, QUOTE_LIMIT, at_word=True)
    quote = f"“{_safe(words)}”" if words else "(its words are gone)"
    when = f"{evidence.said_at.astimezone(zone):%d %B %Y, %H:%M}"
    return f"- {when}: {quote} ({how}) {address or ''}".rstrip()


def _past_line(words: str, row: Memory) -> str:
    return f"- {words} `#{row.id}` {_safe(clip(row.text, QUOTE_LIMIT, at_word=True))}"


def _view_line(view: Deed, now: datetime, zone: tzinfo) -> str:
    who = "My operator" if view.actor_id == OPERATOR else f"A moderator (<@{view.actor_id}>)"
    return f"{who} looked at this {age_in_words(view.at, now, zone)}."


def _safe(text: str) -> str:
    return escape_markdown(defuse_mentions(text))
