"""What a member asks Kith to do with their memory, and what Kith asks back."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, auto

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


EVERYTHING = Target(TargetKind.EVERYTHING)


@dataclass(frozen=True, slots=True)
class ForgetQuestion:
    """What Kith asks before it forgets: each of ``options`` is what one choice would erase.

    It counts until ``until``. ``message_ids`` are the messages that asked; they go as well.
    """

    options: tuple[tuple[Target, ...], ...]
    until: datetime
    message_ids: tuple[int, ...] = ()


class Result(StrEnum):
    """What came of a wish."""

    FORGOTTEN = auto()
    ASKED = auto()
    NOTHING_FITS = auto()
    CORRECTED = auto()
    REMEMBERED = auto()
    KEPT_OFF = auto()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a wish, the texts that it is about, and what is asked back.

    ``asked_about`` are the memories that the question names; ``more`` fit besides them.
    """

    result: Result
    texts: tuple[str, ...] = ()
    question: ForgetQuestion | None = None
    asked_about: tuple[str, ...] = ()
    more: int = 0
