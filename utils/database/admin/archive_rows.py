"""The lines of an archive: a table's name and a row of it as JSON, by the schema's own columns.

A value is written as its column's type says: an id as a string, because other languages lose digits
of numbers that large, a time in ISO 8601, an enum by name. A memory is named by its Uid, never by
its number. What can be computed is left out. Reading is strict: an error names the table, the
column and what the value must be, and never quotes the value.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, NoReturn, TypeAlias
from zoneinfo import ZoneInfo

from sqlalchemy import BigInteger, Boolean, Column, Float, Integer

from utils.database.erasure.inventory import INVENTORY
from utils.database.memories.write_policies import from_json
from utils.database.privacy.tombstones import FINAL_REVISION
from utils.database.schema import memory_tables as tables
from utils.database.schema.column_types import (
    BoundedText,
    EnumText,
    IdList,
    KeyText,
    LongText,
    NameList,
    UtcDateTime,
    checked_text,
)
from utils.models.memory import PROFILE_LIMIT, Consent, EventState, Importance, Status
from utils.nlp.confidential import MARK

Row: TypeAlias = dict[str, Any]
"""The values of a row by column."""

MAX_BIGINT = 2**63 - 1
MAX_LIST_LENGTH = 5_000
MAX_TEXT_LENGTH = 20_000
ARCHIVED = {entry.table.name: entry for entry in INVENTORY if entry.archived is not None}
"""The tables that archives hold, by name, in the order of their rows within a part."""
PARTS = {name: entry.archived.part for name, entry in ARCHIVED.items() if entry.archived}
"""The part of an archive that a table's rows are in."""
_REFERENCES = frozenset({"MemoryId", "SupersededById", "ContextMemoryId"})
"""The columns that name a memory."""
_NUMBERED = re.compile(r"#([0-9a-f]{32}|\d+)")


class InvalidRow(ValueError):
    """A line is no row of an archive; the message says why, without the value."""


@dataclass(frozen=True, slots=True)
class ValueRule:
    """How a JSON value is read and written. ``must_be`` completes the sentence of an error."""

    must_be: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value


# --- values -------------------------------------------------------------------------------------


def _refuse(*_: object) -> NoReturn:
    raise ValueError


def _id(value: Any, minimum: int = 0, maximum: int = MAX_BIGINT) -> int:
    is_short = isinstance(value, str) and len(value) <= 20
    if not is_short or str(int(value)) != value or not minimum <= int(value) <= maximum:
        _refuse()
    return int(value)


def _number(value: Any, minimum: float, maximum: float, *types: type) -> Any:
    return value if type(value) in types and minimum <= value <= maximum else _refuse()


def _text(value: Any, limit: int) -> str:
    return checked_text(value, limit) if isinstance(value, str) else _refuse()


def _key(value: Any, limit: int) -> str:
    text = _text(value, limit)
    return _refuse() if text.endswith(" ") else text


def _matching(value: Any, pattern: str) -> str:
    return _key(value, 64) if re.fullmatch(pattern, value) else _refuse()


def _time(value: Any) -> datetime:
    at = datetime.fromisoformat(_key(value, 40))
    return at.astimezone(UTC) if at.tzinfo is not None else _refuse()


def _policy(value: Any) -> str:
    from_json(value)
    return _text(value, MAX_TEXT_LENGTH)


def _flag(name: Callable[[bool], Any], is_set: Callable[[Any], bool]) -> ValueRule:
    """Return the rule of a flag that stands for a column's value."""
    return ValueRule(
        "true or false",
        lambda value: name(value) if isinstance(value, bool) else _refuse(),
        is_set,
    )


def _text_up_to(limit: int) -> ValueRule:
    """Return the rule of a text; ``limit`` is in UTF-16 units."""
    return ValueRule(f"a text of at most {limit} characters", lambda value: _text(value, limit))


def _one_of(choices: Iterable[Any]) -> ValueRule:
    names = {choice.value: choice for choice in choices}
    return ValueRule(
        f"one of {', '.join(names)}", lambda value: names[value], lambda choice: choice.value
    )


def _list_of(rule: ValueRule, make: Callable[[Iterable[Any]], Any]) -> ValueRule:
    def read(values: Any) -> Any:
        is_list = isinstance(values, list) and len(values) <= MAX_LIST_LENGTH
        return make(map(rule.read, values)) if is_list else _refuse()

    must_be = f"a list of at most {MAX_LIST_LENGTH}, each {rule.must_be}"
    return ValueRule(must_be, read, lambda values: list(map(rule.write, values)))


def _optional(rule: ValueRule) -> ValueRule:
    return ValueRule(
        f"{rule.must_be}, or null",
        lambda value: None if value is None else rule.read(value),
        lambda value: None if value is None else rule.write(value),
    )


ID = ValueRule("an id, as a string", _id, str)
ACTOR = ValueRule(ID.must_be, lambda value: _id(value, -1), str)
TIME = ValueRule("a time with its zone, in ISO 8601", _time, datetime.isoformat)
UID = ValueRule("32 digits from 0 to f", lambda value: _matching(value, "[0-9a-f]{32}"))
_CONFIDENTIAL = _flag(lambda value: MARK if value else "", lambda stems: MARK in stems)
_RULES: Mapping[str, ValueRule] = {
    **dict.fromkeys(("ActorId", "CreatedById", "ChangedById"), ACTOR),
    **dict.fromkeys(("Uid", "MemoryId", "SupersededById"), UID),
    "NotesRowIds": _list_of(UID, list),
    "UserNotes": _text_up_to(PROFILE_LIMIT),
    "ConsentDefault": _one_of([Consent.TEMPORARY, Consent.LASTING]),
    "Status": _one_of(status for status in Status if status is not Status.FORGOTTEN),
    "Importance": ValueRule(
        "one of low, medium, high",
        lambda value: int(Importance[_matching(value, "[a-z]+").upper()]),
        lambda number: Importance(number).name.lower(),
    ),
    "TimeZone": ValueRule(
        "a time zone, such as Europe/Berlin", lambda value: ZoneInfo(_key(value, 64)).key
    ),
    "ToolServers": _list_of(
        ValueRule(
            "up to 14 lower-case letters, digits and hyphens",
            lambda value: _matching(value, "[a-z0-9-]{1,14}"),
        ),
        tuple,
    ),
    "Policy": ValueRule("a write policy, as JSON", _policy),
}
"""The rules of columns whose type does not say what their values must be."""
_MESSAGE_REVISION = ValueRule(
    f"a whole number below {FINAL_REVISION}, as a string",
    lambda value: _id(value, 0, FINAL_REVISION - 1),
    str,
)
_TOMBSTONE_REVISION = ValueRule(
    f"a whole number up to {FINAL_REVISION}, as a string",
    lambda value: _id(value, 0, FINAL_REVISION),
    str,
)
_OVERHEARD = _flag(
    lambda value: EventState.OVERHEARD if value else EventState.IMPORTED,
    lambda state: state is EventState.OVERHEARD,
)
_SPECIAL: Mapping[Column[Any], tuple[str, ValueRule]] = {
    tables.memory_event.c.Revision: ("Revision", _MESSAGE_REVISION),
    tables.tombstone.c.Revision: ("Revision", _TOMBSTONE_REVISION),
    tables.memory_event.c.State: ("Overheard", _OVERHEARD),
    tables.memory_event.c.Stems: ("Confidential", _CONFIDENTIAL),
    tables.user_memory.c.SearchStems: ("Confidential", _CONFIDENTIAL),
    tables.memory_context.c.ContextMemoryId: ("ContextMemoryId", _optional(UID)),
}
"""The columns that stand in an archive as something else, with their names there."""


def _rule_of(column: Column[Any]) -> ValueRule:
    """Return the rule of a column's name, else of its type."""
    rule = _RULES.get(column.name)
    if rule is None:
        match column.type:
            case EnumText(enum=choices):
                rule = _one_of(choices.__members__.values())
            case KeyText(limit=limit):
                rule = ValueRule(
                    f"a name of at most {limit} characters", partial(_key, limit=limit)
                )
            case BoundedText(limit=limit):
                rule = _text_up_to(limit)
            case LongText():
                rule = _text_up_to(MAX_TEXT_LENGTH)
            case UtcDateTime():
                rule = TIME
            case IdList():
                rule = _list_of(ID, tuple)
            case Boolean():
                rule = _flag(bool, bool)
            case Float():
                rule = ValueRule(
                    "a number from 0 to 1", lambda value: float(_number(value, 0, 1, int, float))
                )
            case BigInteger():
                rule = ID
            case Integer():
                rule = ValueRule("a whole number", lambda value: _number(value, 0, 2**31 - 1, int))
            case other:
                raise TypeError(f"no rule for {column}: {other}")
    return _optional(rule) if column.nullable and not isinstance(column.type, NameList) else rule


@cache
def fields(table: str) -> Mapping[str, tuple[str, ValueRule]]:
    """Return by its name in an archive each column of a table, and its rule."""
    entry = ARCHIVED[table]
    left_out = {"Id", *(entry.archived.without if entry.archived is not None else ())}
    named = {
        column.name: _SPECIAL.get(column, (column.name, _rule_of(column)))
        for column in entry.table.c
        if column.name not in left_out
    }
    return {name: (column, rule) for column, (name, rule) in named.items()}


# --- rows ---------------------------------------------------------------------------------------


def with_references(row: Mapping[str, Any], names: Mapping[str, Any]) -> Row:
    """Return a row that names memories otherwise: ``names`` has the uid of each number, or the
    number of each uid. What has none names no memory."""
    renamed = {name: names.get(str(row[name])) for name in _REFERENCES & row.keys()}
    if reference := _NUMBERED.fullmatch(row.get("Before") or ""):
        name = names.get(reference[1])
        renamed["Before"] = None if name is None else f"#{name}"
    return {**row, **renamed}


def write_line(table: str, row: Mapping[str, Any]) -> bytes:
    """Return a row as a line of JSON, with its line end. It names memories by their uids."""
    values = {name: rule.write(row[column]) for name, (column, rule) in fields(table).items()}
    return json.dumps({table: values}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> tuple[str, Row]:
    """Return the name of the table and the row in a line. Raises InvalidRow."""
    try:
        record = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise InvalidRow("it is not JSON") from None
    if not isinstance(record, dict) or len(record) != 1:
        raise InvalidRow("it is no JSON object with the name of one table")
    ((table, values),) = record.items()
    if table not in ARCHIVED or not isinstance(values, dict):
        raise InvalidRow("it is no row of a table that archives hold")
    columns = fields(table)
    if missing := sorted(columns.keys() - values.keys()):
        raise InvalidRow(f"{table}: {missing[0]!r} is missing")
    if values.keys() - columns.keys():
        raise InvalidRow(f"{table}: it has a column I don't know")
    row = {}
    for name, (column, rule) in columns.items():
        try:
            row[column] = rule.read(values[name])
        except (ValueError, TypeError, KeyError, OverflowError, OSError, RecursionError):
            raise InvalidRow(f"{table}: {name!r} must be {rule.must_be}") from None
    return table, row
