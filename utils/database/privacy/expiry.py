"""When stored rows expire: capping and setting expiry times."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Table, bindparam, update

from utils.database.core.engine import Connection


def capped_expiries(rows: Iterable[Sequence[Any]], max_age: timedelta) -> dict[int, datetime]:
    """Return, by id, the new expiry time of each row that would outlive ``max_age``.

    A row is its id, when it was said, and when it expires (None: never).
    """
    return {
        row_id: said_at + max_age
        for row_id, said_at, expires_at in rows
        if expires_at is None or expires_at > said_at + max_age
    }


def set_expiries(connection: Connection, table: Table, expiries: dict[int, Any]) -> None:
    """Set when rows of a table expire, by id (None: never)."""
    if expiries:
        change = update(table).where(table.c.Id == bindparam("row_id"))
        change = change.values(ExpiresAt=bindparam("expires_at", type_=table.c.ExpiresAt.type))
        connection.execute(
            change,
            [{"row_id": row_id, "expires_at": at} for row_id, at in sorted(expiries.items())],
        )
