"""Count memories for the dashboard in a background job, so that pages only read the result."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from utils.common.clock import Clock
from utils.common.errors import StaleFence
from utils.database.admin import statistics
from utils.database.admin.statistics import Group
from utils.database.core.engine import Database
from utils.database.core.queries import chunks
from utils.database.memories.memory_rows import CURRENT
from utils.models.admin import AGES, NEVER, WEEKS_AHEAD, Census
from utils.models.memory import Importance
from utils.runtime.leases import Leases

CENSUS = "taking the census"  # not "census": that lease belongs to the job
PAUSE_S = 0.05  # between two ranges


class StatisticsCollector:
    """Counts memories in short reads under a lease, and returns the last count."""

    def __init__(self, database: Database, clock: Clock, leases: Leases) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases

    async def refresh(self) -> str | None:
        """Count everything; returns a report, or None if another process is counting.

        Raises DatabaseError; the last count stays.
        """
        try:
            async with self._leases.hold(CENSUS) as fence:
                return None if fence is None else await self._take(fence)
        except StaleFence:
            return None

    async def _take(self, fence: int) -> str:
        now = self._clock.now()
        servers = await self._count(now)
        total = total_of(servers.values())
        censuses = [totals.to_census(guild_id, now) for guild_id, totals in servers.items()]
        censuses.append(total.to_census(None, now))
        for chunk in chunks(censuses):
            await self._leases.write(CENSUS, fence, statistics.save, censuses=chunk)
        await self._leases.write(CENSUS, fence, statistics.remove_others, at=now)
        numbers = (
            (total.rows, "memory", "memories"),
            (total.members, "member", "members"),
            (len(servers), "server", "servers"),
        )
        rows, of_members, in_servers = (
            f"{number:,} {one if number == 1 else many}" for number, one, many in numbers
        )
        return f"counted {rows} of {of_members} in {in_servers}"

    async def latest(self, guild_id: int | None = None) -> Census | None:
        """Return the last count of a server or (None) of all; None if there is none."""
        return await self._database.read(statistics.load, guild_id=guild_id)

    async def by_server(self, guild_ids: Sequence[int]) -> dict[int, Census]:
        """Return the last counts of several servers; those never counted are missing."""
        return await self._database.read(statistics.load_all, guild_ids=guild_ids)

    async def members_by_server(self) -> dict[int, int]:
        """Return how many members are known in each server that anything is known of."""
        servers: dict[int, int] = {}
        guild_id: int | None = -1
        while guild_id is not None:
            counts = await self._database.read(statistics.known_members, after_id=guild_id)
            servers |= counts
            guild_id = max(counts, default=None)
        return servers

    async def _count(self, now: datetime) -> "dict[int, ServerTotals]":
        servers: dict[int, ServerTotals] = defaultdict(ServerTotals)
        for guild_id, members in (await self.members_by_server()).items():
            servers[guild_id].members = members
        last_id: int | None = 0
        while last_id is not None:
            groups, last_id = await self._database.read(
                statistics.next_groups, after_id=last_id, now=now
            )
            for group in groups:
                servers[group.guild_id].add(group)
            if last_id is not None:
                await self._clock.sleep(PAUSE_S)
        return dict(servers)


@dataclass(slots=True)
class ServerTotals:
    """The counts of a server so far."""

    members: int = 0
    rows: int = 0
    permanent: int = 0
    by_status: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    by_importance: Counter[str] = field(default_factory=Counter)
    by_age: Counter[str] = field(default_factory=Counter)
    ends: Counter[int] = field(default_factory=Counter)

    def add(self, group: Group) -> None:
        """Add a group of memories; those that are not current count only by status."""
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

    def to_census(self, guild_id: int | None, at: datetime) -> Census:
        """Return the counts as a census."""
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


def total_of(servers: Iterable[ServerTotals]) -> ServerTotals:
    """Return the sum of several servers."""
    total = ServerTotals()
    for server in servers:
        total.members += server.members
        total.rows += server.rows
        total.permanent += server.permanent
        for name in ("by_status", "by_kind", "by_importance", "by_age", "ends"):
            getattr(total, name).update(getattr(server, name))
    return total
