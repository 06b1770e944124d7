"""Statements that are compiled once and then given to SQLite's driver as text.

A question makes a hundred short ones. SQLAlchemy's own execution of each takes four to ten times as
long as the driver's. Parameters and columns are still converted by SQLAlchemy's types.
"""

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any, TypeAlias, cast

from sqlalchemy import CompoundSelect, Connection, Delete, Dialect, Insert, Select, Update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

Process: TypeAlias = Callable[[Any], Any]
ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class CompiledStatement:
    """A statement's text, and how its parameters are sent.

    ``constants`` are the parameters that the statement itself has, such as a limit. ``lists`` has
    the names of a list's values, by the list's name.
    """

    text: str
    names: Sequence[str]
    constants: Mapping[str, Any]
    bind: Mapping[str, Process]
    lists: Mapping[str, Sequence[str]]

    def values(self, parameters: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the values to send, in the order of the question marks.

        A list that is too short is filled up with its last value.
        """
        values = {**self.constants, **parameters}
        for name, value_names in self.lists.items():
            values.update(zip_longest(value_names, values[name], fillvalue=values[name][-1]))
        for name, process in self.bind.items():
            values[name] = process(values[name])
        return tuple([values[name] for name in self.names])


@dataclass(frozen=True, slots=True)
class CompiledSelect(CompiledStatement):
    """A SELECT, and how its rows are read: ``read`` has the columns that are converted."""

    read: Sequence[tuple[int, Process]]
    make_row: Callable[[Iterable[Any]], Any]

    def rows(self, fetched: Sequence[Any]) -> Sequence[Any]:
        """Return what the driver fetched as converted rows, which are named tuples."""
        if self.read and fetched:  # by column: hundreds of rows take half the time
            columns: list[Iterable[Any]] = list(zip(*fetched, strict=True))
            for index, process in self.read:
                columns[index] = map(process, columns[index])
            fetched = list(zip(*columns, strict=True))
        return list(map(self.make_row, fetched))


@lru_cache(maxsize=512)
def compiled_select(
    statement: Select[Any] | CompoundSelect[Any], dialect: Dialect, list_length: int = 0
) -> CompiledSelect:
    """Return a compiled SELECT; ``list_length`` is how many values its lists have."""
    columns = list(statement.selected_columns)
    read = [
        (index, process)
        for index, column in enumerate(columns)
        if (process := column.type.dialect_impl(dialect).result_processor(dialect, None))
    ]
    keys = [str(column.key) for column in columns]
    row_type: Any = namedtuple("Row", keys, rename=True)  # type: ignore[misc]
    compiled = statement.compile(dialect=dialect)
    return CompiledSelect(
        **_sent(compiled, dialect, list_length), read=read, make_row=row_type._make
    )


@lru_cache(maxsize=512)
def compiled_change(
    statement: Insert | Update | Delete,
    dialect: Dialect,
    names: tuple[str, ...],
    list_length: int = 0,
) -> CompiledStatement:
    """Return a compiled change; a parameter named as a column is the column's value.

    Args:
        statement: a constant. It may return the columns of what it changes.
        dialect: SQLite's.
        names: those of its parameters.
        list_length: how many values its lists have.
    """
    if isinstance(statement, Insert):
        statement = statement.inline()  # or SQLAlchemy would add what it needs to find the id
    compiled = statement.compile(dialect=dialect, column_keys=names)
    return CompiledStatement(**_sent(compiled, dialect, list_length))


def _sent(compiled: Any, dialect: Dialect, list_length: int) -> dict[str, Any]:
    """Return the fields of a :class:`CompiledStatement`."""
    required = {
        name: [None] * list_length if bind.expanding else None
        for name, bind in compiled.binds.items()
        if bind.required
    }
    sent = cast(SQLCompiler, compiled).construct_expanded_state(required)
    lists = {name: sent.parameter_expansion[name] for name in required if required[name]}
    parameter_names = {*required, *chain.from_iterable(lists.values())}
    names = sent.positiontup or ()
    types = {
        value_name: compiled.binds[name].type
        for name in compiled.binds
        for value_name in sent.parameter_expansion.get(name, [name])
    }
    bind = {
        name: process
        for name in names
        if (process := types[name].dialect_impl(dialect).bind_processor(dialect))
    }
    constants = {name: sent.parameters[name] for name in names if name not in parameter_names}
    return {
        "text": sent.statement,
        "names": names,
        "constants": constants,
        "bind": bind,
        "lists": lists,
    }


def send(connection: Connection, text: str, rows: Sequence[Sequence[Any]]) -> int:
    """Run a change on SQLite for each of some rows of values; returns how many rows it changed.

    Raises SQLAlchemy's IntegrityError, as its own execution does.
    """
    driver = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    try:
        if len(rows) == 1:
            return driver.execute(text, rows[0]).rowcount
        return driver.executemany(text, rows).rowcount
    except sqlite3.IntegrityError as error:
        refused = error
    raise IntegrityError(text, None, refused, hide_parameters=True)


def fetch(
    connection: Connection, text: str, values: Sequence[Any], by_column: bool = False
) -> list[Any]:
    """Return the rows of a SELECT on SQLite as the driver fetches them.

    With ``by_column``, return its columns, none without rows: of thousands of rows that exist at
    the same time, Python would look for garbage several times.
    """
    driver = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    cursor = driver.execute(text, values)
    if not by_column:
        return cursor.fetchall()
    columns: list[list[Any]] = []
    while rows := cursor.fetchmany(ROWS_AT_ONCE):
        columns = columns or [[] for _ in rows[0]]
        for column, fetched in zip(columns, zip(*rows, strict=True), strict=True):
            column += fetched
    return columns
