"""What recall is asked and what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from utils.model.episode import OpenLoop
from utils.model.memory import Consent, Memory
from utils.model.transfer import Choices, Deed


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody an answer concerns: the speaker first, then those mentioned or replied to."""

    user_id: int
    name: str


@dataclass(slots=True)
class Said:
    """One message of a member's, as recall needs it; not frozen for the reason Memory is not.

    ``fact_stems`` are those of the memories that rest on it, ``previous_stems`` those of what
    stands before it in the channel now. ``source_id`` is where its readers are: the parent of a
    public thread, else its own channel. ``label`` tells that these are no words of a message but
    what came with it says.
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
    fact_stems: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """What a block shows of a message, and whose it is."""

    event_id: int
    message_id: int
    text: str


Item = TypeVar("Item", Memory, Said)


class Ranked(NamedTuple, Generic[Item]):
    """A memory or a message and why it stands where it does: the weighted values of named terms."""

    row: Item
    score: float
    names: Sequence[str] = ()
    values: Sequence[float] = ()

    @property
    def terms(self) -> dict[str, float]:
        """Every term that counts for or against it, and its weighted value."""
        return {name: value for name, value in zip(self.names, self.values, strict=True) if value}


@dataclass(frozen=True, slots=True)
class Fitting:
    """What of one person fits a message, best first, before any budget."""

    rows: tuple[Ranked[Memory], ...] = ()
    said: tuple[Ranked[Said], ...] = ()


@dataclass(frozen=True, slots=True)
class Recall:
    """What recall found: the block for the prompt, the rows and the messages in it, and everybody
    whose memories or words it was made with.

    ``fitting`` tells, by user id, all that was considered and why. ``now`` is what was said in the
    chapter that goes on in this channel, before what the last turns show: working memory, not in
    the block. ``loops`` are what the block brings up.
    """

    block: str = ""
    rows: tuple[Memory, ...] = ()
    about_ids: tuple[int, ...] = ()
    said: tuple[Quote, ...] = ()
    fitting: Mapping[int, Fitting] = field(default_factory=dict)
    now: str = ""
    loops: tuple[OpenLoop, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a member sees of what is known of them; ``rows`` newest first.

    ``past`` gives, by a row's id, what that row took the place of last; ``views`` are the last
    times a moderator looked, newest first. ``linked_id`` is their other account, if confirmed.
    """

    profile: str
    rows: tuple[Memory, ...]
    consent: Consent
    choices: Choices = field(default_factory=Choices)
    past: Mapping[int, Memory] = field(default_factory=dict)
    views: tuple[Deed, ...] = ()
    linked_id: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, newest first.

    ``past`` gives, by a row's id, what that row took the place of last. ``looked_at`` says how
    many of the newest memories were looked at, where that was not all of them.
    """

    rows: tuple[Memory, ...]
    past: Mapping[int, Memory] = field(default_factory=dict)
    has_more: bool = False
    looked_at: int | None = None


class Cut(StrEnum):
    """Why something of a member is not in a block of its own."""

    NOT_ACTIVE = "not active"  # it waits, or is kept in the shadow
    OVER = "over"
    UNREADABLE = "unreadable"  # somebody here cannot read the channel it was said in
    FADED = "faded"  # too long since it was last said, for its kind
    NO_MATCH = "no match"  # no word, day, topic or meaning in common
    FLOOR = "below the floor"  # it matches too little beside the best
    CROWD = "too many alike"  # so many others of its kind match better
    PROFILE = "in the profile"
    SHORTER = "told shorter"  # a memory and its message both match: the shorter one is told
    MOST_OF_KIND = "most of its kind"
    UNFIT = "unfit"  # what is never told, by the rules of now
    SAME_WORDS = "same words"  # as something that is told
    NO_ROOM = "no room"
    MOST_ITEMS = "most items"


@dataclass(slots=True)
class Cuts:
    """What was left out of a block, and why: memories and messages by id. ``rest`` is why those
    are not in it that were not even reached."""

    rows: dict[int, Cut] = field(default_factory=dict)
    said: dict[int, Cut] = field(default_factory=dict)
    rest: Cut = Cut.NO_ROOM

    def note(self, one: Memory | Said, cut: Cut) -> None:
        """Note why something is left out; the first reason holds."""
        if isinstance(one, Memory):
            self.rows.setdefault(one.id, cut)
        else:
            self.said.setdefault(one.event_id, cut)
