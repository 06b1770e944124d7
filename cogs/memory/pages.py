"""What Kith knows about a member as pages of text, for Discord and the terminal."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cogs.memory import memory_text
from cogs.memory.display import Display
from utils.common.errors import BadInput
from utils.common.text import (
    clip,
    defuse_mentions,
    escape_markdown,
    one_line,
    utf16_length,
)
from utils.models.attachment import without_placeholders
from utils.models.conversation import TargetKind
from utils.models.episode import OpenLoop
from utils.models.memory import Consent, Evidence, Form, Memory, Method, VerifiedBy
from utils.models.provenance import AnswerOrigin
from utils.models.recall import (
    MemberMessage,
    MemberView,
    MessageCount,
    SearchResult,
)
from utils.models.transfer import (
    MemoryDetail,
    jump_link,
    message_link,
)

ROWS_PER_PAGE = 10
PAGE_LIMIT = 2000  # Discord's limit for a message, in UTF-16 units
HEADING_LINES = 2
FOOTER_LENGTH = 40
PREVIOUS_LIMIT = 60
QUOTE_LIMIT = 200
MAX_NUMBER_LENGTH = 18
MAX_EVIDENCE = 5
NUMBER = re.compile(rf"^`((?:#|{TargetKind.LOOP})[0-9]+)` ", re.MULTILINE)
"""The number of a memory or loop on a page: "#12", "p3"."""
MAX_PREVIOUS = 5


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose memories pages are about, and where.

    Attributes:
        name: the member's, when a moderator looks; empty: the reader's own memories.
        place: where, if that is not here.
        is_direct: it is about direct messages.
        is_everybody: it is about all members of a server.
    """

    name: str = ""
    place: str = ""
    is_direct: bool = False
    is_everybody: bool = False


def memory_pages(member_view: MemberView, display: Display, subject: Subject) -> list[str]:
    """Return pages of up to ten memories that fit in a message, newest first; at least one page.

    The profile is on the first page.
    """
    of_other, tr = subject.name, display.tr
    template = memory_text.TITLE_IN if subject.place else memory_text.TITLE
    if of_other:
        template = memory_text.TITLE_OF
    title = tr(template, name=_safe(subject.name), place=_safe(subject.place))
    heading = (
        title if of_other else f"{title}\n-# {tr(memory_text.CONSENT_WORDS[member_view.consent])}"
    )
    if subject.is_direct:
        heading += f"\n-# {tr(memory_text.STAYS_IN_SERVERS)}"
    if member_view.linked_id is not None and not of_other:
        heading += f"\n-# {tr(memory_text.LINKED, user_id=member_view.linked_id)}"
    for view in () if of_other else member_view.views:
        text = memory_text.LOOKED_OTHERWISE.get(view.actor_id, memory_text.LOOKED)
        looked = tr(text, user_id=view.actor_id, when=display.age(view.at))
        heading += f"\n-# {looked}"
    if member_view.profile:
        heading += f"\n{tr(memory_text.PROFILE, profile=_safe(member_view.profile))}"
    messages = messages_line(member_view.messages, display)
    told_lines = (memory_line(row, display) for row in member_view.told)
    loops = [*told_lines, *(loop_line(loop, display) for loop in member_view.loops)]
    if not member_view.rows:
        nothing = memory_text.NOTHING_NOTED if messages or loops else memory_text.NOTHING
        nothing = tr(memory_text.NOTHING_OF_OTHER if of_other else nothing)
        if of_other or member_view.consent is not Consent.OFF:  # else the heading says so
            heading = f"{heading}\n\n{nothing}"
        return _in_pages(heading, title, loops, display, messages)
    rows = (
        memory_line(
            row,
            display,
            member_view.past.get(row.id),
            is_linked=row.user_id == member_view.linked_id,
        )
        for row in member_view.rows
    )
    return _in_pages(heading, title, [*rows, *loops], display, messages)


def loop_line(loop: OpenLoop, display: Display) -> str:
    """Return something that Kith may ask the member about, with its number, day and end."""
    notes = display.tr(
        memory_text.LOOP
        if loop.due_at is None
        else "{kind}, from {day}, said {age}, until {until}",
        kind=display.tr(memory_text.LOOP_WORDS[loop.kind]),
        day="" if loop.due_at is None else display.date(loop.due_at),
        age=display.age(min(loop.created_at, display.now)),
        until=display.date(loop.expires_at),
    )
    return f"`{TargetKind.LOOP}{loop.id}` {_safe(loop.text)} *({notes})*"


def messages_line(messages: MessageCount, display: Display) -> str:
    """Return how many messages are stored and until when; empty without any."""
    if messages.until is None:
        return ""
    text = memory_text.MESSAGE_KEPT if messages.number == 1 else memory_text.MESSAGES_KEPT
    return display.tr(text, number=messages.number, until=display.date(messages.until))


def search_pages(
    results: SearchResult, words: str, display: Display, subject: Subject, limits: str = ""
) -> list[str]:
    """Return the results of a search as pages; at least one page.

    What has all of the words comes first, newest first; then what is related, best first. If all
    members' memories were searched, each line names its member. ``limits``: it was limited to this.
    """
    tr = display.tr
    template = memory_text.SEARCH_IN if subject.place else memory_text.SEARCH
    if subject.name:
        template = memory_text.SEARCH_OF
    if subject.is_everybody:
        template = memory_text.SEARCH_OF_ALL
    heading = title = tr(
        template,
        name=_safe(subject.name),
        place=_safe(subject.place),
        words=_safe(clip(one_line(words), PREVIOUS_LIMIT, at_word=True)),
    )
    if limits:
        heading += f"\n{tr(memory_text.LIMITED, limits=limits)}"
    if subject.is_direct:
        heading += f"\n-# {tr(memory_text.STAYS_IN_SERVERS)}"
    if results.looked_at is not None:
        heading += f"\n-# {tr(memory_text.SEARCHED_NEWEST, count=results.looked_at)}"
    if results.has_more:
        heading += f"\n-# {tr(memory_text.HAS_MORE, count=len(results.rows))}"
    if results.has_more_messages:
        heading += f"\n-# {tr(memory_text.MORE_MESSAGES, count=len(results.messages))}"

    def line(item: Memory | MemberMessage) -> str:
        if isinstance(item, MemberMessage):
            return message_line(item, display)
        text = memory_line(
            item, display, results.past.get(item.id), is_linked=item.user_id == results.linked_id
        )
        if not subject.is_everybody:
            return text
        return f"{f'<@{item.user_id}>' if item.user_id else tr(memory_text.OF_SERVER)}: {text}"

    lines = [*map(line, results.rows), *map(line, results.messages)]
    if not lines and not results.others:
        lines = [tr("I find nothing that has all of these words.")]
    if results.others:
        lines += [tr("-# Related, the best first:"), *map(line, results.others)]
    last = "" if results.by_meaning else f"-# {tr(memory_text.WORDS_ONLY)}"
    return _in_pages(heading, title, lines, display, last)


def _in_pages(
    heading: str, title: str, lines: Iterable[str], display: Display, last: str = ""
) -> list[str]:
    """Split lines into pages that fit in a message, and end the last page with ``last``.

    The first page has the heading, the others the title.
    """
    limit = PAGE_LIMIT - FOOTER_LENGTH
    pages = [[heading, ""]]
    for line in lines:
        length = utf16_length("\n".join([*pages[-1], line]))
        if len(pages[-1]) >= ROWS_PER_PAGE + HEADING_LINES or length > limit:
            pages.append([title, ""])
        pages[-1].append(line)
    if last:
        if utf16_length("\n".join([*pages[-1], "", last])) > limit:
            pages.append([title])
        pages[-1] += [last] if pages[-1][-1] == "" else ["", last]
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            page.append(display.tr(memory_text.FOOTER, page=number, pages=len(pages)))
    return ["\n".join(page).rstrip() for page in pages]


def memory_line(
    row: Memory, display: Display, previous: Memory | None = None, *, is_linked: bool = False
) -> str:
    """Return a memory with its number, age and expiry, and the memory that it replaced.

    ``is_linked``: it is known from the member's linked account.
    """
    tr, is_quote = display.tr, row.form is Form.QUOTE
    notes = [
        tr("your words" if is_quote else memory_text.KIND_WORDS[row.kind]),
        display.age(min(row.last_confirmed_at, display.now)),
        tr(memory_text.STAYS)
        if row.expires_at is None
        else tr(memory_text.EXPIRES, when=display.age(row.expires_at)),
    ]
    if row.status in memory_text.STATUS_WORDS:
        notes.append(tr(memory_text.STATUS_WORDS[row.status]))
    if is_linked:
        notes.append(tr("from your linked account"))
    if previous is not None:
        notes.append(
            tr(memory_text.BEFORE, words=_safe(clip(previous.text, PREVIOUS_LIMIT, at_word=True)))
        )
    text = tr(memory_text.QUOTED, words=_safe(row.text)) if is_quote else _safe(row.text)
    return f"`#{row.id}` {text} *({', '.join(notes)})*"


def noted_pages(
    rows: Sequence[MemoryDetail], guild_id: int, display: Display, nothing: str
) -> list[str]:
    """Return what was noted of a message, each with its sentence; ``nothing`` without any."""
    title = display.tr("**What I noted from this**")
    lines = [
        "\n".join(
            [
                memory_line(row.item, display),
                *(
                    _evidence_line(said, guild_id, display, links=True)
                    for said in row.evidence[-1:]
                ),
            ]
        )
        for row in rows
    ]
    return _in_pages(title, title, lines, display) if lines else [nothing]


def origins_in_words(origins: Sequence[AnswerOrigin], display: Display) -> str:
    """Return where an answer comes from: who said it, where and when, with a link."""
    if not origins:
        return display.tr(
            "I can't say: nothing that I keep, and that you may read, has two words in common "
            "with that."
        )
    lines = [
        display.tr(
            "- <@{user_id}> said it on {day}. {link}"
            if origin.user_id
            else "- It was talked about in <#{channel_id}> until {day}.",
            user_id=origin.user_id,
            channel_id=origin.channel_id,
            day=display.date(origin.said_at),
            link=origin.link or "",
        ).rstrip()
        for origin in origins
    ]
    return "\n".join([display.tr("**Where this comes from**"), *lines])


def why_page(why: MemoryDetail, guild_id: int, display: Display, *, links: bool = True) -> str:
    """Return why Kith believes a memory: its evidence, and the memories before and after it.

    ``links``: link to the messages, which only Discord has.
    """
    memory, tr = why.item, display.tr
    sureness = (
        tr(memory_text.SURENESS, confidence=memory.confidence)
        if memory.form is Form.NOTE
        else tr("kept as you said it")
    )
    lines = [memory_line(memory, display), f"-# {sureness}"]
    evidence = why.evidence[-MAX_EVIDENCE:]
    lines += [_evidence_line(entry, guild_id, display, links=links) for entry in reversed(evidence)]
    if len(why.evidence) > len(evidence):
        more = len(why.evidence) - len(evidence)
        lines.append(f"-# {tr(memory_text.EARLIER_MESSAGES, count=more)}")
    lines += [_related_line(memory_text.REPLACED, row, display) for row in why.past[:MAX_PREVIOUS]]
    if why.successor is not None:
        lines.append(_related_line("Replaced by `#{id}` {text}", why.successor, display))
    return _cut(lines)


def message_line(message: MemberMessage, display: Display) -> str:
    """Return a stored message with its number, age and end."""
    words = one_line(without_placeholders(message.text)) or one_line(message.text)
    text = display.tr(memory_text.QUOTED, words=_safe(clip(words, QUOTE_LIMIT, at_word=True)))
    files = "".join(
        f" [{_safe(clip(one_line(item), PREVIOUS_LIMIT, at_word=True))}]"
        for item in message.attached[:1]
    )
    notes = display.tr(
        "your message, {age}, until {until}",
        age=display.age(min(message.said_at, display.now)),
        until=display.date(message.expires_at),
    )
    return f"`{TargetKind.MESSAGE}{message.id}` {text}{files} *({notes})*"


def message_page(
    message: MemberMessage, rows: Sequence[Memory], guild_id: int, display: Display, *, links: bool
) -> str:
    """Return a stored message, where or when it was said, and the memories that rest on it.

    ``links``: link to the message, which only Discord has.
    """
    tr = display.tr
    link = message_link(guild_id, message.channel_id, message.message_id)
    when_said = tr("You said it on {when}.", when=display.time(message.said_at))
    lines = [
        message_line(message, display),
        f"- {tr(memory_text.SAID_AT_LINK, link=link) if links else when_said}",
        *(
            _related_line("Noted from it: `#{id}` {text}", row, display)
            for row in rows[:MAX_EVIDENCE]
        ),
    ]
    if not rows:
        lines.append(f"- {tr(memory_text.NOTHING_NOTED_FROM_IT)}")
    return "\n".join(lines)


def memory_number(typed: str) -> int:
    """Return the typed number of a memory. Raises BadInput if it is not a number."""
    number = typed.strip().lstrip("#")
    if not (number.isascii() and number.isdecimal()) or len(number) > MAX_NUMBER_LENGTH:
        raise BadInput(memory_text.CHOOSE)
    return int(number)


def forgotten_in_words(count: int, display: Display, place: str = "") -> str:
    """Return the answer after a member had everything forgotten."""
    text = memory_text.FORGOTTEN_IN if place else memory_text.FORGOTTEN_HERE
    return display.tr(
        text,
        memories=display.tr("1 memory" if count == 1 else "{count} memories", count=count),
        place=_safe(place),
    )


def undone_in_words(rows: Sequence[Memory], display: Display) -> str:
    """Return the answer after an undo: the restored memories."""
    return _cut([display.tr(memory_text.UNDONE), *(memory_line(row, display) for row in rows)])


def _cut(lines: list[str]) -> str:
    """Return as many lines as fit in a message."""
    while utf16_length("\n".join(lines)) > PAGE_LIMIT:
        lines = lines[:-1]
    return "\n".join(lines)


def _evidence_line(evidence: Evidence, guild_id: int, display: Display, *, links: bool) -> str:
    tr, link = display.tr, jump_link(guild_id, evidence)
    how = _how(evidence, display, is_sent=link is not None)
    words = _safe(clip(evidence.quote, QUOTE_LIMIT, at_word=True))
    quote = tr(memory_text.QUOTED, words=words) if words else tr("(its text is erased)")
    when = display.time(evidence.said_at)
    if not links:
        return f"- {tr(memory_text.EVIDENCE, when=when, quote=quote, how=how)}"
    return f"- {when}: {quote} ({how}) {link or ''}".rstrip()


def _how(evidence: Evidence, display: Display, *, is_sent: bool) -> str:
    """Return how a memory was noted and verified; ``is_sent``: from a message on Discord."""
    tr, unsent = display.tr, "" if is_sent else memory_text.UNSENT_WORDS[evidence.model]
    model, verifier_model = (
        _safe(name) or tr("(name unknown)") for name in (evidence.model, evidence.verifier_model)
    )
    by_model = (evidence.method, evidence.verified_by) == (Method.MODEL, VerifiedBy.MODEL)
    if by_model and model == verifier_model and not unsent:
        return tr("noted and verified by the model {model}", model=model)
    how = [tr(unsent or memory_text.METHOD_WORDS[evidence.method], model=model)]
    if evidence.verified_by in memory_text.VERIFIED_WORDS:
        how.append(tr(memory_text.VERIFIED_WORDS[evidence.verified_by], model=verifier_model))
    return ", ".join(text.strip() for text in how)


def _related_line(text: str, row: Memory, display: Display) -> str:
    words = _safe(clip(row.text, QUOTE_LIMIT, at_word=True))
    return f"- {display.tr(text, id=row.id, text=words)}"


def _safe(text: str) -> str:
    return escape_markdown(defuse_mentions(text))
