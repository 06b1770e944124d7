"""Lists in pages, the highest key first, each page at a bounded cost.

A page scans at most MAX_SCANNED rows, also if the filter matches none of a million: the page is
then empty and has a cursor.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Row, and_, select, true

from utils.database.core.engine import Connection
from utils.database.memories import members
from utils.models.admin import MAX_ID, Page

MAX_SCANNED = 5_000
PAGE = 500  # rows read at a time when Python filters them
MAX_SERVERS = 500  # of one person
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScanRange:
    """The rows that one page scans: those of ``scope`` below ``before`` and above ``floor``.

    ``floor`` None: all rows below ``before``.
    """

    key: Column[int]
    scope: ColumnElement[bool]
    before: int
    floor: int | None

    @classmethod
    def of(
        cls,
        connection: Connection,
        key: Column[int],
        scope: ColumnElement[bool],
        cursor: int | None,
    ) -> "ScanRange":
        """Return the next rows of a scope; the scope's index finds the floor."""
        before = MAX_ID if cursor is None else cursor
        ids = select(key).where(scope, key < before).order_by(key.desc())
        return cls(key, scope, before, connection.scalar(ids.offset(MAX_SCANNED).limit(1)))


def load_page(
    connection: Connection,
    columns: Sequence[ColumnElement[Any]],
    scan: ScanRange,
    conditions: Sequence[ColumnElement[bool]],
    limit: int,
    make: Callable[[Row[Any]], T],
    matches: Callable[[Row[Any]], bool] | None = None,
) -> Page[T]:
    """Return the first rows of a scan that match, the highest key first.

    ``matches`` filters rows that the database cannot filter.
    """
    key, before = scan.key, scan.before
    size = limit + 1 if matches is None else PAGE
    above = () if scan.floor is None else (key > scan.floor,)
    order = dict.fromkeys((key, *key.table.primary_key))  # revisions share a message's id
    matching: list[Row[Any]] = []
    while True:
        rows = connection.execute(
            select(*columns)
            .add_columns(key.label("PageKey"))
            .where(scan.scope, *conditions, key < before, *above)
            .order_by(*(column.desc() for column in order))
            .limit(size)
        ).all()
        matching += rows if matches is None else filter(matches, rows)
        if len(matching) > limit:
            return Page(tuple(map(make, matching[:limit])), matching[limit - 1].PageKey)
        if len(rows) < size:
            cursor = None if scan.floor is None else scan.floor + 1
            return Page(tuple(map(make, matching)), cursor)
        before = rows[-1].PageKey


def scope_of(
    connection: Connection,
    guild: ColumnElement[int],
    user: ColumnElement[int],
    guild_id: int | None,
    user_id: int | None,
) -> ColumnElement[bool]:
    """Return the condition for a server, a member, a user in all servers, or everything."""
    if guild_id is not None and user_id is not None:
        return and_(guild == guild_id, user == user_id)
    if guild_id is not None:
        return guild == guild_id
    if user_id is not None:
        return and_(
            guild.in_(members.guilds_of(connection, user_id)[:MAX_SERVERS]), user == user_id
        )
    return true()
