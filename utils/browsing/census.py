"""CensusTaker counts what memory consists of, now and then, so that no page has to."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from utils.clock import Clock
from utils.database import census
from utils.database.census import Group
from utils.database.engine import Database
from utils.database.memories import CURRENT, chunks
from utils.errors import StaleFence
from utils.leases import Leases
from utils.model.browsing import AGES, NEVER, WEEKS_AHEAD, Census
from utils.model.memory import Importance

CENSUS = "taking the census"  # a name of its own: the job that does it holds "census"
REST_S = 0.05  # between two stretches: counting is never urgent


class CensusTaker:
    """Counts under a lease, in short reads, and tells what was counted last."""

    def __init__(self, database: Database, clock: Clock, leases: Leases) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases

    async def refresh(self) -> str | None:
        """Count everything anew; returns what was counted, in words, or None where another process
        is at it. Raises DatabaseError, and leaves what was counted before."""
        try:
            async with self._leases.hold(CENSUS) as fence:
                return None if fence is None else await self._take(fence)
        except StaleFence:
            return None

    async def _take(self, fence: int) -> str:
        now = self._clock.now()
        servers = await self._count(now)
        whole = together(servers.values())
        taken = [one.taken(guild_id, now) for guild_id, one in servers.items()]
        taken.append(whole.taken(None, now))
        for some in chunks(taken):
            await self._leases.write(CENSUS, fence, partial(census.save, taken=some))
        await self._leases.write(CENSUS, fence, partial(census.remove_others, at=now))
        return (
            f"counted {whole.rows:,} memories of {whole.members:,} members in {len(servers):,} "
            "servers"
        )

    async def latest(self, guild_id: int | None = None) -> Census | None:
        """Return what was counted last, of a server or of all; None where nothing was yet."""
        return await self._database.read(partial(census.load, guild_id=guild_id))

    async def by_server(self, guild_ids: Sequence[int]) -> dict[int, Census]:
        """Return what was counted last of several servers; those not counted are left out."""
        return await self._database.read(partial(census.load_all, guild_ids=guild_ids))

    async def _count(self, now: datetime) -> "dict[int, Sums]":
        servers: dict[int, Sums] = defaultdict(Sums)
        guild_id: int | None = -1
        while guild_id is not None:
            known = await self._database.read(partial(census.members_known, after_id=guild_id))
            for one, members in known.items():
                servers[one].members = members
            guild_id = max(known, default=None)
        upto: int | None = 0
        while upto is not None:
            groups, upto = await self._database.read(
                partial(census.next_groups, after_id=upto, now=now)
            )
            for group in groups:
                servers[group.guild_id].add(group)
            if upto is not None:
                await self._clock.sleep(REST_S)
        return dict(servers)


@dataclass(slots=True)
class Sums:
    """What was counted so far of a server."""

    members: int = 0
    rows: int = 0
    permanent: int = 0
    by_status: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    by_importance: Counter[str] = field(default_factory=Counter)
    by_age: Counter[str] = field(default_factory=Counter)
    ends: Counter[int] = field(default_factory=Counter)

    def add(self, group: Group) -> None:
        """Add memories that are alike; what is gone or replaced counts by its status only."""
        self.by_status[group.status] += group.count
        if group.status not in CURRENT:
            return
        self.rows += group.count
        self.by_kind[group.kind] += group.count
        self.by_importance[Importance(group.importance).name.lower()] += group.count
        self.by_age[list(AGES)[group.age]] += group.count
        if group.end == NEVER:
            self.permanent += group.count
        else:
            self.ends[group.end] += group.count

    def taken(self, guild_id: int | None, at: datetime) -> Census:
        """Return it as it is kept."""
        return Census(
            guild_id=guild_id,
            at=at,
            members=self.members,
            rows=self.rows,
            by_status=dict(self.by_status),
            by_kind=dict(self.by_kind),
            by_importance=dict(self.by_importance),
            by_age=dict(self.by_age),
            expiring=tuple(self.ends[week] for week in range(WEEKS_AHEAD)),
            permanent=self.permanent,
        )


def together(servers: Iterable[Sums]) -> Sums:
    """Return the sums of several servers as one."""
    whole = Sums()
    for one in servers:
        whole.members += one.members
        whole.rows += one.rows
        whole.permanent += one.permanent
        for name in ("by_status", "by_kind", "by_importance", "by_age", "ends"):
            getattr(whole, name).update(getattr(one, name))
    return whole
