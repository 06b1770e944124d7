"""Time, passed in and never taken: everything that needs the time is handed a Clock."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start; only differences mean anything."""

    async def sleep(self, seconds: float) -> None:
        """Wait for that many seconds."""


class SystemClock:
    """The machine's clock, which the console may set forward."""

    def __init__(self) -> None:
        self._offset = timedelta()

    def now(self) -> datetime:
        """Return the current time, aware, in UTC, plus whatever :meth:`shift` added."""
        return datetime.now(UTC) + self._offset

    def monotonic(self) -> float:
        """Return the machine's monotonic seconds; a shift does not touch them."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for that many real seconds."""
        await asyncio.sleep(seconds)

    def shift(self, by: timedelta) -> None:
        """Move :meth:`now` by a duration, so that a person can watch memories expire.

        Raises OverflowError when the result lies outside the calendar.
        """
        datetime.now(UTC) + self._offset + by
        self._offset += by
