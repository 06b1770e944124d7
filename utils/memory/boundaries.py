"""Where one chapter of a conversation ends and the next begins. Pure.

Only a long silence divides so far.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from utils.model.memory import Event


@dataclass(frozen=True, slots=True)
class BoundaryPolicy:
    """After how long a silence another chapter begins."""

    longest_gap: timedelta = timedelta(hours=8)


@dataclass(frozen=True, slots=True)
class Chapter:
    """The open chapter as far as it is known: its last turns, oldest first, and its summary."""

    turns: tuple[Event, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Division:
    """Where chapters start, as indexes into the new turns; those from ``settled`` on are not
    decided yet."""

    starts: tuple[int, ...]
    settled: int


def divide(
    chapter: Chapter,
    turns: Sequence[Event],
    policy: BoundaryPolicy | None = None,
    likeness: Callable[[int, int], float] | None = None,
) -> Division:
    """Say which of the new turns begin another chapter."""
    longest = (policy or BoundaryPolicy()).longest_gap
    before = [*chapter.turns[-1:], *turns]
    offset = len(before) - len(turns)
    starts = [
        i
        for i, turn in enumerate(turns)
        if i + offset and abs(turn.created_at - before[i + offset - 1].created_at) > longest
    ]
    return Division(tuple(starts), len(turns))
