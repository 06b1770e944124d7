"""What was learnt when, for drift: confidences and topics of the newest memories."""

from datetime import datetime, timedelta

from sqlalchemy import select

from utils.database.engine import Session
from utils.database.tables import user_memory

MOST_LOOKED_AT = 5_000


def newest(session: Session, lived: timedelta) -> list[tuple[datetime, float, tuple[str, ...]]]:
    """Return of the newest MOST_LOOKED_AT memories, whosever, when each was made, its confidence
    and its topics; only of those that are there for so long, or for good."""
    columns = user_memory.c
    query = (
        select(columns.CreatedAt, columns.ExpiresAt, columns.Confidence, columns.Topics)
        .order_by(columns.Id.desc())
        .limit(MOST_LOOKED_AT)
    )
    return [
        (row.CreatedAt, row.Confidence, tuple(filter(None, row.Topics.split(","))))
        for row in session.execute(query)
        if row.ExpiresAt is None or row.ExpiresAt - row.CreatedAt >= lived
    ]
