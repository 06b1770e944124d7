"""The scheduled jobs: daily pruning, the heartbeat, and writing counts to the database."""

import asyncio
import logging
from datetime import datetime, timedelta
from functools import partial

from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.login import latency_s
from cogs.maintenance.scheduler import DAY, HOUR, Job, JobScheduler
from utils.admin.job_runs import STOPPED, append_shards
from utils.admin.restemming import restem_if_due
from utils.admin.statistics import CENSUS_JOB
from utils.common.errors import KithError
from utils.memory.privacy.prune_report import PruneReport
from utils.memory.privacy.pruning import PRUNE_JOB
from utils.runtime.stopping import cancel

HEARTBEAT_EVERY = timedelta(seconds=10)
WRITE_USES_EVERY = timedelta(minutes=1)
LEDGER_EVERY = timedelta(seconds=30)
PRUNE_HOUR = 4  # UTC
DRIFT_HOUR = 5

_log = logging.getLogger(__name__)


class Maintenance(FeatureCog):
    """Runs the jobs on time, and at the start those that were missed."""

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        app = bot.app
        self._catching_up: asyncio.Task[None] | None = None
        runs = app.admin.job_runs
        census = partial(runs.run_once, CENSUS_JOB, app.admin.statistics.refresh)
        drift = partial(runs.run_once, "drift", app.policies.drift.check)
        jobs = {
            "heartbeat": Job(HEARTBEAT_EVERY, self.record_heartbeat),
            "uses": Job(WRITE_USES_EVERY, self.write_uses),
            "ledger": Job(LEDGER_EVERY, app.admin.ledger.mirror),
            PRUNE_JOB: Job(DAY, self.prune, is_shared=True, hour=PRUNE_HOUR, is_noticed=True),
            "census": Job(HOUR, census, is_shared=True),
            "drift": Job(DAY, drift, is_shared=True, hour=DRIFT_HOUR),
        }
        self.jobs = JobScheduler(app.clock, runs, app.runtime.metrics, jobs)
        self.workers = tuple(
            self._new_worker(
                name, partial(self.jobs.run_if_due, name), interval_s=job.every.total_seconds()
            )
            for name, job in jobs.items()
            if not job.is_shared
        )

    async def cog_load(self) -> None:
        """Start the schedule."""
        await super().cog_load()
        self._app.admin.health.watch(
            gateway=partial(latency_s, self._bot), late_jobs=self.jobs.late
        )
        self.jobs.start()
        self._catching_up = asyncio.create_task(self._catch_up(), name="catch up")

    async def cog_unload(self) -> None:
        """Stop the schedule; a job under way is cancelled between two of its batches."""
        self.jobs.close()
        await cancel(self._catching_up)
        await super().cog_unload()
        try:
            await self._app.admin.job_runs.record_heartbeat(STOPPED)
        except KithError as error:
            _log.warning("the last heartbeat could not be written: %s", error)

    async def prune(self, due_at: datetime | None = None) -> PruneReport | None:
        """Prune; no moderator need know of it.

        Returns None if another process is pruning, or has done so since ``due_at``: this one still
        records who left its own servers. Raises DatabaseError.
        """
        await self._bot.deletions.reconcile()  # so that pruning sees who left
        return await self._app.admin.job_runs.prune(due_at)

    async def record_heartbeat(self) -> None:
        """Write the heartbeat for ``doctor --live``. Raises DatabaseError."""
        latency = latency_s(self._bot)
        state = (
            "not connected" if latency is None else f"connected, latency {latency * 1000:.0f} ms"
        )
        count = self._bot.shard_count or 1
        ids = range(count) if self._bot.shard_ids is None else self._bot.shard_ids
        state = append_shards(state, ids, count)
        await self._app.admin.job_runs.record_heartbeat(state)

    async def write_uses(self) -> None:
        """Write use counts, event counts and shadow results to the database.

        Raises DatabaseError.
        """
        try:
            await self._app.memory.reader.write_uses()
        finally:
            try:
                await self._app.runtime.counters.write()
            finally:
                await self._app.policies.shadow.write()

    async def _catch_up(self) -> None:
        await self._bot.wait_until_ready()
        await self.jobs.catch_up()
        try:
            await restem_if_due(self._app.database, self._app.admin.job_runs)
        except KithError as error:
            _log.warning("stems are made anew after the next start: %s", error)
