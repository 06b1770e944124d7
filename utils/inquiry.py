"""Asking something that may hang: within a time limit, and the same question only once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from utils.clock import Clock

T = TypeVar("T")


class Inquiry(Generic[T]):
    """Asks one thing again and again. A late answer is waited for again the next time, or each
    question that hangs would take another thread."""

    def __init__(self, clock: Clock, ask: Callable[[], Awaitable[T]]) -> None:
        self._clock = clock
        self._ask = ask
        self._asking: asyncio.Task[tuple[T, float]] | None = None

    async def answer(self, limit_s: float) -> tuple[T, float]:
        """Return an answer, and the seconds from when it was asked for to when it came.

        Raises TimeoutError where it is not there within the limit, and what asking raises.
        """
        if self._asking is None:
            self._asking = asyncio.create_task(self._timed(), name="inquiry")
        done, _ = await asyncio.wait([self._asking], timeout=limit_s)
        if not done:
            raise TimeoutError
        asked, self._asking = self._asking, None
        return asked.result()

    async def close(self) -> None:
        """Break off a question under way."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _timed(self) -> tuple[T, float]:
        began_at = self._clock.monotonic()
        answer = await self._ask()
        return answer, self._clock.monotonic() - began_at
