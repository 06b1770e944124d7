"""Types of the operator's tools: actors, erasures, counters, pending messages, settings."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from utils.models.memory import Member

OPERATOR = -1
"""The operator's actor id in the audit (from the dashboard); Kith itself is 0."""

EXPORTED, IMPORTED = "exported", "imported"
"""Audit actions of archives."""

ACTOR_LIMIT = 100  # units of ReadPolicyVersion.Actor: "command line", "dashboard"


class PolicyRole(StrEnum):
    """How a recall policy is used: it decides, or it runs beside the active one without effect."""

    ACTIVE = "active"
    SHADOW = "shadow"


class ErasureKind(StrEnum):
    """What was erased or shortened; a restored backup must not bring it back."""

    MESSAGE = "message"  # deleted, edited or forgotten, up to a revision
    MEMORY = "memory"  # one memory, by its Uid
    LOOP = "loop"  # an open loop, by its message
    SAID = "said"  # all messages and memories of a member; their choices stay
    MEMBER = "member"  # everything of a member in a server, including their choices
    CHANNEL = "channel"
    CHAPTER = "chapter"  # a channel's open episode and its summary
    SERVER = "server"
    SHORTER = "shorter"  # consent became temporary: a member's, or without one the server's default
    OFF = "off"  # a member's consent became off
    UNHEARD = "unheard"  # a member opted out of passive watching
    UNLINKED = "unlinked"  # a member ended the link with their other account


@dataclass(frozen=True, slots=True)
class Erasure:
    """One entry of the erasure ledger: what was erased and when. Holds ids, never text."""

    at: datetime
    kind: ErasureKind
    guild_id: int
    user_id: int | None = None
    channel_id: int | None = None
    message_id: int | None = None
    revision: int | None = None
    uid: str | None = None


@dataclass(slots=True)
class ReplayResult:
    """The result of replaying a ledger.

    Args:
        replayed: how many erasures were repeated, by kind.
        already_erased: how many the database already knew.
        damaged: how many lines were unreadable.
        is_scrubbed: whether the erased text is overwritten on the disk.
    """

    replayed: Counter[ErasureKind] = field(default_factory=Counter)
    already_erased: int = 0
    damaged: int = 0
    is_scrubbed: bool = True


class CounterName(StrEnum):
    """What is counted per day and server; each count has a label."""

    MESSAGES = "messages"  # label: "chat" or "passive"
    REPLIES = "replies"  # label: "model", "plain" or the name of the error
    LEARNT = "learnt"  # label: the note's kind, or "quote"
    VERDICTS = "verdicts"  # label: what a verifier said: supported, unsupported, other, failed
    REFUSED = "refused"  # label: why a candidate was not stored
    RECALLED = "recalled"  # label: rows and messages in the prompt block: "0", "1-3", "4-8", …
    PRUNED = "pruned"  # label: why rows were removed: expired, cap, …
    MEMBERS = "members"  # from here on, what the last census found; no label
    STATUS = "status"  # label: a memory's status
    KIND = "kind"  # label: a current memory's kind
    AGE = "age"  # label: a name of AGES
    END = "end"  # label: in how many weeks a memory expires; LATER or NEVER


CENSUS_NAMES = frozenset(
    {
        CounterName.MEMBERS,
        CounterName.STATUS,
        CounterName.KIND,
        CounterName.AGE,
        CounterName.END,
    }
)


@dataclass(frozen=True, slots=True)
class PendingMessages:
    """The messages of a burst (one member, one channel) that wait for extraction.

    ``since`` is when the oldest arrived. ``is_resting``: the next try is delayed, because the model
    refused the burst or an error occurred.
    """

    member: Member
    messages: int
    since: datetime
    is_resting: bool


@dataclass(frozen=True, slots=True)
class DailyCount:
    """How often something happened on a day (UTC), in a server or (None) in all."""

    guild_id: int | None
    day: date
    name: CounterName
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class ErasureCounts:
    """How many rows the erasure of a person removed, in how many servers.

    ``is_scrubbed``: the freed space of the database file is overwritten as well.
    """

    servers: int = 0
    memories: int = 0
    messages: int = 0
    other_rows: int = 0
    is_scrubbed: bool = False

    def __add__(self, other: "ErasureCounts") -> "ErasureCounts":
        return ErasureCounts(
            self.servers + other.servers,
            self.memories + other.memories,
            self.messages + other.messages,
            self.other_rows + other.other_rows,
        )

    def __str__(self) -> str:
        return (
            f"{self.memories} memories, {self.messages} messages and {self.other_rows} other rows "
            f"in {self.servers} {'place' if self.servers == 1 else 'places'}"
        )


@dataclass(frozen=True, slots=True)
class DatabaseSetting:
    """A setting of the database.

    Args:
        advice: what to change; empty: nothing.
        is_fault: whether Kith cannot do its work until that is changed.
    """

    name: str
    value: str
    advice: str = ""
    is_fault: bool = False
