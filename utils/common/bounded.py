"""A dictionary of bounded size, for what a process remembers of members, servers and addresses."""

from collections import OrderedDict
from typing import TypeVar

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
