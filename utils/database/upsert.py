"""For everybody: making, changing and deleting rows where others may be doing the same."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Table,
    delete,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from utils.database import faults
from utils.database.engine import Session

# SQL Server's numbers for a key that is there already: in an index, and in a constraint.
DUPLICATE_NUMBERS = frozenset({2601, 2627})
_DUPLICATE_CODES = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}
)


def upsert(
    session: Session,
    table: Table,
    keys: Mapping[str, Any],
    values: Mapping[str, Any],
    on_update: Mapping[str, Any] | None = None,
) -> bool:
    """Write ``values`` to the row with ``keys`` (column names); return True when it was made.

    ``on_update`` replaces ``values`` where the row exists already, for expressions such as
    ``{"Calls": table.c.Calls + 1}``. UPDATE, then INSERT inside a savepoint, then UPDATE again
    when somebody else inserted meanwhile: the same on SQLite and SQL Server, without MERGE.
    """
    changes = dict(values if on_update is None else on_update) or dict(keys)
    change = update(table).where(*(table.c[name] == key for name, key in keys.items()))
    change = change.values(changes)
    if session.execute(change).rowcount:
        return False
    try:
        with session.begin_nested():
            session.execute(insert(table).values({**keys, **values}))
    except IntegrityError:
        if session.execute(change).rowcount:
            return False
        raise  # it was another constraint, not a second writer
    return True


def insert_new(
    session: Session, table: Table, rows: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Insert those rows whose key is not there yet, and return them: a duplicate fails no batch.

    All at once; one by one, each in a savepoint, only when somebody inserted one meanwhile.
    """
    if not rows:
        return []
    if _inserted(session, table, rows):
        return list(rows)
    return [row for row in rows if _inserted(session, table, [row])]


def _inserted(session: Session, table: Table, rows: Sequence[Mapping[str, Any]]) -> bool:
    try:
        with session.begin_nested():
            session.execute(insert(table), list(rows))
    except IntegrityError as error:
        if not is_duplicate(error):
            raise
        return False
    return True


def is_duplicate(error: IntegrityError) -> bool:
    """Whether a row was refused because its key is there already."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code in _DUPLICATE_CODES
    return bool(faults.native_numbers(error) & DUPLICATE_NUMBERS)


def delete_some(
    session: Session,
    table: Table,
    where: ColumnElement[bool],
    limit: int,
    *,
    returning: Sequence[ColumnElement[Any]],
    first: ColumnElement[Any] | None = None,
) -> Sequence[Row[Any]]:
    """Delete up to ``limit`` rows in one statement; returns what they had in some columns.

    A row that somebody changes meanwhile so that ``where`` holds no more stays. ``first`` says
    which go first, where the database lets one choose (SQL Server's DELETE TOP does not).
    """
    if session.dialect.name == "mssql":
        some = delete(table).prefix_with(f"TOP ({limit:d})").where(where)
    else:
        row_id: ColumnElement[int] = literal_column("rowid")
        chosen = select(row_id).select_from(table).where(where).order_by(first).limit(limit)
        some = delete(table).where(row_id.in_(chosen))
    return session.execute(some.returning(*returning)).all()
