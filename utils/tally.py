"""Counting what happens, by server and day: in memory first, written once a minute.

The charts and drift are made of it. A process that dies loses the last minute's counts.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Collection, Mapping
from datetime import date
from functools import partial
from itertools import islice

from utils.clock import Clock
from utils.database import counts
from utils.database.engine import Database
from utils.errors import DatabaseError
from utils.model.operator import Counted, DayCount

LABEL_LIMIT = 50  # units of DailyCount.Label
AT_ONCE = 200  # keys in one unit of work; other writers have their turn in between

_log = logging.getLogger(__name__)


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
        """Store what was counted since the last time. Raises DatabaseError, and loses nothing.

        A write that is cancelled is ended first: the database may have it all the same, and what
        is put back then would count twice.
        """
        waiting, self._counts = self._counts, Counter()
        if not waiting:
            return
        writing = asyncio.create_task(self._store(waiting), name="write counts")
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait([writing])
            if not writing.cancelled() and (error := writing.exception()) is not None:
                _log.warning("counts are written later: %s", type(error).__name__)
            raise

    async def _store(self, waiting: Mapping[counts.Key, int]) -> None:
        """Store counts some at a time; what one unit of work has written is not put back."""
        keys = deque(sorted(waiting))
        while keys:
            some = {key: waiting[key] for key in islice(keys, AT_ONCE)}
            try:
                await self._database.write(partial(counts.add, counts=some))
            except DatabaseError:
                self._counts.update({key: waiting[key] for key in keys})
                raise
            for _ in some:
                keys.popleft()

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
