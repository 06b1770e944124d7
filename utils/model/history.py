"""A server's past, as another program has exported it, and what became of it."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from utils.model.memory import Consent
from utils.model.plan import Plan


@dataclass(frozen=True, slots=True)
class ExportedPlace:
    """Which channel an export is of; ``source_id`` is where its readers are, as in Event."""

    guild_id: int
    channel_id: int
    source_id: int


class Unread(StrEnum):
    """Why a message of an export is not looked at any further."""

    NO_PERSON = "by bots and deleted users"
    NOTICE = "that are Discord's own notices"
    WORDLESS = "without words"
    SENSELESS = "that make no sense"
    OTHERS = "by members you did not name"
    FUTURE = "from the future"
    NO_LEAVE = "by members who gave no leave"
    TOO_OLD = "too old for their author's choice"
    KNOWN = "known already"


@dataclass(frozen=True, slots=True)
class Leave:
    """A member's own leave to be remembered; nothing from before ``since`` is theirs to learn."""

    consent: Consent
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """A message of an export that is stored already, in the revision heard last."""

    revision: int
    text: str
    is_waiting: bool


@dataclass(slots=True)
class Survey:
    """What importing would do: how many messages would be read, of how many members, and at what
    cost. ``left_out`` counts the rest by its reason; ``damage`` says where the file ends too soon.
    """

    messages: int = 0
    taken: int = 0
    left_out: Counter[Unread] = field(default_factory=Counter)
    with_leave: int = 0
    without_leave: int = 0
    bursts: int = 0
    tokens: int = 0
    damage: str = ""


@dataclass(slots=True)
class Outcome:
    """What an import did, in numbers of messages and memories.

    ``waiting`` messages are read by another run; ``resting`` members have spent their day's tokens.
    """

    messages: int = 0
    stored: int = 0
    left_out: Counter[Unread] = field(default_factory=Counter)
    read: int = 0
    bursts: int = 0
    learnt: int = 0
    confirmed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    waiting: int = 0
    resting: int = 0
    damage: str = ""

    def leave_out(self, why: Unread) -> None:
        """Count a message that is not looked at any further."""
        self.left_out[why] += 1

    def add(self, plan: Plan) -> None:
        """Count a burst, and what was learnt from it."""
        self.bursts += 1
        self.learnt += len(plan.inserts)
        self.confirmed += len(plan.confirmations)
        self.refused.update(plan.refused)
