"""The clock, which everything that needs the time gets as a parameter."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start; only differences are meaningful."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The system clock, which the console can set forward."""

    def __init__(self) -> None:
        self._offset = timedelta()

    def now(self) -> datetime:
        """Return the current time, aware, in UTC, plus what :meth:`shift` added."""
        return datetime.now(UTC) + self._offset

    def monotonic(self) -> float:
        """Return the system's monotonic seconds, which a shift does not change."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait in real time."""
        await asyncio.sleep(seconds)

    def shift(self, by: timedelta) -> None:
        """Move :meth:`now` by a duration, so that a person can watch memories expire.

        Raises OverflowError if the result is outside the calendar.
        """
        datetime.now(UTC) + self._offset + by
        self._offset += by
