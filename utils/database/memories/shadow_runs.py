"""Comparisons of the shadow policy with the active one: ids and sizes, never text."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select

from utils.database.core.engine import Connection
from utils.database.core.queries import chunks, from_row, to_row
from utils.database.memories import members
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import memory_event, shadow_recall
from utils.models.recall_policy import ShadowRow

MAX_REPORTED = 5_000


def add(connection: Connection, rows: Sequence[ShadowRow]) -> None:
    """Store comparisons, except those of messages that were erased by now."""
    for guild_id in sorted({row.guild_id for row in rows}):
        user_ids = {row.user_id for row in rows if row.guild_id == guild_id}
        members.lock_existing(connection, guild_id, user_ids)
    existing = _existing_messages(connection, rows)
    values = [
        to_row(
            shadow_recall,
            row,
            ActiveIds=_join(row.active_ids),
            ShadowIds=_join(row.shadow_ids),
        )
        for row in rows
        if (row.guild_id, row.message_id) in existing
    ]
    if values:
        connection.execute(insert(shadow_recall), values)


def load_latest(connection: Connection, version: int) -> list[ShadowRow]:
    """Return a version's newest comparisons, newest first, at most MAX_REPORTED."""
    columns = shadow_recall.c
    query = (
        select(shadow_recall)
        .where(columns.ShadowVersion == version)
        .order_by(columns.Id.desc())
        .limit(MAX_REPORTED)
    )
    return [
        from_row(ShadowRow, row, active_ids=_split(row.ActiveIds), shadow_ids=_split(row.ShadowIds))
        for row in connection.execute(query)
    ]


def _existing_messages(connection: Connection, rows: Sequence[ShadowRow]) -> set[tuple[int, int]]:
    """Return (server, message) of the comparisons whose message is still stored with text."""
    columns, existing = memory_event.c, set[tuple[int, int]]()
    for guild_id in sorted({row.guild_id for row in rows}):
        ids = sorted({row.message_id for row in rows if row.guild_id == guild_id})
        for chunk in chunks(ids):
            query = select(columns.MessageId).where(
                columns.GuildId == guild_id,
                columns.MessageId.in_(chunk),
                is_not_empty(columns.Text),
            )
            existing |= {(guild_id, message_id) for message_id in connection.scalars(query)}
    return existing


def _join(ids: Sequence[int]) -> str:
    return " ".join(map(str, ids))


def _split(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def delete_old(connection: Connection, before: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` comparisons from before a time; returns how many, by server."""
    columns = shadow_recall.c
    rows = connection.execute(
        select(columns.Id, columns.GuildId)
        .where(columns.At < before)
        .order_by(columns.At)
        .limit(limit)
    ).all()
    if rows:
        connection.execute(delete(shadow_recall).where(columns.Id.in_([row.Id for row in rows])))
    return Counter(row.GuildId for row in rows)
