"""Kith's exchange files: dialogues with questions whose evidence is known, as JSON.

`python -m benchmarks.datasets.convert` makes them from public data; `bot.py policy evaluate` reads
them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import PlainSerializer, TypeAdapter

FORMAT: Literal["kith exchanges 1"] = "kith exchanges 1"


@dataclass(frozen=True, slots=True)
class DialogueMessage:
    """A message: its evidence id, its author (an index into the people), its text and time."""

    evidence: str
    speaker: int
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class DialogueFact:
    """A memory about a person; ``message`` is the evidence id of the message it comes from."""

    evidence: str
    about: int
    text: str
    message: str
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DialogueQuestion:
    """A question that is asked once the first ``after`` facts are known.

    ``gold`` is the evidence of an answer, ``answer`` its text if it is known. ``about`` are the
    people it names, or else all people.
    """

    text: str
    gold: Annotated[frozenset[str], PlainSerializer(sorted)]
    category: int
    about: tuple[int, ...]
    asked_at: datetime
    after: int
    answer: str = ""


@dataclass(slots=True)
class Dialogue:
    """One conversation: its people, messages, facts and questions."""

    name: str
    people: list[str]
    messages: list[DialogueMessage] = field(default_factory=list)
    facts: list[DialogueFact] = field(default_factory=list)
    questions: list[DialogueQuestion] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DialogueFile:
    """What a file has: its format's name and version, and the dialogues."""

    dialogues: list[Dialogue]
    format: Literal["kith exchanges 1"] = FORMAT


_ADAPTER = TypeAdapter(DialogueFile)


def load(file: Path) -> list[Dialogue]:
    """Return a file's dialogues. Raises OSError, or ValueError for another format."""
    return _ADAPTER.validate_json(file.read_bytes()).dialogues


def to_json(dialogues: list[Dialogue]) -> str:
    """Return the text of an exchange file."""
    return _ADAPTER.dump_json(DialogueFile(dialogues), indent=1).decode()
