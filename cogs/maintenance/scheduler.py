"""The job scheduler: when each job runs, its last result, and running one now.

Jobs of each process run at their own interval. A job that one process does for all is tried every
hour until it has succeeded, so a failure or a killed process costs an hour, not a day.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

from utils.admin.job_runs import JobRuns
from utils.app import App
from utils.common.clock import Clock
from utils.common.errors import BadInput, KithError, unexpected_error_message
from utils.runtime.metrics import Metrics

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
DRIFT_HOUR = 5
MISFIRE_GRACE_S = 6 * 3600
LATE_TRIES = 3  # a job is overdue once it was due and this many more tries have passed
LATE_AFTER = timedelta(seconds=90)  # and so long after it was due, however often it is tried
DONE = "done"
UNKNOWN = "There is no job {name}; there are {names}."
RUNNING = "The job {name} is running already; wait until it is done."
ELSEWHERE = "Another process is running the job {name} just now; wait until it is done."
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A recurring job; ``do`` returns what it did, in words.

    ``is_shared``: one process does it for all, at most once an hour, and the database stores when
    it last succeeded. ``do`` gets the time it was due; it returns None if another process has done
    it since, or is doing it. ``hour`` (0 to 23, UTC) is when a daily job is due.
    """

    name: str
    every: timedelta
    do: Callable[[datetime | None], Awaitable[str | None]]
    is_shared: bool = False
    hour: int = 0

    @property
    def tried_every(self) -> timedelta:
        """How often it is tried."""
        return HOUR if self.is_shared else self.every


@dataclass(frozen=True, slots=True)
class _Ended:
    """When a run ended, and what it did or why it failed."""

    at: datetime
    report: str


@dataclass(frozen=True, slots=True)
class Job:
    """A scheduled job. Times are UTC; None: it never ran, or only runs on request.

    ``error`` stays until the job succeeds again, in any process.
    """

    name: str
    last_success_at: datetime | None
    last_report: str
    next_at: datetime | None
    is_running: bool
    failed_at: datetime | None = None
    error: str = ""

    @property
    def last_run_at(self) -> datetime | None:
        """When it last finished, successfully or not."""
        return self.failed_at or self.last_success_at


class JobScheduler:
    """Runs jobs on time, one run of each at a time."""

    def __init__(self, clock: Clock, job_runs: JobRuns, metrics: Metrics) -> None:
        self._clock = clock
        self._job_runs = job_runs
        self._metrics = metrics
        self._specs: dict[str, JobSpec] = {}
        self._ticks: dict[str, Callable[[], Awaitable[object]]] = {}
        self._running: set[str] = set()
        self._succeeded: dict[str, _Ended] = {}
        self._failed: dict[str, _Ended] = {}
        self._began_at = clock.now()
        self._scheduler = AsyncIOScheduler(
            timezone="UTC",
            job_defaults={
                "coalesce": True,
                "max_instances": 1,
                "misfire_grace_time": MISFIRE_GRACE_S,
            },
        )

    def each(self, name: str, every: timedelta, do: Callable[[], Awaitable[object]]) -> None:
        """Add a job of each process; the dashboard shows what it returns, if anything."""

        async def in_words(_due_at: datetime | None) -> str:
            return str(await do() or DONE)

        self.add(JobSpec(name, every, in_words))

    def shared(
        self, name: str, every: timedelta, do: Callable[[], Awaitable[object]], *, hour: int = 0
    ) -> None:
        """Add a job that one process does for all, at most once an hour."""

        async def in_words() -> str:
            return str(await do() or DONE)

        once = partial(self._job_runs.run_once, name, in_words)
        self.add(JobSpec(name, every, once, is_shared=True, hour=hour))

    def add(self, spec: JobSpec, *, tick: Callable[[], Awaitable[object]] | None = None) -> None:
        """Add a job; ``tick`` replaces running it if it is due."""
        self._specs[spec.name] = spec
        self._metrics.init_job(spec.name)
        self._ticks[spec.name] = tick or partial(self.run_if_due, spec.name)

    def start(self) -> None:
        """Start the schedule; shared jobs are tried on the hour."""
        self._began_at = self._clock.now()
        for name, spec in self._specs.items():
            trigger = (
                CronTrigger(minute=0, timezone="UTC")
                if spec.is_shared
                else IntervalTrigger(seconds=int(spec.every.total_seconds()), timezone="UTC")
            )
            self._scheduler.add_job(partial(self._tick, name), trigger, id=name)
        self._scheduler.start()

    async def _tick(self, name: str) -> None:
        """Run a job if it is due; the scheduler would log one that a stop cancels as an error."""
        with suppress(asyncio.CancelledError):
            await self._ticks[name]()

    async def catch_up(self) -> None:
        """Try every job once at the start: first those of each process, then missed shared ones."""
        for name in sorted(self._specs, key=lambda name: self._specs[name].is_shared):
            await self._ticks[name]()

    def close(self) -> None:
        """Stop the schedule; a job under way is cancelled."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    def due_at(self, name: str) -> datetime:
        """Return when a job was due last."""
        spec = self._specs[name]
        return latest(self._clock.now(), spec.every, spec.hour)

    # --- running -------------------------------------------------------------------------------

    async def run_if_due(self, name: str, *, force: bool = False) -> bool:
        """Run a job if it is due, or if forced. Returns whether nothing failed.

        A failure is logged, and reported by :meth:`all`.
        """
        due_at = self.due_at(name) if self._specs[name].is_shared else None
        try:
            is_due = force or due_at is None or await self._job_runs.is_due(name, due_at)
            if not is_due:  # another process has done it
                self._failed.pop(name, None)
            elif name not in self._running:
                await self._do(name, due_at)
        except KithError as error:
            _log.warning("the job %s failed, and is tried again: %s", name, error)
            self._fail(name, str(error))
        except Exception as error:
            self._fail(name, unexpected_error_message(error))
        else:
            return True
        return False

    async def run(self, name: str) -> str:
        """Run a job now, and return what it did, in words.

        Raises BadInput for an unknown job or one that is running, and KithError if it fails.
        """
        if name not in self._specs:
            raise BadInput(UNKNOWN, name=name[:50], names=", ".join(self._specs))
        if name in self._running:
            raise BadInput(RUNNING, name=name)
        try:
            report = await self._do(name)
        except KithError as error:
            self._fail(name, str(error))
            raise
        except Exception as error:
            self._fail(name, unexpected_error_message(error))
            raise KithError(self._failed[name].report) from None
        if report is None:
            raise BadInput(ELSEWHERE, name=name)
        return report

    async def _do(self, name: str, due_at: datetime | None = None) -> str | None:
        """Run a job and keep its result. Raises what the job raises.

        Returns None if another process is doing it, or has done it since ``due_at``.
        """
        self._running.add(name)
        try:
            report = await self._specs[name].do(due_at)
        except Exception as error:
            self._metrics.count_job_run(name, error)
            raise
        finally:
            self._running.discard(name)
        if report is not None:
            self._failed.pop(name, None)
            self._succeeded[name] = _Ended(self._clock.now(), report)
            self._metrics.count_job_run(name)
        return report

    def _fail(self, name: str, sentence: str) -> None:
        self._failed[name] = _Ended(self._clock.now(), sentence)

    # --- reporting -----------------------------------------------------------------------------

    async def all(self) -> Sequence[Job]:
        """Return every job. Raises DatabaseError."""
        return [await self._job(spec) for spec in self._specs.values()]

    async def late(self) -> Sequence[str]:
        """Return the overdue jobs: due, tried three times without success, and not running.

        A job that became due while no process ran counts as due since this process started.
        Raises DatabaseError.
        """
        specs, late = list(self._specs.values()), []
        last_runs = await asyncio.gather(*map(self._last, specs))
        for spec, last in zip(specs, last_runs, strict=True):
            due_at = self._began_at
            if last is not None:
                self._metrics.set_job_success(spec.name, last.at.timestamp())
                due_at = max(due_at, last.at + spec.every)
            is_late = self._clock.now() > due_at + max(LATE_TRIES * spec.tried_every, LATE_AFTER)
            if is_late and spec.name not in self._running:
                late.append(spec.name)
        return late

    async def _job(self, spec: JobSpec) -> Job:
        last, failed = await self._last(spec), self._failed.get(spec.name)
        if failed is not None and last is not None and failed.at < last.at:
            failed = None  # another process has done it since
        return Job(
            name=spec.name,
            last_success_at=last.at if last else None,
            last_report=last.report if last else "",
            failed_at=failed.at if failed else None,
            error=failed.report if failed else "",
            next_at=self._next_at(spec, last),
            is_running=spec.name in self._running,
        )

    async def _last(self, spec: JobSpec) -> _Ended | None:
        """Return the last success: of any process for a shared job, else of this process."""
        if not spec.is_shared:
            return self._succeeded.get(spec.name)
        stored = await self._job_runs.last_success(spec.name)
        return None if stored is None else _Ended(stored.at, stored.report)

    def _next_at(self, spec: JobSpec, last: _Ended | None) -> datetime | None:
        """Return when a job runs next: at its hour, or at the next try if it is due already."""
        planned = self._scheduler.get_job(spec.name)
        if planned is None:
            return None
        due_at = self.due_at(spec.name)
        if spec.is_shared and last is not None and last.at >= due_at:
            return due_at + spec.every
        at: datetime = planned.next_run_time
        return at.astimezone(UTC)


def add_counting_jobs(jobs: JobScheduler, app: App) -> None:
    """Add the shared jobs that need nothing but the database."""
    jobs.shared("census", HOUR, app.admin.statistics.refresh)
    jobs.shared("drift", DAY, app.policies.drift.check, hour=DRIFT_HOUR)


def latest(now: datetime, every: timedelta, hour: int = 0) -> datetime:
    """Return when a job with this interval was last due, counted from ``hour`` o'clock UTC. Pure.

    Every process gets the same result: an hourly job is due at each full hour.
    """
    offset = timedelta(hours=hour)
    return now - (now - _EPOCH - offset) % every
