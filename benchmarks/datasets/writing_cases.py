"""Reads the cases of benchmarks.writing; docs/internals/writing.md describes the file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from utils.common.text import clip, one_line

VERDICTS = ("oracle", "all", "none")
YEARS = range(2015, 2084)  # the years that the clock of a test can show
JUDGEMENTS = ("supported", "unsupported", "other", "fail")


class Label(StrEnum):
    """What a candidate is, or without a model what a message is."""

    HONEST = "honest"
    LIE = "lie"
    JUNK = "junk"
    STATEMENT = "statement"
    TRAP = "trap"


@dataclass(frozen=True, slots=True)
class CaseLine:
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
    lines: tuple[CaseLine, ...]
    candidates: tuple[Mapping[str, Any], ...] | None
    labels: tuple[Label, ...]
    verdicts: str | tuple[str, ...]
    ask: str = ""
    expect: tuple[str, ...] = ()


class BadCase(ValueError):
    """A file that is not in the form of docs/internals/writing.md; names file and case."""


def load_cases(file: Path) -> Iterator[Case]:
    """Yield the cases of a file. Raises BadCase."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadCase(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BadCase(f"{file} is no JSON file: {clip(one_line(str(error)), 200)}") from None
    items = content.get("cases") if isinstance(content, dict) else None
    if not isinstance(items, list) or not items:
        raise BadCase(f'{file} has no list of cases: {{"cases": [...]}}')
    for number, item in enumerate(items, start=1):
        name = item.get("id", number) if isinstance(item, dict) else number
        try:
            yield _case(item)
        except KeyError as error:
            raise BadCase(f"{file}, case {name}: {error} is missing") from None
        except ValueError as error:
            raise BadCase(f"{file}, case {name}: {error}") from None


def _case(item: object) -> Case:
    """Return a case. Raises KeyError or ValueError."""
    if not isinstance(item, dict):
        raise ValueError("a case must be an object")
    lines = tuple(_line(message) for message in _list(item, "messages"))
    ids = {line.id for line in lines}
    if len(ids) < len(lines):
        raise ValueError("two messages have the same id")
    read = tuple(map(str, _list(item, "read")))
    unknown = sorted(set(read) - ids)
    if unknown or not read:
        raise ValueError(f"read names no message of the case: {', '.join(unknown) or 'empty'}")
    candidates = item.get("candidates")
    case = Case(
        id=str(item["id"]),
        read=read,
        lines=lines,
        candidates=None if candidates is None else _candidates(_list(item, "candidates")),
        labels=tuple(_label(label) for label in _list(item, "labels")),
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


def _line(message: object) -> CaseLine:
    if not isinstance(message, dict):
        raise ValueError("a message must be an object")
    at = datetime.fromisoformat(_text(message, "at"))
    if at.year not in YEARS:
        raise ValueError(f'"at" must lie between {YEARS[0]} and {YEARS[-1]}')
    reply_to = message.get("reply_to")
    return CaseLine(
        id=str(message["id"]),
        author=_text(message, "author"),
        name=str(message.get("name") or message["author"]),
        text=_text(message, "text"),
        at=at if at.tzinfo else at.replace(tzinfo=UTC),
        reply_to=None if reply_to is None else str(reply_to),
    )


def _candidates(items: list[Any]) -> tuple[Mapping[str, Any], ...]:
    for item in items:
        if not isinstance(item, dict):
            raise ValueError("a candidate must be an object")
        for name in ("note", "quote", "kind"):
            _text(item, name)
    return tuple(items)


def _label(value: object) -> Label:
    if not isinstance(value, str) or value not in list(Label):
        raise ValueError(f"unknown label: {value}")
    return Label(value)


def _list(item: Mapping[str, Any], name: str) -> list[Any]:
    value = item[name]
    if not isinstance(value, list):
        raise ValueError(f'"{name}" must be a list')
    return value


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item[name]
    if not isinstance(value, str):
        raise ValueError(f'"{name}" must be a text')
    return value


def _verdicts(value: object) -> str | tuple[str, ...]:
    if isinstance(value, list):
        unknown = set(map(str, value)) - set(JUDGEMENTS)
        if unknown:
            raise ValueError(f"unknown verdicts: {', '.join(sorted(unknown))}")
        return tuple(map(str, value))
    if not isinstance(value, str) or value not in VERDICTS:
        raise ValueError(f"unknown verdicts: {value}")
    return value


def _words(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list):
        return tuple(map(str, value))
    return tuple(str(value).split())
