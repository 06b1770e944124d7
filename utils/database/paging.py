"""Lists in pages, the highest key first, each page at a bounded cost.

A page looks at no more than MOST_SCANNED rows, so that a filter which fits nothing among a million
costs as little as one that fits: it then comes back empty, with where to go on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, and_, select, true

from utils.database import members
from utils.database.engine import Session
from utils.model.browsing import LARGEST_ID, Page

MOST_SCANNED = 5_000
PAGE = 500  # rows at a time, where each is looked at here
MOST_SERVERS = 500  # of one person
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stretch:
    """The rows that one call looks at: those that hold ``which``, below ``before`` and above
    ``floor`` (None: down to the first)."""

    key: ColumnElement[int]
    which: ColumnElement[bool]
    before: int
    floor: int | None

    @classmethod
    def of(
        cls,
        session: Session,
        key: ColumnElement[int],
        scope: ColumnElement[bool],
        cursor: int | None,
        most: int | None = None,
    ) -> "Stretch":
        """Return the next so many rows of a scope; its index finds where they end."""
        before = LARGEST_ID if cursor is None else cursor
        ids = select(key).where(scope, key < before).order_by(key.desc())
        return cls(key, scope, before, session.scalar(ids.offset(most or MOST_SCANNED).limit(1)))


def walk(
    session: Session,
    columns: Sequence[ColumnElement[Any]],
    stretch: Stretch,
    which: Sequence[ColumnElement[bool]],
    limit: int,
    make: Callable[[Row[Any]], T],
    is_meant: Callable[[Row[Any]], bool] | None = None,
) -> Page[T]:
    """Return the first rows of a stretch that hold all of it, the highest key first.

    ``columns`` begins with the stretch's key.
    """
    key, before = stretch.key, stretch.before
    size = limit + 1 if is_meant is None else PAGE
    above = () if stretch.floor is None else (key > stretch.floor,)
    found: list[Row[Any]] = []
    while True:
        rows = session.execute(
            select(*columns)
            .where(stretch.which, *which, key < before, *above)
            .order_by(key.desc())
            .limit(size)
        ).all()
        found += rows if is_meant is None else filter(is_meant, rows)
        if len(found) > limit:
            return Page(tuple(map(make, found[:limit])), found[limit - 1][0])
        if len(rows) < size:
            cursor = None if stretch.floor is None else stretch.floor + 1
            return Page(tuple(map(make, found)), cursor)
        before = rows[-1][0]


def scope_of(
    session: Session,
    guild: ColumnElement[int],
    user: ColumnElement[int],
    guild_id: int | None,
    user_id: int | None,
) -> ColumnElement[bool]:
    """Return the rows of a server, a member, a person in every server, or all, as an index has
    them."""
    if guild_id is not None and user_id is not None:
        return and_(guild == guild_id, user == user_id)
    if guild_id is not None:
        return guild == guild_id
    if user_id is not None:
        return and_(guild.in_(members.places(session, user_id)[:MOST_SERVERS]), user == user_id)
    return true()
