"""What the operator's rooms show of memory, and what they may change of it.

Lists come newest first and in pages: ``cursor`` is where the next page goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from utils.model.memory import (
    Consent,
    EventState,
    Evidence,
    Importance,
    Kind,
    Role,
    Source,
    Status,
)
from utils.model.recall import Cut

T = TypeVar("T")
LARGEST_ID = 2**63 - 1  # of a BIGINT
MOST_ON_A_PAGE = 200
TEXT_LIMIT = 2000  # characters of a message that recall is asked about, as Discord's own
WEEKS_AHEAD = 12
LATER, NEVER = WEEKS_AHEAD, -1  # weeks in which what ends later, or never, is counted
AGES: dict[str, int | None] = {
    "day": 1,
    "week": 7,
    "month": 30,
    "quarter": 90,
    "year": 365,
    "older": None,
}
"""How old memories are counted to be: at most so many days since they were first said."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some of a list; ``cursor`` None: there is no more. A page may be empty and yet not the last:
    one call looks at a few thousand rows only."""

    rows: tuple[T, ...] = ()
    cursor: int | None = None


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which memories are meant; None and "" leave a choice open. Guild 0 is direct messages."""

    guild_id: int | None = None
    user_id: int | None = None
    kind: Kind | None = None
    status: Status | None = None
    source: Source | None = None
    topic: str = ""
    text: str = ""
    expiring_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One memory as the operator sees it, whatever its status; forgotten ones have no text."""

    id: int
    uid: str
    guild_id: int
    user_id: int
    channel_id: int
    text: str
    topics: tuple[str, ...]
    kind: Kind
    status: Status
    source: Source
    importance: Importance
    fact_key: str
    confidence: float
    evidence_count: int
    created_at: datetime
    last_confirmed_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    use_count: int
    superseded_by: int | None

    def is_over(self, now: datetime) -> bool:
        """Whether its time is over; the next pruning removes it."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True)
class Backing:
    """One piece of a memory's evidence, and the address of its message (None: a command)."""

    evidence: Evidence
    link: str | None


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line of the audit; ``actor_id`` 0 is Kith, -1 the operator, else a person."""

    id: int
    guild_id: int
    user_id: int
    memory_id: int | None
    at: datetime
    actor_id: int
    action: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class ItemDetail:
    """A memory with all that is behind it: ``past`` is what it took the place of, newest first;
    evidence is oldest first, the audit newest first."""

    item: Item
    evidence: tuple[Backing, ...] = ()
    audit: tuple[AuditLine, ...] = ()
    past: tuple[Item, ...] = ()
    successor: Item | None = None


@dataclass(frozen=True, slots=True)
class EventLine:
    """One message as it is kept; erased ones have no text. ``source_id`` is whose readers may
    hear of it: a public thread's parent, else the channel itself. ``about_ids`` are those whom one
    of Kith's answers may tell of."""

    id: int
    guild_id: int
    channel_id: int
    source_id: int
    message_id: int
    revision: int
    reply_to_id: int | None
    author_id: int
    author_name: str
    role: Role
    text: str
    state: EventState
    attempts: int
    created_at: datetime
    expires_at: datetime
    about_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member that Kith knows in a server. ``name`` is the one they last spoke under, "" where no
    message of theirs is kept; ``rows`` counts what is remembered of them now."""

    guild_id: int
    user_id: int
    name: str
    consent: Consent | None
    rows: int
    last_seen_at: datetime | None
    left_at: datetime | None
    is_ignored: bool


@dataclass(frozen=True, slots=True)
class ItemChange:
    """What the operator changes of a memory; None leaves it as it is.

    ``is_permanent`` takes the end away; it goes with no ``expires_at``.
    """

    status: Status | None = None
    importance: Importance | None = None
    expires_at: datetime | None = None
    is_permanent: bool = False


@dataclass(frozen=True, slots=True)
class Census:
    """What memory consisted of when it was counted last, in one server or (None) in all.

    ``by_status`` counts all rows, the other maps those that are remembered now: active, proposed
    or shadow. ``expiring`` counts, for each of the next 12 weeks, the rows that end in it;
    ``permanent`` those that never do.
    """

    guild_id: int | None
    at: datetime
    members: int = 0
    rows: int = 0
    by_status: Mapping[str, int] = field(default_factory=dict)
    by_kind: Mapping[str, int] = field(default_factory=dict)
    by_importance: Mapping[str, int] = field(default_factory=dict)
    by_age: Mapping[str, int] = field(default_factory=dict)
    expiring: tuple[int, ...] = (0,) * WEEKS_AHEAD
    permanent: int = 0


@dataclass(frozen=True, slots=True)
class Considered:
    """A memory, or a message (``kind`` None), that recall looked at.

    ``terms`` are the weighted values that make up ``score``; ``layer`` is the line of the block it
    is told in, else ``cut`` says why it is in none.
    """

    memory_id: int | None
    message_id: int | None
    channel_id: int
    text: str
    kind: Kind | None
    status: Status | None
    said_at: datetime
    score: float = 0.0
    terms: Mapping[str, float] = field(default_factory=dict)
    layer: str = ""
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """What would be recalled for a text, and why: ``considered`` best first.

    ``block`` goes before the prompt's last message, after ``now``, which tells what the channel's
    conversation was about so far. Tokens are estimated. ``is_off``: the server's policy recalls
    nothing of members; ``considered`` tells what would be. ``left_off`` counts what was considered
    and is not listed. ``about_ids`` are all those whose memories or words went into any of it, and
    ``silent_ids`` those of whom nothing did, for their consent is off.
    """

    considered: tuple[Considered, ...] = ()
    block: str = ""
    now: str = ""
    tokens: int = 0
    budget_tokens: int = 0
    is_off: bool = False
    left_off: int = 0
    load_ms: float = 0.0
    rank_ms: float = 0.0
    about_ids: tuple[int, ...] = ()
    silent_ids: tuple[int, ...] = ()
