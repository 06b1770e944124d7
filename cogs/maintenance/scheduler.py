"""The job scheduler: a job is a function that runs on time, in each process or under a lease.

A job that one process does for all is tried every hour until it has succeeded, so a failure or a
killed process costs an hour, not a day. Those of each process have workers, which a clock that is
set back does not stop: APScheduler waits until it shows the planned time. They plan the others
anew then.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import product

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from utils.admin.job_runs import JobRuns
from utils.common.clock import Clock
from utils.common.errors import KithError, unexpected_error_message
from utils.runtime.metrics import DONE, FAILED, Metrics

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MISFIRE_GRACE_S = 6 * 3600
LATE_TRIES = 3  # a job is overdue once it was due and this many more tries have passed
LATE_AFTER = timedelta(seconds=90)  # and so long after it was due, however often it is tried
FULL_HOUR = CronTrigger(minute=0, timezone="UTC")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A recurring job.

    Attributes:
        do: runs it. That of a shared job gets the time the job was due, and returns None if
            another process has done it since, or is doing it.
        is_shared: whether one process does it for all, at most once an hour.
        hour: when a daily shared job is due, 0 to 23, UTC.
        is_noticed: whether a process calls ``do`` once each time the job is due, even if another
            process has done it.
    """

    every: timedelta
    do: Callable[..., Awaitable[object]]
    is_shared: bool = False
    hour: int = 0
    is_noticed: bool = False


class JobScheduler:
    """Runs jobs on time, one run of each at a time; failures are logged and tried again."""

    def __init__(
        self, clock: Clock, job_runs: JobRuns, metrics: Metrics, jobs: Mapping[str, Job]
    ) -> None:
        self._clock = clock
        self._job_runs = job_runs
        self._metrics = metrics
        self._jobs = jobs
        self._running: set[str] = set()
        self._succeeded: dict[str, datetime] = {}
        self._handled: dict[str, datetime] = {}  # when shared jobs were due that need no more
        self._began_at = clock.now()
        self._scheduler = AsyncIOScheduler(
            timezone="UTC",
            job_defaults={
                "coalesce": True,
                "max_instances": 1,
                "misfire_grace_time": MISFIRE_GRACE_S,
            },
        )
        for name, outcome in product(jobs, (DONE, FAILED)):  # so that the first run shows as a rise
            metrics.jobs.labels(name, outcome)

    def start(self) -> None:
        """Start the schedule of the shared jobs, which are tried on the hour."""
        self._began_at = self._clock.now()
        for name, job in self._jobs.items():
            if job.is_shared:
                self._scheduler.add_job(partial(self._tick, name), FULL_HOUR, id=name)
        self._scheduler.start()

    async def _tick(self, name: str) -> None:
        """Run a job if it is due; the scheduler would log one that a stop cancels as an error."""
        with suppress(asyncio.CancelledError):
            await self.run_if_due(name)

    async def catch_up(self) -> None:
        """Try every job once at the start: first those of each process, then missed shared ones."""
        for name in sorted(self._jobs, key=lambda name: self._jobs[name].is_shared):
            await self.run_if_due(name)

    def close(self) -> None:
        """Stop the schedule; a job under way is cancelled."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def run_if_due(self, name: str) -> None:
        """Run a job if it is due and not running. A failure is logged and counted."""
        job = self._jobs[name]
        if name in self._running:
            return
        self._running.add(name)
        try:
            for planned in () if job.is_shared else self._scheduler.get_jobs():
                if planned.next_run_time > self._clock.now() + HOUR:  # the clock was set back
                    planned.reschedule(FULL_HOUR)
            due_at = latest(self._clock.now(), job.every, job.hour) if job.is_shared else None
            if (
                due_at is None
                or (job.is_noticed and self._handled.get(name, due_at) < due_at)
                or await self._job_runs.is_due(name, due_at)
            ):
                report = await (job.do(due_at) if job.is_shared else job.do())
                if report is not None or due_at is None:
                    self._succeeded[name] = self._clock.now()
                    self._metrics.jobs.labels(name, DONE).inc()
            if due_at is not None:
                self._handled[name] = due_at
        except Exception as error:
            self._metrics.jobs.labels(name, FAILED).inc()
            if isinstance(error, KithError):
                _log.warning("the job %s failed, and is tried again: %s", name, error)
            else:
                unexpected_error_message(error)
        finally:
            self._running.discard(name)

    async def late(self) -> Sequence[str]:
        """Return the overdue jobs: due, tried three times without success, and not running.

        A job that became due while no process ran counts as due since this process started.
        Raises DatabaseError.
        """
        late = []
        for name, job in list(self._jobs.items()):
            last_at, due_at = self._succeeded.get(name), self._began_at
            if job.is_shared:
                last = await self._job_runs.last_success(name)
                last_at = last.at if last else None
            if last_at is not None:
                self._metrics.job_successes.labels(name).set(last_at.timestamp())
                due_at = max(due_at, last_at + job.every)
            tried_every = HOUR if job.is_shared else job.every
            is_late = self._clock.now() > due_at + max(LATE_TRIES * tried_every, LATE_AFTER)
            if is_late and name not in self._running:
                late.append(name)
        return late


def latest(now: datetime, every: timedelta, hour: int = 0) -> datetime:
    """Return when a job with this interval was last due, counted from ``hour`` o'clock UTC. Pure.

    Every process gets the same result: an hourly job is due at each full hour.
    """
    offset = timedelta(hours=hour)
    return now - (now - _EPOCH - offset) % every
