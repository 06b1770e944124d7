"""Erase everything that watching stored about messages, channels or a member."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, or_, select

from utils.database.core.engine import Connection
from utils.database.core.queries import delete_all, of_member
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import (
    alert,
    alert_message,
    message_score,
    moderator_action,
    tension,
    waiting_message,
    watched_channel,
)
from utils.database.sentiment import alerts, waiting_messages
from utils.database.sentiment import tension as scores
from utils.models.memory import Member
from utils.models.operator import Erasure, ErasureKind


def erase_messages(
    connection: Connection, guild_id: int, message_ids: Sequence[int], now: datetime
) -> None:
    """Delete messages from the queue, and the scores of those already analysed.

    Only deleted scores enter the erasure ledger: backups never restore waiting messages.
    """
    waiting_messages.delete_messages(connection, guild_id, message_ids)
    for score in scores.scores(connection, guild_id, message_ids):
        erasure = Erasure(
            now, ErasureKind.MESSAGE, guild_id, score.user_id, message_id=score.message_id
        )
        erasure_ledger.record(connection, erasure)
    scores.delete_scores(connection, guild_id, message_ids)


def erase_channels(connection: Connection, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete everything stored for deleted channels and threads, and stop watching them."""
    for table in (waiting_message, message_score):
        columns = table.c
        is_there = or_(columns.PlaceId.in_(channel_ids), columns.ChannelId.in_(channel_ids))
        connection.execute(delete(table).where(columns.GuildId == guild_id, is_there))
    for table in (watched_channel, tension):
        columns = table.c
        connection.execute(
            delete(table).where(columns.GuildId == guild_id, columns.ChannelId.in_(channel_ids))
        )
    alert_ids = connection.scalars(
        select(alert.c.Id).where(alert.c.GuildId == guild_id, alert.c.PlaceId.in_(channel_ids))
    ).all()
    alerts.erase(connection, guild_id, alert_ids)


def erase_member(connection: Connection, member: Member) -> None:
    """Delete a member's waiting messages, scores and tension, and their part in alerts."""
    for table in (waiting_message, message_score, tension, alert_message, moderator_action):
        delete_all(connection, table, of_member(table, member))
