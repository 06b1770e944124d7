"""Count memories for the dashboard in a background job, so that pages only read the result.

The result is daily counts: today's, until the next count replaces them.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from utils.common.grouping import grouped
from utils.database.admin import counters, jobs, statistics
from utils.database.core.engine import DatabaseService
from utils.models.admin import NEVER, WEEKS_AHEAD, Census
from utils.models.operator import CENSUS_NAMES, CounterName, DailyCount

CENSUS_JOB = "census"
PAUSE_S = 0.05  # between two ranges
DAY = timedelta(days=1)


class StatisticsCollector(DatabaseService):
    """Counts memories in short reads, and returns the last count."""

    async def refresh(self) -> str:
        """Count everything; returns a report. The last count stays if the database fails.

        It is the job CENSUS_JOB, whose lease keeps other processes from counting. Raises
        DatabaseError.
        """
        now = self._clock.now()
        counts = await self._database.read(statistics.members)
        last_id: int | None = 0
        while last_id is not None:
            of_range, last_id = await self._database.read(
                statistics.count_range, after_id=last_id, now=now
            )
            counts.update(of_range)
            if last_id is not None:
                await self._clock.sleep(PAUSE_S)
        await self._database.write(statistics.replace, day=now.date(), counts=counts)
        rows = sum(number for key, number in counts.items() if key[1] is CounterName.KIND)
        return f"counted {rows:,} memories"

    async def latest(self, guild_id: int | None) -> Census | None:
        """Return the last count of a server or (None) of all; None if there is none."""
        return (await self.censuses(None if guild_id is None else [guild_id])).get(guild_id)

    async def censuses(self, guild_ids: Collection[int] | None) -> dict[int | None, Census]:
        """Return the last counts of several servers, without those never counted.

        ``guild_ids`` None: returns that of all servers together, under None.
        """
        counts = await self._database.read(
            counters.since,
            day=self._clock.now().date() - DAY,
            names=CENSUS_NAMES,
            guild_ids=guild_ids,
        )
        counted = grouped((entry.guild_id, entry) for entry in counts)
        last = await self._database.read(jobs.last_success, name=CENSUS_JOB)
        at = self._clock.now() if last is None else last.at
        return {guild_id: census_of(guild_id, at, part) for guild_id, part in counted.items()}

    async def servers(self) -> list[int]:
        """Return the ids of the servers where a member is known."""
        return sorted({key[0] for key in await self._database.read(statistics.members)})


def census_of(guild_id: int | None, at: datetime, counted: Sequence[DailyCount]) -> Census:
    """Return daily counts as a census. Pure."""
    values: defaultdict[CounterName, dict[str, int]] = defaultdict(dict)
    for entry in counted:
        values[entry.name][entry.label] = entry.count
    ends = values[CounterName.END]
    return Census(
        guild_id=guild_id,
        at=at,
        members=values[CounterName.MEMBERS].get("", 0),
        by_status=values[CounterName.STATUS],
        by_kind=values[CounterName.KIND],
        by_age=values[CounterName.AGE],
        expiring=tuple(ends.get(str(week), 0) for week in range(WEEKS_AHEAD)),
        permanent=ends.get(str(NEVER), 0),
    )
