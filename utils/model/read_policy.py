"""What is handed about policies of recall: versions, what differs, and what a shadow showed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

MOST_SHADOW_DAYS = 30


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a policy that differs; ``field`` is its path, such as ``asking.text``."""

    field: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version of recall's policy: who made it, when and why.

    ``previous`` is the version that held before it, None for one that was only in the shadow.
    """

    version: int
    at: datetime | None
    actor: str
    reason: str
    previous: int | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """A version in use, since when, and what goes with that.

    ``until`` is when a shadow ends; ``rolls_back``: a breach of drift ends what holds.
    """

    version: int = 0
    since: datetime | None = None
    until: datetime | None = None
    rolls_back: bool = False


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the ends of its 95 % confidence interval (percentile bootstrap)."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ShadowRow:
    """What the active policy recalled for a message, and what the one in the shadow would have:
    ids of memories, ids of messages below zero; sizes in tokens, ranking times in milliseconds."""

    at: datetime
    guild_id: int
    user_id: int
    message_id: int
    active_version: int
    shadow_version: int
    active_ids: tuple[int, ...]
    shadow_ids: tuple[int, ...]
    active_tokens: int
    shadow_tokens: int
    active_ms: float
    shadow_ms: float


@dataclass(frozen=True, slots=True)
class ShadowReport:
    """What a shadow showed so far: shares and means over recalls, by name, with intervals.

    They are resampled by member, whose recalls resemble each other.
    """

    version: int
    recalls: int
    members: int
    values: Mapping[str, Interval] = field(default_factory=dict)
