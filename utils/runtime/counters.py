"""Event counters by server and day: counted in memory, written once a minute.

The dashboard's charts and drift detection read them. A process that dies loses the last minute.
"""

import logging
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from utils.common.errors import DatabaseError
from utils.database.admin import counters
from utils.database.core.engine import DatabaseService
from utils.models.operator import CounterName, DailyCount
from utils.runtime.stopping import finish

LABEL_LIMIT = 50  # units of DailyCount.Label
BATCH = 200  # keys in one unit of work, so that other writers get their turn

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class EventCounters(DatabaseService):
    """Adds, stores and reads counts. Labels have few values and never contain message text."""

    _counts: Counter[counters.Key] = field(default_factory=Counter, init=False)

    def add(self, guild_id: int, name: CounterName, label: str = "", count: int = 1) -> None:
        """Count an event of this moment."""
        self._counts[guild_id, self._clock.now().date(), name, label[:LABEL_LIMIT]] += count

    async def write(self) -> None:
        """Store the counts since the last write. Raises DatabaseError and keeps them.

        A cancelled write runs to its end first: the database may have stored it, so putting the
        counts back would count them twice.
        """
        await finish(self._store())

    async def _store(self) -> None:
        """Store counts in batches; a failure puts back only the batches that are not stored."""
        waiting, self._counts = self._counts, Counter()
        while waiting:
            batch = dict(islice(sorted(waiting.items()), BATCH))
            try:
                await self._database.write(counters.add, counts=batch)
            except DatabaseError as error:
                _log.warning("counts are written later: %s", type(error).__name__)
                self._counts.update(waiting)
                raise
            waiting -= Counter(batch)

    async def since(
        self, day: date, names: Collection[CounterName], guild_id: int | None = None
    ) -> list[DailyCount]:
        """Return the stored counts since a day, of one server or (None) summed over all."""
        return await self._database.read(
            counters.since, day=day, names=names, guild_ids=None if guild_id is None else [guild_id]
        )
