"""Claim a burst and load what its extraction and planning need. Units of work.

Minutes may lie between loading the texts around a message and storing what was learnt from it. What
was erased in between must not come back as a word of a note or as a stem: :func:`with_erased` looks
for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from utils.database.core.engine import Connection
from utils.database.erasure import confidences
from utils.database.guilds import settings
from utils.database.memories import members, memories, memory_changes
from utils.database.messages import changes, events
from utils.database.sentiment import overheard_messages
from utils.memory.consolidation.planner import plan_changes
from utils.memory.extraction import server_facts
from utils.memory.extraction.telling import may_teach
from utils.memory.policy.categories import Category
from utils.memory.policy.storable_events import is_worded
from utils.memory.verification.candidate_verifier import ExtractedNotes
from utils.memory.verification.extraction_context import ContextText, ExtractionContext
from utils.models.extraction import Burst, Extraction, ExtractionInput
from utils.models.memory import Audience, Consent, ContextRef, Event, EventState, Member, Role
from utils.models.plan import Plan
from utils.models.policy import WritePolicy
from utils.nlp.questions import has_question

TURNS_BEFORE = 2  # that may ask for a secret, or announce one
ATTACHMENT_WAIT = timedelta(minutes=3)  # later, a burst is extracted without unread attachments


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """A claimed burst: the extractor's input, and the context for consolidation.

    ``is_more``: more events of the burst wait. ``failures``: how often it was put back.
    """

    inputs: ExtractionInput
    context: ExtractionContext
    is_more: bool
    failures: int = 0

    @property
    def event_ids(self) -> list[int]:
        """The database ids of its messages."""
        return self.inputs.burst.event_ids

    def notes_of(self, extraction: Extraction) -> ExtractedNotes:
        """Return what was extracted from it, ready to be verified."""
        return ExtractedNotes(extraction, self.inputs, self.context)


@dataclass(frozen=True, slots=True)
class Postponed:
    """A burst that waits until its attachments have been read."""


def claim(
    connection: Connection,
    member: Member,
    channel_id: int,
    audience: Audience,
    forbidden: frozenset[Category],
    now: datetime,
) -> ExtractionJob | Postponed | None:
    """Claim a burst's events and load its job; None if nothing is left to extract.

    Events are finished without an extraction if their author's consent is off, they are ignored,
    or the server is frozen.

    ``audience`` reads the burst's channel. The extractor sees only memories from that channel, and
    from those that everyone can read: a note may have words of them, and the channel
    may later have readers who cannot read another private one.
    """
    members.lock_existing(connection, member.guild_id, [member.user_id])
    claimed, is_more = events.claim(connection, member, channel_id, now)
    if not claimed:
        return None
    previous = events.load_preceding(connection, claimed[0])
    may_learn = members.effective_consent(connection, member) is not Consent.OFF
    teaches = is_worded if _asks(previous[-1] if previous else None) else may_teach
    if not may_learn or not any(teaches(event.text) for event in claimed):
        events.finish(connection, [event.id for event in claimed], EventState.DONE)
        return None
    claimed = events.with_attachment_texts(connection, claimed, now, with_full_text=True)
    claimed = [  # without the web pages that are linked to: they are others' words
        replace(event, attachment_texts=tuple(t for t in event.attachment_texts if not t.is_page))
        for event in claimed
    ]
    if any(
        attachment.is_unfinished and now - event.created_at < ATTACHMENT_WAIT
        for event in claimed
        for attachment in event.attachment_texts
    ):
        events.release(connection, [event.id for event in claimed])
        return Postponed()
    job = load_job(connection, claimed, previous, forbidden, now, audience, is_more=is_more)
    return replace(job, failures=events.failures(connection, job.event_ids))


def _asks(turn: Event | None) -> bool:
    """Whether the turn before a burst is a question of Kith's, which a mere "no" may answer."""
    return turn is not None and turn.role is Role.KITH and has_question(turn.text)


def load_job(
    connection: Connection,
    claimed: Sequence[Event],
    previous: Sequence[Event],
    forbidden: frozenset[Category],
    now: datetime,
    audience: Audience | None = None,
    *,
    is_more: bool,
) -> ExtractionJob:
    """Load the job for one member's events; ``previous`` are the turns before, oldest first.

    The other arguments are those of :func:`claim`; without an audience, it is not known who reads
    the channel.
    """
    member, channel_id = claimed[0].member, claimed[0].channel_id
    own_sources = frozenset(event.source_id for event in claimed)
    sources = own_sources.union(audience.sources if audience else ())
    open_sources = sources if audience and audience.is_open else frozenset[int]()
    shown_sources = own_sources | (sources & audience.open_ids if audience else frozenset())
    current = memories.load_current(connection, member, now)
    rows = [row for row in current if row.channel_id in shown_sources]
    is_dialogue = bool(previous) and _is_dialogue_turn(previous[-1], member, previous)
    last_turn = previous[-1] if is_dialogue else None
    server_zone = settings.load(connection, member.guild_id).time_zone
    time_zone = members.zone_of(connection, member, server_zone)
    answered = {}  # what each event answers: its reply target, or Kith's question
    if last_turn is not None and _asks(last_turn):
        answered[claimed[0].id] = as_context(last_turn)
    for event in claimed:
        if event.reply_to_id is not None:
            replied_to = events.load_latest(connection, event.guild_id, event.reply_to_id)
            if replied_to is not None:
                answered[event.id] = as_context(replied_to)
    inputs = ExtractionInput(
        burst=Burst(member, channel_id, tuple(claimed)),
        previous=tuple(previous),
        rows=tuple(rows),
        time_zone=time_zone,
        replied_to={event_id: text.text for event_id, text in answered.items()},
    )
    by_others = [
        event
        for event in previous
        if event.role is Role.MEMBER and event.author_id != member.user_id
    ]
    texts = [event.text for event in (*previous, *claimed)]
    context = ExtractionContext(
        sources=sources,
        open_sources=open_sources,
        previous={
            event.id: as_context(before)
            for event, before in zip(claimed, [last_turn, *claimed], strict=False)
            if before is not None
        },
        known=tuple(ContextText(ContextRef(memory_id=row.id), row.text) for row in rows),
        replied_to=inputs.replied_to,
        before={
            event.id: tuple(texts[max(0, index - TURNS_BEFORE) : index])
            for index, event in enumerate(claimed, start=len(previous))
        },
        around=(
            *(as_context(event) for event in (*previous, *claimed)),
            *answered.values(),
        ),
        forbidden=forbidden,
        attached={event.id: event.attachment_texts for event in claimed if event.attachment_texts},
        names=tuple({event.author_name for event in by_others}),
        time_zone=time_zone,
    )
    return ExtractionJob(inputs, context, is_more)


def apply(
    connection: Connection, notes: ExtractedNotes, write_policy: WritePolicy, now: datetime
) -> Plan:
    """Apply judged notes, as :func:`with_erased` returns them, to their member's memories."""
    burst = notes.inputs.burst
    keep_from_others(connection, burst.member, notes.extraction, now)
    decide = partial(
        plan_changes,
        extraction=notes.extraction,
        write_policy=write_policy,
        context=notes.context,
    )
    plan = memory_changes.change(
        connection, burst.member, decide, now=now, event_ids=burst.event_ids
    )
    stored = server_facts.store(connection, burst.member.guild_id, plan.server_facts, now)
    return replace(plan, server_facts=plan.server_facts[: len(stored)])  # as many, to be counted


def keep_from_others(
    connection: Connection, member: Member, extraction: Extraction, now: datetime
) -> None:
    """Mark what a member asks to be kept secret, and take their wishes to forget out of recall."""
    confidences.mark(connection, member, extraction.confidential, now)
    if extraction.wishes:
        members.lock(connection, member)
        events.leave_out_of_recall(connection, member, extraction.wishes)
        members.invalidate_guild(connection, member.guild_id)


def with_erased(connection: Connection, notes: ExtractedNotes) -> ExtractedNotes:
    """Return notes whose context knows which texts were erased or edited since it was loaded.

    Locks the member and the authors of the texts: an erasure either commits first and is seen here,
    or commits later and finds what is stored.
    """
    member, context = notes.inputs.burst.member, notes.context
    texts = {
        item.ref.message_id: item.text
        for item in (*context.around, *context.previous.values())
        if item.ref.message_id
    }
    memory_ids = {item.ref.memory_id for item in context.known}
    authors = changes.authors_of(connection, member.guild_id, texts)
    members.lock_existing(connection, member.guild_id, {member.user_id, *authors})
    erased_ids = changes.erased_since(connection, member.guild_id, texts)
    if erased_ids:  # or only watched, and not stored at all
        erased_ids -= overheard_messages.still_watched(connection, member.guild_id, erased_ids)
    erased = {ContextRef(message_id=message_id) for message_id in erased_ids}
    erased |= {
        ContextRef(memory_id=memory_id)
        for memory_id in memory_ids - memories.remembered(connection, memory_ids)
    }
    return replace(notes, context=replace(context, erased=frozenset(erased)))


def as_context(event: Event) -> ContextText:
    """Return a turn as a text that may supply words of a note.

    An answer of Kith's that was made with one member's words only counts as theirs.
    """
    whose = {event.author_id} if event.role is Role.MEMBER else event.repeated_ids
    return ContextText(
        ContextRef(message_id=event.message_id, author_id=min(whose) if len(whose) == 1 else 0),
        event.text,
    )


def _is_dialogue_turn(event: Event, member: Member, turns: Sequence[Event]) -> bool:
    """Whether an event is the member's own, or Kith's answer to them that concerns no other member.

    Other members' words are not stored with a member's memories, where they could not be erased.
    """
    if event.role is Role.MEMBER:
        return event.author_id == member.user_id
    own_ids = {turn.message_id for turn in turns if turn.author_id == member.user_id}
    return event.reply_to_id in own_ids and {*event.about_ids} <= {member.user_id}
