"""Leaving a model alone: all of it while it does not answer, or what one part of the work asks."""

from collections.abc import Hashable
from typing import Generic, TypeVar

from utils.clock import Clock

FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 300.0

K = TypeVar("K", bound=Hashable)


class Pause:
    """One worker's pause from a model that does not answer, longer each time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_s = 0.0
        self.until = 0.0  # of the clock's monotonic time

    def begin(self) -> float:
        """Begin a pause, twice as long as the one before; returns how many seconds it lasts."""
        self._last_s = min(max(FIRST_PAUSE_S, self._last_s * 2), LONGEST_PAUSE_S)
        self.until = self._clock.monotonic() + self._last_s
        return self._last_s

    def forget(self) -> None:
        """Let the next pause be a short one again: the model has answered."""
        self._last_s = 0.0

    def is_on(self) -> bool:
        """Whether the model is left alone now."""
        return self._clock.monotonic() < self.until


class Rests(Generic[K]):
    """What is left alone for a while, each until a time of its own."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[K, float] = {}

    def begin(self, key: K, seconds: float) -> None:
        """Leave it alone for so long from now on."""
        now = self._clock.monotonic()
        self._until = {one: until for one, until in self._until.items() if until > now}
        self._until[key] = now + seconds

    def __contains__(self, key: K) -> bool:
        return self._clock.monotonic() < self._until.get(key, 0.0)
