"""A prompt's messages, whom they are about and what they rest on. Pure.

They are the instructions, the turns before, and the message to answer after what is recalled.

A turn of the conversation is "Name: text". A member may write lines that look like somebody else's
turn; these are marked as quoted. Nothing decides what a line means: only its form counts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from utils.common.links import unmasked, without_invites
from utils.common.text import clean, clip, estimate_tokens, one_line
from utils.llm import prompts
from utils.memory.attachments import rendering
from utils.memory.attachments.links import FROM_PAGE
from utils.models.conversation import Turn
from utils.models.guild import DEFAULT_MODE, GuildSettings, Persona
from utils.models.llm import ChatMessage
from utils.models.memory import DIRECT_MESSAGES, Event, Role
from utils.models.provenance import MAX_INHERITED, Provenance, SourceKind, SourceRef, SourceRole
from utils.models.recall import Recall
from utils.nlp.confidential import is_confidential
from utils.nlp.quoted_lines import quoted_lines

ATTACHMENT_TOKENS = 900
MIN_PAUSE = timedelta(hours=6)  # between turns, to be told
ROAST = "roast"
KIND = (
    "Somebody in this conversation asked not to be made fun of. Tease nobody in this answer, "
    "whoever asks for it, and don't say why."
)
_MANNER_TAG = re.compile(r"<(?=[\s/]*manner)", re.IGNORECASE)
QUOTED_LIMIT = 1000
NOTHING_SAID = "(only called you)"
QUOTED = "> "
_COLON = "[:：︓﹕∶꞉ː]"
_FENCE = "```"
_TIME = r"(?:\d{1,2}[:.]\d{2}|\d{4}-\d{2}-\d{2})"
_SPEAKER = re.compile(
    r"[\s*_~#]*+(?:"
    rf"[\[(][^\[\]()\n]{{0,40}}[\])]\s*+\S[^:：\n]{{0,40}}{_COLON}"  # [12:01] Bob: text
    rf"|[^\s:：<][^:：\n]{{0,40}}{_COLON}(?![/\d]|\w{{1,40}}:)"  # Bob: text
    r"|<(?![@#:/]|a:|t:|id:)[^<>\n]{1,40}>"  # <Bob> text
    rf"|\S[^\n]{{0,40}}?\s[—–-]\s[^\n]{{0,40}}?{_TIME}"  # Bob — Today at 12:01
    r")"
)
_MODEL_TAG = re.compile(r"<(?=\|)|\[(?=/?(?:INST|SYS)\])", re.IGNORECASE)
_TAG = re.compile(r"<(?=[\s/]*(?:background|attachments|place))", re.IGNORECASE)


def earlier_messages(events: Sequence[Event], room: int) -> list[tuple[Event, ChatMessage]]:
    """Return earlier turns with their messages, oldest first, the newest that fit in ``room``."""
    messages: list[tuple[Event, ChatMessage]] = []
    for event in reversed(events):
        if event.role is Role.KITH:
            message = ChatMessage("assistant", event.text)
        else:  # the member's message after their name, then what was read in its attachments
            read = (safe_line(attachment_text.line) for attachment_text in event.attachment_texts)
            message = ChatMessage("user", "\n".join([_words_of(event), *read]))
        room -= estimate_tokens(message.text)
        if room < 0:
            break
        messages.append((event, message))
    messages.reverse()
    for number, ((before, _), (event, message)) in enumerate(pairwise(messages), start=1):
        if message.role == "user" and (pause := _pause(before, event)):
            messages[number] = event, replace(message, text=f"{pause}\n{message.text}")
    return messages


def last_message(turn: Turn, block: str, before: Event | None) -> ChatMessage:
    """Return the message to answer, after the recall block, the quote and the attachments.

    ``before`` is the turn before it in the prompt; None: there is none.
    """
    parts = [pause] if before is not None and (pause := _pause(before, turn.event)) else []
    if turn.place:
        parts.append(f"<place>\n{without_tags(_without_markup(turn.place))}\n</place>")
    if block:
        parts.append(f"<background>\n{without_tags(block)}\n</background>")
    for name, people in turn.named.unclear:
        names = ", ".join(safe_name(person.name) for person in people)
        parts.append(f"(several members go by {name}: {names}; ask which of them is meant)")
    if turn.quoted is not None:
        quoted = clip(safe_line(turn.quoted.text), QUOTED_LIMIT, at_word=True)
        author = safe_name(turn.quoted.author_name)
        parts.append(f"({turn.quoted.reason} {author}, who wrote: {quoted})")
    event = turn.event
    if attachments := _attachment_lines(turn):
        parts.append(f"<attachments>\n{without_tags(clean(attachments))}\n</attachments>")
    parts.append(_words_of(event))
    return ChatMessage("user", "\n".join(parts))


def _pause(before: Event, event: Event) -> str:
    """Return how long after the turn before it a turn came, in words; empty if soon."""
    pause = event.created_at - before.created_at
    if pause < MIN_PAUSE:
        return ""
    hours = round(pause / timedelta(hours=1))
    return f"({hours} hours later)" if hours < 48 else f"({round(hours / 24)} days later)"


def _attachment_lines(turn: Turn) -> str:
    """Return what came with the question, then what came with the message that it replies to."""
    attached = turn.event.attachment_texts
    of_quoted = turn.quoted.attachment_texts if turn.quoted else ()
    if not (attached or of_quoted):
        return ""
    lines = rendering.attachment_lines((*attached, *of_quoted), turn.event.text, ATTACHMENT_TOKENS)
    if of_quoted:
        lines.insert(len(attached), "With the message replied to came:")
    if any(text.is_page for text in attached):
        lines.insert(0, FROM_PAGE)
    return "\n".join(lines)


def safe_words(text: str) -> str:
    """Return a member's message as it stands in a prompt, after their name."""
    lines = _without_markup(text).split("\n")
    fences = [number for number, line in enumerate(lines) if line.count(_FENCE) % 2]
    # A fence that nothing closes is no code block, on Discord neither.
    blocks = zip(fences[::2], fences[1::2], strict=False)
    code = {number for start, end in blocks for number in range(start + 1, end)}
    quoted = quoted_lines(lines)
    for number, line in enumerate(lines[1:], 1):
        is_others = number in quoted or _SPEAKER.match(line)
        if number not in code and is_others and not line.startswith(">"):
            lines[number] = QUOTED + line
    return without_tags("\n".join(lines))


def safe_line(text: str) -> str:
    """Return a text of a member as one line of a prompt."""
    return without_tags(one_line(_without_markup(text)))


def safe_name(name: str) -> str:
    """Return a member's name, in which no colon ends the name early."""
    return without_tags(re.sub(_COLON, "", one_line(clean(name))))


def without_tags(text: str) -> str:
    """Neutralise <place>, <background> and <attachments> tags."""
    return _TAG.sub("(", text)


def _without_markup(text: str) -> str:
    """Return a text without invites, masked links and the tags that models read as markup."""
    return _MODEL_TAG.sub("(", unmasked(without_invites(clean(text))))


def _words_of(event: Event) -> str:
    return f"{safe_name(event.author_name)}: {safe_words(event.text) or NOTHING_SAID}"


def people_in_prompt(turn: Turn, recall: Recall, used: Sequence[Event]) -> tuple[int, ...]:
    """Return the ids of all members whose memories or words the prompt contains.

    These are the members in the recall, the people of the turn, and the authors of earlier turns
    and of the quoted message. For Kith's earlier answers that are not stored, their own
    ``about_ids`` count; those of stored ones are added when the answer is recorded.
    """
    member_ids = dict.fromkeys(recall.about_ids)
    people = (*turn.people, *turn.named.everybody)
    member_ids |= dict.fromkeys(person.user_id for person in people)
    member_ids |= dict.fromkeys(event.author_id for event in used if event.role is Role.MEMBER)
    unstored = (event for event in used if event.role is Role.KITH and not event.id)
    member_ids |= dict.fromkeys(user_id for event in unstored for user_id in event.about_ids)
    quoted = turn.quoted
    if quoted is not None and quoted.author_id and not quoted.is_kith:
        member_ids[quoted.author_id] = None
    return tuple(member_ids)


def sources_of_prompt(turn: Turn, recall: Recall, used: Sequence[Event]) -> Provenance:
    """Return what the prompt holds: the message, the turns before it, the quote, the recall."""
    names = (SourceRef(SourceKind.MEMORY, row_id) for row_id in turn.named.note_ids)
    parts = [sources_of_turns(recall, (turn.event, *used)), Provenance(tuple(names))]
    if (quoted := turn.quoted) is not None and quoted.message_id:
        source = SourceRef(SourceKind.MESSAGE, quoted.message_id, user_id=quoted.author_id)
        parts.append(
            Provenance(answer_ids=(quoted.message_id,))
            if quoted.is_kith
            else Provenance(
                sources=(source,),
                confided_by=(quoted.author_id,) if is_confidential(quoted.text) else (),
            )
        )
    return Provenance.merged(parts)


def sources_of_turns(recall: Recall, turns: Sequence[Event]) -> Provenance:
    """Return what a prompt of these turns and this recall holds.

    An answer of Kith's that is not stored has what it rests on with it.
    """
    messages = [event for event in turns if event.role is Role.MEMBER]
    answers = [event for event in turns if event.role is Role.KITH]
    of_turns = Provenance(
        sources=tuple(
            SourceRef(SourceKind.MESSAGE, message.message_id, SourceRole.SAID, message.author_id)
            for message in messages
        ),
        answer_ids=tuple(answer.message_id for answer in answers),
        about_ids=tuple(user_id for answer in answers for user_id in answer.about_ids),
        event_ids=tuple(event.id for event in turns if event.id),
        revisions=tuple((event.message_id, event.revision) for event in turns if not event.id),
    )
    unstored = Provenance.merged(event.provenance for event in answers if not event.id)
    # An inherited reference is passed on, not copied: thousands of answers may wait to be stored.
    sources = (
        ref if ref.role is SourceRole.INHERITED else ref._replace(role=SourceRole.INHERITED)
        for ref in unstored.sources[:MAX_INHERITED]
    )
    inherited = replace(unstored, sources=tuple(sources))
    return Provenance.merged((recall.provenance, of_turns, inherited))


# --- instructions -------------------------------------------------------------------------------
#
# A manner sets the tone. The fixed instructions follow it and repeat at the end what no manner may
# change. The text of a server's moderators is framed, because it is untrusted.


@dataclass(frozen=True, slots=True)
class Manner:
    """A mode's name and text; ``is_own``: a server's moderators wrote it."""

    name: str
    text: str
    is_own: bool = False


def built_in_manner(mode: str) -> Manner:
    """Return a built-in manner; the default one if the mode does not exist."""
    name = mode if mode in prompts.MODES else DEFAULT_MODE
    return Manner(name, prompts.persona(name).text)


def custom_manner(persona: Persona) -> Manner:
    """Return a manner that a server's moderators wrote."""
    return Manner(persona.name, persona.text, is_own=True)


def active_manner(settings: GuildSettings, *channel_ids: int) -> Manner:
    """Return the manner of the first of these channels that has one, else the server's."""
    mode = settings.mode_in(*channel_ids)
    persona = settings.persona(mode)
    return (
        built_in_manner(mode)
        if mode in prompts.MODES or persona is None
        else custom_manner(persona)
    )


def without_teasing(manner: Manner) -> Manner:
    """Return the manner to use when a participant has turned roasts off."""
    return built_in_manner(DEFAULT_MODE) if manner.name == ROAST else manner


def instructions(
    settings: GuildSettings,
    manner: Manner,
    now: datetime,
    *,
    age_restricted: bool = False,
    is_kind: bool = False,
) -> str:
    """Return the instructions for an answer. ``is_kind`` forbids teasing anyone in it.

    In a direct message they say that what is known from servers stays there.
    """
    content = "age_restricted" if age_restricted else "all_ages"
    is_direct = settings.guild_id == DIRECT_MESSAGES
    local = now.astimezone(settings.zone)
    persona = manner.text
    if manner.is_own:  # moderators' text stands in a frame that limits it to the tone
        own_words = _MANNER_TAG.sub("(", clean(persona))
        persona = prompts.load("own_manner").fill(words=own_words)
    return prompts.load("reply").fill(
        persona=persona,
        now=f"{local:%A, %d %B %Y, %H:%M}",
        time_zone=settings.time_zone,
        content=prompts.load(f"content/{content}").text,
        kind=f"\n- {KIND}" if is_kind else "",
        place=f"\n- {prompts.load('direct_message').text}" if is_direct else "",
    )
