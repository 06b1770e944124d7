"""What members hand in to change their memory, and what they are handed of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from utils.model.artifact import Surrogate
from utils.model.episode import OpenLoop
from utils.model.memory import (
    DIRECT_MESSAGES,
    Audience,
    Consent,
    Event,
    Evidence,
    Member,
    Memory,
    Method,
)

BY_COMMAND = "command"  # stands where evidence names a model: it was typed, in no message


@dataclass(frozen=True, slots=True)
class Statement:
    """What a member typed into a command: their words, and the interaction they came with.

    ``author_name`` is what the member is called there. Where the words were made of a ``message``
    of theirs instead, its id stands for the interaction's; ``audience`` are those who read it.
    """

    text: str
    interaction_id: int
    channel_id: int
    author_name: str = ""
    message: Event | None = None
    audience: Audience | None = None

    @classmethod
    def in_message(cls, text: str, message: Event, audience: Audience) -> "Statement":
        """Return words that were made of a message."""
        author = message.author_name
        return cls(text, message.message_id, message.channel_id, author, message, audience)


class Noted(StrEnum):
    """What is noted of a member's first contact."""

    ASKED = "asked"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class Choices:
    """What a member chose: ``consent`` None means that the server's default holds for them.

    ``refuses_roasts``: they are not to be made fun of. What they say to others is noted where they
    opted in, and, in channels whose notice says so, unless they opted out.
    """

    consent: Consent | None = None
    passive_opt_in: bool = False
    refuses_roasts: bool = False
    passive_opt_out: bool = False


@dataclass(frozen=True, slots=True)
class Backed:
    """A memory with its evidence, oldest first, and the id of the row that took its place."""

    memory: Memory
    evidence: tuple[Evidence, ...] = ()
    superseded_by: int | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Why a memory is believed: its evidence, what it took the place of, newest first, and what
    took its own place."""

    row: Backed
    before: tuple[Memory, ...] = ()
    after: Memory | None = None


@dataclass(frozen=True, slots=True)
class Deed:
    """One line of the audit: something was done to a memory (None: to all of a member's).

    ``actor_id`` 0 is Kith itself. The words are gone when the memory is.
    """

    at: datetime
    actor_id: int
    action: str
    memory_id: int | None = None
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """The account that a member names as their other one; ``is_confirmed``: that one agrees."""

    other_id: int
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class Export:
    """Everything stored of a member in a server, as it was when ``version`` was read.

    ``chapters`` counts the summaries of conversations that they took part in: shared words, which
    are nobody's own.
    """

    member: Member
    version: int
    made_at: datetime
    consent: Consent
    choices: Choices
    profile: str
    rows: tuple[Backed, ...]
    events: tuple[Event, ...]
    audit: tuple[Deed, ...]
    link: Link | None = None
    attachments: tuple[Surrogate, ...] = ()
    loops: tuple[OpenLoop, ...] = ()
    chapters: int = 0


@dataclass(frozen=True, slots=True)
class Files:
    """An export as it is handed out: as JSON, and as a text to read."""

    member: Member
    version: int
    json: bytes
    text: str


def jump_link(guild_id: int, evidence: Evidence) -> str | None:
    """Return the address of the message behind a piece of evidence; None if it was a command."""
    if evidence.method is Method.EXPLICIT and evidence.model == BY_COMMAND:
        return None
    server = "@me" if guild_id == DIRECT_MESSAGES else str(guild_id)
    return f"https://discord.com/channels/{server}/{evidence.channel_id}/{evidence.message_id}"
