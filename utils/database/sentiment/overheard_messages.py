"""Watched messages that are kept because a note cites them as evidence."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, values_for
from utils.database.messages import changes, events
from utils.database.schema.memory_tables import memory_event, message_score, waiting_message
from utils.models.memory import Event, EventState


def store(connection: Connection, event: Event, expires_at: datetime) -> int | None:
    """Store a message as evidence for notes; returns its id, None if it is already stored."""
    if not events.insert(connection, event, expires_at, EventState.OVERHEARD):
        return None
    return events.id_of(connection, event)


def still_watched(connection: Connection, guild_id: int, message_ids: Collection[int]) -> set[int]:
    """Return those of these watched messages that wait or are scored: they were not deleted.

    Stored messages are not among them: what is stored of them says it.
    """
    stored = changes.stored_ids(connection, guild_id, message_ids)
    watched = [
        select(columns.MessageId).where(columns.GuildId == guild_id, columns.MessageId.in_(IDS))
        for columns in (waiting_message.c, message_score.c)
    ]
    not_stored = {*message_ids} - stored
    return {id_ for query in watched for id_ in values_for(connection, query, not_stored)}


def keep(connection: Connection, event_id: int, expires_at: datetime) -> None:
    """Keep a message that a note cites until ``expires_at``."""
    columns = memory_event.c
    connection.execute(
        update(memory_event).where(columns.Id == event_id).values(ExpiresAt=expires_at)
    )


def delete_unused(connection: Connection, event_ids: Sequence[int]) -> None:
    """Delete messages that no note cites."""
    connection.execute(delete(memory_event).where(memory_event.c.Id.in_(event_ids)))
