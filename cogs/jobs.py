"""When each job runs, what became of it, and running one now.

What every process does for itself runs at its own pace. What one does for all is tried every hour
until it has succeeded, so that whatever failed, or whoever was at it and died, is no day's loss.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

from cogs.dashboard.house import Job
from utils.clock import Clock
from utils.errors import BadInput, KithError, unforeseen
from utils.metrics import Metrics
from utils.upkeep import Upkeep

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
LATE_IS_FINE_S = 6 * 3600
LATE_TRIES = 3  # a job is overdue once it was due and that many more tries have passed
DONE = "done"
UNKNOWN = "There is no job {name}; there are {names}."
RUNNING = "The job {name} is running already; wait until it is done."
ELSEWHERE = "Another process is running the job {name} just now; wait until it is done."
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Duty:
    """What is to be done again and again; ``do`` returns what it did, in words.

    ``is_shared``: one process does it for all, every hour or less often, and the database knows
    when it last succeeded; ``do`` is given since when nobody must have done it, and returns None
    where somebody has, or is at it. ``hour`` (0 to 23, UTC) is when a daily one is due.
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
    """When a job's last run of a kind ended, and what it did or why it failed."""

    at: datetime
    report: str


class Timetable:
    """Runs jobs on time, each once at a time; ``Jobs`` for the dashboard."""

    def __init__(self, clock: Clock, upkeep: Upkeep, metrics: Metrics) -> None:
        self._clock = clock
        self._upkeep = upkeep
        self._metrics = metrics
        self._duties: dict[str, Duty] = {}
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
                "misfire_grace_time": LATE_IS_FINE_S,
            },
        )

    def each(self, name: str, every: timedelta, do: Callable[[], Awaitable[object]]) -> None:
        """Have this process do something for itself; what it returns is told, if anything."""

        async def in_words(_due_at: datetime | None) -> str:
            return str(await do() or DONE)

        self.add(Duty(name, every, in_words))

    def shared(
        self, name: str, every: timedelta, do: Callable[[], Awaitable[object]], *, hour: int = 0
    ) -> None:
        """Have one process do something for all, every hour or less often."""

        async def in_words() -> str:
            return str(await do() or DONE)

        once = partial(self._upkeep.once, name, in_words)
        self.add(Duty(name, every, once, is_shared=True, hour=hour))

    def add(self, duty: Duty, *, tick: Callable[[], Awaitable[object]] | None = None) -> None:
        """Have a job done from the start on; ``tick`` is called in the place of doing it if due."""
        self._duties[duty.name] = duty
        self._metrics.expect_job(duty.name)
        self._ticks[duty.name] = tick or partial(self.run_if_due, duty.name)

    def start(self) -> None:
        """Begin; what is shared is tried on the hour."""
        self._began_at = self._clock.now()
        for name, duty in self._duties.items():
            trigger = (
                CronTrigger(minute=0, timezone="UTC")
                if duty.is_shared
                else IntervalTrigger(seconds=int(duty.every.total_seconds()), timezone="UTC")
            )
            self._scheduler.add_job(self._ticks[name], trigger, id=name)
        self._scheduler.start()

    async def catch_up(self) -> None:
        """Try everything once, at the start: first what is each process's own, such as its sign of
        life, then what is shared, if it was missed."""
        for name in sorted(self._duties, key=lambda one: self._duties[one].is_shared):
            await self._ticks[name]()

    def close(self) -> None:
        """Stop; a job under way is broken off."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    def due_at(self, name: str) -> datetime:
        """Return when a job was due last."""
        duty = self._duties[name]
        return latest(self._clock.now(), duty.every, duty.hour)

    # --- running -------------------------------------------------------------------------------

    async def run_if_due(self, name: str, *, anyway: bool = False) -> bool:
        """Do a job if its time has come, or ``anyway``; whether nothing went wrong.

        What does is logged, and told by :meth:`all`.
        """
        due_at = self.due_at(name) if self._duties[name].is_shared else None
        try:
            is_due = anyway or due_at is None or await self._upkeep.is_due(name, due_at)
            if not is_due:  # somebody has done it meanwhile
                self._failed.pop(name, None)
            elif name not in self._running:
                await self._do(name, due_at)
        except KithError as error:
            _log.warning("the job %s failed, and is tried again: %s", name, error)
            self._fail(name, str(error))
        except Exception as error:
            self._fail(name, unforeseen(error))
        else:
            return True
        return False

    async def run(self, name: str) -> str:
        """Run a job now; returns what it did, in words. Raises BadInput for one that is unknown or
        running already, KithError where it failed."""
        if name not in self._duties:
            raise BadInput(UNKNOWN, name=name[:50], names=", ".join(self._duties))
        if name in self._running:
            raise BadInput(RUNNING, name=name)
        try:
            report = await self._do(name)
        except KithError as error:
            self._fail(name, str(error))
            raise
        except Exception as error:
            self._fail(name, unforeseen(error))
            raise KithError(self._failed[name].report) from None
        if report is None:
            raise BadInput(ELSEWHERE, name=name)
        return report

    async def _do(self, name: str, due_at: datetime | None = None) -> str | None:
        """Do a job and note what became of it; None where another process is at it, or has done it
        since ``due_at``. Raises what the job raises."""
        self._running.add(name)
        try:
            report = await self._duties[name].do(due_at)
        except Exception as error:
            self._metrics.job_ended(name, error)
            raise
        finally:
            self._running.discard(name)
        if report is not None:
            self._failed.pop(name, None)
            self._succeeded[name] = _Ended(self._clock.now(), report)
            self._metrics.job_ended(name)
        return report

    def _fail(self, name: str, sentence: str) -> None:
        self._failed[name] = _Ended(self._clock.now(), sentence)

    # --- telling -------------------------------------------------------------------------------

    async def all(self) -> Sequence[Job]:
        """Return every job. Raises DatabaseError."""
        return [await self._job(duty) for duty in self._duties.values()]

    async def late(self) -> Sequence[str]:
        """Return the jobs that are overdue: due, tried in vain three times, and not under way.

        What became due while no process ran is due from the start of this one. Raises
        DatabaseError.
        """
        duties, found = list(self._duties.values()), []
        lasts = await asyncio.gather(*map(self._last, duties))
        for duty, last in zip(duties, lasts, strict=True):
            due_at = self._began_at
            if last is not None:
                self._metrics.job_succeeded(duty.name, last.at.timestamp())
                due_at = max(due_at, last.at + duty.every)
            is_late = self._clock.now() > due_at + LATE_TRIES * duty.tried_every
            if is_late and duty.name not in self._running:
                found.append(duty.name)
        return found

    async def _job(self, duty: Duty) -> Job:
        last, failed = await self._last(duty), self._failed.get(duty.name)
        if failed is not None and last is not None and failed.at < last.at:
            failed = None  # another process has done it since
        return Job(
            name=duty.name,
            last_success_at=last.at if last else None,
            last_report=last.report if last else "",
            failed_at=failed.at if failed else None,
            error=failed.report if failed else "",
            next_at=self._next_at(duty, last),
            is_running=duty.name in self._running,
        )

    async def _last(self, duty: Duty) -> _Ended | None:
        """Return the last success: of any process if it is shared, else of this one."""
        if not duty.is_shared:
            return self._succeeded.get(duty.name)
        stored = await self._upkeep.last_success(duty.name)
        return None if stored is None else _Ended(stored.at, stored.report)

    def _next_at(self, duty: Duty, last: _Ended | None) -> datetime | None:
        """Return when it runs next: at its hour, or with the next try if it is due already."""
        planned = self._scheduler.get_job(duty.name)
        if planned is None:
            return None
        due_at = self.due_at(duty.name)
        if duty.is_shared and last is not None and last.at >= due_at:
            return due_at + duty.every
        at: datetime = planned.next_run_time
        return at.astimezone(UTC)


def latest(now: datetime, every: timedelta, hour: int = 0) -> datetime:
    """Return the last time that something was due which is due that often, from an hour on. Pure.

    All processes reckon alike: an hourly one is due at each full hour.
    """
    offset = timedelta(hours=hour)
    return now - (now - _EPOCH - offset) % every
