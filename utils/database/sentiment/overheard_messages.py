"""Watched messages that are kept because a note cites them as evidence."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select, update

from utils.database.core.engine import Connection
from utils.database.messages import events
from utils.database.schema.memory_tables import memory_event
from utils.models.memory import Event, EventState


def store(connection: Connection, event: Event, expires_at: datetime) -> int | None:
    """Store a message as evidence for notes; returns its id, None if it is already stored."""
    if not events.insert(connection, event, expires_at, EventState.OVERHEARD):
        return None
    columns = memory_event.c
    return connection.scalar(
        select(columns.Id).where(
            columns.GuildId == event.guild_id,
            columns.MessageId == event.message_id,
            columns.Revision == event.revision,
            columns.State == EventState.OVERHEARD,
        )
    )


def keep(connection: Connection, event_id: int, expires_at: datetime) -> None:
    """Keep a message that a note cites until ``expires_at``."""
    columns = memory_event.c
    connection.execute(
        update(memory_event).where(columns.Id == event_id).values(ExpiresAt=expires_at)
    )


def delete_unused(connection: Connection, event_ids: Sequence[int]) -> None:
    """Delete messages that no note cites."""
    connection.execute(delete(memory_event).where(memory_event.c.Id.in_(event_ids)))
