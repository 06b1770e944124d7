"""Apply what an episode's model proposed: verified memories and open loops. Units of work."""

from dataclasses import replace
from datetime import datetime, timedelta

from utils.database.core.engine import Connection
from utils.database.memories import members, memory_changes
from utils.database.messages import events, open_loops
from utils.memory.episodes.summarizer import LoopCandidate, SummaryJob, SummaryResult
from utils.memory.extraction import bursts
from utils.memory.member_data.open_loops import is_same_question
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.verification.candidate_verifier import ExtractedNotes
from utils.memory.verification.checks import Refused, check
from utils.memory.verification.extraction_context import ExtractionContext
from utils.models.episode import LoopKind, LoopState, OpenLoop
from utils.models.extraction import Burst, Candidate, Extraction, ExtractionInput, Judgement
from utils.models.memory import Consent, Event, Importance, Kind, Member, Method, Role
from utils.models.plan import MemberState, Plan
from utils.models.policy import WritePolicy
from utils.nlp.stemming import stems

MAX_OPEN_LENGTH = timedelta(days=30)
LOOP_SHARE = 1 / 2  # of a loop's content words must be in its message


def extracted_notes(
    member: Member,
    job: SummaryJob,
    result: SummaryResult,
    forbidden: frozenset[Category],
    model: str,
) -> ExtractedNotes:
    """Return an episode's candidates about one of its members, ready to be verified."""
    own_turns = tuple(turn for turn in job.turns if turn.is_by(member))
    by_others = [turn for turn in job.turns if turn.role is Role.MEMBER and not turn.is_by(member)]
    context = ExtractionContext(
        sources=frozenset({job.episode.source_id}),
        around=tuple(map(bursts.as_context, job.turns)),
        noted=job.noted,
        names=tuple({turn.author_name for turn in by_others}),
        forbidden=forbidden,
        time_zone=job.time_zone,
    )
    extraction = Extraction(
        tuple(
            candidate for candidate in result.candidates if candidate.subject_id == member.user_id
        ),
        Method.MODEL,
        model=model,
        prompt_hash=job.prompt.hash,
    )
    return ExtractedNotes(
        extraction,
        ExtractionInput(Burst(member, job.episode.channel_id, own_turns), job.time_zone),
        context,
    )


def apply_candidates(
    connection: Connection,
    notes: ExtractedNotes,
    job: SummaryJob,
    result: SummaryResult,
    *,
    write_policy: WritePolicy,
    now: datetime,
) -> Plan:
    """Apply an episode's verified notes and open loops about one member; returns the plan.

    Sentences without a supported note are not kept again: their messages are stored. Repeating it
    changes nothing, because memories and loops are known by their messages.
    """
    member = notes.inputs.burst.member
    supported = tuple(
        candidate
        for candidate in notes.extraction.candidates
        if candidate.verdict.judgement is Judgement.SUPPORTED
    )
    notes = replace(notes, extraction=replace(notes.extraction, candidates=supported))
    notes = bursts.with_erased(connection, notes)
    plan = bursts.apply(connection, notes, write_policy, now)
    consent = members.effective_consent(connection, member)
    state = memory_changes.load_state(
        connection, member, now=now, event_ids=notes.inputs.burst.event_ids
    )
    for loop in result.loops:
        if loop.user_id == member.user_id and consent is not Consent.OFF:
            event = _supporting_message(loop, state, replace(notes.context, noted=frozenset()))
            if event is not None and not open_loops.has_loop_from(
                connection, member, event.message_id
            ):
                _add_loop(connection, loop, event, job, consent, now)
    return plan


def _supporting_message(
    loop: LoopCandidate, state: MemberState, context: ExtractionContext
) -> Event | None:
    """Return the member's message that supports an open loop; None if there is none."""
    claim = Candidate(
        subject_id=loop.user_id,
        text=loop.text,
        quote=loop.quote,
        kind=Kind.TASK,
        importance=Importance.MEDIUM,
        lifetime_days=MAX_OPEN_LENGTH.days,
    )
    try:
        event = check(claim, state, context).event
    except Refused:
        return None
    words, message_stems = stems(loop.text), set(stems(event.text))
    is_supported = sum(word in message_stems for word in words) >= LOOP_SHARE * len(words)
    return event if words and is_supported else None


def _add_loop(
    connection: Connection,
    loop: LoopCandidate,
    event: Event,
    job: SummaryJob,
    consent: Consent,
    now: datetime,
) -> None:
    """Store an open loop, unless it repeats words that are erased by now, or of unknown origin.

    What the member is to be asked about, or reminded of, already is not stored again.
    """
    asked_for = [
        request.text
        for request in open_loops.load_all(connection, event.member, now)
        if request.state is LoopState.OPEN and request.kind in (LoopKind.ASK, LoopKind.REMINDER)
    ]
    if any(is_same_question(loop.text, text) for text in asked_for):
        return
    ends_at = min(event.created_at + MAX_OPEN_LENGTH, policy.event_end(event.created_at, consent))
    foreign = set(stems(loop.text)) - set(stems(event.text))
    repeated = [
        turn
        for turn in job.turns
        if turn.message_id != event.message_id and not foreign.isdisjoint(stems(turn.text))
    ]
    foreign.difference_update(*(stems(turn.text) for turn in repeated))
    summarised = {stem for chunk in job.chunks for stem in stems(chunk.text)}
    # Words of an earlier summary that none of the turns has could not be erased with their message.
    if foreign & summarised or ends_at <= now:
        return
    if repeated:
        user_ids = {turn.author_id for turn in repeated if turn.role is Role.MEMBER}
        user_ids.update(*(turn.about_ids for turn in repeated))
        members.lock_existing(connection, event.guild_id, user_ids)
        existing = events.load_existing(connection, [turn.id for turn in repeated])
        if len(existing) < len(repeated):
            return
    open_loops.add(
        connection,
        OpenLoop(
            member=event.member,
            channel_id=event.channel_id,
            source_id=event.source_id,
            message_id=event.message_id,
            kind=loop.kind,
            text=loop.text,
            created_at=event.created_at,
            expires_at=ends_at,
        ),
        [turn.message_id for turn in repeated],
    )
