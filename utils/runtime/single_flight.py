"""SingleFlight: run a call that may hang within a time limit, never twice at the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from utils.common.clock import Clock
from utils.runtime.stopping import cancel

T = TypeVar("T")


@dataclass(eq=False, repr=False)
class SingleFlight(Generic[T]):
    """Runs one call at a time. A call that exceeds its limit goes on, and the next one awaits it.

    Otherwise each call that hangs would occupy another thread.
    """

    _clock: Clock
    _call: Callable[[], Awaitable[T]]
    _running: asyncio.Task[tuple[T, float]] | None = field(default=None, init=False)

    async def run(self, limit_s: float) -> tuple[T, float]:
        """Return the call's result and how many seconds it took.

        Raises TimeoutError after ``limit_s`` seconds, and what the call raises.
        """
        if self._running is None:
            self._running = asyncio.create_task(self._timed(), name="single flight")
        finished_tasks, _ = await asyncio.wait([self._running], timeout=limit_s)
        if not finished_tasks:
            raise TimeoutError
        finished, self._running = self._running, None
        return finished.result()

    async def close(self) -> None:
        """Cancel a running call."""
        await cancel(self._running)

    async def _timed(self) -> tuple[T, float]:
        started_at = self._clock.monotonic()
        result = await self._call()
        return result, self._clock.monotonic() - started_at
