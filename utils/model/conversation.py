"""One turn of a conversation: what was said to Kith, and what it answers."""

from dataclasses import dataclass

from utils.model.guild import GuildSettings
from utils.model.llm import ChatMessage
from utils.model.memory import Audience, Event
from utils.model.recall import Person, Recall


@dataclass(frozen=True, slots=True)
class Quoted:
    """The message that a prompt replies to; untrusted, like everything people write."""

    author_name: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A message addressed to Kith, with all that answering needs; ``people``: the author first.

    ``target_ids`` are all those whom the answer may be at the cost of: the author, everybody
    mentioned, and whom they replied to. ``place_ids``: the channel, and the one it is a thread of;
    the first of them with a mode of its own decides. ``age_restricted``: only adults read here.
    """

    event: Event
    audience: Audience
    people: tuple[Person, ...]
    settings: GuildSettings
    channel_topics: tuple[str, ...] = ()
    quoted: Quoted | None = None
    target_ids: frozenset[int] = frozenset()
    place_ids: tuple[int, ...] = ()
    age_restricted: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prompt ready to be sent, what recall put into it, and whom it tells of in any way.

    ``has_memory`` is False while the database is away.
    """

    messages: tuple[ChatMessage, ...]
    recall: Recall
    about_ids: tuple[int, ...] = ()
    has_memory: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What Kith says, the memory block it said it with, and of whom it may tell: those whose
    memories or words it was made with. ``has_memory`` is False while the database is away,
    ``is_stored`` is False while what was said waits for it."""

    text: str
    block: str
    about_ids: tuple[int, ...] = ()
    has_memory: bool = True
    is_stored: bool = True
