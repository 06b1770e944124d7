"""Queries that can be run together: on SQL Server, several in one round trip."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Row, Select

from utils.database.core import sql_server
from utils.database.core.engine import Connection

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Selection(Generic[T]):
    """A SELECT, its parameters, and the function that makes the result of its rows."""

    statement: Select[Any]
    parameters: Mapping[str, Any]
    read: Callable[[Sequence[Row[Any]]], T]


def run(connection: Connection, query: Selection[T]) -> T:
    """Run one query."""
    return query.read(connection.execute(query.statement, query.parameters).all())


def run_all(connection: Connection, queries: Sequence[Selection[Any]]) -> list[Any]:
    """Run queries, on SQL Server in one round trip; returns their results in order."""
    if connection.dialect.name != "mssql" or len(queries) < 2:
        return [run(connection, query) for query in queries]
    selects = [(query.statement, query.parameters) for query in queries]
    rows = sql_server.select_all(connection, selects)
    return [query.read(part) for query, part in zip(queries, rows, strict=True)]
