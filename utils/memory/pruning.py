"""Daily pruning: what is past its end or has lost its ground goes, what says the same is merged,
then what is over the cap goes; in small batches.

Each batch is a transaction of its own, so that a table of a million rows is pruned without one
long lock, and a stop in between loses nothing.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from functools import partial

from utils.clock import Clock
from utils.database import (
    account_links,
    alert_acts,
    alerts,
    artifacts,
    counts,
    episodes,
    erasing,
    imports,
    jobs,
    leases,
    members,
    memories,
    merges,
    open_loops,
    retention,
    shadows,
    summaries,
    tension,
    watching,
)
from utils.database.engine import Database, Session
from utils.database.merges import Absorption
from utils.memory import merging, profile
from utils.memory.decide import trim
from utils.memory.merging import Merge
from utils.memory.policy import WritePolicy
from utils.memory.retention import (
    ACTIONS,
    ALERTS,
    CASES,
    DAILY_COUNTS,
    LEFT_MEMBER,
    READ_EXPORTS,
    REMOVED_SERVER,
    SCORES,
    SHADOW_RECALLS,
    TOKEN_USE,
    UNCONFIRMED,
    UNREAD,
    UNSEEN_MEMBER,
    erase_member,
)
from utils.model.memory import Member

BATCH = 500
MOST_BATCHES = 20_000
PAUSE_S = 0.01
SCRUBBED_NIGHTLY_BYTES = 1024**3  # holds up writes for about 10 s, measured at 1 s per 100 MB
STALE_AFTER = timedelta(days=7)
# What happens every day where something is watched, or said.
UNTOLD = ("servers", "token_use", "scores", "chapters")


@dataclass(slots=True)
class PruneReport:
    """How many rows went (or were merged) and why, by server."""

    expired: Counter[int] = field(default_factory=Counter)
    over_cap: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    unsupported: Counter[int] = field(default_factory=Counter)
    merged: Counter[int] = field(default_factory=Counter)
    members: Counter[int] = field(default_factory=Counter)
    servers: Counter[int] = field(default_factory=Counter)
    token_use: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    chapters: Counter[int] = field(default_factory=Counter)

    @property
    def by_reason(self) -> dict[str, Counter[int]]:
        """How many rows went, by server, for each reason that any went for."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {reason: counted for reason, counted in found.items() if counted}

    @property
    def guild_ids(self) -> set[int]:
        """The servers in which anything was removed or merged that people may want to know of."""
        told = (one.name for one in fields(self) if one.name not in UNTOLD)
        return {guild_id for name in told for guild_id in getattr(self, name)} - {*self.servers}

    def for_guild(self, guild_id: int) -> str:
        """Say what was removed in one server, in numbers."""
        return _in_words({one.name: getattr(self, one.name)[guild_id] for one in fields(self)})

    def __str__(self) -> str:
        return _in_words({one.name: getattr(self, one.name).total() for one in fields(self)})


_ALSO = {
    "unsupported": "{} memories without evidence removed",
    "merged": "{} near-duplicates merged",
    "members": "{} departed members erased",
    "servers": "{} servers that removed me erased",
    "token_use": "{} old counts of tokens removed",
    "scores": "{} old scores of watched messages erased",
    "chapters": "{} old notes on conversations erased",
}


def _in_words(count: dict[str, int]) -> str:
    also = [words.format(count[name]) for name, words in _ALSO.items() if count[name]]
    first = (
        f"{count['expired']} expired and {count['over_cap']} surplus memories removed, "
        f"{count['events']} old messages erased"
    )
    return ", ".join([first, *also])


async def prune(
    database: Database, clock: Clock, policy: WritePolicy, *, read_only: bool = False
) -> PruneReport:
    """Remove what has ended, lost its ground or is over the cap, and merge what says the same.

    ``read_only`` (MEMORY_READ_ONLY) stops what would write memory, which is merging; the duty to
    let go of what has ended, left or lost its ground holds all the same. Returns the numbers.
    """
    now = clock.now()
    report = PruneReport(
        expired=await _in_batches(database, clock, partial(_expire, now=now)),
        unsupported=await _drop_unsupported(database, clock, now),
        members=await _erase_departed(database, clock, now),
        servers=await _erase_servers(database, clock, now),
        merged=Counter() if read_only else await _merge_twins(database, clock, now),
        over_cap=await _trim_members(database, clock, policy, now),
        events=await _in_batches(
            database, clock, partial(erasing.delete_expired, now=now, limit=BATCH)
        ),
        token_use=await _in_batches(database, clock, partial(_drop_token_use, now=now)),
        scores=await _in_batches(
            database, clock, partial(tension.delete_expired, before=now - SCORES, limit=BATCH)
        ),
        chapters=await _drop_chapters(database, clock, now),
    )
    await _in_batches(
        database, clock, partial(tension.delete_levels, before=now - SCORES, limit=BATCH)
    )
    for words in (False, True):
        expired = partial(artifacts.delete_expired, now=now, limit=BATCH, words=words)
        await _in_batches(database, clock, expired)
    await database.write(partial(watching.drop_old, before=now - UNREAD))
    await _drop_alerts(database, now)
    await _in_batches(
        database, clock, partial(shadows.delete_old, before=now - SHADOW_RECALLS, limit=BATCH)
    )
    await database.write(partial(_drop_notes, now=now))
    await database.write(partial(_tidy, before=now - STALE_AFTER))
    await database.scrub(at_most_bytes=SCRUBBED_NIGHTLY_BYTES)
    return report


def _expire(session: Session, now: datetime) -> Counter[int]:
    """Remove one batch of rows past their end, and tell the profiles they were in.

    Looks twice: what was said again before its member was locked lives on.
    """
    found = memories.expired(session, now, BATCH)
    for member in sorted(found):
        members.lock(session, member)
    over = {member: retention.still_expired(session, ids, now) for member, ids in found.items()}
    return _remove(session, over, "expired", now)


def _remove(
    session: Session, found: dict[Member, list[int]], action: str, now: datetime
) -> Counter[int]:
    removed: Counter[int] = Counter()
    for member, ids in found.items():
        members.lock(session, member)
        memories.remove(session, member, ids, action, now=now, actor_id=0)
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


async def _member_pages(
    database: Database, clock: Clock, page: Callable[..., list[Member]]
) -> AsyncIterator[list[Member]]:
    """Look for members page by page, in the order of their ids; looking holds up nobody."""
    after = retention.NOBODY
    while True:
        found = await database.read(partial(page, after=after, limit=BATCH))
        yield found
        if len(found) < BATCH:
            return
        after = found[-1]
        await clock.sleep(PAUSE_S)


# --- rows ---------------------------------------------------------------------------------------


async def _drop_unsupported(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Remove rows whose evidence is gone: no evidence, no memory."""
    total: Counter[int] = Counter()
    after_id = 0
    while found := await database.read(
        partial(retention.without_evidence, after_id=after_id, limit=BATCH)
    ):
        total += await database.write(partial(_drop, found=found, now=now))
        if len(found) < BATCH:
            break
        after_id = found[-1][0]
        await clock.sleep(PAUSE_S)
    return total


def _drop(session: Session, found: list[tuple[int, Member]], now: datetime) -> Counter[int]:
    """Remove those rows that nothing supports still, now that nobody else can change them."""
    whose = dict(found)
    for member in sorted(set(whose.values())):
        members.lock(session, member)
    by_member: dict[Member, list[int]] = {}
    for row_id in retention.still_without_evidence(session, list(whose)):
        by_member.setdefault(whose[row_id], []).append(row_id)
    return _remove(session, by_member, "unsupported", now)


async def _merge_twins(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Merge what says the same of one attribute, member by member."""
    total: Counter[int] = Counter()
    async for page in _member_pages(database, clock, merges.members_with_twins):
        for member in page:
            if await database.read(partial(_twins, member=member, now=now)):
                total[member.guild_id] += await database.write(
                    partial(_merge, member=member, now=now)
                )
    return +total


def _twins(session: Session, member: Member, now: datetime) -> list[Merge]:
    rows = memories.load_current(session, member, now)
    return merging.plan(rows, apart=merges.merged_before(session, member))


def _merge(session: Session, member: Member, now: datetime) -> int:
    """Merge one member's rows; returns how many were taken in by another."""
    members.lock(session, member)
    stored = members.standing(session, member).profile
    found = _twins(session, member, now)
    for merge in found:
        merges.absorb(session, member, _absorption(merge), now=now)
    keeps = {row.id: merge.kept.id for merge in found for row in merge.absorbed}
    if keeps.keys() & set(stored.row_ids):
        named = {keeps.get(row_id, row_id) for row_id in stored.row_ids}
        rows = memories.load_current(session, member, now)
        members.save_profile(
            session, member, profile.render(row for row in rows if row.id in named)
        )
    return len(keeps)


def _absorption(merge: Merge) -> Absorption:
    rows = (merge.kept, *merge.absorbed)
    return Absorption(
        kept_id=merge.kept.id,
        absorbed_ids=tuple(row.id for row in merge.absorbed),
        confidence=max(row.confidence for row in rows),
        importance=max(row.importance for row in rows),
        last_confirmed_at=max(row.last_confirmed_at for row in rows),
        expires_at=merge.expires_at,
    )


async def _trim_members(
    database: Database, clock: Clock, policy: WritePolicy, now: datetime
) -> Counter[int]:
    total: Counter[int] = Counter()
    async for crowded in _member_pages(database, clock, partial(members.over_cap, cap=policy.cap)):
        for member in crowded:
            plan = await database.write(
                partial(
                    members.change, member=member, decide=partial(trim, cap=policy.cap), now=now
                )
            )
            total[member.guild_id] += len(plan.removals)
    return +total


# --- members and servers ------------------------------------------------------------------------


async def _erase_departed(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Erase those who left long enough ago, or were not seen for much longer."""
    await database.write(retention.forget_returns)
    page = partial(retention.departed, left_by=now - LEFT_MEMBER, unseen_since=now - UNSEEN_MEMBER)
    total: Counter[int] = Counter()
    async for found in _member_pages(database, clock, page):
        for member in found:
            await database.write(partial(erase_member, member=member, now=now))
            total[member.guild_id] += 1
    return total


async def _erase_servers(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Erase servers that removed Kith long enough ago, unless one takes it back meanwhile."""
    by = now - REMOVED_SERVER
    total: Counter[int] = Counter()
    for guild_id in await database.read(partial(retention.removed_servers, removed_by=by)):
        unit = partial(_erase_some, guild_id=guild_id, removed_by=by, now=now)
        while (done := await database.write(unit)) is not None:
            total[guild_id] = 1
            if done >= BATCH:
                await clock.sleep(PAUSE_S)
    return total


def _erase_some(session: Session, guild_id: int, removed_by: datetime, now: datetime) -> int | None:
    """Erase one batch of a server's rows; returns how many, or None when nothing is left of it, or
    it is back."""
    if not retention.hold_removed(session, guild_id, removed_by):
        return None
    retention.note_server(session, guild_id, now)
    return erase_some_of_server(session, guild_id, now)


def erase_some_of_server(session: Session, guild_id: int, now: datetime) -> int:
    """Erase one batch of a server's rows; returns how many: 0 when nothing is left of it."""
    rows = retention.rows_of_server(session, guild_id, BATCH)
    if rows:
        return _remove(session, rows, "erased", now).total()
    messages = retention.delete_messages(session, guild_id, BATCH)
    if not messages:
        retention.delete_server(session, guild_id)  # its mark goes too
    return messages


# --- the rest -----------------------------------------------------------------------------------


async def _drop_chapters(database: Database, clock: Clock, now: datetime) -> Counter[int]:
    """Delete summaries, open loops and chapters whose time is over."""
    total: Counter[int] = Counter()
    for delete in (summaries.delete_expired, open_loops.delete_expired, episodes.delete_expired):
        total += await _in_batches(database, clock, partial(delete, now=now, limit=BATCH))
    return total


def _drop_token_use(session: Session, now: datetime) -> Counter[int]:
    return retention.delete_token_use(session, (now - TOKEN_USE).date(), BATCH)


async def _drop_alerts(database: Database, now: datetime) -> None:
    """Delete alerts that nobody took from the log channel in time, and old records of acts."""

    def unit(session: Session) -> None:
        alerts.drop_expired(session, now - ALERTS, now - CASES, BATCH)
        alert_acts.drop_actions(session, now - ACTIONS, BATCH)

    await database.write(unit)


def _drop_notes(session: Session, now: datetime) -> None:
    """Delete links that nobody has confirmed in time, how far old exports were read, and the
    counts of days long ago."""
    account_links.delete_unconfirmed(session, now - UNCONFIRMED, BATCH)
    imports.delete_old(session, now - READ_EXPORTS, BATCH)
    counts.remove(session, (now - DAILY_COUNTS).date())


def _tidy(session: Session, before: datetime) -> None:
    """Remove leases and heartbeats that nobody has touched for days."""
    leases.remove_expired(session, before)
    jobs.remove_beats(session, before)
