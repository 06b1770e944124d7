"""What deciding changes of a member's memories, all of it in one unit of work."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from utils.model.memory import Evidence, Importance, Kind, Profile, Source, Status


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A row to insert; ``supersedes`` is the id of the row whose place it takes.

    ``corrects`` is that of the row whose place it takes once a moderator has approved it.
    """

    text: str
    topics: tuple[str, ...]
    importance: Importance
    kind: Kind
    fact_key: str
    source: Source
    status: Status
    confidence: float
    channel_id: int
    stems: str
    expires_at: datetime | None
    evidence: Evidence
    supersedes: int | None = None
    corrects: int | None = None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The same thing said again: more evidence for a row that exists, and a longer life.

    ``is_promoted``: its status is not what it was.
    """

    row_id: int
    confidence: float
    importance: Importance
    expires_at: datetime | None
    status: Status
    evidence: Evidence
    is_promoted: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to change, all of it in one unit of work.

    ``removals`` are ids of rows over the cap. ``profile`` None leaves the stored paragraph alone;
    ``profile_inserts`` are the indexes into ``inserts`` of the new rows it was also made from.
    ``inserted`` are the ids that ``inserts`` got, once the plan was carried out.
    """

    inserts: tuple[NewMemory, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    removals: tuple[int, ...] = ()
    profile: Profile | None = None
    profile_inserts: tuple[int, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)
    inserted: tuple[int, ...] = ()

    @property
    def proposed(self) -> tuple[int, ...]:
        """The rows that wait for a moderator since this plan was carried out."""
        new = zip(self.inserted, self.inserts, strict=False)
        return (
            *(row_id for row_id, one in new if one.status is Status.PROPOSED),
            *(
                one.row_id
                for one in self.confirmations
                if one.is_promoted and one.status is Status.PROPOSED
            ),
        )
