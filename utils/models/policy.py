"""Write policies: what a server allows to be learnt, their versions, and waiting memories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field, PlainSerializer

from utils.models.admin import EventRow
from utils.models.memory import Kind

SESSION_ENDS_AFTER = timedelta(minutes=30)
REASON_LIMIT = 200
MAX_WRITES_PER_HOUR = 200
MAX_LIFE_DAYS = 3650

Share = Annotated[float, Field(ge=0, le=1)]


class WriteMode(StrEnum):
    """What happens to a new memory: used, kept unused, or left to a moderator.

    In SHADOW and MANUAL, what was not approved is used in no form: no message without an approved
    memory is quoted, and no summary is used. The running conversation is not memory.
    """

    AUTO = "auto"
    SHADOW = "shadow"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class WritePolicy:
    """When a candidate becomes a memory.

    The thresholds ``..._from`` are confidences. ``approve_kinds`` wait for a moderator even in
    AUTO mode. ``refused_kinds`` are never learnt, as notes or quotes. ``longest_days`` can only
    shorten a kind's life. A server's ``cap`` (memories per member) cannot exceed the operator's.
    The limits apply to values that people or files give.
    """

    mode: WriteMode = WriteMode.AUTO
    active_from: Share = 0.80
    proposed_from: Share = 0.75
    passing_from: Share = 0.60
    pattern_days: Annotated[int, Field(ge=1, le=30)] = 2
    approve_kinds: Annotated[frozenset[Kind], PlainSerializer(sorted)] = frozenset()
    refused_kinds: Annotated[frozenset[Kind], PlainSerializer(sorted)] = frozenset()
    writes_per_session: Annotated[int, Field(ge=1, le=100)] = 30
    writes_per_hour: Annotated[int, Field(ge=1, le=MAX_WRITES_PER_HOUR)] = 50
    longest_days: Mapping[Kind, Annotated[int, Field(ge=1, le=MAX_LIFE_DAYS)]] = field(
        default_factory=dict
    )
    cap: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    recall: bool = True


@dataclass(frozen=True, slots=True)
class Writes:
    """How many new memories of a member the current session and the last hour brought."""

    in_session: int = 0
    in_hour: int = 0


NO_WRITES = Writes()


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """The policy before and after a change; the two are equal if nothing changed."""

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
class PolicyEffect:
    """How many of a server's latest memories of a kind would change their status.

    ``before`` and ``after`` are statuses or "not kept".
    """

    kind: str
    before: str
    after: str
    count: int


class Outcome(StrEnum):
    """What happened to a memory that waited for a moderator."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    CONFIRMED = "confirmed"  # the member said it again, with enough confidence
    REPLACED = "replaced"  # by what the member said instead
    EDITED = "edited"  # the operator's text took its place, under a number of its own
    GONE = "gone"  # erased, expired, or never stored


@dataclass(frozen=True, slots=True)
class Review:
    """The outcome of a review.

    ``moderator_id`` is 0 if no moderator decided. ``is_new``: this call decided it.
    """

    outcome: Outcome
    moderator_id: int = 0
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ReviewSource:
    """What a waiting memory rests on: the member's sentence, and the messages before it.

    ``link`` leads to the message on Discord; None: it was typed into a command. ``context`` is
    oldest first, and ends with the message itself if it is stored and says more than the sentence.
    """

    sentence: str
    channel_id: int
    said_at: datetime
    link: str | None
    context: tuple[EventRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewPost:
    """A waiting memory, and the Discord message that shows it to moderators.

    ``message_id`` 0: it is not sent yet. ``memory_id`` 0: everything in the message is decided.
    """

    guild_id: int
    memory_id: int
    channel_id: int
    message_id: int = 0
