"""Segment new turns, load summary jobs, and store their results. Units of work.

Each runs under the channel's lease in its own transaction (episode_service.py). A summary is stored
only if every message it was made from is unchanged and may still be used. Candidates are applied
before the summary is stored, which marks the job as done. So an interrupted job is repeated, and no
candidate counts twice.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

from utils.common.text import estimate_tokens
from utils.database.core.engine import Connection
from utils.database.guilds import settings
from utils.database.memories import members, review_queue
from utils.database.messages import answer_sources, episodes, events, open_loops, summaries
from utils.database.messages.episodes import ChannelKey
from utils.memory.consolidation.planner import plan_changes
from utils.memory.episodes.segmentation import BoundaryPolicy, EpisodeTail, segment
from utils.memory.episodes.summarizer import LoopCandidate, SummaryJob, SummaryResult, summary_of
from utils.memory.extraction import context_check
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.privacy import consent_gate
from utils.memory.verification.checks import Refused, check
from utils.memory.verification.context import ContextText, ExtractionContext
from utils.memory.verification.service import Unverified
from utils.models.episode import Episode, OpenLoop, SummaryPart
from utils.models.memory import (
    Burst,
    Candidate,
    Consent,
    ContextRef,
    Event,
    Extraction,
    ExtractionInput,
    Importance,
    Judgement,
    Kind,
    Member,
    Method,
    Role,
)
from utils.models.plan import MemberState, Plan
from utils.models.policy import WritePolicy
from utils.nlp.stemming import stems

HISTORY_TOKENS = 1500
"""How many tokens of a channel's last turns a prompt holds."""
BATCH = 100
TURNS_COMPARED = 12
RUNNING_TURNS, CHUNK_TURNS = 12, 40
MIN_SUMMARISED = 2  # turns of members; fewer are no conversation
MAX_OPEN_LENGTH = timedelta(days=30)
LOOP_SHARE = 1 / 2  # of a loop's content words must be in its message


# --- segmenting ---------------------------------------------------------------------------------


def segment_new_turns(
    connection: Connection, channel: ChannelKey, boundaries: BoundaryPolicy, now: datetime
) -> bool:
    """Assign a channel's new turns to episodes, and close the last episode after a long silence.

    Returns whether more turns may wait.
    """
    unassigned = episodes.load_unassigned(connection, channel, now, BATCH)
    turns = [turn for turn in unassigned if not _is_assigned_edit(connection, turn)]
    now_open = episodes.load_open(connection, channel)
    said_at = [turn.created_at for turn in turns] or ([now_open.last_at] if now_open else [])
    is_over = bool(said_at) and max(said_at) <= now - boundaries.max_gap
    is_more = len(unassigned) == BATCH
    if turns:
        segmentation = segment(_open_tail(connection, now_open), turns, boundaries)
        settled = len(turns) if is_over and not is_more else segmentation.settled
        starts = [start for start in segmentation.starts if start < settled]
        now_open = _assign(connection, now_open, turns[:settled], starts, now)
        is_more = is_more and settled > 0
    if now_open is not None and is_over and not is_more:
        episodes.close(connection, now_open.id, now)
    return is_more


def _is_assigned_edit(connection: Connection, turn: Event) -> bool:
    """Assign an edited message to its earlier episode; False if it had none."""
    if not turn.revision:
        return False
    earlier = episodes.find_by_message(connection, turn.guild_id, turn.message_id)
    if earlier is not None:
        episodes.extend(connection, earlier.id, [turn])
    return earlier is not None


def _open_tail(connection: Connection, now_open: Episode | None) -> EpisodeTail:
    if now_open is None:
        return EpisodeTail()
    stored = summaries.load_of_episode(connection, now_open.guild_id, now_open.id)
    running = [summary.text for summary in stored if summary.part is SummaryPart.RUNNING]
    turns = episodes.load_last_turns(connection, now_open, TURNS_COMPARED)
    return EpisodeTail(tuple(turns), running[-1] if running else "")


def _assign(
    connection: Connection,
    now_open: Episode | None,
    turns: Sequence[Event],
    starts: Sequence[int],
    now: datetime,
) -> Episode | None:
    """Assign turns to the open episode and to new ones; returns the episode that is open now."""
    bounds = sorted({0, *starts, len(turns)})
    for first, end in pairwise(bounds):
        section = turns[first:end]
        if now_open is not None and first not in starts:
            episodes.extend(connection, now_open.id, section)
        else:
            if now_open is not None:
                episodes.close(connection, now_open.id, now)
            episodes.create(connection, section)
        now_open = episodes.load_open(connection, (section[0].guild_id, section[0].channel_id))
    return now_open


# --- loading jobs -------------------------------------------------------------------------------


def next_job(connection: Connection, channel: ChannelKey, now: datetime) -> SummaryJob | None:
    """Return the next summary job of a channel, closed episodes first; None in a frozen server.

    Closed episodes with too few turns left are marked as summarised.
    """
    server = settings.load(connection, channel[0])
    if server.frozen:
        return None
    while (closed := episodes.load_unsummarised(connection, channel)) is not None:
        job = _job_for(connection, closed, server.time_zone, now)
        if job is not None:
            return job
        _drop_running(connection, closed)
        episodes.set_summarised(connection, closed.id, closed.last_event_id)
    now_open = episodes.load_open(connection, channel)
    return None if now_open is None else _job_for(connection, now_open, server.time_zone, now)


def _job_for(
    connection: Connection, episode: Episode, time_zone: str, now: datetime
) -> SummaryJob | None:
    stored = summaries.load_of_episode(connection, episode.guild_id, episode.id)
    chunks = tuple(
        summary
        for summary in stored
        if summary.part is SummaryPart.CHUNK and summary.expires_at > now
    )
    after_id = chunks[-1].last_event_id if chunks else 0
    turns = tuple(_allowed_turns(connection, episode, after_id, CHUNK_TURNS + 1, now))
    job = SummaryJob(episode, SummaryPart.RUNNING, turns, chunks, time_zone)
    if len(turns) > CHUNK_TURNS:
        return replace(job, part=SummaryPart.CHUNK, turns=turns[:CHUNK_TURNS], chunks=())
    if episode.closed_at is not None:
        is_enough = sum(turn.role is Role.MEMBER for turn in turns) >= MIN_SUMMARISED
        return replace(job, part=SummaryPart.FINAL) if chunks or is_enough else None
    return job if _needs_running_summary(turns, episode.summarised_id) else None


def _allowed_turns(
    connection: Connection, episode: Episode, after_id: int, limit: int, now: datetime
) -> list[Event]:
    """Return an episode's next turns that consent and moderators allow to use now."""
    allowed: list[Event] = []
    while len(allowed) < limit:
        page = episodes.load_turns(connection, episode, after_id, limit, now)
        allowed += _usable(connection, page)
        if len(page) < limit:
            break
        after_id = page[-1].id
    return allowed[:limit]


def _usable(connection: Connection, turns: Sequence[Event]) -> list[Event]:
    """Return the turns that consent allows and moderators do not keep from being used.

    Messages of ignored members are left out, and those on which a memory rests that waits for
    approval or is kept unused; so are Kith's answers that rest on them.
    """
    allowed = consent_gate.allowed_turns(connection, turns)
    if not allowed:
        return []
    guild_id = allowed[0].guild_id
    behind = answer_sources.messages_behind(
        connection, [turn.id for turn in allowed if turn.role is Role.KITH]
    )
    rests_on = {
        turn.id: {turn.message_id, turn.reply_to_id or 0, *behind.get(turn.id, ())}
        for turn in allowed
    }
    unapproved = review_queue.unapproved_messages(
        connection, guild_id, set().union(*rests_on.values())
    )
    ignored = set(members.list_ignored(connection, guild_id))
    return [
        turn
        for turn in allowed
        if unapproved.isdisjoint(rests_on[turn.id])
        and ignored.isdisjoint({turn.author_id, *turn.about_ids})
    ]


def _needs_running_summary(turns: Sequence[Event], summarised_id: int) -> bool:
    """Whether the turns since the last summary may no longer fit in a prompt."""
    new = [turn for turn in turns if turn.id > summarised_id]
    if len(new) >= RUNNING_TURNS:
        return True
    return sum(estimate_tokens(turn.text) for turn in new) > HISTORY_TOKENS


# --- storing ------------------------------------------------------------------------------------


def store(
    connection: Connection, job: SummaryJob, result: SummaryResult, model: str, now: datetime
) -> bool:
    """Store the result of a job, which may be empty; False if the job is no longer valid."""
    episode = job.episode
    if not is_valid(connection, job, now):
        return False
    if result.text or job.part is SummaryPart.CHUNK:
        ends_at = _first_end(connection, job)
        summaries.store(connection, summary_of(job, result, ends_at, model), now)
    elif job.part is SummaryPart.FINAL:
        _drop_running(connection, episode)
    if job.part is SummaryPart.FINAL:
        episodes.set_summarised(connection, episode.id, episode.last_event_id)
    elif job.part is SummaryPart.RUNNING:
        episodes.set_summarised(connection, episode.id, job.last_id)
    return True


def is_valid(connection: Connection, job: SummaryJob, now: datetime) -> bool:
    """Whether everything a job was made from is unchanged and may still be used.

    Locks the episode until this unit of work ends (episodes.lock).
    """
    if not episodes.lock(connection, job.episode):
        return False
    turns = events.load_existing(connection, [turn.id for turn in job.turns])
    words = [(turn.id, turn.text) for turn in turns]
    if words != [(turn.id, turn.text) for turn in job.turns]:
        return False
    stored = summaries.load_of_episode(connection, job.episode.guild_id, job.episode.id)
    stored_ids = {summary.id for summary in stored}
    has_chunks = all(chunk.id in stored_ids for chunk in job.chunks)
    is_allowed = has_chunks and len(_usable(connection, turns)) == len(turns)
    return is_allowed and _first_end(connection, job) > now


def _first_end(connection: Connection, job: SummaryJob) -> datetime:
    """Return the earliest end of the messages and chunks of a job."""
    end = summaries.earliest_expiry(connection, [turn.id for turn in job.turns])
    return min([chunk.expires_at for chunk in job.chunks] + ([] if end is None else [end]))


def _drop_running(connection: Connection, episode: Episode) -> None:
    """Delete the running summary of an episode that gets no final one."""
    if summaries.delete_running(connection, episode.guild_id, episode.id):
        members.invalidate_guild(connection, episode.guild_id)


# --- applying candidates ------------------------------------------------------------------------


def unverified(
    member: Member,
    job: SummaryJob,
    result: SummaryResult,
    forbidden: frozenset[Category],
    model: str,
) -> Unverified:
    """Return an episode's candidates about one of its members, ready to be verified."""
    own_turns = tuple(turn for turn in job.turns if _is_by(turn, member))
    by_others = [
        turn for turn in job.turns if turn.role is Role.MEMBER and not _is_by(turn, member)
    ]
    context = ExtractionContext(
        sources=frozenset({job.episode.source_id}),
        around=tuple(
            ContextText(ContextRef(message_id=turn.message_id), turn.text) for turn in job.turns
        ),
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
    burst = Burst(member, job.episode.channel_id, own_turns)
    reading = ExtractionInput(burst, (), (), "", job.time_zone)
    return Unverified(extraction, reading, context)


def apply_candidates(
    connection: Connection,
    notes: Unverified,
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
    member = notes.reading.burst.member
    context = context_check.with_erased(connection, member, notes.context)
    own_ids = [turn.id for turn in notes.reading.burst.events]
    supported = tuple(
        candidate
        for candidate in notes.extraction.candidates
        if candidate.verdict.judgement is Judgement.SUPPORTED
    )
    plan_function = partial(
        plan_changes,
        extraction=replace(notes.extraction, candidates=supported),
        write_policy=write_policy,
        context=context,
    )
    plan = members.change(connection, member, plan_function, now=now, event_ids=own_ids)
    consent = members.effective_consent(connection, member)
    state = members.load_state(connection, member, now=now, event_ids=own_ids)
    for loop in result.loops:
        if loop.user_id == member.user_id and consent is not Consent.OFF:
            event = _supporting_message(loop, state, context)
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
    """Store an open loop, unless it repeats words that are erased by now, or of unknown origin."""
    ends_at = min(event.created_at + MAX_OPEN_LENGTH, policy.event_end(event.created_at, consent))
    repeated = _repeated_turns(loop, event, job)
    if repeated is None or not _still_there(connection, event.guild_id, repeated):
        return
    if ends_at > now:
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


def _repeated_turns(loop: LoopCandidate, event: Event, job: SummaryJob) -> list[Event] | None:
    """Return the other turns whose words an open loop repeats.

    None if it has words of an earlier summary that none of the turns has.
    """
    foreign = set(stems(loop.text)) - set(stems(event.text))
    repeated = [
        turn
        for turn in job.turns
        if turn.message_id != event.message_id and not foreign.isdisjoint(stems(turn.text))
    ]
    foreign.difference_update(*(stems(turn.text) for turn in repeated))
    summarised = {stem for chunk in job.chunks for stem in stems(chunk.text)}
    return None if foreign & summarised else repeated


def _still_there(connection: Connection, guild_id: int, turns: Sequence[Event]) -> bool:
    """Return whether turns are not erased, and lock their members until the commit."""
    user_ids = {turn.author_id for turn in turns if turn.role is Role.MEMBER}
    user_ids |= {user_id for turn in turns for user_id in turn.about_ids}
    if not turns:
        return True
    members.lock_existing(connection, guild_id, user_ids)
    return len(events.load_existing(connection, [turn.id for turn in turns])) == len(turns)


def _is_by(turn: Event, member: Member) -> bool:
    return turn.role is Role.MEMBER and turn.member == member
