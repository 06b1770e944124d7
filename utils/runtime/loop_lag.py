"""Measure event-loop lag: how late the loop runs a callback."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

INTERVAL_S = 0.5
MAX_RECENT = 120  # measurements: a minute, or more where it stalls


@dataclass(eq=False, repr=False)
class LoopLagMonitor:
    """Schedules a callback twice a second and measures how late the event loop calls it.

    The loop's own time is used, because the lag is the loop's. ``observe`` gets each lag in
    seconds.
    """

    _observe: Callable[[float], None]
    _recent: deque[float] = field(default_factory=lambda: deque(maxlen=MAX_RECENT), init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    def start(self) -> None:
        """Start measuring in the running loop, unless it is being measured."""
        if self._timer is None:
            self._measure(asyncio.get_running_loop())

    def close(self) -> None:
        """Stop measuring."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def worst_s(self) -> float | None:
        """The longest lag of the last minute; None before the first measurement."""
        return max(self._recent, default=None)

    def _measure(self, loop: asyncio.AbstractEventLoop, due_at: float | None = None) -> None:
        """Measure how late this call is, if it was due at a time; schedule the next one."""
        if due_at is not None:
            lag_s = max(0.0, loop.time() - due_at)
            self._recent.append(lag_s)
            self._observe(lag_s)
        next_at = loop.time() + INTERVAL_S
        self._timer = loop.call_at(next_at, self._measure, loop, next_at)
