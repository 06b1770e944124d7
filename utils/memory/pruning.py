"""Daily pruning: what is past its end goes, then what is over the cap, in small batches.

Each batch is a transaction of its own, so that a table of a million rows is pruned without one
long lock, and a stop in between loses nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
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
STALE_AFTER = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class PruneReport:
    """How many rows went, and why."""

    expired: int = 0
    over_cap: int = 0
    events: int = 0

    def __str__(self) -> str:
        return (
            f"{self.expired} expired and {self.over_cap} surplus memories removed, "
            f"{self.events} old messages erased"
        )


async def prune(database: Database, clock: Clock, policy: WritePolicy) -> PruneReport:
    """Remove what has ended and what is over the cap; returns the numbers."""
    now = clock.now()
    expired = await _in_batches(database, clock, partial(_expire, now=now))
    over_cap = await _trim_members(database, clock, policy, now)
    old = await _in_batches(database, clock, partial(events.delete_expired, now=now, limit=BATCH))
    await database.write(partial(_tidy, before=now - STALE_AFTER))
    await database.compact()
    return PruneReport(expired, over_cap, old)


def _expire(session: Session, now: datetime) -> int:
    """Remove one batch of rows past their end, and tell the profiles they were in."""
    found = memories.expired(session, now, BATCH)
    for member, ids in found.items():
        members.lock(session, member)
        memories.remove(session, member, ids, "expired", now=now, actor_id=0)
        if not set(ids).isdisjoint(members.standing(session, member).profile.row_ids):
            rows = memories.load_current(session, member, now)
            members.save_profile(session, member, profile.render(rows))
    return sum(len(ids) for ids in found.values())


async def _in_batches(database: Database, clock: Clock, unit: Callable[[Session], int]) -> int:
    """Run a unit of work until it finds less than a whole batch; returns the sum."""
    total = 0
    for _ in range(MOST_BATCHES):
        count = await database.write(unit)
        total += count
        if count < BATCH:
            break
        await clock.sleep(PAUSE_S)  # lets replies and extraction have their turn
    return total


async def _trim_members(
    database: Database, clock: Clock, policy: WritePolicy, now: datetime
) -> int:
    total = 0
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
            total += len(plan.removals)
            await clock.sleep(0)
        if len(crowded) < BATCH:
            return total
        after = crowded[-1]


def _tidy(session: Session, before: datetime) -> None:
    """Remove leases and heartbeats that nobody has touched for days."""
    leases.remove_expired(session, before)
    jobs.remove_beats(session, before)
