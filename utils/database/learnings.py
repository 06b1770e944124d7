"""What was learnt when, for drift: kinds, confidences and topics of the newest memories."""

from datetime import datetime

from sqlalchemy import select

from utils.database.engine import Session
from utils.database.tables import user_memory
from utils.model.memory import Kind

MOST_LOOKED_AT = 5_000


def newest(session: Session) -> list[tuple[datetime, Kind, float, tuple[str, ...]]]:
    """Return of the newest MOST_LOOKED_AT memories, whosever, when each was made, its kind, its
    confidence and its topics."""
    columns = user_memory.c
    query = (
        select(columns.CreatedAt, columns.Kind, columns.Confidence, columns.Topics)
        .order_by(columns.Id.desc())
        .limit(MOST_LOOKED_AT)
    )
    return [
        (row.CreatedAt, row.Kind, row.Confidence, tuple(filter(None, row.Topics.split(","))))
        for row in session.execute(query)
    ]
