"""What the policy in the shadow would have recalled: ids and sizes, never words."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select

from utils.database.engine import Session
from utils.database.memories import chunks
from utils.database.tables import memory_event, shadow_recall
from utils.database.types import has_words
from utils.model.read_policy import ShadowRow

MOST_REPORTED = 5_000


def add(session: Session, rows: Sequence[ShadowRow]) -> None:
    """Store what was compared; nothing of messages that are gone meanwhile."""
    there = _still_there(session, rows)
    values = [
        {
            "At": row.at,
            "GuildId": row.guild_id,
            "UserId": row.user_id,
            "MessageId": row.message_id,
            "ActiveVersion": row.active_version,
            "ShadowVersion": row.shadow_version,
            "ActiveIds": _written(row.active_ids),
            "ShadowIds": _written(row.shadow_ids),
            "ActiveTokens": row.active_tokens,
            "ShadowTokens": row.shadow_tokens,
            "ActiveMs": row.active_ms,
            "ShadowMs": row.shadow_ms,
        }
        for row in rows
        if (row.guild_id, row.message_id) in there
    ]
    if values:
        session.execute(insert(shadow_recall), values)


def latest(session: Session, version: int) -> list[ShadowRow]:
    """Return what a version showed in the shadow last, newest first, at most MOST_REPORTED."""
    columns = shadow_recall.c
    query = (
        select(shadow_recall)
        .where(columns.ShadowVersion == version)
        .order_by(columns.Id.desc())
        .limit(MOST_REPORTED)
    )
    return [
        ShadowRow(
            at=row.At,
            guild_id=row.GuildId,
            user_id=row.UserId,
            message_id=row.MessageId,
            active_version=row.ActiveVersion,
            shadow_version=row.ShadowVersion,
            active_ids=_read(row.ActiveIds),
            shadow_ids=_read(row.ShadowIds),
            active_tokens=row.ActiveTokens,
            shadow_tokens=row.ShadowTokens,
            active_ms=row.ActiveMs,
            shadow_ms=row.ShadowMs,
        )
        for row in session.execute(query)
    ]


def _still_there(session: Session, rows: Sequence[ShadowRow]) -> set[tuple[int, int]]:
    """Return the messages, by server, whose words are still stored: not those that meanwhile were
    deleted or forgotten, or whose author is, or wants nothing stored."""
    columns, found = memory_event.c, set[tuple[int, int]]()
    for guild_id in sorted({row.guild_id for row in rows}):
        ids = sorted({row.message_id for row in rows if row.guild_id == guild_id})
        for some in chunks(ids):
            there = select(columns.MessageId).where(
                columns.GuildId == guild_id, columns.MessageId.in_(some), has_words(columns.Text)
            )
            found |= {(guild_id, one) for one in session.scalars(there)}
    return found


def _written(ids: Sequence[int]) -> str:
    return " ".join(map(str, ids))


def _read(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def delete_old(session: Session, before: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` of what was noted before a time; returns how many, by server."""
    columns = shadow_recall.c
    rows = session.execute(
        select(columns.Id, columns.GuildId)
        .where(columns.At < before)
        .order_by(columns.At)
        .limit(limit)
    ).all()
    if rows:
        session.execute(delete(shadow_recall).where(columns.Id.in_([row.Id for row in rows])))
    return Counter(row.GuildId for row in rows)
