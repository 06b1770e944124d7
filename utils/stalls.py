"""How late the event loop is: what it does for too long, all it serves waits for."""

import asyncio
from collections import deque
from collections.abc import Callable

EVERY_S = 0.5
REMEMBERED = 120  # measurements: a minute, or more where it stalls


class StallWatch:
    """Asks the event loop to be called twice a second, and measures how much later it is.

    By the loop's own time, since it is the loop's delay; ``tell`` is told of each in seconds.
    """

    def __init__(self, tell: Callable[[float], None]) -> None:
        self._tell = tell
        self._lately: deque[float] = deque(maxlen=REMEMBERED)
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure in the loop that runs, unless that has begun."""
        if self._timer is None:
            self._expect(asyncio.get_running_loop())

    def close(self) -> None:
        """Measure no more."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def worst_s(self) -> float | None:
        """The longest delay of the last minute; None before anything was measured."""
        return max(self._lately, default=None)

    def _expect(self, loop: asyncio.AbstractEventLoop) -> None:
        at = loop.time() + EVERY_S
        self._timer = loop.call_at(at, self._note, loop, at)

    def _note(self, loop: asyncio.AbstractEventLoop, at: float) -> None:
        late_s = max(0.0, loop.time() - at)
        self._lately.append(late_s)
        self._tell(late_s)
        self._expect(loop)
