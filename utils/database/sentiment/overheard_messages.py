"""Watched messages that are kept because a note cites them as evidence."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, rows_for, run_for, values_for
from utils.database.messages import changes, events
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import memory_event, message_score, waiting_message
from utils.database.sentiment import waiting_messages
from utils.models.memory import Event, EventState

VERDICT_WAIT = timedelta(days=1)
"""How long the message of a note waits for a verdict."""


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
    connection.execute(
        update(memory_event).where(memory_event.c.Id == event_id).values(ExpiresAt=expires_at)
    )


def unverified(connection: Connection, now: datetime) -> dict[int, tuple[int, ...]]:
    """Return the messages whose notes wait for a verdict, by server.

    They are kept for a day; a message that a note cites is kept for longer.
    """
    rows = connection.execute(
        select(memory_event.c.GuildId, memory_event.c.Id).where(
            memory_event.c.State == EventState.OVERHEARD,
            memory_event.c.ExpiresAt > now,
            memory_event.c.ExpiresAt <= now + VERDICT_WAIT,
            memory_event.c.CreatedAt > now - VERDICT_WAIT,
        )
    )
    return grouped(rows)


def authors_of(connection: Connection, event_ids: Sequence[int]) -> set[int]:
    """Return the authors of messages."""
    query = select(memory_event.c.AuthorId).where(memory_event.c.Id.in_(IDS)).distinct()
    return set(values_for(connection, query, event_ids))


def queue_again(connection: Connection, event_ids: Sequence[int]) -> None:
    """Move messages of one server back into the queue of watched messages.

    The caller has locked their authors (members.lock_authors).
    """
    query = select(*events.EVENT_COLUMNS).where(
        memory_event.c.Id.in_(IDS), is_not_empty(memory_event.c.Text)
    )
    messages = [events.event_from(row) for row in rows_for(connection, query, event_ids)]
    if messages:
        waiting_messages.store(connection, messages, with_scored=True)
    delete_unused(connection, event_ids)


def delete_unused(connection: Connection, event_ids: Sequence[int]) -> None:
    """Delete messages that no note cites."""
    run_for(connection, delete(memory_event).where(memory_event.c.Id.in_(IDS)), event_ids)
