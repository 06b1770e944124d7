"""The context of a channel: its last turns, past episodes, open loops and the server's lore.

Lore and episodes are cached by server. The server's version, which rises with its lore and with
every erasure, shows whether the cache is current; for episodes the id of the last summary counts
as well. Consent needs no check here: an erasure removes text from summaries and raises the
version. Direct messages have no lore and no cache.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

import numpy as np

from utils.common.bounded import BoundedDict
from utils.database.core.engine import Connection
from utils.database.core.queries import Selection, run
from utils.database.messages import events, summaries
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.documents import Documents, prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.memory.recall.ranking import rank
from utils.models.episode import OpenLoop, Summary, SummaryPart
from utils.models.memory import DIRECT_MESSAGES, Audience, Event, Kind, Memory, Role
from utils.models.policy import WritePolicy
from utils.models.recall import Said, Similarities

WORKING_TURNS = 10
MAX_SERVERS = 200
MAX_SUMMARIES = 300  # of a server, the newest: about 1 MB prepared
MAX_PER_CHANNEL = 100
LATE_IDS = 100  # SQL Server may commit a lower id after a higher one
MAX_EARLIER = 2
MAX_OF_DAY = 6
MAX_ABOUT = 100  # people in a summary; an answer is stored with the ids of all of them
MIN_WORDS = 2  # shared with a past episode; one is enough for messages of up to three words
STILL_GOING_ON = timedelta(hours=8)
MIN_COMPARED = 20  # memories, before meaning alone finds lore
STANDING_OUT = 2.5  # standard deviations above the mean cosine


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What one message asks of memory, and who will read the answer.

    ``visible_ids`` are the messages that stand in the prompt anyway, ``exclude_id`` the message
    itself (0: none). ``speaks_first``: nobody asks, so nobody's confidences may be used.
    """

    audience: Audience
    query: Query
    similarities: Similarities
    now: datetime
    zone: tzinfo
    visible_ids: frozenset[int]
    exclude_id: int
    speaks_first: bool = False

    @property
    def excluded_ids(self) -> frozenset[int]:
        """The messages that are not quoted; below zero stands for what came with a message."""
        return self.visible_ids | {-self.exclude_id}


@dataclass(frozen=True, slots=True)
class PastEpisodes:
    """A server's episode summaries, ready to be ranked, and the versions they were read at."""

    version: int
    last_id: int
    summaries: Mapping[int, Summary]
    closed: Documents[Said]

    def running(self, channel_id: int) -> Summary | None:
        """Return the running summary of a channel's current episode, if it has one."""
        summaries = [
            summary for summary in self.summaries.values() if summary.channel_id == channel_id
        ]
        last = max(summaries, key=lambda summary: summary.id, default=None)
        return last if last is not None and last.part is SummaryPart.RUNNING else None


NO_PAST_EPISODES = PastEpisodes(0, 0, {}, prepare_messages(()))


class ServerContextCache:
    """Caches the lore and episodes of the servers that were used last."""

    def __init__(self, capacity: int = MAX_SERVERS) -> None:
        self.lore: BoundedDict[int, PreparedMemories] = BoundedDict(capacity)
        self.past: BoundedDict[int, PastEpisodes] = BoundedDict(capacity)

    def clear(self) -> None:
        """Drop all servers."""
        self.lore.clear()
        self.past.clear()

    def keep(self, guild_id: int, lore: PreparedMemories | None, past: PastEpisodes) -> None:
        """Cache what was loaded: a server's own memories, and its episodes if it has any."""
        if lore is not None:
            self.lore[guild_id] = lore
        if past.summaries and guild_id != DIRECT_MESSAGES:
            self.past[guild_id] = past


# --- the last turns -----------------------------------------------------------------------------


def running_turns(turns: Sequence[Event], now: datetime, joined_at: datetime | None) -> list[Event]:
    """Return the turns of the conversation that still goes on: those after the last long pause.

    Where readers may lack *Read Message History*, earlier turns are the past, which they may not
    hear, and so is what was said before who asks joined the server (``joined_at``).
    """
    later_at, running = now, 0
    for turn in reversed(turns):
        is_before = joined_at is not None and turn.created_at < joined_at
        if is_before or later_at - turn.created_at > STILL_GOING_ON:
            break
        later_at, running = turn.created_at, running + 1
    return [*turns[len(turns) - running :]]


def last_turns(
    connection: Connection, guild_id: int, channel_id: int, exclude_id: int, now: datetime
) -> list[Event]:
    """Return a channel's last ten turns, oldest first.

    Message ``exclude_id`` and members' messages after it are left out.
    """
    turns = run(connection, newest_turns(guild_id, channel_id, now))
    return shown_turns(connection, turns, exclude_id, now)


def newest_turns(guild_id: int, channel_id: int, now: datetime) -> Selection[list[Event]]:
    """Return the query of the turns from which :func:`shown_turns` chooses."""
    return events.last_turns(guild_id, channel_id, WORKING_TURNS + 1, now)


def shown_turns(
    connection: Connection, turns: list[Event], exclude_id: int, now: datetime
) -> list[Event]:
    """Return the last ten turns with the texts of their attachments, as :func:`last_turns` does."""
    turns = events.with_attachment_texts(connection, turns, now)
    return [turn for turn in turns if not is_later(turn, exclude_id)][-WORKING_TURNS:]


def is_later(turn: Event, message_id: int) -> bool:
    """Whether a turn is the message, or a member's message after it; False for id 0."""
    is_written_after = turn.role is Role.MEMBER and turn.message_id > message_id > 0
    return turn.message_id == message_id or is_written_after


# --- lore ---------------------------------------------------------------------------------------


def matching_of_server(
    server: PreparedMemories | None,
    kind: Kind,
    request: RecallRequest,
    policy: RecallPolicy,
    write_policy: WritePolicy,
) -> list[Memory]:
    """Return the server's own memories of a kind that match the message itself, best first."""
    if not server:
        return []
    may_recall = server.recallable(request.audience.sources, request.now, write_policy)
    ranked = rank(
        server,
        replace(request.query, channel_topics=frozenset()),
        may_recall & server.of_kind(kind),
        policy,
        similarities=_standing_out(request.similarities.rows),
    )
    return [match.row for match in ranked]


def _standing_out(cosines: Mapping[int, float]) -> Mapping[int, float]:
    """Return the cosines that are far above those of the other memories, the members' included.

    Lore is about nobody who is asked about, so the best match of a few stories means nothing.
    """
    if len(cosines) < MIN_COMPARED:
        return {}
    values = np.fromiter(cosines.values(), np.float64, len(cosines))
    floor = float(values.mean() + STANDING_OUT * values.std())
    return {memory_id: cosine for memory_id, cosine in cosines.items() if cosine > floor}


# --- episodes -----------------------------------------------------------------------------------


def load_episodes(
    connection: Connection,
    audience: Audience,
    cached: PastEpisodes,
    version: int,
    last_id: int,
    now: datetime,
) -> PastEpisodes:
    """Return the server's episodes; reads only what is newer than ``cached``.

    ``last_id`` is the id of the server's newest summary.
    """
    guild_id = audience.guild_id
    if guild_id == DIRECT_MESSAGES:
        loaded = summaries.load_newest(
            connection,
            guild_id,
            after_id=0,
            now=now,
            limit=MAX_PER_CHANNEL,
            channel_id=audience.channel_id,
        )
        return _prepared(loaded, version, 0)
    if (cached.version, cached.last_id) == (version, last_id) or not last_id:
        return cached if last_id else NO_PAST_EPISODES
    by_id: dict[int, Summary] = {}
    if cached.version == version:
        by_id = {
            summary.id: summary for summary in cached.summaries.values() if summary.expires_at > now
        }
    after_id = cached.last_id - LATE_IDS if by_id else 0
    newer = summaries.load_newest(
        connection, guild_id, after_id=after_id, now=now, limit=MAX_SUMMARIES
    )
    by_id.update((summary.id, summary) for summary in newer)
    newest = sorted(by_id.values(), key=lambda summary: summary.id)[-MAX_SUMMARIES:]
    return _prepared(newest, version, last_id)


def _prepared(loaded: Sequence[Summary], version: int, last_id: int) -> PastEpisodes:
    """Prepare the last summary of each episode; it replaces the running ones before it."""
    last = {summary.episode_id: summary for summary in loaded}
    closed = [
        Said(
            event_id=summary.id,
            message_id=0,
            channel_id=summary.channel_id,
            source_id=summary.source_id,
            text=summary.text,
            said_at=summary.said_from,
            expires_at=summary.expires_at,
            stems=summary.stems,
        )
        for summary in last.values()
        if summary.part is SummaryPart.FINAL
    ]
    return PastEpisodes(
        version,
        last_id,
        {summary.id: summary for summary in last.values()},
        prepare_messages(closed),
    )


def running_episode(
    past: PastEpisodes, request: RecallRequest, turns: Sequence[Event]
) -> Summary | None:
    """Return the summary of the current episode, unless the last turns show its beginning."""
    summary = past.running(request.audience.channel_id)
    if summary is None or not _may_show(summary, request, turns):
        return None
    return summary if request.now - summary.said_to <= STILL_GOING_ON else None


def past_episodes(
    past: PastEpisodes, request: RecallRequest, policy: RecallPolicy, turns: Sequence[Event]
) -> list[Summary]:
    """Return up to two past episodes that match the message, best first.

    If it names a day, return that day's instead, in their order: words do not choose among them.
    """
    if not past.closed or not (request.query.words or request.query.days):
        return []
    ranked = rank(
        past.closed,
        replace(request.query, channel_topics=frozenset()),
        past.closed.where(lambda match: _may_show(past.summaries[match.event_id], request, turns)),
        policy,
        zone=request.zone,
    )
    of_day = [past.summaries[match.row.event_id] for match in ranked if "date" in match.terms]
    if of_day:
        return sorted(_spread(of_day)[:MAX_OF_DAY], key=lambda summary: summary.said_from)
    fitting = [match.row.event_id for match in ranked if _fits(match.row, request)]
    return [past.summaries[event_id] for event_id in fitting[:MAX_EARLIER]]


def _spread(summaries: Sequence[Summary]) -> list[Summary]:
    """Return summaries so that each channel's first comes before any channel's second."""
    counts: Counter[int] = Counter()
    places: list[tuple[int, int, Summary]] = []
    for summary in summaries:
        places.append((counts[summary.channel_id], len(places), summary))
        counts[summary.channel_id] += 1
    return [summary for _, _, summary in sorted(places, key=lambda place: place[:2])]


def _fits(candidate: Said, request: RecallRequest) -> bool:
    """Whether an episode shares enough words with the message."""
    words, stems = request.query.words, set(candidate.stems.split())
    shared = sum(not stems.isdisjoint(alternatives) for alternatives in words)
    return shared >= (MIN_WORDS if len(words) > MIN_WORDS + 1 else 1)


def _may_show(summary: Summary, request: RecallRequest, turns: Sequence[Event]) -> bool:
    """Whether a summary is readable here, live, not of too many people, and not visible anyway."""
    in_sight = summary.channel_id == request.audience.channel_id and any(
        0 < turn.id <= summary.first_event_id for turn in turns
    )
    is_live = summary.expires_at > request.now and len(summary.about_ids) <= MAX_ABOUT
    return summary.source_id in request.audience.sources and is_live and not in_sight


# --- what is open -------------------------------------------------------------------------------


def due_open_loops(loops: Iterable[OpenLoop], request: RecallRequest) -> list[OpenLoop]:
    """Return the open loops that Kith may mention here now, those with a due time first.

    Loops without a due time wait STILL_GOING_ON after they are created.
    """
    open_loops = [
        loop
        for loop in loops
        if loop.source_id in request.audience.sources
        and loop.expires_at > request.now
        and (loop.due_at or loop.created_at + STILL_GOING_ON) <= request.now
    ]
    return sorted(open_loops, key=lambda loop: loop.due_at is None)
