"""Turn notes from watched channels into memories, as their authors' consent allows.

Grounding, consent and policy are those of messages to Kith. A note's message is stored as its
evidence; the other watched messages are not stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from utils.database.core.engine import Connection
from utils.database.erasure import consent as member_consent
from utils.database.memories import members
from utils.database.sentiment import overheard_messages, waiting_messages
from utils.memory.consolidation.planner import plan_changes
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.verification.context import ExtractionContext
from utils.models.memory import (
    Candidate,
    Consent,
    Event,
    Extraction,
    Importance,
    Kind,
    Member,
    Method,
    Role,
    Source,
)
from utils.models.plan import Plan
from utils.models.policy import WritePolicy
from utils.models.sentiment import NoteUpdate, PassiveMemory, WatchedMessage

NOTE_CONFIDENCE = 0.9  # 0.81 after the passive factor: just enough to be used
PASSING_DAYS = 7


@dataclass(frozen=True, slots=True)
class Overheard:
    """Notes about one member from a watched channel, with the messages they come from.

    Attributes:
        messages: the member's messages, oldest first.
        sources: the channels that the channel's readers can read.
        is_open: everyone in the server can read the channel.
        around: all messages of the batch, other members' included.
    """

    member: Member
    messages: tuple[WatchedMessage, ...]
    notes: tuple[NoteUpdate, ...]
    memory: PassiveMemory
    sources: frozenset[int]
    is_open: bool
    around: tuple[WatchedMessage, ...] = ()
    model: str = ""
    prompt_hash: str = ""


def to_extraction(overheard: Overheard) -> Extraction:
    """Return the notes as candidates: a durable one is a permanent fact, else a seven-day task."""
    return Extraction(
        candidates=tuple(map(_candidate, overheard.notes)),
        method=Method.MODEL,
        model=overheard.model,
        prompt_hash=overheard.prompt_hash,
    )


def passive_consent(connection: Connection, member: Member, memory: PassiveMemory) -> Consent:
    """Return the consent under which notes on a member's messages to others may be stored now.

    OFF without their opt-in. In a channel with opt-out, OFF only for members who opted out.
    """
    consent = members.effective_consent(connection, member)
    if consent is Consent.OFF:
        return consent
    choices = member_consent.load_choices(connection, member)
    is_open_to_all = memory is PassiveMemory.OPT_OUT and not choices.passive_opt_out
    return consent if choices.passive_opt_in or is_open_to_all else Consent.OFF


def apply_notes(
    connection: Connection,
    overheard: Overheard,
    events: Sequence[Event],
    write_policy: WritePolicy,
    forbidden: frozenset[Category],
    now: datetime,
) -> Plan | None:
    """Apply notes to a member's memories; None if the member's consent does not allow it.

    ``events`` are the messages in their storable form. Messages that have been deleted or edited
    since are skipped, and so are those that were said to Kith: these get an extraction.
    """
    member = overheard.member
    members.lock_authors(connection, member.guild_id, [member.user_id])
    consent = passive_consent(connection, member, overheard.memory)
    if consent is Consent.OFF:
        return None
    waiting = waiting_messages.still_waiting(connection, overheard.messages)
    stored: dict[int, int] = {}
    for event in events:
        if event.message_id in waiting:
            expires_at = policy.event_end(event.created_at, consent)
            event_id = overheard_messages.store(connection, event, expires_at)
            if event_id is not None:
                stored[event.message_id] = event_id
    if not stored:
        return None
    plan = members.change(
        connection,
        overheard.member,
        partial(
            plan_changes,
            extraction=to_extraction(overheard),
            write_policy=write_policy,
            context=_context(overheard, stored, forbidden),
        ),
        now=now,
        event_ids=sorted(stored.values()),
    )
    used = {insert.evidence.message_id for insert in plan.inserts}
    used |= {confirmation.evidence.message_id for confirmation in plan.confirmations}
    unused = [event_id for message_id, event_id in stored.items() if message_id not in used]
    if unused:
        overheard_messages.delete_unused(connection, unused)
    return plan


def to_event(message: WatchedMessage) -> Event:
    """Return a watched message as an event."""
    return Event(
        guild_id=message.guild_id,
        channel_id=message.channel_id,
        source_id=message.place_id,
        message_id=message.message_id,
        author_id=message.author_id,
        author_name=message.author_name,
        role=Role.MEMBER,
        text=message.text,
        created_at=message.created_at,
        reply_to_id=message.reply_to_id,
        revision=message.revision,
    )


def _candidate(note: NoteUpdate) -> Candidate:
    return Candidate(
        subject_id=note.author_id,
        text=note.note,
        quote=note.quote,
        kind=Kind.FACT if note.durable else Kind.TASK,
        importance=Importance.MEDIUM if note.durable else Importance.LOW,
        confidence=NOTE_CONFIDENCE,
        lifetime_days=None if note.durable else PASSING_DAYS,
        source=Source.PASSIVE,
    )


def _context(
    overheard: Overheard, stored: Mapping[int, int], forbidden: frozenset[Category]
) -> ExtractionContext:
    place_id = overheard.messages[0].place_id
    sources = overheard.sources | {place_id}
    texts = {message.message_id: message.text for message in overheard.around}
    by_others = [
        message for message in overheard.around if message.author_id != overheard.member.user_id
    ]
    answered = {
        stored[message.message_id]: texts[message.reply_to_id]
        for message in overheard.messages
        if message.message_id in stored and message.reply_to_id in texts
    }
    return ExtractionContext(
        sources=sources,
        open_sources=sources if overheard.is_open else frozenset(),
        asked=answered,
        others=tuple(message.text for message in by_others),
        names=tuple({message.author_name for message in by_others}),
        forbidden=forbidden,
    )
