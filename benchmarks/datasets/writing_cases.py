"""Reads the cases of benchmarks.writing; docs/internals/writing.md describes the file."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from benchmarks.stage.program import Unusable
from utils.common.text import clip, one_line

Verdicts = Literal["oracle", "all", "none"]
Judgement = Literal["supported", "unsupported", "other", "fail"]


class Label(StrEnum):
    """What a candidate is, or without a model what a message is."""

    HONEST = "honest"
    LIE = "lie"
    JUNK = "junk"
    STATEMENT = "statement"
    TRAP = "trap"


def _candidate(item: Mapping[str, Any]) -> Mapping[str, Any]:
    if not all(isinstance(item.get(name), str) for name in ("note", "quote", "kind")):
        raise ValueError("must have the texts note, quote and kind")
    return item


class Frozen(BaseModel):
    """A part of a file of cases."""

    model_config = ConfigDict(frozen=True)


class SaidLine(Frozen):
    """What a person says."""

    id: str
    text: str
    at: AwareDatetime


class CaseLine(SaidLine):
    """One message of a case; ``name`` is the author's display name, by default the author."""

    author: str
    name: str = Field(default_factory=lambda values: str(values.get("author")))
    reply_to: str | None = None


class Case(Frozen):
    """One case.

    Attributes:
        read: the ids of the messages that are extracted; the others are only heard.
        candidates: the extractor's answer; None: no model is configured.
        labels: one for each candidate, or without a model for each read message.
        verdicts: one of Verdicts, or one judgement for each candidate.
        ask: a question that the last read author asks one minute later; "": none.
        expect: the words that the answer must hold.
    """

    id: str
    read: Annotated[tuple[str, ...], Field(min_length=1)]
    lines: tuple[CaseLine, ...] = Field(alias="messages")
    candidates: tuple[Annotated[Mapping[str, Any], AfterValidator(_candidate)], ...] | None = None
    labels: tuple[Label, ...]
    verdicts: Verdicts | tuple[Judgement, ...] = "oracle"
    ask: Annotated[str, BeforeValidator(lambda value: value or "")] = ""
    expect: Annotated[
        tuple[str, ...], BeforeValidator(lambda it: it.split() if isinstance(it, str) else it or ())
    ] = ()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        ids = {line.id for line in self.lines}
        if len(ids) < len(self.lines):
            raise ValueError("two messages have the same id")
        if unknown := sorted(set(self.read) - ids):
            raise ValueError(f"read names no message of the case: {', '.join(unknown)}")
        expected = len(self.read) if self.candidates is None else len(self.candidates)
        if len(self.labels) != expected:
            raise ValueError(f"{len(self.labels)} labels for {expected} items")
        if not isinstance(self.verdicts, str) and len(self.verdicts) != expected:
            raise ValueError(f"{len(self.verdicts)} verdicts for {expected} candidates")
        return self


class PlayedQuestion(Frozen):
    """What a member asks; ``gold``: the lines that answer it, ``wrong``: lines of another kind."""

    ask: str
    at: AwareDatetime
    gold: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


class SpokenConversation(Frozen):
    """What one member says, and asks afterwards; it is played without a model.

    Attributes:
        kind: ``answer``: a line of ``gold`` answers; ``ending``: the fact is over, which ``gold``
            says; ``unknown``: nothing that was said answers.
    """

    id: str
    kind: Literal["answer", "ending", "unknown"]
    language: str
    lines: tuple[SaidLine, ...]
    questions: Annotated[tuple[PlayedQuestion, ...], Field(min_length=1)]


class ControlCase(Frozen):
    """One wish: what was said before it, which tool a model would call, and what is to be left.

    Attributes:
        call: empty where nothing is wished.
        gone: words that no memory and no message of the member may have afterwards.
        kept: words that one of them must have.
    """

    id: str
    kind: str
    said: tuple[Mapping[str, Any], ...]
    wish: str
    call: Mapping[str, str] = {}
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


class WritingFile(Frozen):
    """What a file has; ``bursts`` are a talk: lines that a member sends within seconds."""

    cases: tuple[Case, ...] = ()
    conversations: tuple[SpokenConversation, ...] = ()
    wishes: tuple[ControlCase, ...] = ()
    bursts: tuple[tuple[str, ...], ...] = ()


def load(file: Path) -> WritingFile:
    """Return what a file has. Raises Unusable, which names what is wrong and in which case."""
    try:
        content = WritingFile.model_validate_json(file.read_bytes())
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}") from None
    except ValidationError as invalid:
        first = invalid.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise Unusable(f"{file}: {place} {clip(one_line(first['msg']), 200)}") from None
    if content == WritingFile():
        raise Unusable(f"{file} has no {', '.join(WritingFile.model_fields)}")
    return content
