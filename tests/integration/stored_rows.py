"""Rows for tests of single units of work: a test names only the columns that it is about."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from itertools import count
from typing import Any

from sqlalchemy import Boolean, Column, Connection, Float, LargeBinary, Table, insert, select

from tests.fakes.builders import ADA, CHANNEL, GUILD, NOON
from utils.database.schema.column_types import EnumText, UtcDateTime
from utils.models.memory import Member

UNCONFIRMED = 100_000
"""Added to a number for the account of a link that no account confirms."""

ELSEWHERE = Member(GUILD + 8, ADA.user_id)
"""Ada in another server."""

_numbers = count(5_000)


def filler(column: Column[Any], number: int, at: datetime) -> Any:
    """Return a value for a column of the row with this number, in which every time is ``at``."""
    kind = column.type
    if isinstance(kind, UtcDateTime):
        return at
    if column.name == "GuildId":
        return GUILD
    if column.name in ("ChannelId", "PlaceId", "SourceId"):
        return CHANNEL
    if column.name == "Day":
        return at.date().isoformat()
    if column.name == "Importance":
        return 1
    if column.name == "AboutIds":
        return f" {number} {number + 1} "
    if column.name == "OtherId":
        return number + UNCONFIRMED
    if isinstance(kind, EnumText):
        enum: type[StrEnum] = kind.enum
        return next(iter(enum))
    if isinstance(kind, Boolean):
        return False
    if isinstance(kind, Float):
        return 0.5
    if isinstance(kind, LargeBinary):
        return b"x"
    if issubclass(kind.python_type, int):
        return number
    return f"x{number}"


def filled_row(table: Table, number: int, at: datetime) -> dict[str, Any]:
    """Return a row with a value in every column but its own id."""
    columns = (column for column in table.c if column.autoincrement is not True)
    return {column.name: filler(column, number, at) for column in columns}


def add(connection: Connection, table: Table, **values: Any) -> int:
    """Insert a row of noon with these values, and return its id, the first of its key."""
    number = next(_numbers)
    row = filled_row(table, number, NOON)
    needed = {name: value for name, value in row.items() if not table.c[name].nullable}
    inserted = connection.execute(insert(table), {**needed, **values})
    key = inserted.inserted_primary_key
    assert key is not None
    return int(key[0])


def of(member: Member) -> dict[str, int]:
    """Return the columns that say whose a row is."""
    return {"GuildId": member.guild_id, "UserId": member.user_id}


def by(member: Member) -> dict[str, int]:
    """Return the columns that say who wrote a message."""
    return {"GuildId": member.guild_id, "AuthorId": member.user_id}


def stored(connection: Connection, *columns: Column[Any]) -> list[Any]:
    """Return what a table holds in some columns, in ascending order; of one column, its values."""
    return sorted(in_order(connection, *columns))


def in_order(connection: Connection, *columns: Column[Any]) -> list[Any]:
    """Return the same in the order of the table's key."""
    rows: Iterable[Any] = connection.execute(
        select(*columns).order_by(*columns[0].table.primary_key)
    )
    return [row[0] if len(columns) == 1 else tuple(row) for row in rows]
