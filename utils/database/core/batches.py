"""As many ids as one statement takes. Pure."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

IDS_PER_STATEMENT = 500  # SQL Server takes at most 2,100 parameters
T = TypeVar("T")


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Cut ids into as many as one statement takes."""
    for start in range(0, len(items), IDS_PER_STATEMENT):
        yield items[start : start + IDS_PER_STATEMENT]
