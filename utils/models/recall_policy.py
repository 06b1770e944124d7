"""Recall policies: their versions, the differences between two, and the results of a shadow."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

MAX_SHADOW_DAYS = 30


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A difference between two policies; ``field`` is a path such as ``asking.text``."""

    field: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version of the recall policy: who made it, when and why.

    ``previous`` is the version that was active before it; None if it was only a shadow.
    """

    version: int
    at: datetime | None
    actor: str
    reason: str
    previous: int | None = None


@dataclass(frozen=True, slots=True)
class PolicyUse:
    """The policy version in use, and since when.

    ``until`` is when a shadow ends. ``rolls_back``: drift beyond the limit ends the version.
    """

    version: int = 0
    since: datetime | None = None
    until: datetime | None = None
    rolls_back: bool = False


@dataclass(frozen=True, slots=True)
class ShadowRow:
    """What the active policy recalled for a message, and what the shadow policy would have.

    Ids of memories are positive, ids of messages negative. ``..._ms`` are ranking times.
    """

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
    """The results of a shadow so far: shares and means over recalls, by name."""

    version: int
    recalls: int
    members: int
    values: Mapping[str, float]
