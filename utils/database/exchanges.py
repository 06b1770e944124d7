"""Messages to Kith and what it answered, as they are still stored: the newest ones."""

from datetime import datetime

from sqlalchemy import select

from utils.database.engine import Session
from utils.database.events import HEARD, event_from
from utils.database.tables import memory_event
from utils.model.memory import Event, Role

MOST_LOOKED_AT = 5_000  # events, the newest


def latest(session: Session, now: datetime, guild_id: int | None = None) -> list[tuple[Event, str]]:
    """Return messages that were answered, newest first, each with the words of its answer.

    Of the newest MOST_LOOKED_AT events, those of one server only if it is named.
    """
    columns = memory_event.c
    query = select(*HEARD).where(columns.ExpiresAt > now)
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    rows = session.execute(query.order_by(columns.Id.desc()).limit(MOST_LOOKED_AT))
    heard = [event_from(row) for row in rows]
    answers: dict[tuple[int, int], str] = {}
    for event in reversed(heard):
        if event.role is Role.KITH and event.reply_to_id and event.text:
            key = event.guild_id, event.reply_to_id
            answers[key] = f"{answers[key]} {event.text}" if key in answers else event.text
    asked = [
        event
        for event in heard
        if event.role is Role.MEMBER and (event.guild_id, event.message_id) in answers
    ]
    return [(one, answers[one.guild_id, one.message_id]) for one in asked if one.text]
