"""What a process does besides talking: daily pruning, a heartbeat, what it synchronised."""

import logging
import os
import socket
from datetime import timedelta
from functools import partial

from utils.clock import Clock
from utils.database import jobs, usage
from utils.database.engine import Database
from utils.database.jobs import Beat
from utils.database.usage import DayUse
from utils.leases import Leases
from utils.memory.policy import WritePolicy
from utils.memory.pruning import PruneReport, prune
from utils.memory.retention import Retention

PRUNE = "prune"
PRUNE_EVERY = timedelta(days=1)
ALIVE_FOR = timedelta(seconds=90)

_log = logging.getLogger(__name__)


class Upkeep:
    """Runs the daily job under its lease, and keeps the process's own few rows.

    ``retention`` carries out what happens on Discord: edits, places, members and servers that go.
    ``read_only`` lets the daily job erase and write nothing else of memory.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        policy: WritePolicy,
        *,
        read_only: bool = False,
    ) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._policy = policy
        self._read_only = read_only
        self.retention = Retention(database, clock)
        self._process = f"{socket.gethostname()[:60]}:{os.getpid()}"

    async def prune(self) -> PruneReport | None:
        """Prune and record the success; None when another process is at it."""
        async with self._leases.hold(PRUNE) as fence:
            if fence is None:
                return None
            report = await prune(
                self._database, self._clock, self._policy, read_only=self._read_only
            )
            await self._database.write(
                partial(jobs.record_success, name=PRUNE, at=self._clock.now(), report=str(report))
            )
        _log.info("pruned: %s", report)
        return report

    async def prune_is_due(self) -> bool:
        """Whether a day has passed since the last pruning that succeeded, or there was none."""
        last = await self._database.read(partial(jobs.last_success, name=PRUNE))
        return last is None or abs(self._clock.now() - last.at) >= PRUNE_EVERY

    async def beat(self, state: str) -> None:
        """Leave a sign of life; ``state`` is one short line."""
        await self._database.write(
            partial(jobs.beat, process=self._process, at=self._clock.now(), state=state)
        )

    async def last_beat(self) -> tuple[Beat | None, bool]:
        """Return the latest sign of life of any process, and whether it is fresh."""
        beat = await self._database.read(jobs.latest_beat)
        return beat, beat is not None and self._clock.now() - beat.at <= ALIVE_FOR

    async def usage(self, guild_id: int, days: int) -> list[DayUse]:
        """Return what a server spent in the last days, today included, by day and purpose."""
        since = self._clock.now().date() - timedelta(days=days - 1)
        return await self._database.read(partial(usage.by_day, guild_id=guild_id, since=since))

    async def commands_changed(self, application_id: int, payload_hash: str) -> bool:
        """Whether the slash commands differ from those that were synchronised last."""
        synced = await self._database.read(partial(jobs.synced_hash, application_id=application_id))
        return synced != payload_hash

    async def commands_synchronised(self, application_id: int, payload_hash: str) -> None:
        """Remember which slash commands Discord has."""
        await self._database.write(
            partial(jobs.record_sync, application_id=application_id, payload_hash=payload_hash)
        )
