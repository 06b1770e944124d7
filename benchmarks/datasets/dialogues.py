"""The dialogues of public evaluation data: people, messages, facts and questions."""

from dataclasses import dataclass, field
from datetime import datetime


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
    gold: frozenset[str]
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
