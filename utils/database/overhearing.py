"""Messages that were said to others in a watched channel, as far as a note rests on them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select

from utils.database import events
from utils.database.engine import Session
from utils.database.tables import memory_event
from utils.model.memory import Event, EventState


def store(session: Session, event: Event, expires_at: datetime) -> int | None:
    """Store a message as the ground of a note; returns its id, None when it is known already."""
    if not events.insert(session, event, expires_at, EventState.OVERHEARD):
        return None
    columns = memory_event.c
    return session.scalar(
        select(columns.Id).where(
            columns.GuildId == event.guild_id,
            columns.MessageId == event.message_id,
            columns.Revision == event.revision,
            columns.State == EventState.OVERHEARD,
        )
    )


def delete_groundless(session: Session, event_ids: Sequence[int]) -> None:
    """Delete messages again that no note came to rest on."""
    session.execute(delete(memory_event).where(memory_event.c.Id.in_(event_ids)))
