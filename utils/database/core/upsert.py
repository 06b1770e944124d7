"""Upsert, insert and delete rows that other processes may change at the same time."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from sqlalchemy import (
    ColumnElement,
    Delete,
    Row,
    Table,
    Update,
    delete,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from utils.database.core import error_codes
from utils.database.core.engine import Connection

ROWS_PER_STATEMENT = 2_000
"""SQL Server locks a whole table for a statement that takes 5,000 locks on it."""
S = TypeVar("S", Delete, Update)

# SQL Server's error numbers for a duplicate key: in an index, and in a constraint.
DUPLICATE_NUMBERS = frozenset({2601, 2627})
_DUPLICATE_CODES = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}
)


def upsert(
    connection: Connection,
    table: Table,
    keys: Mapping[str, Any],
    values: Mapping[str, Any],
    on_update: Mapping[str, Any] | None = None,
) -> bool:
    """Write ``values`` to the row with ``keys`` (column names); return True if it was inserted.

    ``on_update`` replaces ``values`` where the row exists already, for expressions such as
    ``{"Calls": table.c.Calls + 1}``. UPDATE, then INSERT inside a savepoint, then UPDATE again
    if another process inserted the row first: the same on SQLite and SQL Server, without MERGE.
    """
    changes = dict(values if on_update is None else on_update) or dict(keys)
    change = update(table).where(*(table.c[name] == key for name, key in keys.items()))
    change = change.values(changes)
    if connection.execute(change).rowcount:
        return False
    try:
        with connection.begin_nested():
            connection.execute(insert(table).values({**keys, **values}))
    except IntegrityError:
        if connection.execute(change).rowcount:
            return False
        raise  # it was another constraint, not a second writer
    return True


def insert_new(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Insert and return those rows whose key does not exist yet.

    Inserts all at once, or one by one in savepoints if the batch contains an existing key.
    """
    if not rows:
        return []
    if _inserted(connection, table, rows):
        return list(rows)
    return [row for row in rows if _inserted(connection, table, [row])]


def _inserted(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> bool:
    try:
        with connection.begin_nested():
            connection.execute(insert(table), list(rows))
    except IntegrityError as error:
        if not is_duplicate(error):
            raise
        return False
    return True


def is_duplicate(error: IntegrityError) -> bool:
    """Return whether a row was refused because its key exists already."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code in _DUPLICATE_CODES
    return bool(error_codes.native_numbers(error) & DUPLICATE_NUMBERS)


def delete_some(
    connection: Connection,
    table: Table,
    where: ColumnElement[bool],
    limit: int,
    *,
    returning: Sequence[ColumnElement[Any]],
    first: ColumnElement[Any] | None = None,
) -> Sequence[Row[Any]]:
    """Delete up to ``limit`` rows in one statement; returns the ``returning`` columns of each.

    A row stays if a concurrent change makes ``where`` false. ``first`` orders the deletion where
    the database supports it (SQL Server's DELETE TOP does not).
    """
    deletion = _limited(connection, delete(table), where, limit, first)
    return connection.execute(deletion.returning(*returning)).all()


def delete_up_to(
    connection: Connection, table: Table, where: ColumnElement[bool], limit: int
) -> int:
    """Delete up to ``limit`` rows in one statement; returns how many."""
    return connection.execute(_limited(connection, delete(table), where, limit)).rowcount


def delete_all(connection: Connection, table: Table, where: ColumnElement[bool]) -> int:
    """Delete rows, at most ROWS_PER_STATEMENT at a time; returns how many."""
    return _repeat(connection, _limited(connection, delete(table), where, ROWS_PER_STATEMENT))


def update_all(
    connection: Connection, table: Table, where: ColumnElement[bool], values: Mapping[str, Any]
) -> int:
    """Change rows, at most ROWS_PER_STATEMENT at a time; returns how many.

    ``where`` must no longer hold for a changed row.
    """
    change = _limited(connection, update(table), where, ROWS_PER_STATEMENT)
    return _repeat(connection, change.values(values))


def _repeat(connection: Connection, limited: Delete | Update) -> int:
    total = 0
    while rows := connection.execute(limited).rowcount:
        total += rows
        if rows < ROWS_PER_STATEMENT:
            break
    return total


def _limited(
    connection: Connection,
    statement: S,
    where: ColumnElement[bool],
    limit: int,
    first: ColumnElement[Any] | None = None,
) -> S:
    """Return a deletion or change of up to ``limit`` rows."""
    if connection.dialect.name == "mssql":
        return statement.prefix_with(f"TOP ({limit:d})").where(where)
    table = cast(Table, statement.table)
    key: ColumnElement[Any] = literal_column("rowid")
    if not table.dialect_options["sqlite"]["with_rowid"]:
        *_, key = table.primary_key  # ``where`` names the server, the other column
    chosen = select(key).select_from(table).where(where).order_by(first).limit(limit)
    return statement.where(where, key.in_(chosen))
