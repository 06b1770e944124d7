"""The requests and results of recall: ranked matches, quotes, omissions, what a member may see."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from utils.models.attachment import Attachment, AttachmentText
from utils.models.episode import OpenLoop
from utils.models.memory import Consent, Memory
from utils.models.provenance import NO_PROVENANCE, Provenance
from utils.models.transfer import AuditEntry, MemberChoices


@dataclass(frozen=True, slots=True)
class Person:
    """A person whom an answer concerns: the speaker, or someone mentioned or replied to."""

    user_id: int
    name: str


class QuoteReason(StrEnum):
    """Why a message is quoted beside a turn: the words before its author's name."""

    REPLY = "in reply to"
    LINK = "with a link to a message by"
    STARTER = "in a thread that began with a message by"


@dataclass(frozen=True, slots=True)
class NamedPeople:
    """Whom a text names in plain words.

    ``unclear`` has each name that several people gave themselves, with these people. ``names`` are
    all names in the text; of those that people gave themselves, ``note_ids`` are the memories.
    """

    people: tuple[Person, ...] = ()
    unclear: tuple[tuple[str, tuple[Person, ...]], ...] = ()
    names: tuple[str, ...] = ()
    note_ids: tuple[int, ...] = ()

    @property
    def everybody(self) -> tuple[Person, ...]:
        """All who are meant, or may be."""
        return (*self.people, *(person for _, people in self.unclear for person in people))


NOBODY_NAMED = NamedPeople()


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """The message that a turn replies to, or links to, or that its thread was made from.

    It is untrusted input, like everything people write. Its id, its author's and its time are
    missing if they are unknown. ``is_kith``: it is a message of Kith's. ``attachments`` came with
    it, and ``attachment_texts`` says what they are once they are read for an answer.
    """

    author_name: str
    text: str
    message_id: int = 0
    author_id: int = 0
    sent_at: datetime | None = None
    is_kith: bool = False
    attachments: tuple[Attachment, ...] = ()
    attachment_texts: tuple[AttachmentText, ...] = ()
    reason: QuoteReason = QuoteReason.REPLY


@dataclass(slots=True)
class Said:
    """One message of a member, in the form in which recall ranks it.

    It is not frozen for the same reason as Memory.

    Attributes:
        source_id: the channel whose readers may see it: a public thread's parent, otherwise
            ``channel_id`` itself.
        previous_stems: the stems of the message before it in the channel.
        about_stems: for the text of an attachment, the stems of what else finds it.
        label: set for the text of an attachment: its label in prompts. Empty for a message.
        is_page: it is the text of a web page or of a tool's result.
        quotable: the names of others for which recall found out last what may be quoted, and that.
    """

    event_id: int
    message_id: int
    channel_id: int
    source_id: int
    text: str
    said_at: datetime
    expires_at: datetime
    stems: str
    previous_stems: str = ""
    about_stems: str = ""
    label: str = ""
    is_page: bool = False
    quotable: tuple[frozenset[str], str] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quote:
    """The part of a message that a prompt block quotes."""

    event_id: int
    message_id: int
    text: str


Item = TypeVar("Item", Memory, Said)


@dataclass(frozen=True, slots=True, eq=False)  # arrays are not compared
class MemoryColumns:
    """A member's memories by column: making thousands of them takes longer than ranking them.

    Enums are text, ``topics`` too, with commas. Times are seconds since 1970; ``ends_at_s`` is
    infinite for what does not expire. ``items`` are the memories, if they exist already.
    """

    ids: Sequence[int]
    channel_ids: Sequence[int]
    texts: Sequence[str]
    topics: Sequence[str]
    importance: Sequence[int]
    kinds: Sequence[str]
    statuses: Sequence[str]
    confidence: Sequence[float]
    stems: Sequence[str]
    created_at_s: Sequence[float] | NDArray[np.float64]
    confirmed_at_s: Sequence[float] | NDArray[np.float64]
    ends_at_s: Sequence[float] | NDArray[np.float64]
    forms: Sequence[str]
    fact_keys: Sequence[str]
    items: Sequence[Memory] = ()

    @classmethod
    def of(cls, memories: Iterable[Memory]) -> "MemoryColumns":
        """Return the columns of these memories."""
        rows = list(memories)
        return cls(
            ids=[row.id for row in rows],
            channel_ids=[row.channel_id for row in rows],
            texts=[row.text for row in rows],
            topics=[",".join(row.topics) for row in rows],
            importance=[row.importance for row in rows],
            kinds=[row.kind for row in rows],
            statuses=[row.status for row in rows],
            confidence=[row.confidence for row in rows],
            stems=[row.stems for row in rows],
            created_at_s=[row.created_at.timestamp() for row in rows],
            confirmed_at_s=[row.last_confirmed_at.timestamp() for row in rows],
            ends_at_s=[
                math.inf if row.expires_at is None else row.expires_at.timestamp() for row in rows
            ],
            forms=[row.form for row in rows],
            fact_keys=[row.fact_key for row in rows],
            items=rows,
        )


@dataclass(frozen=True, slots=True, eq=False)  # arrays are not compared
class SaidColumns:
    """A member's messages and attachment texts by column, as MemoryColumns are memories.

    The ``message_ids`` of texts that came with a message are negative.
    """

    ids: Sequence[int]
    message_ids: Sequence[int]
    channel_ids: Sequence[int]
    source_ids: Sequence[int]
    texts: Sequence[str]
    said_at_s: Sequence[float] | NDArray[np.float64]
    ends_at_s: Sequence[float] | NDArray[np.float64]
    stems: Sequence[str]
    about_stems: Sequence[str]
    previous_stems: Sequence[str]
    items: Sequence[Said] = ()

    @classmethod
    def of(cls, said: Iterable[Said]) -> "SaidColumns":
        """Return the columns of these messages."""
        messages = list(said)
        return cls(
            ids=[message.event_id for message in messages],
            message_ids=[
                -message.message_id if message.label else message.message_id for message in messages
            ],
            channel_ids=[message.channel_id for message in messages],
            source_ids=[message.source_id for message in messages],
            texts=[message.text for message in messages],
            said_at_s=[message.said_at.timestamp() for message in messages],
            ends_at_s=[message.expires_at.timestamp() for message in messages],
            stems=[message.stems for message in messages],
            about_stems=[message.about_stems for message in messages],
            previous_stems=[message.previous_stems for message in messages],
            items=messages,
        )


class Ranked(NamedTuple, Generic[Item]):
    """A memory or a message with its score, and the weighted terms that add up to it."""

    row: Item
    score: float
    names: Sequence[str] = ()
    values: Iterable[float] = ()

    @property
    def terms(self) -> dict[str, float]:
        """The weighted values other than 0, by term."""
        values = zip(self.names, self.values, strict=True)
        return {name: float(value) for name, value in values if value}


@dataclass(frozen=True, slots=True)
class RankedMatches:
    """One person's memories and messages that match a query, best first, before any budget."""

    rows: tuple[Ranked[Memory], ...] = ()
    messages: tuple[Ranked[Said], ...] = ()


@dataclass(frozen=True, slots=True)
class Recall:
    """The result of recall: the prompt block and what it was made from.

    Attributes:
        rows: the memories in the block, notes and quotes.
        about_ids: the members whose memories or messages were used.
        quotes: the stored messages that the block quotes; they are not rows of the form QUOTE.
        matches_by_user: all candidates with their scores, by user id.
        now: the summary of the channel's current episode up to the last turns; not in the block.
        loops: the open loops that the block brings up.
        provenance: the memories, messages and episodes that the block and ``now`` were made from.
        may_quote: whether the message that the turn replies to may be quoted.
    """

    block: str = ""
    rows: tuple[Memory, ...] = ()
    about_ids: tuple[int, ...] = ()
    quotes: tuple[Quote, ...] = ()
    matches_by_user: Mapping[int, RankedMatches] = field(default_factory=dict)
    now: str = ""
    loops: tuple[OpenLoop, ...] = ()
    provenance: Provenance = NO_PROVENANCE
    may_quote: bool = True


@dataclass(frozen=True, slots=True)
class MemberMessage:
    """A member's message that is stored with its text; answers may quote it.

    Attributes:
        id: the database id, by which members name it ("m48"); a later revision has another one.
        source_id: the channel whose readers may see it.
        attached: the texts of its attachments, where they were loaded.
        memory_ids: the current memories that rest on it, where they were loaded.
    """

    id: int
    message_id: int
    channel_id: int
    source_id: int
    text: str
    stems: str
    said_at: datetime
    expires_at: datetime
    attached: tuple[str, ...] = ()
    memory_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageCount:
    """How many messages of a member are stored, and until when the last of them is."""

    number: int = 0
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemberView:
    """What a member sees of their own memory; ``rows`` are newest first.

    ``past`` maps a row's id to the memory that it superseded last. ``views`` are the last times a
    moderator looked, newest first. ``linked_id`` is the member's other account, if confirmed; rows
    of that account are shown only to the member. ``messages`` counts the member's own stored
    messages, ``loops`` are what Kith may ask them about, ``told`` the server's stories and facts
    that rest on their words, newest first; moderators see none of these here.
    """

    profile: str
    rows: tuple[Memory, ...]
    consent: Consent
    choices: MemberChoices = field(default_factory=MemberChoices)
    past: Mapping[int, Memory] = field(default_factory=dict)
    views: tuple[AuditEntry, ...] = ()
    linked_id: int | None = None
    messages: MessageCount = MessageCount()
    loops: tuple[OpenLoop, ...] = ()
    told: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The memories and messages that a search found, newest first.

    ``past`` maps a row's id to the memory that it superseded last. ``looked_at`` is how many of
    the newest memories were searched; None if that was all of them. ``linked_id`` is as in
    MemberView. ``messages`` are the stored messages that have the words, without those that a
    memory in ``rows`` rests on. ``others`` have only some of the words or are related to them,
    best first. ``by_meaning``: embeddings were compared, not only words.
    """

    rows: tuple[Memory, ...]
    past: Mapping[int, Memory] = field(default_factory=dict)
    has_more: bool = False
    looked_at: int | None = None
    linked_id: int | None = None
    messages: tuple[MemberMessage, ...] = ()
    has_more_messages: bool = False
    others: tuple[Memory | MemberMessage, ...] = ()
    by_meaning: bool = False


class Omission(StrEnum):
    """Why a memory or a message is not in the prompt block."""

    NOT_ACTIVE = "not active"  # it waits for approval, or is a shadow memory
    OVER = "over"
    UNREADABLE = "unreadable"  # someone here cannot read the channel where it was said
    FADED = "faded"  # last said too long ago, for its kind
    NO_MATCH = "no match"  # shares no word, day, topic or meaning with the query
    UNRELATED = "hardly related"  # so little of the query is found that nothing is told
    CROWD = "too many alike"  # too many others of its kind match better
    PROFILE = "in the profile"
    PAIR = "told otherwise"  # a memory and its message both match: only one of them is used
    MAX_PER_KIND = "most of its kind"
    NO_STATEMENT = "no statement"  # a question, a command, about others, under four words, a page
    UNFIT = "unfit"  # the current rules never allow it in a prompt
    OUTDATED = "outdated"  # a newer memory made untrue what it says
    SAME_WORDS = "same words"  # as something in the block
    NO_ROOM = "no room"
    MAX_ITEMS = "most items"


@dataclass(slots=True)
class Omissions:
    """Why memories and messages were left out of a block, by id.

    ``default`` is the reason for those that were not even reached.
    """

    rows: dict[int, Omission] = field(default_factory=dict)
    messages: dict[int, Omission] = field(default_factory=dict)
    default: Omission = Omission.NO_ROOM

    def note(self, source: Memory | Said, cut: Omission) -> None:
        """Record why a memory or message is left out, unless a reason is recorded already."""
        if isinstance(source, Memory):
            self.rows.setdefault(source.id, cut)
        else:
            self.messages.setdefault(source.event_id, cut)


@dataclass(frozen=True, slots=True)
class Similarities:
    """How close memories and messages are to a text, by their ids: cosines, from -1 to 1.

    What has no vector (yet) is absent.
    """

    rows: Mapping[int, float] = field(default_factory=dict)
    events: Mapping[int, float] = field(default_factory=dict)


NOTHING_SIMILAR = Similarities()
