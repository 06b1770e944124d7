"""Importing exported messages: the exported channel, why messages are skipped, and the counts."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from utils.models.memory import Consent
from utils.models.plan import Plan


@dataclass(frozen=True, slots=True)
class ExportedChannel:
    """The channel of an export; ``source_id`` is the channel whose readers may see it."""

    guild_id: int
    channel_id: int
    source_id: int


class SkipReason(StrEnum):
    """Why a message of an export is skipped; the value completes "N messages ..."."""

    NOT_A_MEMBER = "by bots and deleted users"
    SYSTEM_MESSAGE = "that are system messages"
    NO_TEXT = "without text"
    MALFORMED = "that are malformed"
    NOT_SELECTED = "by members you did not name"
    FUTURE = "dated in the future"
    NO_CONSENT = "by members who did not consent"
    TOO_OLD = "older than their author's consent allows"
    ALREADY_STORED = "already stored"


@dataclass(frozen=True, slots=True)
class ImportConsent:
    """A member's own consent; nothing they said before ``since`` may be imported."""

    consent: Consent
    since: datetime | None


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """The latest stored revision of a message that is also in an export."""

    revision: int
    text: str
    is_waiting: bool


@dataclass(slots=True)
class ImportEstimate:
    """What an import would read, and at what cost.

    ``skipped`` counts the other messages by reason. ``damage`` says where the file is cut off.
    """

    messages: int = 0
    accepted: int = 0
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    with_consent: int = 0
    without_consent: int = 0
    bursts: int = 0
    tokens: int = 0
    damage: str = ""


@dataclass(slots=True)
class ImportReport:
    """How many messages an import stored and read, and how many memories it made.

    ``waiting`` messages are left for another run. ``over_budget`` members have spent their share of
    today's tokens.
    """

    messages: int = 0
    stored: int = 0
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    read: int = 0
    bursts: int = 0
    inserted: int = 0
    confirmed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    waiting: int = 0
    over_budget: int = 0
    damage: str = ""

    def skip(self, reason: SkipReason) -> None:
        """Count a skipped message."""
        self.skipped[reason] += 1

    def add(self, plan: Plan) -> None:
        """Count a burst and the memories made from it."""
        self.bursts += 1
        self.inserted += len(plan.inserts)
        self.confirmed += len(plan.confirmations)
        self.refused.update(plan.refused)
