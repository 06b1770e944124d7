"""Notes from watched channels: what watching made of a message, kept only as its author allows.

The same grounding, consent and policy as for what is said to Kith; a note's message is stored
with it, as its evidence, and nothing else of what was overheard is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from utils.database import members, overhearing, watching
from utils.database.engine import Session
from utils.memory import policy
from utils.memory.categories import Category
from utils.memory.decide import decide
from utils.memory.heard import Heard
from utils.model.memory import (
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
from utils.model.plan import Plan
from utils.model.policy import WritePolicy
from utils.model.watch import NoteUpdate, PassiveMemory, WatchedMessage

NOTE_CONFIDENCE = 0.9  # 0.81 after the passive factor: just enough to be used
PASSING_DAYS = 7


@dataclass(frozen=True, slots=True)
class Overheard:
    """What one member said in a watched channel that watching made notes of, oldest first.

    ``sources`` are the channels that the channel's readers can read; ``is_open``: it is open to
    everybody in the server. ``around`` is the whole batch.
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


def extraction_of(overheard: Overheard) -> Extraction:
    """Return the notes as candidates: a fact for good if durable, else a task for seven days."""
    return Extraction(
        candidates=tuple(map(_candidate, overheard.notes)),
        method=Method.MODEL,
        model=overheard.model,
        prompt_hash=overheard.prompt_hash,
    )


def leave_to_overhear(session: Session, member: Member, memory: PassiveMemory) -> Consent:
    """Return the consent under which what a member says to others may be noted now.

    OFF without their own leave, or, where the channel's notice says that everybody is listened
    to, for those who turned it off.
    """
    consent = members.leave_to_store(session, member)
    if consent is Consent.OFF:
        return consent
    chosen = members.choices(session, member)
    is_open_to_all = memory is PassiveMemory.OPT_OUT and not chosen.passive_opt_out
    return consent if chosen.passive_opt_in or is_open_to_all else Consent.OFF


def take_in(
    session: Session,
    overheard: Overheard,
    events: Sequence[Event],
    write_policy: WritePolicy,
    forbidden: frozenset[Category],
    now: datetime,
) -> Plan | None:
    """Change what is remembered of a member by these notes; None where nothing may be noted.

    ``events`` are the messages as they are stored. Those that were deleted or edited meanwhile,
    or were said to Kith and are read as such, teach nothing here.
    """
    consent = leave_to_overhear(session, overheard.member, overheard.memory)
    if consent is Consent.OFF:
        return None
    waiting = watching.still_waiting(session, overheard.messages)
    stored: dict[int, int] = {}
    for event in events:
        if event.message_id in waiting:
            ends = policy.event_end(event.created_at, consent)
            event_id = overhearing.store(session, event, ends)
            if event_id is not None:
                stored[event.message_id] = event_id
    if not stored:
        return None
    plan = members.change(
        session,
        overheard.member,
        partial(
            decide,
            extraction=extraction_of(overheard),
            write_policy=write_policy,
            heard=_heard(overheard, stored, forbidden),
        ),
        now=now,
        event_ids=sorted(stored.values()),
    )
    used = {one.evidence.message_id for one in plan.inserts}
    used |= {one.evidence.message_id for one in plan.confirmations}
    groundless = [event_id for message_id, event_id in stored.items() if message_id not in used]
    if groundless:
        overhearing.delete_groundless(session, groundless)
    return plan


def as_event(message: WatchedMessage) -> Event:
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


def _heard(
    overheard: Overheard, stored: Mapping[int, int], forbidden: frozenset[Category]
) -> Heard:
    place_id = overheard.messages[0].place_id
    sources = overheard.sources | {place_id}
    said = {message.message_id: message.text for message in overheard.around}
    others = [one for one in overheard.around if one.author_id != overheard.member.user_id]
    asked = {
        stored[message.message_id]: said[message.reply_to_id]
        for message in overheard.messages
        if message.message_id in stored and message.reply_to_id in said
    }
    return Heard(
        sources=sources,
        open_sources=sources if overheard.is_open else sources - {place_id},
        asked=asked,
        others=tuple(message.text for message in others),
        names=tuple({message.author_name for message in others}),
        forbidden=forbidden,
    )
