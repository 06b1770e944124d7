"""What the operator's rooms hand each other: who changed what, and what erasure did."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from utils.model.memory import Member

OPERATOR = -1
"""Stands in the audit where the operator did it, from the dashboard; Kith itself is 0."""

EXPORTED, IMPORTED = "exported", "imported"
"""The audit's words for memory that was carried out of a database, and into one."""

ACTOR_LIMIT = 100  # units of ReadPolicyVersion.Actor: "command line", "dashboard"


class PolicyRole(StrEnum):
    """What a policy of recall is for: to hold, or to run beside that one without effect."""

    ACTIVE = "active"
    SHADOW = "shadow"


class Erasing(StrEnum):
    """What was erased, or cut short, so that no restored backup may bring it back."""

    MESSAGE = "message"  # deleted, edited or forgotten, up to a revision
    MEMORY = "memory"  # one memory, by its Uid
    LOOP = "loop"  # what a member wanted to be asked about, by the message they said it in
    SAID = "said"  # all that a member said and all that is known of them; their choices stay
    MEMBER = "member"  # everything of a member in a server, their choices too
    CHANNEL = "channel"
    CHAPTER = "chapter"  # a channel's open chapter, and what was written of it
    SERVER = "server"
    SHORTER = "shorter"  # a member's consent became temporary; no member: the server's default did
    OFF = "off"  # a member's consent became off
    UNHEARD = "unheard"  # a member let nothing be noted any more of what they say to others
    UNLINKED = "unlinked"  # a member ended the link with their other account


@dataclass(frozen=True, slots=True)
class Erasure:
    """One entry of the erasure ledger: what was erased, and when; ids, never words."""

    at: datetime
    kind: Erasing
    guild_id: int
    user_id: int | None = None
    channel_id: int | None = None
    message_id: int | None = None
    revision: int | None = None
    uid: str | None = None


@dataclass(slots=True)
class Redone:
    """What a ledger's erasures came to: done again by kind, known already, lines nobody can read,
    and whether their words are overwritten on the disk."""

    done: Counter[Erasing] = field(default_factory=Counter)
    known: int = 0
    damaged: int = 0
    is_scrubbed: bool = True


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
    """How many messages of a burst (a member's in a channel) wait to be read, the oldest since
    when; it ``rests`` after the model refused it, or we failed at it."""

    member: Member
    messages: int
    since: datetime
    rests: bool = False


@dataclass(frozen=True, slots=True)
class DayCount:
    """How often something happened in a server, or (None) in all together, in a day (UTC)."""

    guild_id: int | None
    day: date
    name: Counted
    label: str
    count: int
