"""What memory is made of: events, candidates, rows, a member's state, and the plan that changes it.

Times are aware and in UTC; ids are Discord's snowflakes; guild 0 is the space of direct messages.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum, StrEnum

from utils.model.artifact import Attachment, Surrogate
from utils.model.policy import NO_WRITES, WritePolicy, Writes

DIRECT_MESSAGES = 0
SERVER_ITSELF = 0  # the user whose memories are a server's lore
MEMORY_LIMIT = 500
TOPICS_LIMIT = 200
EVENT_LIMIT = 4000
PROFILE_LIMIT = 600
MOST_EDITIONS = 20  # of a profile that are told


class Importance(IntEnum):
    """How much a memory matters; ordered, never compared as text."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Kind(StrEnum):
    """What sort of thing is remembered (design.md section 2 gives each one's rules)."""

    FACT = "fact"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    PATTERN = "pattern"
    TASK = "task"
    EPISODE = "episode"
    LORE = "lore"


class Source(StrEnum):
    """Where a memory comes from."""

    CHAT = "chat"
    PASSIVE = "passive"
    EXPLICIT = "explicit"
    IMPORT = "import"


class Status(StrEnum):
    """Whether a memory may be recalled; FORGOTTEN is a tombstone without text."""

    PROPOSED = "proposed"
    SHADOW = "shadow"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"


class Consent(StrEnum):
    """How long a member lets Kith remember them in a server."""

    OFF = "off"
    TEMPORARY = "temporary"
    LASTING = "lasting"


class Modality(StrEnum):
    """How something was meant."""

    EARNEST = "earnest"
    JOKE = "joke"
    ROLE_PLAY = "role-play"
    HYPOTHETICAL = "hypothetical"


class Method(StrEnum):
    """How evidence was turned into a memory."""

    MODEL = "model"
    RULE = "rule"
    EXPLICIT = "explicit"
    IMPORT = "import"


class Role(StrEnum):
    """Who wrote an event: a person, or Kith itself."""

    MEMBER = "member"
    KITH = "kith"


class Recorded(IntEnum):
    """Whether an event was new, so that it is ours to answer; UNSTORED: for all we can tell."""

    KNOWN = 0
    STORED = 1
    UNSTORED = 2


class EventState(StrEnum):
    """How far an event is on its way to memory.

    OVERHEARD was said to others in a watched channel: it only supports what watching noted.
    IMPORTING and IMPORTED were said in the past and read from an export: the first still waits for
    the import to read it, and for nobody else.
    """

    PENDING = "pending"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"
    OVERHEARD = "overheard"
    IMPORTING = "importing"
    IMPORTED = "imported"


FROM_EXPORTS = (EventState.IMPORTING, EventState.IMPORTED)
NOT_OF_THE_TALK = (EventState.OVERHEARD, *FROM_EXPORTS)
"""States of what is no part of a channel's talk: no turn of it, in no episode, before nothing."""


@dataclass(frozen=True, slots=True, order=True)
class Member:
    """One person in one server; the key of everything that is known about them there."""

    guild_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class Audience:
    """Who will read an answer, as the channels whose history all of them can read now.

    ``is_open``: everybody in the server can read the channel itself, or its parent.
    """

    guild_id: int
    channel_id: int
    reader_id: int | None
    sources: frozenset[int]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """One message that may teach something.

    ``channel_id`` is where it was said, ``source_id`` whose readers may hear of it: a public
    thread's parent, else the same channel. ``revision`` counts edits in milliseconds since 1970
    (0: never edited). ``about_ids`` are the members whose memories or words one of Kith's answers
    was made with. ``attachments`` are what came with it as it was heard, ``surrogates`` what stands
    for them where it is told again. ``id`` is 0 until stored.
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
    surrogates: tuple[Surrogate, ...] = ()

    @property
    def member(self) -> Member:
        """The author, in this server."""
        return Member(self.guild_id, self.author_id)


@dataclass(frozen=True, slots=True)
class Burst:
    """What one member said in one channel within a few seconds: one extraction."""

    member: Member
    channel_id: int
    events: tuple[Event, ...]

    @property
    def text(self) -> str:
        """Everything said in it, one message a line."""
        return "\n".join(event.text for event in self.events)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something an extractor thinks is worth remembering about ``subject_id``; not yet believed.

    ``lifetime_days`` None means permanent. ``replaces`` is the id of the row it makes obsolete.
    """

    subject_id: int
    text: str
    quote: str
    kind: Kind
    importance: Importance
    confidence: float
    lifetime_days: int | None
    attribute: str = ""
    topics: tuple[str, ...] = ()
    modality: Modality = Modality.EARNEST
    replaces: int | None = None
    source: Source = Source.CHAT


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one extractor made of a burst, and how: model and prompt hash are kept as evidence."""

    candidates: tuple[Candidate, ...]
    method: Method
    profile_update: str | None = None
    model: str = ""
    prompt_hash: str = ""
    refused: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a memory is believed: the message, and the words in it."""

    message_id: int
    channel_id: int
    quote: str
    method: Method
    said_at: datetime
    model: str = ""
    prompt_hash: str = ""


@dataclass(slots=True)
class Memory:
    """One thing remembered, as stored. ``user_id`` 0 is the server itself (lore).

    Not frozen only because the reply path makes hundreds at a time, and freezing costs it 2 µs
    each: nobody changes one.

    ``stems`` has three lines: of the text, of the message it came from, of the message before.
    Recall does not need what stands after ``expires_at``, and leaves it out when it loads rows.
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
    uid: str = ""
    guild_id: int = 0
    user_id: int = 0
    fact_key: str = ""
    source: Source = Source.CHAT
    evidence_count: int = 1
    last_used_at: datetime | None = None
    use_count: int = 0

    def is_live(self, now: datetime) -> bool:
        """Whether it may be recalled at that time: active and not expired."""
        return self.status is Status.ACTIVE and (self.expires_at is None or self.expires_at > now)


@dataclass(frozen=True, slots=True)
class Reading:
    """What an extractor is given: the burst, what was said before it, and what is known."""

    burst: Burst
    before: tuple[Event, ...]
    rows: tuple[Memory, ...]
    profile: str
    time_zone: str


@dataclass(frozen=True, slots=True)
class Profile:
    """The paragraph that is always shown, and the ids of the rows it was made from."""

    text: str = ""
    row_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Edition:
    """A paragraph as it was, and since when."""

    since: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's own row: its version stamps prepared copies; consent None means not chosen.

    ``linked_id`` is their other account in this server, if both have confirmed it.
    """

    version: int = 0
    profile: Profile = Profile()
    consent: Consent | None = None
    ignored: bool = False
    linked_id: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One piece of a row's evidence, as far as deciding needs it."""

    message_id: int
    day: date


@dataclass(frozen=True, slots=True)
class MemberState:
    """Everything ``decide`` may know about a member, read under the member's lock.

    ``rows`` are the living and proposed ones. ``tombstones`` are message ids whose memories were
    forgotten: they teach nothing again. ``events`` are those of the burst that still exist.
    ``policy`` is the server's own; None: the operator's holds. ``writes`` are the latest new ones.
    """

    member: Member
    now: datetime
    consent: Consent
    frozen: bool
    version: int
    rows: tuple[Memory, ...]
    profile: Profile
    tombstones: frozenset[int]
    events: tuple[Event, ...]
    evidence: Mapping[int, tuple[Seen, ...]]
    ignored: bool = False
    policy: WritePolicy | None = None
    writes: Writes = NO_WRITES
