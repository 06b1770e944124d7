"""How the values of an archive are written as JSON and read back strictly. Pure.

Ids are written as strings, because other languages lose digits of numbers that large.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import Annotated, Any, NoReturn, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from utils.common.text import utf16_length
from utils.database.memories.write_policies import from_json
from utils.database.privacy.tombstones import FINAL_REVISION

MAX_BIGINT = 2**63 - 1
MAX_LIST_LENGTH = 5_000
MAX_POLICY_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class ValueRule:
    """How a JSON value is read and written. ``must_be`` completes the sentence of an error."""

    must_be: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] | None = None

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        """Validate and serialize with this rule instead of the annotated type."""
        serialization = self.write and core_schema.plain_serializer_function_ser_schema(self.write)
        return core_schema.no_info_plain_validator_function(
            self.validate, serialization=serialization
        )

    def validate(self, value: Any) -> Any:
        """Return the value that was read; raises pydantic's error with the rule's words."""
        try:
            return self.read(value)
        except (ValueError, TypeError, OverflowError, KeyError, OSError):  # KeyError: no such zone
            raise PydanticCustomError("must_be", self.must_be) from None


def refuse(*_: object) -> NoReturn:
    """Raise ValueError: the value breaks its rule."""
    raise ValueError


def _integer(value: Any, minimum: int, maximum: int) -> int:
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    if not is_integer or not minimum <= value <= maximum:
        refuse()
    return int(value)


def _integer_from_text(value: Any, minimum: int, maximum: int = MAX_BIGINT) -> int:
    if not isinstance(value, str) or len(value) > 20 or not value.isascii():
        refuse()
    digits = value.removeprefix("-")
    if not digits.isdecimal() or str(int(value)) != value:
        refuse()
    return _integer(int(value), minimum, maximum)


def _text(value: Any, limit: int) -> str:
    if not isinstance(value, str) or len(value) > limit or "\x00" in value:
        refuse()
    value.encode()  # raises for a lone surrogate
    if utf16_length(value) > limit:
        refuse()
    return str(value)


def _tool_server_name(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[a-z0-9-]{1,14}", value):
        refuse()
    return str(value)


def _key(value: Any, limit: int) -> str:
    text = _text(value, limit)
    return refuse() if text.endswith(" ") else text


def _time(value: Any) -> datetime:
    if not isinstance(value, str) or len(value) > 40:
        refuse()
    at = datetime.fromisoformat(value)
    if at.tzinfo is None:
        refuse()
    return at.astimezone(UTC)


def _share(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
        refuse()
    return float(value)


def _uid(value: Any) -> str:
    if not isinstance(value, str) or len(value) != 32 or set(value) - set("0123456789abcdef"):
        refuse()
    return str(value)


def _day(value: Any) -> str:
    text = _key(value, 10)
    return date.fromisoformat(text).isoformat() if text else ""


def _time_zone(value: Any) -> str:
    return ZoneInfo(_key(value, 64)).key


def _policy(value: Any) -> str:
    text = _text(value, MAX_POLICY_LENGTH)
    try:
        from_json(text)
    except (AttributeError, RecursionError):
        refuse()
    return text


def text_up_to(limit: int) -> ValueRule:
    """Return the rule of a text; ``limit`` is in UTF-16 units."""
    return ValueRule(f"a text of at most {limit} characters", lambda value: _text(value, limit))


def key_up_to(limit: int) -> ValueRule:
    """Return the rule of a short text that is compared exactly."""
    return ValueRule(f"a name of at most {limit} characters", lambda value: _key(value, limit))


def one_of(choices: Iterable[Enum]) -> ValueRule:
    """Return the rule of an enumeration, written as the member's name in lower case."""
    names = {choice.name.lower(): choice for choice in choices}
    return ValueRule(
        f"one of {', '.join(names)}",
        lambda value: names[value] if isinstance(value, str) else refuse(),
        lambda choice: choice.name.lower(),
    )


def optional(rule: ValueRule) -> ValueRule:
    """Return the rule of a value that may be null."""
    write = rule.write
    return ValueRule(
        f"{rule.must_be}, or null",
        lambda value: None if value is None else rule.read(value),
        write and (lambda value: None if value is None else write(value)),
    )


def _list(values: Any, limit: int) -> list[Any]:
    if not isinstance(values, list) or len(values) > limit:
        refuse()
    return values


def list_of(rule: ValueRule) -> ValueRule:
    """Return the rule of a list of plain values."""
    return ValueRule(
        f"a list of at most {MAX_LIST_LENGTH}, each {rule.must_be}",
        lambda values: [rule.read(value) for value in _list(values, MAX_LIST_LENGTH)],
    )


def tuple_of(rule: ValueRule) -> ValueRule:
    """Return the rule of a list of plain values, which is read as a tuple."""
    values, write = list_of(rule), rule.write
    return ValueRule(
        values.must_be,
        lambda given: tuple(values.read(given)),
        lambda items: [write(item) for item in items] if write else list(items),
    )


def objects(limit: int = MAX_LIST_LENGTH) -> BeforeValidator:
    """Return the check that a list of nested records passes before each of them is read."""

    def check(values: Any) -> list[Any]:
        if not all(isinstance(value, dict) for value in _list(values, limit)):
            refuse()
        return list(values)

    return BeforeValidator(ValueRule(f"a list of at most {limit}, each an object", check).validate)


ID = ValueRule("an id, as a string", lambda value: _integer_from_text(value, 0), str)
ACTOR = ValueRule("an id, as a string", lambda value: _integer_from_text(value, -1), str)
TIME = ValueRule("a time with its zone, in ISO 8601", _time, lambda at: at.isoformat())
UID = ValueRule("32 digits from 0 to f", _uid)
REVISION = ValueRule(
    f"a whole number below {FINAL_REVISION}, as a string",
    lambda value: _integer_from_text(value, 0, FINAL_REVISION - 1),
    str,
)
TOMBSTONE_REVISION = ValueRule(
    f"a whole number up to {FINAL_REVISION}, as a string",
    lambda value: _integer_from_text(value, 0, FINAL_REVISION),
    str,
)
TOOL_SERVER_NAME = ValueRule("up to 14 lower-case letters, digits and hyphens", _tool_server_name)
FLAG = ValueRule("true or false", lambda value: value if isinstance(value, bool) else refuse())
POLICY = ValueRule("a write policy, as JSON", _policy)
TIME_ZONE = ValueRule("a time zone, such as Europe/Berlin", _time_zone)
DAY = ValueRule('a day, such as "2027-06-05", or ""', _day)
SHARE = ValueRule("a number from 0 to 1", _share)
COUNT = ValueRule("a whole number", lambda value: _integer(value, 0, 2**31 - 1))

Id: TypeAlias = Annotated[int, ID]
OptionalId: TypeAlias = Annotated[int | None, optional(ID)]
Count: TypeAlias = Annotated[int, COUNT]
Flag: TypeAlias = Annotated[bool, FLAG]
Time: TypeAlias = Annotated[datetime, TIME]
OptionalTime: TypeAlias = Annotated[datetime | None, optional(TIME)]
