"""The read behind health checks, cheap enough for every check."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import case, func, select

from utils.database.core.engine import Connection
from utils.database.messages.events import FAILURE
from utils.database.schema.memory_tables import WAITING, memory_event
from utils.models.memory import Member
from utils.models.operator import PendingMessages

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def pending_messages(connection: Connection, limit: int) -> list[PendingMessages]:
    """Return the messages of each burst that wait for extraction, and since when.

    Counts the ``limit`` oldest messages. An edited message waits since its edit.
    """
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
    by_burst = oldest.c.GuildId, oldest.c.AuthorId, oldest.c.ChannelId
    rows = connection.execute(
        select(
            *by_burst,
            func.count().label("Messages"),
            func.min(oldest.c.CreatedAt).label("Since"),
            func.min(oldest.c.Revision).label("EditedMs"),
            func.max(oldest.c.Attempts).label("Attempts"),
        ).group_by(*by_burst, oldest.c.IsEdited)
    )
    bursts: dict[tuple[Member, int], PendingMessages] = {}
    for row in rows:  # a burst's edited and unedited messages are added up
        edited_at = _EPOCH + timedelta(milliseconds=row.EditedMs)
        burst = PendingMessages(
            Member(row.GuildId, row.AuthorId),
            row.Messages,
            max(row.Since, edited_at),
            is_resting=row.Attempts >= FAILURE,
        )
        key = (burst.member, row.ChannelId)
        if (previous := bursts.get(key)) is not None:
            burst = PendingMessages(
                burst.member,
                burst.messages + previous.messages,
                min(burst.since, previous.since),
                is_resting=burst.is_resting or previous.is_resting,
            )
        bursts[key] = burst
    return list(bursts.values())
