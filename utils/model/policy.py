"""What a server allows to be written and recalled, and what becomes of what awaits a moderator."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a member's state names the policy, and the policy names kinds
    from utils.model.memory import Kind, Member

SESSION_ENDS_AFTER = timedelta(minutes=30)
REASON_LIMIT = 200
MOST_WRITES_PER_HOUR = 200


class WriteMode(StrEnum):
    """What becomes of what was learnt: kept, kept unused, or left to a moderator each time."""

    AUTO = "auto"
    SHADOW = "shadow"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class WritePolicy:
    """When a candidate becomes a memory. Confidences lie between 0 and 1.

    ``approve_kinds`` wait for a moderator even in AUTO. ``longest_days`` only ever shortens a
    kind's life, and no server's ``cap`` is above the operator's.
    """

    mode: WriteMode = WriteMode.AUTO
    active_from: float = 0.80
    proposed_from: float = 0.75
    passing_from: float = 0.60
    pattern_days: int = 2
    approve_kinds: frozenset["Kind"] = frozenset()
    writes_per_session: int = 10
    writes_per_hour: int = 50
    longest_days: Mapping["Kind", int] = field(default_factory=dict)
    cap: int = 500
    recall: bool = True


@dataclass(frozen=True, slots=True)
class Writes:
    """How many memories of a member were new in the session at hand, and in the last hour."""

    in_session: int = 0
    in_hour: int = 0


NO_WRITES = Writes()


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """What a moderator's change of policy did; equal policies: nothing."""

    before: WritePolicy
    after: WritePolicy
    version: int


@dataclass(frozen=True, slots=True)
class WriteVersion:
    """A version of a server's write policy: who chose it, when and why."""

    version: int
    at: datetime
    actor_id: int
    reason: str
    policy: WritePolicy


@dataclass(frozen=True, slots=True)
class Effect:
    """How many of a server's last memories of a kind would have another status; "not kept" is one
    too."""

    kind: str
    before: str
    after: str
    count: int


class Outcome(StrEnum):
    """What became of a memory that waited for a moderator."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    CONFIRMED = "confirmed"  # it was said again, surely enough
    GONE = "gone"  # forgotten, expired, or never there


@dataclass(frozen=True, slots=True)
class Review:
    """How a waiting memory stands; ``moderator_id`` 0 means that nobody decided it.

    ``is_new``: it was decided just now.
    """

    outcome: Outcome
    moderator_id: int = 0
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory that waits for a moderator, whose it is, and whose readers may know of it."""

    member: "Member"
    memory_id: int
    channel_id: int
    text: str
    kind: "Kind"
    confidence: float
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a waiting memory was shown to moderators."""

    guild_id: int
    memory_id: int
    channel_id: int
    message_id: int
