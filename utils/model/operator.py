"""What the operator's rooms hand each other: who changed what, and what erasure did."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from utils.model.memory import Member

OPERATOR = -1
"""Stands in the audit where the operator did it, from the dashboard; Kith itself is 0."""

ACTOR_LIMIT = 100  # units of ReadPolicyVersion.Actor: "command line", "dashboard"


class PolicyRole(StrEnum):
    """What a policy of recall is for: to hold, or to run beside that one without effect."""

    ACTIVE = "active"
    SHADOW = "shadow"


class Erasing(StrEnum):
    """What was erased, or cut short, so that no restored backup may bring it back."""

    MESSAGE = "message"  # deleted, edited or forgotten, up to a revision
    MEMORY = "memory"  # one memory, by its Uid
    MEMBER = "member"  # everything of a member in a server
    CHANNEL = "channel"
    SERVER = "server"
    SHORTER = "shorter"  # a member's consent became temporary
    OFF = "off"  # a member's consent became off


class Counted(StrEnum):
    """What is counted a day and server; its label says which."""

    MESSAGES = "messages"  # heard, by "chat" or "passive"
    REPLIES = "replies"  # label: "model", "plain" or the error that was answered with
    LEARNT = "learnt"  # label: the memory's kind
    REFUSED = "refused"  # label: the reason why a candidate was not kept
    RECALLED = "recalled"  # label: how many rows and messages a block had, as "0", "1-3", "4-8", …
    PRUNED = "pruned"  # label: why rows went: expired, cap, merged, …


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many messages of a member wait to be read for memories, the oldest since when."""

    member: Member
    messages: int
    since: datetime


@dataclass(frozen=True, slots=True)
class DayCount:
    """How often something happened in a server in a day (UTC)."""

    guild_id: int
    day: date
    name: Counted
    label: str
    count: int
