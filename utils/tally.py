"""Counting what happens, by server and day: in memory first, written once a minute.

The charts and drift are made of it. A process that dies loses the last minute's counts.
"""

from collections import Counter
from collections.abc import Collection
from datetime import date
from functools import partial

from utils.clock import Clock
from utils.database import counts
from utils.database.engine import Database
from utils.model.operator import Counted, DayCount

LABEL_LIMIT = 50  # units of DailyCount.Label


class Tally:
    """Counts, and tells what was counted. Labels are of few kinds, and nobody's words."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._counts: Counter[counts.Key] = Counter()

    def add(self, guild_id: int, name: Counted, label: str = "", count: int = 1) -> None:
        """Count something that happened just now."""
        self._counts[guild_id, self._clock.now().date(), name, label[:LABEL_LIMIT]] += count

    async def write(self) -> None:
        """Store what was counted since the last time. Raises DatabaseError, and loses nothing."""
        waiting, self._counts = self._counts, Counter()
        if not waiting:
            return
        try:
            await self._database.write(partial(counts.add, counts=waiting))
        except BaseException:
            self._counts.update(waiting)
            raise

    async def since(
        self, day: date, names: Collection[Counted], guild_id: int | None = None
    ) -> list[DayCount]:
        """Return what was counted from a day on and written, of one server or of all."""
        return await self._database.read(
            partial(counts.since, day=day, names=names, guild_id=guild_id)
        )

    async def totals(self, day: date, names: Collection[Counted]) -> list[DayCount]:
        """Return what was counted from a day on and written, in all servers together."""
        return await self._database.read(partial(counts.totals, day=day, names=names))
