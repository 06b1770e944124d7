"""What health asks of the database: one small read that every check may afford."""

from sqlalchemy import func, select

from utils.database.engine import Session
from utils.database.tables import WAITING, memory_event
from utils.model.memory import Member
from utils.model.operator import Waiting


def waiting(session: Session, limit: int) -> list[Waiting]:
    """Return how many messages of each member wait to be read, and since when; of the ``limit``
    oldest messages."""
    columns = memory_event.c
    oldest = (
        select(columns.GuildId, columns.AuthorId, columns.CreatedAt)
        .where(WAITING)
        .order_by(columns.Id)
        .limit(limit)
        .subquery()
    )
    rows = session.execute(
        select(
            oldest.c.GuildId,
            oldest.c.AuthorId,
            func.count().label("Messages"),
            func.min(oldest.c.CreatedAt).label("Since"),
        ).group_by(oldest.c.GuildId, oldest.c.AuthorId)
    )
    return [Waiting(Member(row.GuildId, row.AuthorId), row.Messages, row.Since) for row in rows]
