"""Find a member's memories that say the same, and plan their merges. Pure.

Similar wording alone merges wrong pairs. So only memories with the same subject, attribute, kind
and channel are compared. Each merge can be undone, and then is not repeated.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from utils.memory.consolidation.wording import same_wording
from utils.memory.policy.write_policy import latest_end
from utils.models.memory import Memory, Source, Status


@dataclass(frozen=True, slots=True)
class Merge:
    """A memory that stays, and the duplicates that become its past."""

    survivor: Memory
    absorbed: tuple[Memory, ...]

    @property
    def expires_at(self) -> datetime | None:
        """The latest end of all of them; None means permanent."""
        return latest_end(row.expires_at for row in (self.survivor, *self.absorbed))


def plan(rows: Iterable[Memory], apart: Collection[int] = ()) -> list[Merge]:
    """Return the merges among one member's memories.

    An explicitly stated memory survives before others, then the one with higher confidence, then
    the newer one. ``apart`` are ids whose merge was undone; they are not merged again.
    """
    groups: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for row in rows:
        if row.status is Status.ACTIVE and row.fact_key and row.id not in apart:
            groups[row.user_id, row.channel_id, row.kind, row.fact_key].append(row)
    return [merge for group in groups.values() if len(group) > 1 for merge in _merges(group)]


def _merges(group: list[Memory]) -> list[Merge]:
    duplicates: dict[int, list[Memory]] = {}
    survivors: list[Memory] = []
    for row in sorted(group, key=_rank, reverse=True):
        for survivor in survivors:
            if same_wording(survivor.text, row.text, same_attribute=True):
                duplicates.setdefault(survivor.id, []).append(row)
                break
        else:
            survivors.append(row)
    return [Merge(row, tuple(duplicates[row.id])) for row in survivors if row.id in duplicates]


def _rank(row: Memory) -> tuple[bool, float, datetime, int]:
    return row.source is Source.EXPLICIT, row.confidence, row.last_confirmed_at, row.id
