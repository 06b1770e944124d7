"""A clock that stands still until a test moves it."""

import asyncio
from datetime import UTC, datetime, timedelta

from utils.common.clock import Clock

NOON = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday


class ManualClock(Clock):
    """A Clock whose time passes only by :meth:`advance` and :meth:`jump`."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now
        self._monotonic = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._monotonic + seconds, woken))
        await woken

    def advance(self, seconds: float = 0.0, **units: float) -> None:
        """Let time pass, and wake whoever has slept long enough."""
        by = timedelta(seconds=seconds, **units)
        self._now += by
        self._monotonic += by.total_seconds()
        due = [woken for until, woken in self._sleepers if until <= self._monotonic]
        self._sleepers = [one for one in self._sleepers if one[0] > self._monotonic]
        for woken in due:
            if not woken.done():
                woken.set_result(None)

    async def until_asleep(self, for_s: float = 0.0, sleepers: int = 1) -> None:
        """Return when so many sleep (for that long), so that an advance reaches them."""

        def asleep() -> int:
            lengths = (
                until - self._monotonic for until, woken in self._sleepers if not woken.done()
            )
            return sum(length_s >= for_s for length_s in lengths)

        while asleep() < sleepers:  # noqa: ASYNC110 - no time passes here
            await asyncio.sleep(0)

    def jump(self, by: timedelta) -> None:
        """Set the wall clock forward or back; nobody who sleeps notices."""
        self._now += by
