"""What Kith knows about a member as pages of text, for Discord and the terminal.

``zone`` None: times are Discord's timestamps, which each reader sees in their zone and language.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo

from utils.common.errors import BadInput
from utils.common.text import (
    age_in_words,
    clip,
    defuse_mentions,
    escape_markdown,
    one_line,
    utf16_length,
)
from utils.models.attachment import without_placeholders
from utils.models.episode import LoopKind, OpenLoop
from utils.models.memory import (
    DIRECT_MESSAGES,
    Consent,
    Evidence,
    Form,
    Memory,
    Method,
    Status,
    VerifiedBy,
)
from utils.models.operator import OPERATOR
from utils.models.recall import (
    MemberMessage,
    MemberView,
    MessageCount,
    MessageView,
    SearchResult,
)
from utils.models.transfer import MemberAuditEntry, MemoryProvenance, jump_link

ROWS_PER_PAGE = 10
PAGE_LIMIT = 2000  # Discord's limit for a message, in UTF-16 units
HEADING_LINES = 2
PREVIOUS_LIMIT = 60
QUOTE_LIMIT = 200
TITLE = "**What I know of {} {}**"
HERE = "here"
SEARCH_TITLE = "**What I know of {} {} with “{}”**"
LINKED = "Linked with <@{}>: I recall you two together; `/kith unlink` ends it."
STAYS_IN_SERVERS = "What I know of you from servers stays there; choose one with `server`."
FROM_LINKED = "from your linked account"
FOOTER = "-# Page {} of {}"
NOTHING = "I remember nothing about you here yet. Just talk to me."
NOTHING_NOTED = "I have noted nothing about you here yet."
MESSAGES_KEPT = (
    "Kith also keeps your last {number} messages {where} until {until} at the latest and may quote "
    "them; `/memory search` finds them and `/memory forget` erases them."
)
MESSAGE_KEPT = (
    "Kith also keeps your last message {where} until {until} and may quote it; `/memory search` "
    "finds it and `/memory forget` erases it."
)
NO_RESULTS = "I find nothing that has all of these words."
SEARCHED_NEWEST = "I looked at the newest {:,} memories only."
HAS_MORE = "These are the newest {}, and there are more; another word finds fewer."
MORE_MESSAGES = (
    "These are the newest {} messages with these words, and there are more; another word finds "
    "fewer."
)
NOTHING_OF_OTHER = "I remember nothing about them that you may see."
CONSENT_WORDS = {
    Consent.OFF: "I store nothing about you here.",
    Consent.TEMPORARY: "Nothing here lives longer than 30 days after you last said it.",
    Consent.LASTING: "You let me remember you lastingly here; each memory says how long it lives.",
}
LOOP_WORDS = {
    LoopKind.ASK: "I ask you about this",
    LoopKind.GOAL: "a goal; I may ask you about it",
    LoopKind.PROMISE: "a promise; I may ask you about it",
    LoopKind.QUESTION: "not answered yet; I may ask you about it",
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
VERIFIED_WORDS = {
    VerifiedBy.MODEL: ", verified by the model",
    VerifiedBy.RULE: ", verified by a built-in rule",
    VerifiedBy.MEMBER: ", verified by you",
    VerifiedBy.MODERATOR: ", verified by a moderator",
}
BY_COMMAND = "you typed it in a command"
CHOOSE = "Choose a memory from the list, or give the number /memory show prints."
MESSAGE_MARK = "m"
LOOP_MARK = "p"
MAX_NUMBER_LENGTH = 18
MAX_EVIDENCE = 5
MAX_PREVIOUS = 5


def memory_pages(
    member_view: MemberView,
    now: datetime,
    zone: tzinfo | None,
    *,
    of: str = "",
    where: str = HERE,
    is_direct: bool = False,
) -> list[str]:
    """Return pages of up to ten memories that fit in a message, newest first; at least one page.

    The profile is on the first page. ``of`` names the member when a moderator looks; ``where``
    names the place. ``is_direct``: it is about direct messages.
    """
    title = TITLE.format(_safe(of) or "you", _safe(where))
    heading = title if of else f"{title}\n-# {CONSENT_WORDS[member_view.consent]}"
    if is_direct:
        heading += f"\n-# {STAYS_IN_SERVERS}"
    if member_view.linked_id is not None and not of:
        heading += f"\n-# {LINKED.format(member_view.linked_id)}"
    heading += "".join(
        f"\n-# {_view_line(view, now, zone)}" for view in member_view.views if not of
    )
    if member_view.profile:
        heading += f"\n**Profile:** {_safe(member_view.profile)}"
    messages = messages_line(member_view.messages, zone, where)
    loops = [loop_line(loop, now, zone) for loop in member_view.loops]
    if not member_view.rows:
        nothing = NOTHING_OF_OTHER if of else NOTHING_NOTED if messages or loops else NOTHING
        return _in_pages("\n".join([heading, "", nothing]), title, loops, messages)
    rows = (
        memory_line(
            row,
            now,
            zone,
            member_view.past.get(row.id),
            is_linked=row.user_id == member_view.linked_id,
        )
        for row in member_view.rows
    )
    return _in_pages(heading, title, [*rows, *loops], messages)


def loop_line(loop: OpenLoop, now: datetime, zone: tzinfo | None) -> str:
    """Return something that Kith may ask the member about, with its number, day and end."""
    begins = "" if loop.due_at is None else f"from {_date(loop.due_at, zone)}, "
    until = _date(loop.expires_at, zone)
    age = _age(min(loop.created_at, now), now, zone)
    kind = LOOP_WORDS[loop.kind]
    return (
        f"`{LOOP_MARK}{loop.id}` {_safe(loop.text)} *({kind}, {begins}said {age}, until {until})*"
    )


def messages_line(messages: MessageCount, zone: tzinfo | None, where: str = HERE) -> str:
    """Return how many messages are stored and until when; empty without any."""
    if messages.until is None:
        return ""
    text = MESSAGE_KEPT if messages.number == 1 else MESSAGES_KEPT
    until = _date(messages.until, zone)
    return text.format(number=messages.number, where=_safe(where), until=until)


def search_pages(
    results: SearchResult,
    words: str,
    now: datetime,
    zone: tzinfo | None,
    *,
    of: str = "you",
    where: str = HERE,
    is_direct: bool = False,
) -> list[str]:
    """Return the results of a search as pages, newest first; at least one page.

    ``of`` names the member whose memories were searched. If it is empty, all members' were
    searched, and each line names its member. ``is_direct``: direct messages were searched.
    """
    query = _safe(clip(one_line(words), PREVIOUS_LIMIT, at_word=True))
    title = SEARCH_TITLE.format(_safe(of) or "members", _safe(where), query)
    heading = title
    if is_direct:
        heading += f"\n-# {STAYS_IN_SERVERS}"
    if results.looked_at is not None:
        heading += f"\n-# {SEARCHED_NEWEST.format(results.looked_at)}"
    if results.has_more:
        heading += f"\n-# {HAS_MORE.format(len(results.rows))}"
    if results.has_more_messages:
        heading += f"\n-# {MORE_MESSAGES.format(len(results.messages))}"
    if not (results.rows or results.messages):
        return [f"{heading}\n\n{NO_RESULTS}"]
    rows = (
        ("" if of else f"{_owner(row)}: ")
        + memory_line(
            row,
            now,
            zone,
            results.past.get(row.id),
            is_linked=row.user_id == results.linked_id,
        )
        for row in results.rows
    )
    messages = (message_line(message, now, zone) for message in results.messages)
    return _in_pages(heading, title, [*rows, *messages])


def _owner(row: Memory) -> str:
    return f"<@{row.user_id}>" if row.user_id else "this server"


def _in_pages(heading: str, title: str, lines: Iterable[str], last: str = "") -> list[str]:
    """Split lines into pages that fit in a message, and end the last page with ``last``.

    The first page has the heading, the others the title.
    """
    pages = [[heading, ""]]
    for line in lines:
        length = utf16_length("\n".join([*pages[-1], line, FOOTER.format(99_999, 99_999)]))
        if len(pages[-1]) >= ROWS_PER_PAGE + HEADING_LINES or length > PAGE_LIMIT:
            pages.append([title, ""])
        pages[-1].append(line)
    if last:
        length = utf16_length("\n".join([*pages[-1], "", last, FOOTER.format(99_999, 99_999)]))
        if length > PAGE_LIMIT:
            pages.append([title])
        pages[-1] += [last] if pages[-1][-1] == "" else ["", last]
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            page.append(FOOTER.format(number, len(pages)))
    return ["\n".join(page).rstrip() for page in pages]


def memory_line(
    row: Memory,
    now: datetime,
    zone: tzinfo | None,
    previous: Memory | None = None,
    *,
    is_linked: bool = False,
) -> str:
    """Return a memory with its number, age and expiry, and the memory that it replaced.

    ``is_linked``: it is known from the member's linked account.
    """
    expiry = (
        "stays until you forget it"
        if row.expires_at is None
        else f"expires {_age(row.expires_at, now, zone)}"
    )
    form = "your words" if row.form is Form.QUOTE else row.kind.value
    notes = [form, _age(min(row.last_confirmed_at, now), now, zone), expiry]
    if row.status in STATUS_WORDS:
        notes.append(STATUS_WORDS[row.status])
    if is_linked:
        notes.append(FROM_LINKED)
    if previous is not None:
        notes.append(f"before: “{_safe(clip(previous.text, PREVIOUS_LIMIT, at_word=True))}”")
    is_quote = row.form is Form.QUOTE
    text = f"“{_safe(row.text)}”" if is_quote else _safe(row.text)
    return f"`#{row.id}` {text} *({', '.join(notes)})*"


def why_page(
    why: MemoryProvenance, guild_id: int, now: datetime, zone: tzinfo | None, *, links: bool = True
) -> str:
    """Return why Kith believes a memory: its evidence, and the memories before and after it.

    ``links``: link to the messages, which only Discord has.
    """
    memory = why.row.memory
    is_note = memory.form is Form.NOTE
    sureness = f"{memory.confidence:.0%} sure" if is_note else "kept as you said it"
    lines = [memory_line(memory, now, zone), f"-# {sureness}"]
    evidence = why.row.evidence[-MAX_EVIDENCE:]
    lines += [_evidence_line(entry, guild_id, zone, links=links) for entry in reversed(evidence)]
    if len(why.row.evidence) > len(evidence):
        lines.append(f"-# and {len(why.row.evidence) - len(evidence)} earlier messages")
    lines += [_related_line("Replaced", row) for row in why.before[:MAX_PREVIOUS]]
    if why.after is not None:
        lines.append(_related_line("Replaced by", why.after))
    while utf16_length("\n".join(lines)) > PAGE_LIMIT:
        lines.pop()
    return "\n".join(lines)


def message_line(message: MemberMessage, now: datetime, zone: tzinfo | None) -> str:
    """Return a stored message with its number, age and end."""
    words = one_line(without_placeholders(message.text)) or one_line(message.text)
    text = _safe(clip(words, QUOTE_LIMIT, at_word=True))
    files = "".join(
        f" [{_safe(clip(one_line(item), PREVIOUS_LIMIT, at_word=True))}]"
        for item in message.attached[:1]
    )
    age = _age(min(message.said_at, now), now, zone)
    until = _date(message.expires_at, zone)
    return f"`{MESSAGE_MARK}{message.id}` “{text}”{files} *(your message, {age}, until {until})*"


def message_page(
    view: MessageView, guild_id: int, now: datetime, zone: tzinfo | None, *, links: bool = True
) -> str:
    """Return a stored message, where or when it was said, and the memories that rest on it.

    ``links``: link to the message, which only Discord has.
    """
    message = view.message
    server = "@me" if guild_id == DIRECT_MESSAGES else str(guild_id)
    link = f"https://discord.com/channels/{server}/{message.channel_id}/{message.message_id}"
    said_at = _time(message.said_at, zone)
    lines = [
        message_line(message, now, zone),
        f"- You said it: {link}" if links else f"- You said it on {said_at}.",
        *(_related_line("Noted from it:", row) for row in view.rows[:MAX_EVIDENCE]),
    ]
    if not view.rows:
        lines.append("- Nothing is noted from it; I may quote it where it fits.")
    return "\n".join(lines)


def memory_number(typed: str) -> int:
    """Return the typed number of a memory. Raises BadInput if it is not a number."""
    number = typed.strip().lstrip("#")
    if not (number.isascii() and number.isdecimal()) or len(number) > MAX_NUMBER_LENGTH:
        raise BadInput(CHOOSE)
    return int(number)


def unknown_memory(number: int) -> BadInput:
    """Return the error for a memory that the member does not have."""
    return BadInput("There is no memory #{number} of yours here.", number=number)


def forgotten_in_words(count: int, where: str = HERE) -> str:
    """Return the answer after a member had everything forgotten."""
    memories = "1 memory" if count == 1 else f"{count} memories"
    return f"Forgotten: {memories} and everything you said to me {_safe(where)}."


def undone_in_words(rows: Sequence[Memory], now: datetime, zone: tzinfo | None) -> str:
    """Return the answer after an undo: the restored memories."""
    lines = ["Undone. This holds again:", *(memory_line(row, now, zone) for row in rows)]
    while utf16_length("\n".join(lines)) > PAGE_LIMIT:
        lines.pop()
    return "\n".join(lines)


def _evidence_line(evidence: Evidence, guild_id: int, zone: tzinfo | None, *, links: bool) -> str:
    link = jump_link(guild_id, evidence)
    method = BY_COMMAND if link is None else METHOD_WORDS[evidence.method]
    if link is not None and evidence.model:
        method += f" {_safe(evidence.model)}"
    method += VERIFIED_WORDS.get(evidence.verified_by, "")
    if evidence.verifier_model:
        method += f" {_safe(evidence.verifier_model)}"
    clipped = clip(evidence.quote, QUOTE_LIMIT, at_word=True)
    quote = f"“{_safe(clipped)}”" if clipped else "(its text is erased)"
    when = _time(evidence.said_at, zone)
    if not links:
        return f"- You said on {when}: {quote} ({method})"
    return f"- {when}: {quote} ({method}) {link or ''}".rstrip()


def _related_line(label: str, row: Memory) -> str:
    return f"- {label} `#{row.id}` {_safe(clip(row.text, QUOTE_LIMIT, at_word=True))}"


def _view_line(view: MemberAuditEntry, now: datetime, zone: tzinfo | None) -> str:
    who = "My operator" if view.actor_id == OPERATOR else f"A moderator (<@{view.actor_id}>)"
    return f"{who} looked at this {_age(view.at, now, zone)}."


def _age(then: datetime, now: datetime, zone: tzinfo | None) -> str:
    return _timestamp(then, "R") if zone is None else age_in_words(then, now, zone)


def _date(at: datetime, zone: tzinfo | None) -> str:
    return _timestamp(at, "D") if zone is None else f"{at.astimezone(zone):%d %B %Y}"


def _time(at: datetime, zone: tzinfo | None) -> str:
    return _timestamp(at, "f") if zone is None else f"{at.astimezone(zone):%d %B %Y, %H:%M}"


def _timestamp(at: datetime, style: str) -> str:
    """``discord.utils.format_dt``; the terminal's start would wait for discord.py's import."""
    return f"<t:{int(at.timestamp())}:{style}>"


def _safe(text: str) -> str:
    return escape_markdown(defuse_mentions(text))
