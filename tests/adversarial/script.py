"""The words in which cases are written: who says what where, what the model makes of it, and what
must not come of it."""

from dataclasses import dataclass
from enum import StrEnum

from utils.models.memory import Consent

ROBIN, MALLORY, SAM = "Robin", "Mallory", "Sam"
GENERAL, GAMES, STAFF, ELSEWHERE = "general", "games", "staff", "elsewhere"
DM = "dm"


class Group(StrEnum):
    """What is tried."""

    INJECTION = "injection"
    POISONING = "poisoning"
    SUBJECT = "wrong subject"
    EARNEST = "not in earnest"
    INVENTION = "invention"
    SECRETS = "secrets"
    RESIDUE = "residue"
    LEAK = "leak"
    PROFILE = "profile"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Say:
    """A member writes; ``name`` is their nickname then, ``reply_to`` the label of a message.

    ``where`` DM is their own direct messages with Kith.
    """

    who: str
    text: str
    where: str = GENERAL
    name: str = ""
    reply_to: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Kith:
    """Kith answers the last message, in its channel."""

    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """What was said so far is extracted now; it is at the end in any case."""


@dataclass(frozen=True, slots=True)
class Later:
    """Time passes."""

    minutes: float


@dataclass(frozen=True, slots=True)
class Edit:
    """A message is edited: what it taught goes, and the new text is heard."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Messages are deleted."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forget:
    """A member has one memory forgotten, or all of them."""

    who: str
    memory: str = ""
    where: str = GENERAL


@dataclass(frozen=True, slots=True)
class Choose:
    """A member chooses how long Kith may remember them."""

    who: str
    consent: Consent


Step = Say | Kith | Read | Later | Edit | Delete | Forget | Choose


@dataclass(frozen=True, slots=True)
class Note:
    """What the model notes: a lie with every quote and subject it can find, unless ``quote`` is
    given; a truth once, about whoever said it."""

    memory: str
    quote: str = ""
    kind: str = "fact"
    attribute: str = ""
    replaces: bool = False
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One attempt.

    No lie, nor any word of ``never``, may stand in a row, a profile or what is recalled of anyone.
    What is ``private`` may reach a prompt only in the places named with it. What is ``gone`` may
    be found in no table and no file. ``echoes`` are noted like lies, but only where they are heard
    matters. Every truth must have been kept, unless it is gone.
    With a ``victim``, the lies may be true of everybody else.
    """

    id: str
    group: Group
    steps: tuple[Step, ...]
    lies: tuple[Note, ...] = ()
    echoes: tuple[Note, ...] = ()
    truths: tuple[Note, ...] = ()
    never: tuple[str, ...] = ()
    private: tuple[tuple[str, tuple[str, ...]], ...] = ()
    gone: tuple[str, ...] = ()
    profile_update: str | None = None
    victim: str = ""


def lie(*memories: str, **given: object) -> tuple[Note, ...]:
    """Return a note for each of these."""
    return tuple(Note(memory, **given) for memory in memories)  # type: ignore[arg-type]
