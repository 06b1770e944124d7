"""What health asks of the database: one small read that every check may afford."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Row, case, func, select

from utils.database.engine import Session
from utils.database.events import FAILURE
from utils.database.tables import WAITING, memory_event
from utils.model.memory import Member
from utils.model.operator import Waiting

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def waiting(session: Session, limit: int) -> list[Waiting]:
    """Return how many messages of each burst wait to be read, and since when; of the ``limit``
    oldest messages. What was edited waits since the edit."""
    columns = memory_event.c
    oldest = (
        select(
            columns.GuildId,
            columns.AuthorId,
            columns.ChannelId,
            columns.CreatedAt,
            columns.Revision,
            columns.Attempts,
            case((columns.Revision > 0, 1), else_=0).label("IsEdited"),
        )
        .where(WAITING)
        .order_by(columns.Id)
        .limit(limit)
        .subquery()
    )
    burst = oldest.c.GuildId, oldest.c.AuthorId, oldest.c.ChannelId
    rows = session.execute(
        select(
            *burst,
            func.count().label("Messages"),
            func.min(oldest.c.CreatedAt).label("Since"),
            func.min(oldest.c.Revision).label("EditedMs"),
            func.max(oldest.c.Attempts).label("Attempts"),
        ).group_by(*burst, oldest.c.IsEdited)
    )
    return _merged(rows.all())


def _merged(rows: Sequence[Row[Any]]) -> list[Waiting]:
    """Put together a burst's edited and unedited messages."""
    found: dict[tuple[Member, int], Waiting] = {}
    for row in rows:
        edited_at = _EPOCH + timedelta(milliseconds=row.EditedMs)
        one = Waiting(
            Member(row.GuildId, row.AuthorId),
            row.Messages,
            max(row.Since, edited_at),
            rests=row.Attempts >= FAILURE,
        )
        other = found.get((one.member, row.ChannelId))
        if other is not None:
            one = Waiting(
                one.member,
                one.messages + other.messages,
                min(one.since, other.since),
                rests=one.rests or other.rests,
            )
        found[one.member, row.ChannelId] = one
    return list(found.values())
