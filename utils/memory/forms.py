"""The lines of an archive: what each field may hold, written as JSON and read back strictly. Pure.

Ids are strings, as numbers of that size lose digits in other languages. What is wrong with a line
is said by the field's name and what it must be; its words are never quoted.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, NoReturn
from zoneinfo import ZoneInfo

from utils.database.policies import from_json
from utils.database.tombstones import FOR_GOOD
from utils.model.episode import LOOP_LIMIT, LoopKind, LoopState
from utils.model.guild import PERSONA_LIMIT, PERSONA_NAME_LIMIT, Purpose
from utils.model.memory import (
    EVENT_LIMIT,
    MEMORY_LIMIT,
    PROFILE_LIMIT,
    TOPICS_LIMIT,
    Consent,
    Importance,
    Kind,
    Method,
    Source,
    Status,
)
from utils.model.policy import REASON_LIMIT
from utils.text import utf16_length

LARGEST = 2**63 - 1
LONGEST_LINE = 4 << 20
MOST_PARTS = 5_000
MOST_OF_A_POLICY = 20_000


class Wrong(ValueError):
    """A value is not what its field must be; the text says so, without the value."""


@dataclass(frozen=True, slots=True)
class Field:
    """How a value is written and read; ``must_be`` ends the sentence that refuses one."""

    must_be: str
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _no(*_: object) -> NoReturn:
    raise Wrong


def _identity(value: Any) -> Any:
    return value


def _whole(value: Any, least: int = 0, most: int = LARGEST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        _no()
    return int(value)


def _id(value: Any, least: int, most: int = LARGEST) -> int:
    if not isinstance(value, str) or len(value) > 20 or not value.isascii():
        _no()
    digits = value.removeprefix("-")
    if not digits.isdecimal() or str(int(value)) != value:
        _no()
    return _whole(int(value), least, most)


def _words(value: Any, limit: int, *, is_key: bool) -> str:
    if not isinstance(value, str) or len(value) > limit or "\x00" in value:
        _no()
    try:
        value.encode()
    except UnicodeEncodeError:  # a lone surrogate
        _no()
    if utf16_length(value) > limit or (is_key and value.endswith(" ")):
        _no()
    return str(value)


def _time(value: Any) -> datetime:
    if not isinstance(value, str) or len(value) > 40:
        _no()
    at = datetime.fromisoformat(value)
    if at.tzinfo is None:
        _no()
    return at.astimezone(UTC)


def _share(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
        _no()
    return float(value)


def _uid(value: Any) -> str:
    if not isinstance(value, str) or len(value) != 32 or set(value) - set("0123456789abcdef"):
        _no()
    return str(value)


def _zone(value: Any) -> str:
    ZoneInfo(_words(value, 64, is_key=True))
    return str(value)


def _policy(value: Any) -> str:
    try:
        from_json(_words(value, MOST_OF_A_POLICY, is_key=False))
    except (AttributeError, RecursionError):
        _no()
    return str(value)


def words(limit: int) -> Field:
    """Return the field of a text of so many UTF-16 units."""
    return Field(
        f"a text of at most {limit} characters", _identity, lambda v: _words(v, limit, is_key=False)
    )


def key(limit: int) -> Field:
    """Return the field of a short text that is compared exactly."""
    return Field(
        f"a name of at most {limit} characters", _identity, lambda v: _words(v, limit, is_key=True)
    )


def one_of(choices: Iterable[Enum]) -> Field:
    """Return the field of one of these members of an enumeration, by its name in small letters."""
    names = {one.name.lower(): one for one in choices}

    def read(value: Any) -> Any:
        return names[value] if isinstance(value, str) and value in names else _no()

    return Field(f"one of {', '.join(names)}", lambda one: one.name.lower(), read)


def maybe(field: Field) -> Field:
    """Return the field of a value that may be missing (null)."""
    return Field(
        f"{field.must_be}, or null",
        lambda value: None if value is None else field.write(value),
        lambda value: None if value is None else field.read(value),
    )


def many(field: Field, most: int = MOST_PARTS) -> Field:
    """Return the field of a list."""

    def read(values: Any) -> list[Any]:
        if not isinstance(values, list) or len(values) > most:
            _no()
        return [field.read(value) for value in values]

    must_be = f"a list of at most {most}, each {field.must_be}"
    return Field(must_be, lambda values: [field.write(one) for one in values], read)


def form(fields: Mapping[str, Field]) -> Field:
    """Return the field of an object that has exactly these."""

    def write(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: field.write(values[name]) for name, field in fields.items()}

    def read(values: Any) -> dict[str, Any]:
        if not isinstance(values, dict):
            _no()
        if strange := values.keys() ^ fields.keys():
            known = sorted(strange & fields.keys())
            raise Wrong(f"{known[0]!r} is missing" if known else "it has a field I don't know")
        return {name: _read_field(name, fields[name], values[name]) for name in fields}

    return Field("an object", write, read)


def _read_field(name: str, field: Field, value: Any) -> Any:
    try:
        return field.read(value)
    except Wrong as wrong:
        raise Wrong(str(wrong) or f"{name!r} must be {field.must_be}") from None
    except (ValueError, TypeError, OverflowError, KeyError, OSError):  # no such zone is a KeyError
        raise Wrong(f"{name!r} must be {field.must_be}") from None


ID = Field("an id, as a string", str, lambda value: _id(value, 0))
ACTOR = Field("an id, as a string", str, lambda value: _id(value, -1))
COUNT = Field("a whole number", _identity, lambda value: _whole(value, 0, 2**31 - 1))
SHARE = Field("a number from 0 to 1", _identity, _share)
POLICY = Field("a write policy, as JSON", _identity, lambda value: _policy(value))
ZONE = Field("a time zone, such as Europe/Berlin", _identity, lambda value: _zone(value))
FLAG = Field("true or false", _identity, lambda v: v if isinstance(v, bool) else _no())
TIME = Field("a time with its zone, in ISO 8601", lambda at: at.isoformat(), _time)
UID = Field("32 digits from 0 to f", _identity, _uid)
LAID = Field(f"a whole number up to {FOR_GOOD}, as a string", str, lambda v: _id(v, 0, FOR_GOOD))
REVISION = Field(
    f"a whole number below {FOR_GOOD}, as a string", str, lambda v: _id(v, 0, FOR_GOOD - 1)
)

EVIDENCE = form(
    {
        "message": ID,
        "channel": ID,
        "quote": words(MEMORY_LIMIT),
        "method": one_of(Method),
        "model": words(100),
        "prompt_hash": key(64),
        "said_at": TIME,
    }
)
DEED = form(
    {
        "at": TIME,
        "actor": ACTOR,
        "action": key(20),
        "before": maybe(words(MOST_OF_A_POLICY)),
        "after": maybe(words(MOST_OF_A_POLICY)),
    }
)
KEPT = [one for one in Status if one is not Status.FORGOTTEN]

FORMS: dict[str, Field] = {
    "servers.jsonl": form(
        {
            "server": ID,
            "mode": key(50),
            "time_zone": ZONE,
            "base_role": maybe(ID),
            "consent_default": one_of([Consent.TEMPORARY, Consent.LASTING]),
            "frozen": FLAG,
            "moderators_see_members": FLAG,
            "channels": many(
                form({"channel": ID, "purpose": one_of(Purpose), "topics": words(TOPICS_LIMIT)})
            ),
            "channel_modes": many(form({"channel": ID, "mode": key(50)})),
            "personas": many(
                form(
                    {
                        "name": key(PERSONA_NAME_LIMIT),
                        "text": words(PERSONA_LIMIT),
                        "created_by": ID,
                        "created_at": TIME,
                        "changed_by": ID,
                        "changed_at": TIME,
                    }
                )
            ),
            "policy_version": COUNT,
            "policies": many(
                form(
                    {
                        "version": COUNT,
                        "at": TIME,
                        "actor": ACTOR,
                        "reason": words(REASON_LIMIT),
                        "policy": POLICY,
                    }
                )
            ),
        }
    ),
    "members.jsonl": form(
        {
            "server": ID,
            "member": ID,
            "consent": maybe(one_of(Consent)),
            "overhears": FLAG,
            "refuses_overhearing": FLAG,
            "refuses_roasts": FLAG,
            "ignored": FLAG,
            "seen_at": maybe(TIME),
            "profile": words(PROFILE_LIMIT),
            "profile_rows": many(UID),
            "audit": many(DEED, 100_000),
        }
    ),
    "tombstones.jsonl": form({"server": ID, "member": ID, "message": ID, "revision": LAID}),
    "messages.jsonl": form(
        {
            "server": ID,
            "member": ID,
            "channel": ID,
            "source": ID,
            "message": ID,
            "revision": REVISION,
            "reply_to": maybe(ID),
            "name": words(100),
            "text": words(EVENT_LIMIT),
            "overheard": FLAG,
            "at": TIME,
        }
    ),
    "memories.jsonl": form(
        {
            "server": ID,
            "member": ID,
            "uid": UID,
            "channel": ID,
            "text": words(MEMORY_LIMIT),
            "topics": words(TOPICS_LIMIT),
            "importance": one_of(Importance),
            "kind": one_of(Kind),
            "attribute": key(100),
            "source": one_of(Source),
            "status": one_of(KEPT),
            "confidence": SHARE,
            "said_at": TIME,
            "confirmed_at": TIME,
            "used_at": maybe(TIME),
            "uses": COUNT,
            "ends_at": maybe(TIME),
            "superseded_by": maybe(UID),
            "evidence": many(EVIDENCE),
            "audit": many(DEED),
        }
    ),
    "open.jsonl": form(
        {
            "server": ID,
            "member": ID,
            "channel": ID,
            "source": ID,
            "message": ID,
            "kind": one_of(LoopKind),
            "text": words(LOOP_LIMIT),
            "state": one_of(LoopState),
            "due_at": maybe(TIME),
            "at": TIME,
            "ends_at": TIME,
        }
    ),
}


def write_line(name: str, values: Mapping[str, Any]) -> bytes:
    """Return a line of the file of that name, with its end."""
    written = FORMS[name].write(values)
    return json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_line(name: str, line: bytes) -> dict[str, Any]:
    """Return what a line of the file of that name says. Raises Wrong, which says what is wrong."""
    values = parsed(line)
    if not isinstance(values, dict):
        raise Wrong("it is no JSON object")
    return dict(FORMS[name].read(values))


def parsed(line: bytes) -> Any:
    """Return a line's JSON. Raises Wrong where it is none, or says one thing twice."""
    try:
        return json.loads(line.decode(), object_pairs_hook=_once, parse_constant=_no)
    except Wrong as wrong:
        raise Wrong(str(wrong) or "it is not JSON") from None
    except (ValueError, RecursionError):
        raise Wrong("it is not JSON") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Wrong("it names a field twice")
    return found
