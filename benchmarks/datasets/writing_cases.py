"""Reads the cases of benchmarks.writing; docs/WRITING.md describes the file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

VERDICTS = ("oracle", "all", "none")
JUDGEMENTS = ("supported", "unsupported", "other", "fail")


class Label(StrEnum):
    """What a candidate is, or without a model what a message is."""

    HONEST = "honest"
    LIE = "lie"
    JUNK = "junk"
    STATEMENT = "statement"
    TRAP = "trap"


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a case."""

    id: str
    author: str
    name: str
    text: str
    at: datetime
    reply_to: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Attributes:
        read: the ids of the messages that are extracted; the others are only heard.
        candidates: the extractor's answer; None: no model is configured.
        labels: one for each candidate, or without a model for each read message.
        verdicts: one of VERDICTS, or one judgement for each candidate.
        ask: a question that the last read author asks one minute later; "": none.
        expect: the words that the answer must hold.
    """

    id: str
    read: tuple[str, ...]
    lines: tuple[Line, ...]
    candidates: tuple[Mapping[str, Any], ...] | None
    labels: tuple[Label, ...]
    verdicts: str | tuple[str, ...]
    ask: str = ""
    expect: tuple[str, ...] = ()


class BadCase(ValueError):
    """A file that is not in the form of docs/WRITING.md; the message names file and case."""


def load_cases(file: Path) -> Iterator[Case]:
    """Yield the cases of a file. Raises BadCase or OSError."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        items = list(content["cases"])
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise BadCase(f"{file} is no JSON file with a list of cases: {error}") from None
    for number, item in enumerate(items, start=1):
        try:
            yield _case(item)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            name = item.get("id", number) if isinstance(item, dict) else number
            raise BadCase(f"{file}, case {name}: {error!r}") from None


def _case(item: Mapping[str, Any]) -> Case:
    lines = tuple(_line(message) for message in item["messages"])
    read = tuple(map(str, item["read"]))
    unknown = set(read) - {line.id for line in lines}
    if unknown or not read:
        raise ValueError(f"read names no message: {sorted(unknown)}")
    candidates = item.get("candidates")
    case = Case(
        id=str(item["id"]),
        read=read,
        lines=lines,
        candidates=None if candidates is None else tuple(dict(one) for one in candidates),
        labels=tuple(Label(label) for label in item["labels"]),
        verdicts=_verdicts(item.get("verdicts", "oracle")),
        ask=str(item.get("ask") or ""),
        expect=_words(item.get("expect")),
    )
    expected = len(read) if case.candidates is None else len(case.candidates)
    if len(case.labels) != expected:
        raise ValueError(f"{len(case.labels)} labels for {expected} items")
    if not isinstance(case.verdicts, str) and len(case.verdicts) != expected:
        raise ValueError(f"{len(case.verdicts)} verdicts for {expected} candidates")
    return case


def _line(message: Mapping[str, Any]) -> Line:
    at = datetime.fromisoformat(message["at"])
    reply_to = message.get("reply_to")
    return Line(
        id=str(message["id"]),
        author=str(message["author"]),
        name=str(message.get("name") or message["author"]),
        text=str(message["text"]),
        at=at if at.tzinfo else at.replace(tzinfo=UTC),
        reply_to=None if reply_to is None else str(reply_to),
    )


def _verdicts(value: object) -> str | tuple[str, ...]:
    if isinstance(value, list):
        unknown = set(map(str, value)) - set(JUDGEMENTS)
        if unknown:
            raise ValueError(f"unknown verdicts: {sorted(unknown)}")
        return tuple(map(str, value))
    if value not in VERDICTS:
        raise ValueError(f"unknown verdicts: {value}")
    return str(value)


def _words(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list):
        return tuple(map(str, value))
    return tuple(str(value).split())
