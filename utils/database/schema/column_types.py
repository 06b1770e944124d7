"""Column types that behave alike on SQLite and SQL Server."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    ColumnElement,
    DateTime,
    Dialect,
    String,
    Unicode,
    UnicodeText,
    func,
    literal_column,
    type_coerce,
)
from sqlalchemy.dialects.mssql import DATETIME2, NVARCHAR
from sqlalchemy.types import TypeDecorator

from utils.common.text import utf16_length

E = TypeVar("E", bound=StrEnum)
BINARY_COLLATION = "Latin1_General_100_BIN2"
_EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH = _EPOCH_UTC.replace(tzinfo=None)
MICROSECOND = timedelta(microseconds=1)
NEVER = np.iinfo(np.int64).max


def aware(stored: datetime | str) -> datetime:
    """Return a stored time as aware UTC; ten times as fast as ``replace(tzinfo=UTC)``."""
    if isinstance(stored, str):
        stored = datetime.fromisoformat(stored)
    return _EPOCH_UTC + (stored - _EPOCH)


def microseconds(stored: Sequence[Any]) -> NDArray[np.int64]:
    """Return the microseconds from 1970 to each stored time, NEVER for None."""
    if isinstance(next(filter(None, stored), None), datetime):
        since_epoch = [(time - _EPOCH) // MICROSECOND if time else NEVER for time in stored]
        return np.array(since_epoch, np.int64)
    times = np.array([time or "NaT" for time in stored], "datetime64[us]")  # much faster for texts
    return np.where(np.isnat(times), NEVER, times.astype(np.int64))


def seconds(stored: Sequence[Any]) -> NDArray[np.float64]:
    """Return the seconds from 1970 to each stored time, infinite for None.

    They are those of the aware time's ``timestamp()``.
    """
    times = microseconds(stored)
    values: NDArray[np.float64] = times / 1e6
    values[times == NEVER] = math.inf
    return values


class UtcDateTime(TypeDecorator[datetime]):
    """A timezone-aware time, stored naive in UTC (DATETIME2 with microseconds on SQL Server)."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Use DATETIME2(6) on SQL Server: its DATETIME rounds to 3 milliseconds."""
        if dialect.name == "mssql":
            return dialect.type_descriptor(DATETIME2(6))  # type: ignore[no-untyped-call]
        return super().load_dialect_impl(dialect)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time as naive UTC; raises ValueError if it is naive already."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time must be aware")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored time as aware UTC."""
        return None if value is None else aware(value)


def checked_text(value: str, limit: int | None) -> str:
    """Return the text; raises ValueError if one of the databases would refuse or change it."""
    if "\x00" in value:
        raise ValueError("a stored text must not contain NUL")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:  # its traceback would carry the text
        raise ValueError("a stored text must not contain a lone surrogate") from None
    if limit is not None and (length := utf16_length(value)) > limit:
        raise ValueError(f"a text of {length} UTF-16 units does not fit in {limit}")
    return value


class BoundedText(TypeDecorator[str]):
    """NVARCHAR(limit); the limit, in UTF-16 units, is enforced on SQLite too."""

    impl = Unicode
    cache_ok = True

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Use NVARCHAR on SQL Server."""
        if dialect.name == "mssql":
            return dialect.type_descriptor(NVARCHAR(self.limit))
        return dialect.type_descriptor(Unicode(self.limit))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Raise ValueError for a text that is too long or that a database would change."""
        return None if value is None else checked_text(value, self.limit)


def as_stored(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Read times and enums as the driver returns them: as text, or times without a zone.

    Converting thousands by column, and only those that are needed, is faster.
    """
    is_converted = isinstance(column.type, UtcDateTime | EnumText)
    return type_coerce(column, String) if is_converted else column


def constant(value: StrEnum) -> ColumnElement[Any]:
    """Return an enum's value as a literal, for conditions of queries that run often.

    Both databases choose a filtered index for a literal. For a parameter SQLite plans the query
    again each time it runs, since the index may serve some values: ten times as slow for one row.
    """
    return literal_column(f"'{value}'")


def is_not_empty(text: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a text is not empty.

    It compares lengths, because emoji equal '' in SQL Server's older collations.
    """
    return func.char_length(text) > 0


class KeyText(BoundedText):
    """A short text that is compared exactly: case matters, and no key ends in a blank.

    SQL Server ignores trailing blanks when it compares, in every collation.
    """

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Use a binary collation on SQL Server; SQLite's default is one."""
        if dialect.name == "mssql":
            return dialect.type_descriptor(NVARCHAR(self.limit, collation=BINARY_COLLATION))
        return dialect.type_descriptor(String(self.limit))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Raise ValueError for a key that does not fit or ends in a blank."""
        if value is not None and value.endswith(" "):
            raise ValueError("a stored key must not end in a blank")
        return super().process_bind_param(value, dialect)


class LongText(TypeDecorator[str]):
    """NVARCHAR(MAX)."""

    impl = UnicodeText
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Use NVARCHAR(MAX) on SQL Server, where the old NTEXT cannot be compared."""
        return dialect.type_descriptor(NVARCHAR(None) if dialect.name == "mssql" else UnicodeText())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Raise ValueError for a text that a database would refuse or change."""
        return None if value is None else checked_text(value, None)


class NameList(TypeDecorator[tuple[Any, ...]]):
    """Names without commas in one column, separated by commas; an empty list is NULL."""

    impl = LongText
    cache_ok = True
    parse: Callable[[str], Any] = str

    def process_bind_param(self, value: tuple[Any, ...] | None, dialect: Dialect) -> str | None:
        """Join the names."""
        return ",".join(map(str, value)) if value else None

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Any, ...]:
        """Split the names."""
        return tuple(map(self.parse, value.split(","))) if value else ()


class IdList(NameList):
    """Discord ids in one column, in decimal digits, as NameList."""

    cache_ok = True
    parse = int


class EnumText(TypeDecorator[E]):
    """A StrEnum, stored as its value in a short text that is compared exactly."""

    impl = String
    cache_ok = True

    def __init__(self, enum: type[E]) -> None:
        super().__init__(20)
        self.enum = enum

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Use a binary collation on SQL Server, for exact comparison."""
        if dialect.name == "mssql":
            return dialect.type_descriptor(NVARCHAR(20, collation=BINARY_COLLATION))
        return dialect.type_descriptor(String(20))

    def process_bind_param(self, value: E | None, dialect: Dialect) -> str | None:
        """Return the enum's value; raises ValueError for a value that the enum does not have."""
        return None if value is None else self.enum(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:
        """Return the enum member."""
        return None if value is None else self.enum(value)
