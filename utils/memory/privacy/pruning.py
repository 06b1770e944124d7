"""Daily pruning: remove expired and unsupported data, and enforce the cap.

Each batch is its own transaction. So a table of a million rows is pruned without one long lock, and
a stop in between loses nothing.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from utils.common.clock import Clock
from utils.common.errors import KithError
from utils.common.grouping import grouped
from utils.database.admin import jobs, leases
from utils.database.core.engine import Connection, Database
from utils.database.erasure import retention
from utils.database.erasure.deletion import EXPIRING, delete_expired
from utils.database.memories import members, memories, memory_changes, write_policies
from utils.database.privacy import erasure_ledger
from utils.memory.consolidation import profile
from utils.memory.consolidation.planner import plan_trim
from utils.memory.privacy.large_erasures import erase_most, finish_interrupted
from utils.memory.privacy.prune_report import PruneReport
from utils.memory.privacy.retention import (
    KEEP_DEPARTED_MEMBER,
    KEEP_REMOVED_GUILD,
    KEEP_UNSEEN_MEMBER,
    PAUSE_S,
    members_of,
)
from utils.memory.privacy.retraction import erase_member
from utils.models.memory import Member
from utils.models.operator import Erasure, ErasureKind
from utils.models.policy import WritePolicy

BATCH = 500
MAX_BATCHES = 20_000
MAX_NIGHTLY_SCRUB_BYTES = 1024**3  # blocks writes for about 10 s (measured: 1 s per 100 MB)
STALE_AFTER = timedelta(days=7)
MAX_CLOCK_JUMP = timedelta(days=45)
PRUNE_JOB = "prune"


class ClockJumped(KithError):
    """The clock is far ahead of everything in the database; nothing was removed."""

    sentence = (
        "The clock says {now:%d %B %Y %H:%M} UTC, but the newest message or pruning here is {days} "
        "days older. Nothing was removed: with a wrong clock, too much would be. Correct the "
        "clock, or if it is right, run `python bot.py prune --clock-is-right`."
    )


async def check_clock(database: Database, now: datetime) -> None:
    """Raise ClockJumped if ``now`` is more than 45 days after the newest message and pruning.

    Messages carry Discord's time, so they tell whether this machine's clock is right.
    """
    newest = await database.read(jobs.newest_time, job=PRUNE_JOB)
    if newest is not None and now - newest > MAX_CLOCK_JUMP:
        raise ClockJumped(now=now, days=(now - newest).days)


async def prune(
    database: Database,
    clock: Clock,
    policy: WritePolicy,
    *,
    rebuild_up_to_bytes: int = MAX_NIGHTLY_SCRUB_BYTES,
) -> PruneReport:
    """Remove expired, unsupported and surplus data; returns the counts.

    Args:
        rebuild_up_to_bytes: larger SQLite files are not rebuilt afterwards.
    """
    now = clock.now()
    await finish_interrupted(database, clock)
    in_batches = partial(_in_batches, database, clock)
    removed = {
        "expired": await in_batches(partial(_expire, now=now)),
        "unsupported": await _drop_unsupported(database, clock, now),
        "members": await _erase_departed(database, clock, now),
        "servers": await _erase_servers(database, clock, now),
        "over_cap": await _trim_members(database, clock, policy, now),
    }
    ended = {
        name: await in_batches(partial(delete_expired, name=name, now=now, limit=BATCH))
        for name in EXPIRING
    }
    removed |= {
        "events": ended.pop("MemoryEvent"),
        "token_use": ended.pop("TokenUse"),
        "scores": ended.pop("MessageScore"),
        "chapters": ended.pop("EpisodeSummary") + ended.pop("OpenLoop") + ended.pop("Episode"),
        "others": sum(ended.values(), Counter[int]()),
    }
    # Leases and heartbeats that have not been used for days:
    await database.write(leases.remove_expired, now - STALE_AFTER)
    await database.write(jobs.remove_heartbeats, now - STALE_AFTER)
    await database.scrub(at_most_bytes=rebuild_up_to_bytes)
    return PruneReport({reason: counts for reason, counts in removed.items() if counts})


def _expire(connection: Connection, now: datetime) -> Counter[int]:
    """Remove one batch of expired memories, and update the profiles they were in.

    Checks again under the member's lock: a memory may have been confirmed in between.
    """
    expired = memories.load_expired(connection, now, BATCH)
    for member in sorted(expired):
        members.lock(connection, member)
    over = {
        member: retention.still_expired(connection, ids, now) for member, ids in expired.items()
    }
    return _remove(connection, over, "expired", now)


def _remove(
    connection: Connection, rows: Mapping[Member, Sequence[int]], action: str, now: datetime
) -> Counter[int]:
    removed: Counter[int] = Counter()
    for member, ids in rows.items():
        members.lock(connection, member)
        count = memories.remove(connection, member, ids, action, now=now, actor_id=0)
        memory_changes.refresh_profile(connection, member, profile.remaining, now)
        removed[member.guild_id] += count
    return removed


async def _in_batches(
    database: Database, clock: Clock, unit: Callable[[Connection], Counter[int]]
) -> Counter[int]:
    """Run a unit of work until it removes less than a batch; returns the totals by server."""
    total: Counter[int] = Counter()
    for _ in range(MAX_BATCHES):
        removed = await database.write(unit)
        total += removed
        if removed.total() < BATCH:
            break
        await clock.sleep(PAUSE_S)  # give replies and extraction a turn
    return total


# --- rows ---------------------------------------------------------------------------------------


async def _drop_unsupported(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Remove memories without evidence."""
    total: Counter[int] = Counter()
    after_id = 0
    while batch := await database.read(
        retention.list_without_evidence, after_id=after_id, limit=BATCH
    ):
        total += await database.write(_drop_still_unsupported, batch=batch, now=now)
        if len(batch) < BATCH:
            break
        after_id = batch[-1][0]
        await clock.sleep(PAUSE_S)
    return total


def _drop_still_unsupported(
    connection: Connection, batch: list[tuple[int, Member]], now: datetime
) -> Counter[int]:
    """Remove the memories that still have no evidence under their members' locks."""
    owners = dict(batch)
    for member in sorted(set(owners.values())):
        members.lock(connection, member)
    remaining = retention.still_without_evidence(connection, list(owners))
    by_member = grouped((owners[row_id], row_id) for row_id in remaining)
    return _remove(connection, by_member, "unsupported", now)


async def _trim_members(
    database: Database, clock: Clock, policy: WritePolicy, now: datetime
) -> Counter[int]:
    total: Counter[int] = Counter()
    over_cap = partial(write_policies.over_cap, cap=policy.cap)
    async for member in members_of(database, clock, over_cap):
        plan = await database.write(
            memory_changes.change, member=member, decide=partial(plan_trim, cap=policy.cap), now=now
        )
        total[member.guild_id] += len(plan.removals)
    return +total


# --- members and servers ------------------------------------------------------------------------


async def _erase_departed(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Erase members who left long enough ago, or have not been seen for much longer."""
    await database.write(retention.clear_returned)
    page = partial(
        retention.list_departed,
        left_by=now - KEEP_DEPARTED_MEMBER,
        unseen_since=now - KEEP_UNSEEN_MEMBER,
    )
    total: Counter[int] = Counter()
    async for member in members_of(database, clock, page):
        if await database.write(_has_departed, member=member, page=page):
            await erase_most(database, clock, member, ErasureKind.MEMBER)
            total[member.guild_id] += await database.write(
                _erase_if_departed, member=member, page=page, now=now
            )
    return +total


def _erase_if_departed(
    connection: Connection, member: Member, page: Callable[..., list[Member]], now: datetime
) -> bool:
    """Erase a member unless they came back since the page was read; returns whether they went."""
    if not _has_departed(connection, member, page):
        return False
    erase_member(connection, member, now)
    return True


def _has_departed(
    connection: Connection, member: Member, page: Callable[..., list[Member]]
) -> bool:
    members.lock(connection, member)
    return page(connection, after=Member(member.guild_id, member.user_id - 1), limit=1) == [member]


async def _erase_servers(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Erase servers that removed Kith long enough ago, unless they have invited it back."""
    removed_by = now - KEEP_REMOVED_GUILD
    total: Counter[int] = Counter()
    for guild_id in await database.read(retention.list_removed_guilds, removed_by=removed_by):
        unit = partial(_erase_some, guild_id=guild_id, removed_by=removed_by, now=now)
        while (erased := await database.write(unit)) is not None:
            total[guild_id] = 1
            if erased >= BATCH:
                await clock.sleep(PAUSE_S)
    return total


def _erase_some(
    connection: Connection, guild_id: int, removed_by: datetime, now: datetime
) -> int | None:
    """Erase one batch of a server; returns how many rows, or None if it is gone or back."""
    if not retention.lock_removed(connection, guild_id, removed_by):
        return None
    erasure_ledger.record_once(connection, Erasure(now, ErasureKind.SERVER, guild_id))
    return erase_server_batch(connection, guild_id, now)


def erase_server_batch(connection: Connection, guild_id: int, now: datetime) -> int:
    """Erase one batch of a server's rows; returns how many; 0 when nothing is left."""
    rows = retention.memories_of_guild(connection, guild_id, BATCH)
    if rows:
        return _remove(connection, rows, "erased", now).total()
    count = retention.delete_rows_of_guild(connection, guild_id, BATCH)
    if not count:
        retention.delete_guild(connection, guild_id)  # its row with the removal date goes too
    return count
