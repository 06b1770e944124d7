"""What many queries share: conditions, as many ids as fit, several queries in one round trip."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, FromClause, Row, Select, and_, or_

from utils.database.core import sql_server
from utils.database.core.engine import Connection
from utils.models.memory import Member

IDS_PER_STATEMENT = 500  # SQL Server takes at most 2,100 parameters
T = TypeVar("T")


def of_member(table: FromClause, member: Member) -> ColumnElement[bool]:
    """Return the condition for a member's rows in a table with GuildId and UserId."""
    return and_(table.c.GuildId == member.guild_id, table.c.UserId == member.user_id)


def after_member(table: FromClause, member: Member) -> ColumnElement[bool]:
    """Return the condition for rows of members that come after one, by server id and user id."""
    return or_(
        table.c.GuildId > member.guild_id,
        and_(table.c.GuildId == member.guild_id, table.c.UserId > member.user_id),
    )


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Cut ids into as many as one statement takes."""
    for start in range(0, len(items), IDS_PER_STATEMENT):
        yield items[start : start + IDS_PER_STATEMENT]


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
