"""What concerns everybody in a place rather than one person: the last turns, what was talked about
before them, and a server's lore.

Lore and chapters are kept by server, stamped with the server's own version, which rises with its
lore and with every erasure; chapters also with the id of the last summary, the one seek that they
cost a recall. Consent needs no look here: what was erased is in no summary, and raised that
version. Direct messages have neither lore nor a cache: each conversation is read on its own.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import TypeVar

from utils.database import events, summaries
from utils.database.engine import Session
from utils.memory.asking import Query
from utils.memory.documents import Documents, PreparedRows, of_messages
from utils.memory.policy import ReadPolicy, WritePolicy
from utils.memory.ranking import rank
from utils.model.embedding import Similarities
from utils.model.episode import OpenLoop, Part, Summary
from utils.model.memory import DIRECT_MESSAGES, Audience, Event, Kind, Memory, Role
from utils.model.recall import Said

WORKING_TURNS = 10
MOST_SERVERS = 200
MOST_SUMMARIES = 300  # of a server, the newest: about 1 MB prepared
MOST_OF_A_CHANNEL = 100
LATE_IDS = 100  # SQL Server may commit a lower id after a higher one
MOST_EARLIER = 2
MOST_ABOUT = 100  # people; an answer is stored with everybody it may tell of
FEWEST_WORDS = 2  # that a message shares with a past chapter; one of up to three is enough
STILL_GOING_ON = timedelta(hours=8)

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, by whom it is read, and what they see in the channel anyway."""

    audience: Audience
    query: Query
    similarities: Similarities
    now: datetime
    zone: tzinfo
    shown: frozenset[int]
    but: int


@dataclass(frozen=True, slots=True)
class Past:
    """What is written of a place's chapters, ready to be ranked, and what it stands for."""

    version: int
    last_id: int
    summaries: Mapping[int, Summary]
    closed: Documents[Said]

    def running(self, channel_id: int) -> Summary | None:
        """Return what is written of a channel's chapter so far, if that is all that is of it."""
        here = [one for one in self.summaries.values() if one.channel_id == channel_id]
        last = max(here, key=lambda one: one.id, default=None)
        return last if last is not None and last.part is Part.RUNNING else None


NOTHING_PAST = Past(0, 0, {}, of_messages(()))


class CommonGround:
    """Keeps lore and chapters of the servers that were asked in last."""

    def __init__(self, most: int = MOST_SERVERS) -> None:
        self._most = most
        self._lore: OrderedDict[int, PreparedRows] = OrderedDict()
        self._past: OrderedDict[int, Past] = OrderedDict()

    def lore(self, guild_id: int) -> PreparedRows | None:
        """Return what is kept of a server's own memories."""
        return self._lore.get(guild_id)

    def past(self, guild_id: int) -> Past:
        """Return what is kept of a server's chapters."""
        return self._past.get(guild_id, NOTHING_PAST)

    def keep(self, guild_id: int, lore: PreparedRows | None, past: Past) -> None:
        """Keep what was loaded, and let go of what was loaded longest ago."""
        if lore is not None:
            _put(self._lore, guild_id, lore, self._most)
        if past.summaries and guild_id != DIRECT_MESSAGES:
            _put(self._past, guild_id, past, self._most)


def _put(kept: OrderedDict[int, V], guild_id: int, value: V, most: int) -> None:
    kept[guild_id] = value
    while len(kept) > most:
        kept.popitem(last=False)


# --- the last turns -----------------------------------------------------------------------------


def last_turns(
    session: Session, guild_id: int, channel_id: int, but: int, now: datetime
) -> list[Event]:
    """Return a channel's last ten turns, oldest first, but for one message and what members said
    after it."""
    turns = events.working_memory(session, guild_id, channel_id, WORKING_TURNS + 1, now)
    return [turn for turn in turns if not is_later(turn, but)][-WORKING_TURNS:]


def is_later(turn: Event, than: int) -> bool:
    """Whether a turn is a message (0: none), or something a member said after it."""
    is_said_after = turn.role is Role.MEMBER and turn.message_id > than > 0
    return turn.message_id == than or is_said_after


# --- lore ---------------------------------------------------------------------------------------


def lore_that_fits(
    server: PreparedRows | None, asked: Asked, policy: ReadPolicy, write_policy: WritePolicy
) -> list[Memory]:
    """Return the server's own memories that the message itself is about, best first."""
    if server is None or not server.items:
        return []
    may_recall = server.recallable(asked.audience.sources, asked.now, write_policy)
    ranked = rank(
        server,
        replace(asked.query, channel_topics=frozenset()),
        may_recall & server.those(lambda row: row.kind is Kind.LORE),
        asked.now,
        policy,
        similarities=asked.similarities.rows,
    )
    return [one.row for one in ranked]


# --- chapters -----------------------------------------------------------------------------------


def load(session: Session, audience: Audience, kept: Past, version: int, now: datetime) -> Past:
    """Read the stamp, and what was written only where what was kept is stale."""
    guild_id = audience.guild_id
    if guild_id == DIRECT_MESSAGES:
        found = summaries.told_in(
            session,
            guild_id,
            after_id=0,
            now=now,
            limit=MOST_OF_A_CHANNEL,
            channel_id=audience.channel_id,
        )
        return _prepared(found, version, 0)
    last_id = summaries.newest_summary_id(session, guild_id)
    if (kept.version, kept.last_id) == (version, last_id) or not last_id:
        return kept if last_id else NOTHING_PAST
    known: dict[int, Summary] = {}
    if kept.version == version:
        known = {one.id: one for one in kept.summaries.values() if one.expires_at > now}
    after_id = kept.last_id - LATE_IDS if known else 0
    newer = summaries.told_in(session, guild_id, after_id=after_id, now=now, limit=MOST_SUMMARIES)
    known.update((one.id, one) for one in newer)
    newest = sorted(known.values(), key=lambda one: one.id)[-MOST_SUMMARIES:]
    return _prepared(newest, version, last_id)


def _prepared(found: Sequence[Summary], version: int, last_id: int) -> Past:
    """Prepare the last summary of each chapter: a running one is over when a later one is there."""
    last = {one.episode_id: one for one in found}
    closed = [_as_said(one) for one in last.values() if one.part is Part.FINAL]
    return Past(version, last_id, {one.id: one for one in last.values()}, of_messages(closed))


def _as_said(one: Summary) -> Said:
    """Return a summary as it is ranked: like a message that says all that the chapter did."""
    return Said(
        event_id=one.id,
        message_id=0,
        channel_id=one.channel_id,
        source_id=one.source_id,
        text=one.text,
        said_at=one.said_from,
        expires_at=one.expires_at,
        stems=one.stems,
    )


def goes_on(past: Past, asked: Asked, turns: Sequence[Event]) -> Summary | None:
    """Return what is written of the chapter that goes on here, unless its beginning is in sight."""
    found = past.running(asked.audience.channel_id)
    if found is None or not _may_tell(found, asked, turns):
        return None
    return found if asked.now - found.said_to <= STILL_GOING_ON else None


def earlier(past: Past, asked: Asked, policy: ReadPolicy, turns: Sequence[Event]) -> list[Summary]:
    """Return up to two closed chapters that the message is about, best first."""
    if not past.closed.items or not (asked.query.words or asked.query.days):
        return []
    ranked = rank(
        past.closed,
        replace(asked.query, channel_topics=frozenset()),
        past.closed.those(lambda one: _may_tell(past.summaries[one.event_id], asked, turns)),
        asked.now,
        policy,
        zone=asked.zone,
    )
    fitting = [one.row.event_id for one in ranked if "date" in one.terms or _fits(one.row, asked)]
    return [past.summaries[one] for one in fitting[:MOST_EARLIER]]


def _fits(one: Said, asked: Asked) -> bool:
    """Whether a chapter shares enough words with the message to be what it is about."""
    words, there = asked.query.words, set(one.stems.split())
    shared = sum(not there.isdisjoint(alternatives) for alternatives in words)
    return shared >= (FEWEST_WORDS if len(words) > FEWEST_WORDS + 1 else 1)


def _may_tell(one: Summary, asked: Asked, turns: Sequence[Event]) -> bool:
    """Whether a summary may be told here: readable, not over, not of a crowd, not in sight."""
    in_sight = one.channel_id == asked.audience.channel_id and any(
        0 < turn.id <= one.first_event_id for turn in turns
    )
    is_live = one.expires_at > asked.now and len(one.about_ids) <= MOST_ABOUT
    return one.source_id in asked.audience.sources and is_live and not in_sight


# --- what is open -------------------------------------------------------------------------------


def open_here(loops: Iterable[OpenLoop], asked: Asked) -> list[OpenLoop]:
    """Return what may be brought up here now, what was to be asked about first.

    What has no day of its own is left alone while it is fresh.
    """
    found = [
        loop
        for loop in loops
        if loop.source_id in asked.audience.sources
        and loop.expires_at > asked.now
        and (loop.due_at or loop.created_at + STILL_GOING_ON) <= asked.now
    ]
    return sorted(found, key=lambda loop: loop.due_at is None)
