"""A dictionary of bounded size, for what a process remembers of members, servers and addresses."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from utils.common.clock import Clock

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(OrderedDict[K, V]):
    """A dictionary of at most ``limit`` entries: a new one drops what was written longest ago."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)  # not moved: another thread may have dropped it
        super().__setitem__(key, value)
        if len(self) > self._limit:
            self.popitem(last=False)


class ExpiringDict(Generic[K, V]):
    """A dictionary of bounded size whose entries are gone some seconds after they were written."""

    def __init__(self, clock: Clock, limit: int, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._entries: BoundedDict[K, tuple[V, float]] = BoundedDict(limit)

    def __setitem__(self, key: K, value: V) -> None:
        self._entries[key] = value, self._clock.monotonic() + self._seconds
        while next(iter(self._entries.values()))[1] <= self._clock.monotonic():
            self._entries.popitem(last=False)

    def get(self, key: K) -> V | None:
        """Return an entry that has not expired."""
        value, until = self._entries.get(key, (None, 0.0))
        return value if until > self._clock.monotonic() else None

    def pop(self, key: K) -> V | None:
        """Remove an entry and return it, unless it has expired."""
        value = self.get(key)
        self._entries.pop(key, None)
        return value

    def remove_where(self, is_meant: Callable[[K, V], bool]) -> None:
        """Remove entries by their key and value."""
        for key in [key for key, (value, _) in self._entries.items() if is_meant(key, value)]:
            del self._entries[key]
