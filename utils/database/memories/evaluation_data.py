"""What policy evaluation reads: answered messages, and confidences and topics of new memories."""

from datetime import datetime, timedelta

from sqlalchemy import select

from utils.database.core.engine import Connection
from utils.database.messages.events import EVENT_COLUMNS, event_from
from utils.database.schema.memory_tables import memory_event, user_memory
from utils.models.memory import Event, Role

MAX_EXAMINED = 5_000  # the newest rows


def latest_exchanges(
    connection: Connection, now: datetime, guild_id: int | None = None
) -> list[tuple[Event, str]]:
    """Return answered messages, newest first, each with the text of its answer.

    Looks at the newest MAX_EXAMINED events, of one server if ``guild_id`` is given.
    """
    columns = memory_event.c
    query = select(*EVENT_COLUMNS).where(columns.ExpiresAt > now)
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    rows = connection.execute(query.order_by(columns.Id.desc()).limit(MAX_EXAMINED))
    events = [event_from(row) for row in rows]
    answers: dict[tuple[int, int], str] = {}
    for event in reversed(events):
        if event.role is Role.KITH and event.reply_to_id and event.text:
            key = event.guild_id, event.reply_to_id
            answers[key] = f"{answers[key]} {event.text}" if key in answers else event.text
    return [
        (event, answers[event.guild_id, event.message_id])
        for event in events
        if event.role is Role.MEMBER
        and event.text
        and (event.guild_id, event.message_id) in answers
    ]


def newest_memories(
    connection: Connection, min_lifetime: timedelta
) -> list[tuple[datetime, float, tuple[str, ...]]]:
    """Return creation time, confidence and topics of the newest MAX_EXAMINED memories.

    Leaves out memories that expire in less than ``min_lifetime`` after their creation.
    """
    columns = user_memory.c
    query = (
        select(columns.CreatedAt, columns.ExpiresAt, columns.Confidence, columns.Topics)
        .order_by(columns.Id.desc())
        .limit(MAX_EXAMINED)
    )
    return [
        (row.CreatedAt, row.Confidence, tuple(filter(None, row.Topics.split(","))))
        for row in connection.execute(query)
        if row.ExpiresAt is None or row.ExpiresAt - row.CreatedAt >= min_lifetime
    ]
