"""Worker: one background loop, run again when it is woken and at a fixed interval."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import InitVar, dataclass
from typing import Any

from utils.common.clock import Clock
from utils.common.errors import KithError
from utils.database.core.engine import Database
from utils.runtime.backoff import Backoff
from utils.runtime.leases import Leases
from utils.runtime.metrics import Metrics
from utils.runtime.stopping import cancel

Step = Callable[[], Awaitable[float | None]]
FIRST_PAUSE_S, MAX_PAUSE_S = 1.0, 60.0  # of a worker without an interval and a backoff of its own

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """What every background service works with: database, clock, this process's leases, metrics."""

    database: Database
    clock: Clock
    leases: Leases
    metrics: Metrics


@dataclass(eq=False, repr=False)
class InfrastructureService:
    """Base of what works with the infrastructure: holds its parts."""

    infrastructure: InitVar[Infrastructure]

    def __post_init__(self, infrastructure: Infrastructure) -> None:
        self._database = infrastructure.database
        self._clock = infrastructure.clock
        self._leases = infrastructure.leases
        self._metrics = infrastructure.metrics


class Worker(InfrastructureService):
    """Runs ``step`` at the start, after each :meth:`wake`, and at each interval.

    A step may return after how many seconds it wants to run next instead. A step that only one
    process may run at a time holds a lease (utils/runtime/leases.py), which cancels the step when
    it is lost. A step that fails is counted and run again: after the pause of the backoff, if there
    is one, else after the interval. A worker without an interval to wait for always has a backoff.
    If the database is away, the worker waits no longer than until it is back, but at least a
    second. Errors that follow each other are logged once for each type; their number is logged when
    the step works again.
    """

    def __init__(
        self,
        infrastructure: Infrastructure,
        name: str,
        step: Step,
        *,
        interval_s: float | None,
        backoff: Backoff | None = None,
        gather_s: float = 0.0,
    ) -> None:
        """``interval_s`` None: only when woken. ``gather_s``: how long a wake waits for more."""
        super().__init__(infrastructure)
        self.name = name
        self._step = step
        self._interval_s = interval_s
        self._gather_s = gather_s
        self._backoff = backoff
        if backoff is None and not interval_s:
            self._backoff = Backoff(self._clock, first_s=FIRST_PAUSE_S, max_s=MAX_PAUSE_S)
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
            try:
                requested_s = await self._step()
            except Exception as error:
                await self._pause(self._failed(error))
            else:
                if self._backoff is not None:
                    self._backoff.forget()
                if (failures := self._failures.total()) > 1:
                    _log.warning("%s works again after %d failures", self.name, failures)
                self._failures.clear()
                await self._rest(self._interval_s if requested_s is None else requested_s)

    def _failed(self, error: Exception) -> float | None:
        """Log and count a failure. Returns the backoff's seconds; None: wait for the interval."""
        self._metrics.worker_failures.labels(self.name).inc()
        pause_s = None if self._backoff is None else self._backoff.begin()
        cause = type(error).__name__
        is_ours = isinstance(error, KithError)
        level = logging.WARNING if is_ours else logging.ERROR
        _log.log(
            logging.DEBUG if cause in self._failures else level,
            "%s failed and is tried again after %.0f s: %s",
            self.name,
            (self._interval_s or 0.0) if pause_s is None else pause_s,
            cause,
            exc_info=None if is_ours else error,
        )
        self._failures[cause] += 1
        return pause_s

    async def _pause(self, seconds: float | None) -> None:
        """Wait after a failure: for the backoff's seconds, or as usual if None."""
        waits = [self._rest(self._interval_s) if seconds is None else self._clock.sleep(seconds)]
        if any(self._database.away.values()):
            waits.append(self._until_back())
        await first_of(waits)

    async def _until_back(self) -> None:
        """Return when the database is back, but never at once.

        A probe may succeed where the step fails each time, such as on a damaged part of a disk.
        """
        await self._clock.sleep(FIRST_PAUSE_S)
        await self._database.wait_until_back()

    async def _rest(self, seconds: float | None) -> None:
        """Wait for the interval or a wake, and after a wake for what comes with it."""
        if seconds is not None and seconds <= 0:
            await asyncio.sleep(0)
            return
        waits: list[Coroutine[Any, Any, object]] = [self._woken.wait()]
        if seconds is not None:
            waits.append(self._clock.sleep(seconds))
        await first_of(waits)
        if self._woken.is_set() and self._gather_s:
            await self._clock.sleep(self._gather_s)
        self._woken.clear()


async def first_of(waits: Sequence[Coroutine[Any, Any, object]]) -> None:
    """Return when one of the waits ends; the others are cancelled."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
