"""The data types of memory: events, stored memories, evidence, profiles.

Times are aware and in UTC. Ids are Discord snowflakes. Guild 0 stands for direct messages.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum

from utils.models.attachment import Attachment, AttachmentText
from utils.models.provenance import NO_PROVENANCE, Provenance

DIRECT_MESSAGES = 0
SERVER_USER_ID = 0  # memories of this user are the server's lore and what members stated for it
NAME = "name"  # the fact key of what a member is called
MEMORY_LIMIT = 500
TOPICS_LIMIT = 200
EVENT_LIMIT = 4000
PROFILE_LIMIT = 600
MAX_PROFILE_VERSIONS = 20  # shown of a profile's history


class Importance(IntEnum):
    """How much a memory matters. Ordered; never compare it as text."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Kind(StrEnum):
    """What a memory is about; utils/memory/policy/ has the rules of each kind."""

    FACT = "fact"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    PATTERN = "pattern"
    TASK = "task"
    EPISODE = "episode"
    LORE = "lore"
    SERVER_FACT = "server_fact"


class Source(StrEnum):
    """Where a memory comes from."""

    CHAT = "chat"
    PASSIVE = "passive"
    EXPLICIT = "explicit"
    IMPORT = "import"


class Status(StrEnum):
    """Whether a memory may be recalled. FORGOTTEN is a tombstone without text."""

    PROPOSED = "proposed"
    SHADOW = "shadow"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"


class Consent(StrEnum):
    """How long Kith may remember a member in a server."""

    OFF = "off"
    TEMPORARY = "temporary"
    LASTING = "lasting"


class Form(StrEnum):
    """What a stored memory is: a verified note, or the member's own sentence."""

    NOTE = "note"
    QUOTE = "quote"


class VerifiedBy(StrEnum):
    """Who or what found that a note says what its sentence says. NONE: it is a quote only."""

    NONE = "none"
    MODEL = "model"
    RULE = "rule"
    MEMBER = "member"
    MODERATOR = "moderator"
    IMPORT = "import"


class Method(StrEnum):
    """What turned evidence into a memory."""

    MODEL = "model"
    RULE = "rule"
    EXPLICIT = "explicit"
    IMPORT = "import"


class NotedMark(StrEnum):
    """How a member sees on Discord that something they said to Kith was noted.

    LINE: the notes stand below the answer. REACTION: a reaction on their message. WAITING is no
    choice: a line whose answer has not been sent yet.
    """

    NOTHING = "nothing"
    REACTION = "reaction"
    LINE = "line"
    WAITING = "waiting"


class Role(StrEnum):
    """Who wrote an event: a member, or Kith itself."""

    MEMBER = "member"
    KITH = "kith"


class RecordOutcome(IntEnum):
    """Whether this process answers an event.

    KNOWN is falsy: the event was stored before, so another process answers it. UNSTORED: the event
    may not or cannot be stored, so nothing says whether another process has it as well. RETRACTED:
    an answer that rests on words that were erased meanwhile; it is to be deleted on Discord.
    """

    KNOWN = 0
    STORED = 1
    UNSTORED = 2
    RETRACTED = 3


class EventState(StrEnum):
    """How far an event is on its way to memory.

    OVERHEARD: said to others in a watched channel; it only supports passive notes.
    IMPORTING: stored from an export, and not extracted yet; only the import extracts it.
    IMPORTED: stored from an export, and extracted.
    """

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    OVERHEARD = "overheard"
    IMPORTING = "importing"
    IMPORTED = "imported"


NO_MESSAGE = 1
"""The revision of what is no message that Kith could look up on Discord: a question asked with a
command, and an answer that only one person sees."""

FROM_EXPORTS = (EventState.IMPORTING, EventState.IMPORTED)
NOT_CONVERSATION = (EventState.OVERHEARD, *FROM_EXPORTS)
"""States of events that are not part of a channel's conversation with Kith: they are no turns, and
belong to no episode."""


@dataclass(frozen=True, slots=True, order=True)
class Member:
    """One user in one server: the key of everything stored about them there."""

    guild_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Audience:
    """Who reads an answer: ``sources`` are the channels that all of its readers can read now.

    ``is_open``: everyone in the server can read the channel itself, or its parent. ``open_ids`` are
    all channels that everyone can read.
    """

    guild_id: int
    channel_id: int
    sources: frozenset[int]
    is_open: bool = False
    open_ids: frozenset[int] = frozenset()

    @property
    def may_read_past(self) -> bool:
        """Whether all readers can read what was said in the channel before they came."""
        return self.channel_id in self.sources


@dataclass(frozen=True, slots=True)
class Event:
    """One message that memories may be extracted from.

    Attributes:
        source_id: the channel whose readers may see it: a public thread's parent, otherwise
            ``channel_id`` itself.
        revision: when it was last edited, in milliseconds since 1970; 0 if never, or NO_MESSAGE.
        about_ids: for an answer of Kith's, the members whose memories or words its prompt held.
        provenance: for an answer that is about to be recorded, what its prompt held.
        attachments: the attachments as Discord sent them.
        attachment_texts: the texts that stand for the attachments in prompts.
        id: the database id; 0 until stored.
    """

    guild_id: int
    channel_id: int
    source_id: int
    message_id: int
    author_id: int
    author_name: str
    role: Role
    text: str
    created_at: datetime
    reply_to_id: int | None = None
    revision: int = 0
    stems: str = ""
    id: int = 0
    about_ids: tuple[int, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    attachment_texts: tuple[AttachmentText, ...] = ()
    provenance: Provenance = NO_PROVENANCE

    @property
    def member(self) -> Member:
        """The author, in this server."""
        return Member(self.guild_id, self.author_id)

    def is_by(self, member: Member) -> bool:
        """Whether a member of its server wrote it."""
        return self.role is Role.MEMBER and self.member == member

    def is_erased_with(self, member: Member, *, only_answers: bool) -> bool:
        """Whether it goes with a member's words: as theirs, or as an answer that may repeat them.

        ``only_answers``: their own messages stay.
        """
        if self.role is Role.KITH:
            return self.guild_id == member.guild_id and member.user_id in self.repeated_ids
        return self.member == member and not only_answers

    @property
    def repeated_ids(self) -> frozenset[int]:
        """The members whose words one of Kith's answers may repeat, also through earlier ones."""
        return frozenset((*self.about_ids, *self.provenance.about_ids))


MAX_CONTEXT = 3
"""Messages and memories that a note may rest on besides its own sentence."""


@dataclass(frozen=True, slots=True)
class ContextRef:
    """A message or a memory that a note rests on besides its own sentence; the other id is 0.

    ``author_id`` is who wrote the message; of an answer of Kith's, the only member whose words it
    was made with, or 0.
    """

    message_id: int = 0
    memory_id: int = 0
    author_id: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a memory is believed: a message, the words quoted from it, and who verified the note.

    Attributes:
        quote: the member's sentence, verbatim.
        model, prompt_hash: of the extraction.
        verifier_model, verifier_hash: of the verification, if a model verified the note.
        context: what else the note rests on, at most three messages or memories.
    """

    message_id: int
    channel_id: int
    quote: str
    method: Method
    said_at: datetime
    model: str = ""
    prompt_hash: str = ""
    verified_by: VerifiedBy = VerifiedBy.NONE
    verifier_model: str = ""
    verifier_hash: str = ""
    context: tuple[ContextRef, ...] = ()


@dataclass(slots=True)
class Memory:
    """One stored memory. ``user_id`` 0 is the server itself (lore and server facts).

    Treat it as immutable. It is not frozen only because the reply path creates hundreds at a time,
    and freezing costs 2 µs each.

    ``stems`` has two lines: those of the text and of its source message.
    Recall does not load the fields after ``fact_key``; only the operator's pages load
    ``superseded_by``. A quote (``form``) is the member's own sentence: it is never shown as a fact,
    and has no attribute and no place in the profile.
    """

    id: int
    channel_id: int
    text: str
    topics: tuple[str, ...]
    importance: Importance
    kind: Kind
    status: Status
    confidence: float
    stems: str
    created_at: datetime
    last_confirmed_at: datetime
    expires_at: datetime | None
    form: Form = Form.NOTE
    fact_key: str = ""
    uid: str = ""
    guild_id: int = 0
    user_id: int = 0
    source: Source = Source.CHAT
    evidence_count: int = 1
    last_used_at: datetime | None = None
    use_count: int = 0
    superseded_by: int | None = None

    @property
    def member(self) -> Member:
        """The member that it is about, in its server."""
        return Member(self.guild_id, self.user_id)

    def is_over(self, now: datetime) -> bool:
        """Whether it has expired at that time; the next pruning removes it."""
        return self.expires_at is not None and self.expires_at <= now

    def is_live(self, now: datetime) -> bool:
        """Whether it may be recalled at that time: it is active and not expired."""
        return self.status is Status.ACTIVE and (self.expires_at is None or self.expires_at > now)


@dataclass(frozen=True, slots=True)
class Profile:
    """A member's profile paragraph, and the ids of the memories it was made from."""

    text: str = ""
    row_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MemberHeader:
    """A member's own row in UserState.

    Attributes:
        version: changes with every write; prepared copies of the memories are stamped with it.
        additions: how many of these writes only added memories.
        consent: the member's own choice; None if they have not chosen.
        linked_id: their other account in this server, if both accounts confirmed the link.
    """

    version: int = 0
    additions: int = 0
    profile: Profile = Profile()
    consent: Consent | None = None
    ignored: bool = False
    linked_id: int | None = None

    @property
    def changes(self) -> int:
        """How many writes did more than add memories."""
        return self.version - self.additions
