"""What a policy in the shadow would have recalled: ids beside ids, for thirty days."""

from collections import Counter
from datetime import datetime

from sqlalchemy import delete, select

from utils.database.engine import Session
from utils.database.tables import shadow_recall


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
