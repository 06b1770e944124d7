"""What many queries share: conditions, batches, rows as records, round trips, upserts."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    CompoundSelect,
    Delete,
    FromClause,
    Insert,
    Row,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from utils.database.core import error_codes, sql_server
from utils.database.core.compiled_statements import (
    compiled_change,
    compiled_select,
    fetch,
    send,
)
from utils.database.core.engine import Connection
from utils.models.memory import Member

ROWS_PER_STATEMENT = 2_000
"""SQL Server locks a whole table for a statement that takes 5,000 locks on it."""
# SQL Server's error numbers for a duplicate key: in an index, and in a constraint.
DUPLICATE_NUMBERS = frozenset({2601, 2627})
_DUPLICATE_CODES = frozenset(
    {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}
)
IDS_PER_STATEMENT = 500  # SQL Server takes at most 2,100 parameters
IDS: BindParameter[Any] = bindparam("ids", expanding=True)
"""The ids in a statement for :func:`rows_for`, :func:`values_for` or :func:`run_for`."""
BEFORE_ALL_MEMBERS = Member(-1, -1)
R = TypeVar("R")
T = TypeVar("T")
S = TypeVar("S", Delete, Update)


def of_member(table: FromClause, member: Member) -> ColumnElement[bool]:
    """Return the condition for a member's rows in a table with GuildId and UserId."""
    return and_(table.c.GuildId == member.guild_id, table.c.UserId == member.user_id)


def is_member(table: FromClause) -> ColumnElement[bool]:
    """Return :func:`of_member` for a statement that is built once, for any member.

    Building a statement costs more than running it, so those that run often are constants. They
    are executed with :func:`member_parameters`.
    """
    return and_(table.c.GuildId == bindparam("guild_id"), table.c.UserId == bindparam("user_id"))


def member_parameters(member: Member, **values: Any) -> dict[str, Any]:
    """Return the parameters of :func:`is_member`, and others.

    In a change, a parameter with the name of a column is the column's new value.
    """
    return {"guild_id": member.guild_id, "user_id": member.user_id, **values}


def after_member(table: FromClause, member: Member) -> ColumnElement[bool]:
    """Return the condition for rows of members that come after one, by server id and user id."""
    return and_(
        table.c.GuildId >= member.guild_id,  # lets the index seek
        or_(table.c.GuildId > member.guild_id, table.c.UserId > member.user_id),
    )


def next_members(
    connection: Connection,
    table: Table,
    after: Member,
    limit: int,
    *conditions: ColumnElement[bool],
) -> list[Member]:
    """Return the next members after one with a row that meets the conditions, by their ids."""
    ids = (table.c.GuildId, table.c.UserId)
    query = select(*ids).where(after_member(table, after), *conditions)
    return members_from(connection, query.order_by(*ids).limit(limit))


def members_from(connection: Connection, query: Select[Any]) -> list[Member]:
    """Return the members that a query of server ids and user ids finds, in its order."""
    return [Member(*row) for row in connection.execute(query)]


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Cut ids into as many as one statement takes."""
    for start in range(0, len(items), IDS_PER_STATEMENT):
        yield items[start : start + IDS_PER_STATEMENT]


def rows_for(
    connection: Connection, query: Select[Any], ids: Collection[int], **parameters: Any
) -> list[Any]:
    """Return the rows of a query with IDS, as many ids at a time as one statement takes.

    The ids are sorted; the rows of each statement are in the query's order.
    """
    return [
        row
        for part in chunks(sorted(ids))
        for row in connection.execute(query, {**parameters, "ids": part})
    ]


def fetch_rows(
    connection: Connection,
    query: Select[Any] | CompoundSelect[Any],
    ids: Collection[int] | None = None,
    **parameters: Any,
) -> list[Any]:
    """Return the rows of a query that is built once, by :func:`compiled_select` on SQLite.

    Args:
        connection: the caller's unit of work.
        query: a constant; building it for each call would cost more than this saves.
        ids: for a query with IDS, as for :func:`rows_for`.
        parameters: its other parameters.
    """
    parts = [{"ids": part} for part in chunks(sorted(ids))] if ids is not None else [{}]
    rows: list[Any] = []
    for part in parts:
        values = parameters | part
        if connection.dialect.name == "sqlite":
            length = _list_length(part.get("ids", ()))
            select = compiled_select(query, connection.dialect, length)
            rows += select.rows(fetch(connection, select.text, select.values(values)))
        else:
            rows += connection.execute(query, values)
    return rows


def fetch_value(
    connection: Connection,
    query: Select[Any] | CompoundSelect[Any],
    ids: Collection[int] | None = None,
    **parameters: Any,
) -> Any | None:
    """Return the first column of the first row of :func:`fetch_rows`, None if there is none."""
    return next((row[0] for row in fetch_rows(connection, query, ids, **parameters)), None)


def _list_length(ids: Collection[Any]) -> int:
    """Return how many values the list of a compiled statement has: few lengths mean few texts."""
    return max(len(ids), min(1 << (len(ids) - 1).bit_length(), IDS_PER_STATEMENT)) if ids else 0


def change_rows(
    connection: Connection,
    change: Insert | Update | Delete,
    *parameters: Mapping[str, Any],
) -> int:
    """Run a change that is built once, by :func:`compiled_change` on SQLite.

    Returns how many rows it changed.

    Args:
        connection: the caller's unit of work.
        change: a constant; building it for each call would cost more than this saves.
        parameters: as those of ``Connection.execute``, the same names each; the change runs for
            each of them. ``ids`` are for IDS, at most IDS_PER_STATEMENT.
    """
    if connection.dialect.name != "sqlite":
        return connection.execute(change, list(parameters)).rowcount
    length = max(_list_length(row.get("ids", ())) for row in parameters)
    compiled = compiled_change(change, connection.dialect, tuple(parameters[0]), length)
    return send(connection, compiled.text, [compiled.values(row) for row in parameters])


def insert_returning(connection: Connection, insertion: Insert, row: Mapping[str, Any]) -> Any:
    """Insert a row by a statement that is built once; returns the column that this returns."""
    if connection.dialect.name != "sqlite":
        return connection.execute(insertion, row).scalar_one()
    compiled = compiled_change(insertion, connection.dialect, tuple(row))
    return fetch(connection, compiled.text, compiled.values(row))[0][0]


def values_for(
    connection: Connection, query: Select[Any], ids: Collection[int], **parameters: Any
) -> list[Any]:
    """Return the first column of :func:`rows_for`."""
    return [row[0] for row in rows_for(connection, query, ids, **parameters)]


def run_for(
    connection: Connection,
    statement: Delete | Insert | Update,
    ids: Collection[int],
    **parameters: Any,
) -> int:
    """Run a change with IDS, as :func:`rows_for` does; returns how many rows it changed."""
    return sum(
        connection.execute(statement, {**parameters, "ids": part}).rowcount
        for part in chunks(sorted(ids))
    )


@dataclass(frozen=True, slots=True)
class Selection(Generic[T]):
    """A SELECT that is built once, its parameters, and what makes the result of its rows.

    With ``by_column``, it is made of the columns as they are stored; there are none without rows.
    """

    statement: Select[Any]
    parameters: Mapping[str, Any]
    read: Callable[[Sequence[Any]], T]
    by_column: bool = False

    def result(self, rows: Sequence[Any]) -> T:
        """Return what is made of rows."""
        return self.read(list(zip(*rows, strict=True)) if self.by_column else rows)


def from_row(record_type: Callable[..., R], row: Any, **values: Any) -> R:
    """Return a record of a row whose columns are named as its fields: ``guild_id`` is GuildId.

    ``values`` are the fields that differ from the row, or for which it has no column.
    """
    columns = _columns_of(record_type).items()
    stored = {name: getattr(row, column) for name, column in columns if name not in values}
    return record_type(**stored, **values)


def to_row(table: Table, record: Any, **values: Any) -> dict[str, Any]:
    """Return the row of a record whose fields are named as the columns, without its id.

    ``values`` are columns that differ from the record.
    """
    names = fields_in(table, record.__class__)
    stored = {column: getattr(record, name) for name, column in names if column not in values}
    return stored | values


def columns_of(table: Table, record_type: Any, **renamed: str) -> list[Column[Any]]:
    """Return a table's columns in the order of the fields of a dataclass.

    Fields that the table has no column for are left out. ``renamed`` are the names of columns that
    differ from their fields'.
    """
    names = (_columns_of(record_type) | renamed).values()
    return [table.c[name] for name in names if name in table.c]


@cache
def _columns_of(record_type: Any) -> dict[str, str]:
    """Return the column of each field of a dataclass."""
    return {field.name: field.name.title().replace("_", "") for field in fields(record_type)}


@cache
def fields_in(table: Table, record_type: Any) -> list[tuple[str, str]]:
    """Return a dataclass's fields that a table has a column for, with it, but for its id."""
    columns = _columns_of(record_type).items()
    return [(name, column) for name, column in columns if column in table.c and column != "Id"]


def has_rows(connection: Connection, query: Select[Any]) -> bool:
    """Return whether a query finds any row."""
    return connection.execute(query.limit(1)).first() is not None


def read_list(connection: Connection, query: Select[Any], make: Callable[[Any], T]) -> list[T]:
    """Return what ``make`` makes of each row of a query, in its order."""
    return [make(row) for row in connection.execute(query).all()]  # ``make`` may query, too


def read_first(connection: Connection, query: Select[Any], make: Callable[[Any], T]) -> T | None:
    """Return what ``make`` makes of a query's first row; None if there is no row."""
    row = connection.execute(query).first()
    return None if row is None else make(row)


def read_dict(connection: Connection, query: Select[Any]) -> dict[Any, Any]:
    """Return the second column of a query's rows by the first."""
    return dict(connection.execute(query).all())


def has_changed(connection: Connection, change: Delete | Update) -> bool:
    """Run a change; returns whether it changed any row."""
    return connection.execute(change).rowcount > 0


def run(connection: Connection, query: Selection[T]) -> T:
    """Run one query."""
    if connection.dialect.name == "sqlite":
        select = compiled_select(query.statement, connection.dialect)
        values = select.values(query.parameters)
        fetched = fetch(connection, select.text, values, query.by_column)
        return query.read(fetched if query.by_column else select.rows(fetched))
    return query.result(connection.execute(query.statement, query.parameters).all())


def run_all(connection: Connection, queries: Sequence[Selection[Any]]) -> list[Any]:
    """Run queries, on SQL Server in one round trip; returns their results in order."""
    if connection.dialect.name != "mssql" or len(queries) < 2:
        return [run(connection, query) for query in queries]
    selects = [compiled_select(query.statement, connection.dialect) for query in queries]
    values = [select.values(q.parameters) for select, q in zip(selects, queries, strict=True)]
    rows = sql_server.select_all(connection, selects, values)
    return [query.result(part) for query, part in zip(queries, rows, strict=True)]


# --- rows that other processes may change at the same time --------------------------------------


def upsert(
    connection: Connection,
    table: Table,
    keys: Mapping[str, Any],
    values: Mapping[str, Any],
    on_update: Mapping[str, Any] | None = None,
    *,
    adds: bool = False,
) -> None:
    """Write ``values`` to the row with ``keys`` (column names), which is inserted if there is none.

    ``on_update`` replaces ``values`` where the row exists already. It alone may hold expressions,
    and it may not be empty. With ``adds``, ``values`` are added to those of a row that exists.

    UPDATE, then INSERT, then UPDATE again if another process inserted the row first: the same on
    SQLite and SQL Server, without MERGE.
    """
    change = _change_of(table, tuple(keys), tuple(values) if adds else ())
    parameters = {f"key_{name}": key for name, key in keys.items()}
    if adds:
        parameters |= {f"added_{name}": value for name, value in values.items()}
    elif on_update is None:
        parameters |= values or keys
    else:
        change = change.values(dict(on_update))

    def is_updated() -> bool:
        if on_update is None:
            return change_rows(connection, change, parameters) > 0
        return connection.execute(change, parameters).rowcount > 0

    if is_updated():
        return
    try:
        with refusable(connection):
            change_rows(connection, _insertion(table), {**keys, **values})
    except IntegrityError:
        if not is_updated():
            raise  # it was another constraint, not a second writer


@cache
def _change_of(table: Table, names: tuple[str, ...], added: tuple[str, ...]) -> Update:
    """Return the change of a row by these columns; the parameter of ``Name`` is ``key_Name``.

    ``added`` are the columns to which the parameters named ``added_Name`` are added.
    """
    change = update(table).where(*(table.c[name] == bindparam(f"key_{name}") for name in names))
    sums = {name: table.c[name] + bindparam(f"added_{name}") for name in added}
    return change.values(sums) if sums else change


@cache
def _insertion(table: Table) -> Insert:
    return insert(table)


def insert_new(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Insert and return those rows whose key does not exist yet.

    Inserts all at once, or one by one if the batch contains an existing key.
    """
    if not rows:
        return []
    if _inserted(connection, table, rows):
        return list(rows)
    if len(rows) == 1:
        return []
    return [row for row in rows if _inserted(connection, table, [row])]


def _inserted(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> bool:
    try:
        with refusable(connection, rows=len(rows)):
            change_rows(connection, _insertion(table), *rows)
    except IntegrityError as error:
        if not is_duplicate(error):
            raise
        return False
    return True


def refusable(connection: Connection, *, rows: int = 1) -> AbstractContextManager[object]:
    """Return the context for an INSERT that may be refused without undoing what came before it.

    That is a savepoint. One row needs none: SQLite undoes a refused statement and nothing else, and
    so does SQL Server while XACT_ABORT is off (sql_server.SESSION_OPTIONS).
    """
    return nullcontext() if rows == 1 else connection.begin_nested()


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
    order = () if first is None else (first, key)
    chosen = select(key).select_from(table).where(where).order_by(*order).limit(limit)
    return statement.where(where, key.in_(chosen))
