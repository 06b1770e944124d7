"""One turn of a conversation: the question to Kith, its prompt, its wishes, and the answer."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, auto

from utils.models.episode import OpenLoop
from utils.models.guild import GuildSettings
from utils.models.llm import ChatMessage
from utils.models.memory import Audience, Event
from utils.models.provenance import NO_PROVENANCE, Provenance
from utils.models.recall import (
    NOBODY_NAMED,
    NamedPeople,
    Person,
    QuotedMessage,
    QuoteReason,
    Recall,
)

ASKED_FOR = timedelta(minutes=10)
"""How long a question back stands; then it lapses, and nothing is done."""


class TargetKind(StrEnum):
    """What may be forgotten, by the mark that members know it by ("#12", "m48", "p3")."""

    MEMORY = "#"
    MESSAGE = "m"
    LOOP = "p"
    EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class Target:
    """A memory, a stored message or an open loop by its database id, or everything (id 0)."""

    kind: TargetKind
    id: int = 0

    def __str__(self) -> str:
        return f"{self.kind.value}{self.id}"


EVERYTHING = Target(TargetKind.EVERYTHING)


@dataclass(frozen=True, slots=True)
class ForgetQuestion:
    """What Kith asks before it forgets: each of ``options`` is what one choice would erase.

    It counts until ``until``. ``message_ids`` are the messages that asked; they go as well.
    ``is_guess``: its options are only what was said last, so "yes" chooses none of several.
    """

    options: tuple[tuple[Target, ...], ...]
    until: datetime
    message_ids: tuple[int, ...] = ()
    is_guess: bool = False


class Result(StrEnum):
    """What came of a wish. PRIVACY, OF_REMINDERS: it is done elsewhere, which the answer names."""

    FORGOTTEN = auto()
    ASKED = auto()
    NOTHING_FITS = auto()
    CORRECTED = auto()
    REMEMBERED = auto()
    KEPT_OFF = auto()
    PRIVACY = auto()
    OF_REMINDERS = "reminders"


@dataclass(frozen=True, slots=True)
class WishOutcome:
    """What came of a wish, the texts that it is about, and what is asked back.

    ``asked_about`` are the memories that the question names; ``more`` fit besides them.
    """

    result: Result
    texts: tuple[str, ...] = ()
    question: ForgetQuestion | None = None
    asked_about: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """A message or command addressed to Kith, with everything that answering it needs.

    Attributes:
        event: the question; that of a command has the interaction's id as its ``message_id``.
        earlier_lines: what the author said just before; the answer is to all of it.
        people: the people whom the answer concerns, the author first.
        target_ids: the people at whose expense the answer may joke: the author, everyone mentioned
            or named, and the author of the message replied to.
        place_ids: the channel, then its parent if it is a thread. The first with its own mode
            decides.
        age_restricted: only adults read the channel.
        place: the channel's name and topic, or the thread's title, tags and channel.
        is_proxied: a webhook posted it for a member: it is answered without memory.
        joined_at: when the author joined the server; None in direct messages, or if it is unknown.
        named: whom it names by names that they gave themselves.
    """

    event: Event
    audience: Audience
    people: tuple[Person, ...]
    settings: GuildSettings
    channel_topics: tuple[str, ...] = ()
    quoted: QuotedMessage | None = None
    target_ids: frozenset[int] = frozenset()
    place_ids: tuple[int, ...] = ()
    age_restricted: bool = False
    earlier_lines: tuple[Event, ...] = ()
    place: str = ""
    is_proxied: bool = False
    joined_at: datetime | None = None
    named: NamedPeople = NOBODY_NAMED

    @property
    def replied_to(self) -> QuotedMessage | None:
        """The message that it replies to."""
        quoted = self.quoted
        return quoted if quoted is not None and quoted.reason is QuoteReason.REPLY else None

    @property
    def words(self) -> str:
        """The text of all lines."""
        return "\n".join(line.text for line in (*self.earlier_lines, self.event))

    @property
    def chosen_models(self) -> tuple[str, ...]:
        """The chat models that moderators chose for this place, to be asked first."""
        return self.settings.models_in(*(self.place_ids or (self.event.channel_id,)))


@dataclass(frozen=True, slots=True)
class PreparedPrompt:
    """A prompt that is ready to be sent, and the recall that it contains.

    ``about_ids`` are all members whose memories or words it contains, ``provenance`` which ones.
    ``has_memory`` is False while the database is unavailable. ``turns`` are the earlier turns in
    it, oldest first.
    """

    messages: tuple[ChatMessage, ...]
    recall: Recall
    about_ids: tuple[int, ...] = ()
    has_memory: bool = True
    provenance: Provenance = NO_PROVENANCE
    turns: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """An answer's text, and what it was made from besides the prompt.

    Attributes:
        about_ids: the members whose memories or words it was made from; of a text from the
            generator, those that tools returned.
        provenance: the messages, memories and episodes that it was made from, likewise.
        rests_on_prompt: it was made from the prompt as well. False for answers without a model that
            hold none of its words, such as "Forgotten": they outlive what is erased.
        used_tools: tools were called, which may have changed something.
        question: what Kith asks before it forgets something.
        stored_text: what is stored in place of the text, where that names what was erased.
    """

    text: str
    about_ids: tuple[int, ...] = ()
    provenance: Provenance = NO_PROVENANCE
    rests_on_prompt: bool = True
    used_tools: bool = False
    question: ForgetQuestion | None = None
    stored_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(GeneratedText):
    """Kith's answer to a turn, with the memory block from its prompt.

    Attributes:
        has_memory: False while the database is unavailable.
        is_stored: False while the messages wait for the database to return.
        offered: the open loops in its prompt.
        asked: those of them that it asks about.
    """

    block: str
    has_memory: bool = True
    is_stored: bool = True
    offered: tuple[OpenLoop, ...] = ()
    asked: tuple[OpenLoop, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionRef:
    """Names a question: ``message_id`` is that of the message, or of the command's interaction."""

    guild_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    """A question without its whole answer, and the messages of the answer that were sent.

    ``attempts`` counts how often it was answered again. ``author_id`` is None if its text is not
    stored any more.
    """

    question: QuestionRef
    channel_id: int
    part_ids: tuple[int, ...]
    attempts: int
    asked_at: datetime
    author_id: int | None
