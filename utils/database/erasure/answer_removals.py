"""Erased answers that still stand on Discord, until they are deleted there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import delete, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, from_row, insert_new, read_list, run_for, values_for
from utils.database.schema.memory_tables import answer_removal

MAX_QUEUED_AT_ONCE = 1_000  # the newest: deleting one takes Discord about a second

_COLUMNS = answer_removal.c


@dataclass(frozen=True, slots=True)
class AnswerRemoval:
    """One message of Kith's to delete on Discord, how often that was tried, and when it is next."""

    id: int
    guild_id: int
    channel_id: int
    message_id: int
    attempts: int
    due_at: datetime


def queue(
    connection: Connection, guild_id: int, posts: Collection[tuple[int, int]], now: datetime
) -> None:
    """Queue messages of Kith's, each with its channel, to be deleted on Discord."""
    newest = sorted({message_id: channel_id for channel_id, message_id in posts}.items())
    message_ids = [message_id for message_id, _ in newest[-MAX_QUEUED_AT_ONCE:]]
    queued = select(_COLUMNS.MessageId).where(
        _COLUMNS.GuildId == guild_id, _COLUMNS.MessageId.in_(IDS)
    )
    queued_ids = set(values_for(connection, queued, message_ids))
    channel_ids = dict(newest)
    rows = [
        {
            "GuildId": guild_id,
            "ChannelId": channel_ids[message_id],
            "MessageId": message_id,
            "Attempts": 0,
            "DueAt": now,
        }
        for message_id in message_ids
        if message_id not in queued_ids
    ]
    insert_new(connection, answer_removal, rows)


def load_due(connection: Connection, now: datetime, limit: int) -> list[AnswerRemoval]:
    """Return the next messages to delete on Discord, the longest due first."""
    return read_list(
        connection,
        select(answer_removal)
        .where(_COLUMNS.DueAt <= now)
        .order_by(_COLUMNS.DueAt, _COLUMNS.Id)
        .limit(limit),
        partial(from_row, AnswerRemoval),
    )


def finish(connection: Connection, ids: Sequence[int]) -> None:
    """Remove messages from the queue: they are deleted, or cannot be."""
    run_for(connection, delete(answer_removal).where(_COLUMNS.Id.in_(IDS)), ids)


def finish_channels(connection: Connection, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Remove the messages of deleted channels from the queue: Discord deleted them."""
    connection.execute(
        delete(answer_removal).where(
            _COLUMNS.GuildId == guild_id, _COLUMNS.ChannelId.in_(channel_ids)
        )
    )


def postpone(connection: Connection, removal_id: int, due_at: datetime) -> None:
    """Count a failed attempt; the next one is at ``due_at``."""
    connection.execute(
        update(answer_removal)
        .where(_COLUMNS.Id == removal_id)
        .values(Attempts=_COLUMNS.Attempts + 1, DueAt=due_at)
    )
