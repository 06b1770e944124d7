"""What the dashboard shows of memory, and what the operator may change.

Lists are newest first and in pages; ``cursor`` is where the next page starts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from utils.models.memory import (
    Consent,
    Event,
    EventState,
    Evidence,
    Form,
    Importance,
    Kind,
    Source,
    Status,
)
from utils.models.recall import Omission

T = TypeVar("T")
MAX_ID = 2**63 - 1  # of a BIGINT
MAX_ON_PAGE = 200
TEXT_LIMIT = 2000  # characters of a Discord message
WEEKS_AHEAD = 12
LATER, NEVER = WEEKS_AHEAD, -1  # week numbers of later expiries and of permanent memories
AGES: dict[str, int | None] = {
    "day": 1,
    "week": 7,
    "month": 30,
    "quarter": 90,
    "year": 365,
    "older": None,
}
"""Age groups of the statistics: the maximum days since a memory was first said."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list; ``cursor`` None: it is the last.

    A page may be empty and not the last, because one query scans only a few thousand rows.
    ``is_partial``: only the newest rows were sorted.
    """

    rows: tuple[T, ...] = ()
    cursor: int | None = None
    is_partial: bool = False


class MemoryOrder(StrEnum):
    """What a list of memories is sorted by; by NEWEST, the last one comes first."""

    NEWEST = "newest"
    TEXT = "text"
    KIND = "kind"
    STATUS = "status"
    IMPORTANCE = "importance"
    SAID = "said"
    EXPIRES = "expires"
    USED = "used"


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories to list; None and "" match everything. Guild 0 is direct messages."""

    guild_id: int | None = None
    user_id: int | None = None
    kind: Kind | None = None
    status: Status | None = None
    source: Source | None = None
    form: Form | None = None
    topic: str = ""
    text: str = ""
    expiring_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class LinkedEvidence(Evidence):
    """One piece of evidence and the link to its message (None: a command)."""

    link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow(Event):
    """One stored message and how far it is read; an erased one has no text."""

    state: EventState
    attempts: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class KnownMember:
    """A member that Kith knows in a server.

    ``name`` is the display name of their last stored message, else "". ``rows`` counts their
    current memories.
    """

    guild_id: int
    user_id: int
    name: str
    consent: Consent | None
    rows: int
    last_seen_at: datetime | None
    left_at: datetime | None
    is_ignored: bool


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """The operator's change of a memory; None changes nothing.

    ``is_permanent`` removes the expiry; it excludes ``expires_at``.
    """

    text: str | None = None
    status: Status | None = None
    importance: Importance | None = None
    expires_at: datetime | None = None
    is_permanent: bool = False


@dataclass(frozen=True, slots=True)
class Census:
    """The last count of memories, in one server or (None) in all.

    ``by_status`` counts all rows. The other maps count current rows: active, proposed or shadow.
    ``expiring`` counts the rows that expire in each of the next 12 weeks, ``permanent`` those that
    never do.
    """

    guild_id: int | None
    at: datetime
    members: int = 0
    by_status: Mapping[str, int] = field(default_factory=dict)
    by_kind: Mapping[str, int] = field(default_factory=dict)
    by_age: Mapping[str, int] = field(default_factory=dict)
    expiring: tuple[int, ...] = (0,) * WEEKS_AHEAD
    permanent: int = 0


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    """A memory or a message (``kind`` None) that recall considered.

    ``terms`` are the weighted values that add up to ``score``. ``layer`` is its line of the prompt
    block; ``cut`` says why it is in none.
    """

    memory_id: int | None
    message_id: int | None
    channel_id: int
    text: str
    kind: Kind | None
    status: Status | None
    said_at: datetime
    score: float
    terms: Mapping[str, float]
    layer: str
    cut: Omission | None


@dataclass(frozen=True, slots=True)
class RecallExplanation:
    """What would be recalled for a text, and why.

    Args:
        considered: the candidates, best first.
        block: the prompt block; it stands before the prompt's last message.
        now: what the conversation was about so far; it stands before ``block``.
        tokens: estimated tokens of both.
        is_off: the server's policy recalls nothing; ``considered`` shows what it would recall.
        left_off: how many candidates are not listed.
        about_ids: members whose memories or messages were used.
        silent_ids: members whose consent is off, so nothing was used.
    """

    considered: tuple[RecallCandidate, ...] = ()
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
