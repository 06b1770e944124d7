"""Worker: one background loop, run again when it is woken and at a fixed interval.

Infrastructure makes them: it is what every background service works with.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from utils.common.clock import Clock
from utils.common.errors import KithError
from utils.database.core.engine import Database
from utils.runtime.backoff import Backoff
from utils.runtime.leases import Leases
from utils.runtime.metrics import Metrics
from utils.runtime.stopping import cancel

Step = Callable[[], Awaitable[float | None]]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerTiming:
    """When a worker runs its step.

    ``interval_s`` None: only when woken. ``gather_s``: how long a wake waits for more to come.
    """

    interval_s: float | None
    gather_s: float = 0.0
    backoff: Backoff | None = None


class Worker:
    """Runs ``step`` at the start, after each :meth:`wake`, and at each interval.

    A step may return after how many seconds it wants to run next instead. A step that only one
    process may run at a time holds a lease (utils/runtime/leases.py), which cancels the step when
    it is lost. A step that fails is counted and run again: after the pause of the backoff for
    errors of ours, if there is one, else after the interval. Errors of ours that follow each other
    are logged once for each type; their number is logged when the step works again.
    """

    def __init__(
        self,
        name: str,
        step: Step,
        clock: Clock,
        metrics: Metrics,
        timing: WorkerTiming,
    ) -> None:
        self.name = name
        self._step = step
        self._clock = clock
        self._metrics = metrics
        self._interval_s = timing.interval_s
        self._backoff = timing.backoff
        self._gather_s = timing.gather_s
        self._woken = asyncio.Event()
        self._failures: Counter[str] = Counter()  # since the step last worked
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether the worker was started and not closed."""
        return self._task is not None

    def start(self) -> None:
        """Start the loop, unless it runs already."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=self.name)

    def wake(self) -> None:
        """Run the step soon."""
        self._woken.set()

    async def close(self) -> None:
        """Cancel the step that is running, and stop."""
        await cancel(self._task)
        self._task = None

    async def _run(self) -> None:
        while True:
            pause_s, next_in_s = 0.0, self._interval_s
            try:
                requested_s = await self._step()
            except KithError as error:
                pause_s = self._failed(error)
            except Exception as error:
                self._metrics.count_worker_failure(self.name)
                _log.exception("%s failed and is tried again: %s", self.name, type(error).__name__)
            else:
                next_in_s = self._interval_s if requested_s is None else requested_s
                self._succeeded()
            if pause_s:
                await self._clock.sleep(pause_s)
            else:
                await self._rest(next_in_s)

    def _failed(self, error: KithError) -> float:
        """Log and count a failure. Returns for how many seconds the worker pauses."""
        self._metrics.count_worker_failure(self.name)
        pause_s = self._backoff.begin() if self._backoff is not None else 0.0
        cause = type(error).__name__
        _log.log(
            logging.DEBUG if cause in self._failures else logging.WARNING,
            "%s failed and is tried again after %.0f s: %s",
            self.name,
            pause_s or self._interval_s or 0.0,
            cause,
        )
        self._failures[cause] += 1
        return pause_s

    def _succeeded(self) -> None:
        """Make the next pause a short one, and log the end of failures that followed each other."""
        if self._backoff is not None:
            self._backoff.forget()
        if self._failures.total() > 1:
            _log.warning("%s works again after %d failures", self.name, self._failures.total())
        self._failures.clear()

    async def _rest(self, seconds: float | None) -> None:
        """Wait for the interval or a wake, and after a wake for what comes with it."""
        if seconds is not None and seconds <= 0:
            await asyncio.sleep(0)
            return
        waits: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._woken.wait())]
        if seconds is not None:
            waits.append(asyncio.ensure_future(self._clock.sleep(seconds)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._woken.is_set() and self._gather_s:
            await self._clock.sleep(self._gather_s)
        self._woken.clear()


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """The database, the clock, this process's leases and its metrics."""

    database: Database
    clock: Clock
    leases: Leases
    metrics: Metrics

    def worker(
        self,
        name: str,
        step: Step,
        *,
        interval_s: float | None,
        backoff: Backoff | None = None,
        gather_s: float = 0.0,
    ) -> Worker:
        """Return a worker that is not started yet; see :class:`WorkerTiming` for its timing."""
        return Worker(
            name,
            step,
            self.clock,
            self.metrics,
            WorkerTiming(interval_s, gather_s, backoff),
        )
