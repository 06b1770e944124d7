"""Turn notes from watched channels into memories, as their authors' consent allows.

Checks, verification, consent and policy are those of messages to Kith, but nothing is kept without
a verdict. A note's message is stored as its evidence; the other watched messages are not stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from utils.database.core.engine import Connection
from utils.database.erasure import consent as member_consent
from utils.database.memories import members, memories
from utils.database.sentiment import overheard_messages, waiting_messages, watched_channels
from utils.database.sentiment.overheard_messages import VERDICT_WAIT
from utils.memory.extraction import bursts
from utils.memory.extraction.bursts import TURNS_BEFORE
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.verification.candidate_verifier import ExtractedNotes
from utils.memory.verification.extraction_context import ContextText, ExtractionContext
from utils.models.extraction import Burst, Candidate, Extraction, ExtractionInput
from utils.models.memory import (
    Audience,
    Consent,
    ContextRef,
    Event,
    Member,
    Memory,
    Method,
)
from utils.models.plan import Plan
from utils.models.policy import WritePolicy
from utils.models.sentiment import PassiveMemory


@dataclass(frozen=True, slots=True)
class Overheard:
    """Notes about one member from a watched channel, with the messages they come from.

    Attributes:
        messages: the member's messages in one watched channel, oldest first.
        audience: who reads that channel.
        around: all messages of the batch, other members' included.
    """

    member: Member
    messages: tuple[Event, ...]
    notes: tuple[Candidate, ...]
    audience: Audience
    around: tuple[Event, ...] = ()
    model: str = ""
    prompt_hash: str = ""


def passive_consent(connection: Connection, member: Member, channel_id: int) -> Consent:
    """Return the consent under which notes on a member's messages to others may be stored now.

    OFF without their opt-in, and where the channel is not watched (any more). In a channel with
    opt-out, OFF only for members who opted out. The caller holds the member's lock.
    """
    memory = watched_channels.locked_memory(connection, member.guild_id, channel_id)
    consent = members.effective_consent(connection, member)
    if consent is Consent.OFF or memory is None:
        return Consent.OFF
    choices = member_consent.load_choices(connection, member)
    is_open_to_all = memory is PassiveMemory.OPT_OUT and not choices.passive_opt_out
    return consent if choices.passive_opt_in or is_open_to_all else Consent.OFF


def keep_messages(
    connection: Connection, overheard: Overheard, events: Sequence[Event], now: datetime
) -> dict[int, int]:
    """Store the messages of notes until a verdict comes, for a day; returns event ids by message.

    Empty if the member's consent does not allow it. Messages that have been deleted or edited
    since are skipped, and so are those that were said to Kith: these get an extraction.

    Args:
        events: the messages in their storable form.
    """
    member = overheard.member
    members.lock_authors(connection, member.guild_id, [member.user_id])
    consent = passive_consent(connection, member, overheard.messages[0].source_id)
    if consent is Consent.OFF:
        return {}
    waiting = waiting_messages.still_waiting(connection, overheard.messages)
    stored: dict[int, int] = {}
    for event in events:
        if event.message_id in waiting:
            event_id = overheard_messages.store(connection, event, now + VERDICT_WAIT)
            if event_id is not None:
                stored[event.message_id] = event_id
    return stored


def known_memories(
    connection: Connection, overheard: Overheard, now: datetime
) -> tuple[Memory, ...]:
    """Return what is known about a member that every reader of the watched channel may hear."""
    audience = overheard.audience
    readable = {overheard.messages[0].source_id} | (audience.sources & audience.open_ids)
    rows = memories.load_current(connection, overheard.member, now)
    return tuple(row for row in rows if row.channel_id in readable)


def extracted_notes(
    overheard: Overheard,
    stored: Mapping[int, int],
    events: Sequence[Event],
    known: tuple[Memory, ...],
    time_zone: str,
    forbidden: frozenset[Category],
) -> ExtractedNotes:
    """Return the notes whose messages are stored, ready to be verified beside what is known."""
    stored_events = tuple(
        replace(event, id=stored[event.message_id])
        for event in events
        if event.message_id in stored
    )
    inputs = ExtractionInput(
        Burst(overheard.member, stored_events[0].channel_id, stored_events), time_zone, rows=known
    )
    place_id = overheard.messages[0].source_id
    sources = overheard.audience.sources | {place_id}
    texts = {message.message_id: message.text for message in overheard.around}
    by_others = [
        message for message in overheard.around if message.author_id != overheard.member.user_id
    ]
    answered = {
        stored[message.message_id]: texts[message.reply_to_id]
        for message in overheard.messages
        if message.message_id in stored and message.reply_to_id in texts
    }
    messages = list(overheard.around)
    before = {
        stored[message.message_id]: tuple(
            item.text for item in messages[max(0, i - TURNS_BEFORE) : i]
        )
        for i, message in enumerate(messages)
        if message.message_id in stored
    }
    context = ExtractionContext(
        sources=sources,
        open_sources=sources if overheard.audience.is_open else frozenset(),
        replied_to=answered,
        before=before,
        around=tuple(
            ContextText(
                ContextRef(message_id=message.message_id, author_id=message.author_id), message.text
            )
            for message in overheard.around
        ),
        names=tuple({message.author_name for message in by_others}),
        forbidden=forbidden,
        time_zone=time_zone,
    )
    return ExtractedNotes(
        Extraction(
            # Of which message a note is, was for the caller: its quote must be found as it stands.
            candidates=tuple(replace(note, message_id=0) for note in overheard.notes),
            method=Method.MODEL,
            model=overheard.model,
            prompt_hash=overheard.prompt_hash,
        ),
        inputs,
        context,
    )


def apply_notes(
    connection: Connection,
    notes: ExtractedNotes,
    write_policy: WritePolicy,
    now: datetime,
) -> Plan | None:
    """Apply verified notes to a member's memories; None if consent does not allow it (any more).

    Messages that no note cites are deleted; the others are kept as long as the member's other
    messages.
    """
    burst = notes.inputs.burst
    members.lock(connection, burst.member)
    consent = passive_consent(connection, burst.member, burst.events[0].source_id)
    if consent is Consent.OFF:
        overheard_messages.delete_unused(connection, burst.event_ids)
        return None
    plan = bursts.apply(connection, bursts.with_erased(connection, notes), write_policy, now)
    used = {insert.evidence.message_id for insert in plan.inserts}
    used |= {confirmation.evidence.message_id for confirmation in plan.confirmations}
    for event in burst.events:
        if event.message_id in used:
            expires_at = policy.event_end(event.created_at, consent)
            overheard_messages.keep(connection, event.id, expires_at)
        else:
            overheard_messages.delete_unused(connection, [event.id])
    return plan
