"""When stored rows end: what would live for too long, and setting another end."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Table, bindparam, update

from utils.database.engine import Session


def cut(rows: Iterable[Sequence[Any]], longest: timedelta) -> dict[int, datetime]:
    """Return, by id, the new ends of rows that live longer than so long after they were said.

    A row is its id, when it was said, and when it ends (None: never).
    """
    return {
        row_id: said_at + longest
        for row_id, said_at, ends_at in rows
        if ends_at is None or ends_at > said_at + longest
    }


def set_all(session: Session, table: Table, ends: dict[int, Any]) -> None:
    """Set when rows of a table end, by id; None: never."""
    if ends:
        change = update(table).where(table.c.Id == bindparam("row_id"))
        change = change.values(ExpiresAt=bindparam("ends_at", type_=table.c.ExpiresAt.type))
        session.execute(
            change, [{"row_id": row_id, "ends_at": end} for row_id, end in ends.items()]
        )
