"""Backoff: pauses after failures, for a whole worker or for single keys of its work."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from utils.common.clock import Clock

FIRST_PAUSE_S = 5.0
MAX_PAUSE_S = 300.0

K = TypeVar("K", bound=Hashable)


@dataclass(eq=False, repr=False)
class Backoff:
    """A worker's pause after failures, twice as long each time, from ``first_s`` to ``max_s``."""

    _clock: Clock
    first_s: float = FIRST_PAUSE_S
    max_s: float = MAX_PAUSE_S
    _last_s: float = 0.0
    until: float = 0.0
    """Of the clock's monotonic time."""

    def begin(self) -> float:
        """Start a pause, twice as long as the last one. Returns its length in seconds."""
        self._last_s = min(max(self.first_s, self._last_s * 2), self.max_s)
        self.until = self._clock.monotonic() + self._last_s
        return self._last_s

    def forget(self) -> None:
        """Make the next pause a short one again, after a success."""
        self._last_s = 0.0

    def is_on(self) -> bool:
        """Whether a pause is running."""
        return self._clock.monotonic() < self.until


@dataclass(eq=False, repr=False)
class KeyedBackoff(Generic[K]):
    """Pauses of single keys, such as one channel or one server."""

    clock: Clock
    _until: dict[K, float] = field(default_factory=dict, init=False)

    def begin(self, key: K, seconds: float) -> None:
        """Pause a key for so many seconds."""
        now = self.clock.monotonic()
        self._until = {paused: until for paused, until in self._until.items() if until > now}
        self._until[key] = now + seconds

    async def wait(self, key: K) -> None:
        """Return when a key's pause is over."""
        while (wait_s := self._until.get(key, 0.0) - self.clock.monotonic()) > 0:
            await self.clock.sleep(wait_s)

    def __contains__(self, key: K) -> bool:
        return self.clock.monotonic() < self._until.get(key, 0.0)
