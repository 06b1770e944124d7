"""Segment new turns, load summary jobs, and store their results. Units of work.

Each runs under the channel's lease in its own transaction (episode_service.py). A summary is stored
only if every message it was made from is unchanged and may still be used. Candidates are applied
before the summary is stored, which marks the job as done. So an interrupted job is repeated, and no
candidate counts twice.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from utils.common.text import estimate_tokens
from utils.database.core.engine import Connection
from utils.database.guilds import settings
from utils.database.memories import contexts, members, review_queue
from utils.database.messages import answer_sources, episodes, events, summaries
from utils.database.messages.episodes import ChannelKey
from utils.memory.episodes.segmentation import DEFAULT_BOUNDARIES, EpisodeTail, segment
from utils.memory.episodes.summarizer import SummaryJob, SummaryResult, summary_of
from utils.memory.privacy import consent_gate
from utils.models.episode import Episode, SummaryPart
from utils.models.memory import (
    Event,
    Role,
)

HISTORY_TOKENS = 1500
"""How many tokens of a channel's last turns a prompt holds."""
RUNNING_TURNS, CHUNK_TURNS = 12, episodes.TURNS_LOADED - 1
MIN_SUMMARISED = 2  # turns of members; fewer are no conversation


# --- segmenting ---------------------------------------------------------------------------------


def segment_new_turns(connection: Connection, channel: ChannelKey, now: datetime) -> bool:
    """Assign a channel's new turns to episodes, and close the last episode after a long silence.

    Returns whether more turns may wait.
    """
    unassigned = episodes.load_unassigned(connection, channel, now)
    turns = [turn for turn in unassigned if not _is_assigned_edit(connection, turn)]
    now_open = episodes.load(connection, episodes.OPEN, channel)
    said_at = [turn.created_at for turn in turns] or ([now_open.last_at] if now_open else [])
    is_over = bool(said_at) and max(said_at) <= now - DEFAULT_BOUNDARIES.max_gap
    is_more = len(unassigned) == episodes.BATCH
    if turns:
        segmentation = segment(_open_tail(connection, now_open), turns)
        settled = len(turns) if is_over and not is_more else segmentation.settled
        starts = [start for start in segmentation.starts if start < settled]
        settled_turns = turns[:settled]
        for first, end in pairwise(sorted({0, *starts, len(settled_turns)})):
            section = settled_turns[first:end]
            if now_open is not None and first not in starts:
                episodes.extend(connection, now_open.id, section)
            else:
                if now_open is not None:
                    episodes.close(connection, now_open.id, now)
                episodes.create(connection, section)
            now_open = episodes.load(connection, episodes.OPEN, channel)
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
    return EpisodeTail(
        tuple(episodes.load_last_turns(connection, now_open)), running[-1] if running else ""
    )


# --- loading jobs -------------------------------------------------------------------------------


def next_job(connection: Connection, channel: ChannelKey, now: datetime) -> SummaryJob | None:
    """Return the next summary job of a channel, closed episodes first; None in a frozen server.

    Closed episodes with too few turns left are marked as summarised.
    """
    server = settings.load(connection, channel[0])
    if server.frozen:
        return None
    while closed := episodes.load(connection, episodes.UNSUMMARISED_FIRST, channel):
        job = _job_for(connection, closed, server.time_zone, now)
        if job is not None:
            return job
        _drop_running(connection, closed)
        episodes.set_summarised(connection, closed.id, closed.last_event_id)
    now_open = episodes.load(connection, episodes.OPEN, channel)
    return None if now_open is None else _job_for(connection, now_open, server.time_zone, now)


def _job_for(
    connection: Connection, episode: Episode, time_zone: str, now: datetime
) -> SummaryJob | None:
    chunks = tuple(
        summary
        for summary in summaries.load_of_episode(connection, episode.guild_id, episode.id)
        if summary.part is SummaryPart.CHUNK and summary.expires_at > now
    )
    after_id = chunks[-1].last_event_id if chunks else 0
    limit = episodes.TURNS_LOADED
    page = episodes.load_turns(connection, episode, after_id, now)
    is_growing = episode.closed_at is None and len(page) < limit
    if is_growing and not _needs_running_summary(page, episode.summarised_id):
        return None  # nor is one needed of those among them that may be used
    allowed = _usable(connection, page)
    while len(page) == limit and len(allowed) < limit:
        page = episodes.load_turns(connection, episode, page[-1].id, now)
        allowed += _usable(connection, page)
    turns = tuple(allowed[:limit])
    job = SummaryJob(episode, SummaryPart.RUNNING, turns, chunks, time_zone)
    if len(turns) > CHUNK_TURNS:
        job = replace(job, part=SummaryPart.CHUNK, turns=turns[:CHUNK_TURNS], chunks=())
        return _with_noted(connection, job)
    if episode.closed_at is not None:
        is_enough = sum(turn.role is Role.MEMBER for turn in turns) >= MIN_SUMMARISED
        job = _with_noted(connection, replace(job, part=SummaryPart.FINAL))
        return job if chunks or is_enough else None
    return job if _needs_running_summary(turns, episode.summarised_id) else None


def _needs_running_summary(turns: Sequence[Event], summarised_id: int) -> bool:
    """Return whether the turns since the last summary are many, or no longer fit in a prompt."""
    new = [turn for turn in turns if turn.id > summarised_id]
    tokens = sum(estimate_tokens(turn.text) for turn in new)
    return len(new) >= RUNNING_TURNS or tokens > HISTORY_TOKENS


def _with_noted(connection: Connection, job: SummaryJob) -> SummaryJob:
    """Return a job that knows from which sentences of its turns notes were made already."""
    message_ids = [turn.message_id for turn in job.turns if turn.role is Role.MEMBER]
    return replace(job, noted=contexts.load_noted(connection, job.episode.guild_id, message_ids))


def _usable(connection: Connection, turns: Sequence[Event]) -> list[Event]:
    """Return the turns that consent allows and moderators do not keep from being used.

    What is told in confidence is left out, as are messages of ignored members, and those on which a
    memory rests that waits for approval or is kept unused. So are Kith's answers that rest on them.
    """
    allowed = consent_gate.told_openly(consent_gate.allowed_turns(connection, turns))
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
    if not episodes.lock(connection, [job.episode.id]):
        return False
    turns = events.load_existing(connection, [turn.id for turn in job.turns])
    if [(turn.id, turn.text) for turn in turns] != [(turn.id, turn.text) for turn in job.turns]:
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
