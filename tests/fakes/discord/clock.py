"""Time and identity: a clock tests can push forward, and snowflakes that look like Discord's."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable

DISCORD_EPOCH_MS = 1_420_070_400_000


class Clock:
    """Seconds since 1970 from a given source, plus whatever a test has skipped."""

    def __init__(self, source: Callable[[], float] = time.time) -> None:
        self._source = source
        self._skipped_s = 0.0

    @property
    def was_moved(self) -> bool:
        """Whether time was skipped."""
        return self._skipped_s != 0

    def now_s(self) -> float:
        """Return the time in seconds since 1970."""
        return self._source() + self._skipped_s

    def now(self) -> dt.datetime:
        """Return the time as an aware UTC datetime."""
        return dt.datetime.fromtimestamp(self.now_s(), dt.UTC)

    def advance(self, seconds: float) -> None:
        """Skip forward; nothing sleeps."""
        self._skipped_s += seconds


def timestamp_of(snowflake: int) -> dt.datetime:
    """Return when a snowflake was made."""
    return dt.datetime.fromtimestamp(((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000, dt.UTC)


def iso(moment: dt.datetime) -> str:
    """Write a moment as Discord does."""
    return moment.astimezone(dt.UTC).isoformat(timespec="microseconds")


class Snowflakes:
    """Makes ids: milliseconds since Discord's epoch, shifted, always larger than the last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0
        self._given: set[int] = set()

    def next(self, accept: Callable[[int], bool] | None = None) -> int:
        """Return a new id; with ``accept``, the first one from now on that it likes."""
        made = max(self.at(self._clock.now()), self._last + 1)
        while accept is not None and not accept(made):
            made = ((made >> 22) + 1) << 22
        while made in self._given:
            made += 1
        self._last = made
        return made

    def for_moment(self, moment: dt.datetime) -> int:
        """Return an unused id dated in the past (or the future)."""
        made = self.at(moment)
        while made in self._given or made == self._last:
            made += 1
        self._given.add(made)
        return made

    @staticmethod
    def at(moment: dt.datetime) -> int:
        """Return the smallest id of a moment."""
        return (int(moment.timestamp() * 1000) - DISCORD_EPOCH_MS) << 22
