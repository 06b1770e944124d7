"""Daily pruning: what is past its end goes, then what is over the cap, in small batches.

Each batch is a transaction of its own, so that a table of a million rows is pruned without one
long lock, and a stop in between loses nothing.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from utils.clock import Clock
from utils.database import events, jobs, leases, members, memories
from utils.database.engine import Database, Session
from utils.memory import profile
from utils.memory.decide import trim
from utils.memory.policy import WritePolicy
from utils.model.memory import Member

BATCH = 500
MOST_BATCHES = 20_000
PAUSE_S = 0.01
SCRUBBED_NIGHTLY_BYTES = 1024**3  # holds up writes for about 10 s, measured at 1 s per 100 MB
STALE_AFTER = timedelta(days=7)


@dataclass(slots=True)
class PruneReport:
    """How many rows went and why, by server."""

    expired: Counter[int] = field(default_factory=Counter)
    over_cap: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)

    @property
    def guild_ids(self) -> set[int]:
        """The servers in which anything was removed."""
        return {*self.expired, *self.over_cap, *self.events}

    def for_guild(self, guild_id: int) -> str:
        """Say what was removed in one server, in numbers."""
        return _in_words(self.expired[guild_id], self.over_cap[guild_id], self.events[guild_id])

    def __str__(self) -> str:
        return _in_words(self.expired.total(), self.over_cap.total(), self.events.total())


def _in_words(expired: int, over_cap: int, events: int) -> str:
    return (
        f"{expired} expired and {over_cap} surplus memories removed, {events} old messages erased"
    )


async def prune(database: Database, clock: Clock, policy: WritePolicy) -> PruneReport:
    """Remove what has ended and what is over the cap; returns the numbers."""
    now = clock.now()
    report = PruneReport(
        expired=await _in_batches(database, clock, partial(_expire, now=now)),
        over_cap=await _trim_members(database, clock, policy, now),
        events=await _in_batches(
            database, clock, partial(events.delete_expired, now=now, limit=BATCH)
        ),
    )
    await database.write(partial(_tidy, before=now - STALE_AFTER))
    await database.scrub(at_most_bytes=SCRUBBED_NIGHTLY_BYTES)
    return report


def _expire(session: Session, now: datetime) -> Counter[int]:
    """Remove one batch of rows past their end, and tell the profiles they were in."""
    removed: Counter[int] = Counter()
    for member, ids in memories.expired(session, now, BATCH).items():
        members.lock(session, member)
        memories.remove(session, member, ids, "expired", now=now, actor_id=0)
        members.refresh_profile(session, member, profile.remaining, now)
        removed[member.guild_id] += len(ids)
    return removed


async def _in_batches(
    database: Database, clock: Clock, unit: Callable[[Session], Counter[int]]
) -> Counter[int]:
    """Run a unit of work until it finds less than a whole batch; returns the sum by server."""
    total: Counter[int] = Counter()
    for _ in range(MOST_BATCHES):
        removed = await database.write(unit)
        total += removed
        if removed.total() < BATCH:
            break
        await clock.sleep(PAUSE_S)  # lets replies and extraction have their turn
    return total


async def _trim_members(
    database: Database, clock: Clock, policy: WritePolicy, now: datetime
) -> Counter[int]:
    total: Counter[int] = Counter()
    after = Member(-1, -1)
    while True:
        crowded = await database.read(
            partial(members.over_cap, cap=policy.cap, after=after, limit=BATCH)
        )
        for member in crowded:
            plan = await database.write(
                partial(
                    members.change, member=member, decide=partial(trim, cap=policy.cap), now=now
                )
            )
            total[member.guild_id] += len(plan.removals)
        if len(crowded) < BATCH:
            return +total
        after = crowded[-1]


def _tidy(session: Session, before: datetime) -> None:
    """Remove leases and heartbeats that nobody has touched for days."""
    leases.remove_expired(session, before)
    jobs.remove_beats(session, before)
