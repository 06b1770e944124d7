"""What members submit to change their memory, and what they can see and export of it."""

from dataclasses import dataclass
from datetime import datetime

from utils.models.attachment import AttachmentText
from utils.models.episode import OpenLoop
from utils.models.memory import (
    DIRECT_MESSAGES,
    Audience,
    Consent,
    Event,
    Evidence,
    Member,
    Memory,
    Method,
    NotedMark,
)

# In place of a model's name: what was not sent as a message.
BY_COMMAND = "command"
BY_AGENT = "agent"
NOT_SENT = (BY_COMMAND, BY_AGENT)


@dataclass(frozen=True, slots=True)
class Statement:
    """What a member typed into a command, or wrote in a ``message``.

    For a message, ``interaction_id`` is the message's id and ``audience`` its readers.
    """

    text: str
    interaction_id: int
    channel_id: int
    message: Event | None = None
    audience: Audience | None = None

    @classmethod
    def in_message(cls, text: str, message: Event, audience: Audience) -> "Statement":
        """Return a statement that a message contains."""
        return cls(text, message.message_id, message.channel_id, message, audience)


@dataclass(frozen=True, slots=True)
class MemberChoices:
    """A member's choices; ``consent`` None means the server's default.

    ``refuses_roasts``: Kith must not make fun of them. Messages to others are extracted if they
    opted in, and in channels with a notice unless they opted out. ``time_zone`` None means the
    server's. ``never_first``: Kith must not speak first about them. ``noted``: how they see what
    was noted; None means as the server chose. ``not_findable``: others must not find them by their
    notes.
    """

    consent: Consent | None = None
    passive_opt_in: bool = False
    refuses_roasts: bool = False
    passive_opt_out: bool = False
    time_zone: str | None = None
    never_first: bool = False
    noted: NotedMark | None = None
    not_findable: bool = False


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry of the audit about a member's memory (``memory_id`` None: about all of them).

    ``actor_id`` 0 is Kith, -1 the operator, else a user. ``before`` and ``after`` are erased
    together with the memory.
    """

    at: datetime
    actor_id: int
    action: str
    memory_id: int | None = None
    before: str | None = None
    after: str | None = None
    guild_id: int = 0
    user_id: int = 0
    id: int = 0


@dataclass(frozen=True, slots=True)
class MemoryDetail:
    """A memory with its evidence (oldest first), and for the operator its audit (newest first).

    ``past`` are the memories it superseded, newest first; ``successor`` the one that superseded it.
    """

    item: Memory
    evidence: tuple[Evidence, ...] = ()
    audit: tuple[AuditEntry, ...] = ()
    past: tuple[Memory, ...] = ()
    successor: Memory | None = None


@dataclass(frozen=True, slots=True)
class LinkedAccount:
    """The other account a member linked; ``is_confirmed``: that account confirmed it."""

    other_id: int
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class MemberExport:
    """Everything stored of a member in a server at MemoryVersion ``version``.

    ``summary_count``: how many summaries there are of conversations they took part in. Those texts
    are shared, so they are not exported.
    """

    member: Member
    version: int
    made_at: datetime
    consent: Consent
    choices: MemberChoices
    profile: str
    rows: tuple[MemoryDetail, ...]
    events: tuple[Event, ...]
    audit: tuple[AuditEntry, ...]
    link: LinkedAccount | None
    attachments: tuple[AttachmentText, ...] = ()
    loops: tuple[OpenLoop, ...] = ()
    summary_count: int = 0


@dataclass(frozen=True, slots=True)
class ExportFiles:
    """An export as JSON and as readable text."""

    member: Member
    version: int
    json: bytes
    text: str


def jump_link(guild_id: int, evidence: Evidence) -> str | None:
    """Return the link to the message of a piece of evidence; None if there was no message."""
    if evidence.method is Method.EXPLICIT and evidence.model in NOT_SENT:
        return None
    return message_link(guild_id, evidence.channel_id, evidence.message_id)


def message_link(guild_id: int, channel_id: int, message_id: int) -> str:
    """Return the link to a message on Discord."""
    server = "@me" if guild_id == DIRECT_MESSAGES else str(guild_id)
    return f"https://discord.com/channels/{server}/{channel_id}/{message_id}"
