"""Which of a member's rows say the same thing twice. Pure: no clock, no database.

Closeness alone merges wrongly (shared/field-notes.md, section 5): only rows with the same subject
and the same attribute are compared, said to the same readers and of the same kind, and each merge
can be undone, once and for good.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from utils.memory.decide import same_wording
from utils.model.memory import Memory, Source, Status


@dataclass(frozen=True, slots=True)
class Merge:
    """A row that stays, and those that say the same and are kept as its past."""

    kept: Memory
    absorbed: tuple[Memory, ...]

    @property
    def expires_at(self) -> datetime | None:
        """The latest of their ends; None is permanent."""
        ends = [row.expires_at for row in (self.kept, *self.absorbed)]
        return None if None in ends else max(end for end in ends if end is not None)


def plan(rows: Iterable[Memory], apart: Collection[int] = ()) -> list[Merge]:
    """Return which of one member's rows are to be merged into which.

    The row that the member stated stays before the others, then the surer, then the newer one.
    ``apart`` are rows that were merged before and hold again: somebody wanted them back.
    """
    groups: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for row in rows:
        if row.status is Status.ACTIVE and row.fact_key and row.id not in apart:
            groups[row.user_id, row.channel_id, row.kind, row.fact_key].append(row)
    return [merge for group in groups.values() if len(group) > 1 for merge in _merges(group)]


def _merges(group: list[Memory]) -> list[Merge]:
    found: dict[int, list[Memory]] = {}
    kept: list[Memory] = []
    for row in sorted(group, key=_worth, reverse=True):
        for other in kept:
            if same_wording(other.text, row.text, same_attribute=True):
                found.setdefault(other.id, []).append(row)
                break
        else:
            kept.append(row)
    return [Merge(row, tuple(found[row.id])) for row in kept if row.id in found]


def _worth(row: Memory) -> tuple[bool, float, datetime, int]:
    return row.source is Source.EXPLICIT, row.confidence, row.last_confirmed_at, row.id
