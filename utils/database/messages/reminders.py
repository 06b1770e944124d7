"""Reminders: loops that Kith delivers when they are due.

``Offers`` counts how often a delivery was tried, ``LastOfferedAt`` is when some process began.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, func, literal, or_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import of_member
from utils.database.messages.open_loops import loop_of
from utils.database.schema.memory_tables import open_loop
from utils.models.episode import LoopKind, LoopState, OpenLoop
from utils.models.memory import Member

_COLUMNS = open_loop.c
_IS_REMINDER = and_(_COLUMNS.Kind == LoopKind.REMINDER, _COLUMNS.State == LoopState.OPEN)


def load(connection: Connection, member: Member, now: datetime) -> list[OpenLoop]:
    """Return a member's reminders, the next one first."""
    rows = connection.execute(
        select(open_loop)
        .where(_IS_REMINDER, of_member(open_loop, member), _COLUMNS.ExpiresAt > now)
        .order_by(_COLUMNS.DueAt, _COLUMNS.Id)
    )
    return [loop_of(row) for row in rows]


def load_due(
    connection: Connection, now: datetime, held_for: timedelta, limit: int
) -> list[OpenLoop]:
    """Return the reminders that are due and that no process has been delivering for so long."""
    rows = connection.execute(
        select(open_loop)
        .where(_is_due(now, held_for), _COLUMNS.ExpiresAt > now)
        .order_by(_COLUMNS.DueAt, _COLUMNS.Id)
        .limit(limit)
    )
    return [loop_of(row) for row in rows]


def claim(connection: Connection, reminder_id: int, now: datetime, held_for: timedelta) -> bool:
    """Begin to deliver a reminder; returns False if another process does, or it is gone."""
    claimed = connection.execute(
        update(open_loop)
        .where(_COLUMNS.Id == reminder_id, _is_due(now, held_for))
        .values(
            Offers=_COLUMNS.Offers + 1,
            FirstOfferedAt=func.coalesce(
                _COLUMNS.FirstOfferedAt, literal(now, _COLUMNS.FirstOfferedAt.type)
            ),
            LastOfferedAt=now,
        )
    )
    return bool(claimed.rowcount)


def finish(connection: Connection, reminder: OpenLoop) -> None:
    """Delete a reminder that was delivered, or can't be. The caller holds the member's lock."""
    connection.execute(delete(open_loop).where(_COLUMNS.Id == reminder.id, _IS_REMINDER))


def _is_due(now: datetime, held_for: timedelta) -> ColumnElement[bool]:
    is_free = or_(_COLUMNS.LastOfferedAt.is_(None), _COLUMNS.LastOfferedAt <= now - held_for)
    return and_(_IS_REMINDER, _COLUMNS.DueAt <= now, is_free)
