"""Groups or adds up pairs by their first items."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any


def grouped(pairs: Iterable[Sequence[Any]]) -> dict[Any, tuple[Any, ...]]:
    """Return the second items of pairs by their first ones, in order; others have none."""
    groups: dict[Any, list[Any]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return defaultdict(tuple, {key: tuple(values) for key, values in groups.items()})


def summed(pairs: Iterable[tuple[Any, Any]]) -> Counter[Any]:
    """Return the sums of the second items of pairs by their first ones; others have 0."""
    sums: Counter[Any] = Counter()
    for key, value in pairs:
        sums[key] += value
    return sums
