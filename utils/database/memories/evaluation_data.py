"""What policy evaluation reads and stores.

It reads answered messages. It stores comparisons of the shadow policy with the active one: ids and
sizes, never text.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert, select

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import from_row, to_row
from utils.database.memories import members
from utils.database.messages import changes
from utils.database.messages.events import EVENT_COLUMNS, event_from
from utils.database.schema.memory_tables import memory_event, shadow_recall
from utils.models.memory import Event, Role
from utils.models.recall_policy import ShadowRow

_SHADOW, _EVENT = shadow_recall.c, memory_event.c

MAX_EXAMINED = 5_000  # the newest rows
MAX_REPORTED = 5_000


def latest_exchanges(
    connection: Connection, now: datetime, guild_id: int | None
) -> list[tuple[Event, str]]:
    """Return answered messages, newest first, each with the text of its answer.

    Looks at the newest MAX_EXAMINED events, of one server if ``guild_id`` is given.
    """
    query = select(*EVENT_COLUMNS).where(_EVENT.ExpiresAt > now)
    if guild_id is not None:
        query = query.where(_EVENT.GuildId == guild_id)
    rows = connection.execute(query.order_by(_EVENT.Id.desc()).limit(MAX_EXAMINED))
    events = [event_from(row) for row in rows]
    answers: dict[tuple[int, int], str] = {}
    for event in reversed(events):
        if event.role is Role.KITH and event.reply_to_id and event.text:
            key = event.guild_id, event.reply_to_id
            answers[key] = f"{answers[key]} {event.text}" if key in answers else event.text
    return [
        (event, answers[event.guild_id, event.message_id])
        for event in events
        if event.role is Role.MEMBER
        and event.text
        and (event.guild_id, event.message_id) in answers
    ]


def add_comparisons(connection: Connection, rows: Sequence[ShadowRow]) -> None:
    """Store comparisons, except those of messages that were erased by now."""
    for guild_id in sorted({row.guild_id for row in rows}):
        user_ids = {row.user_id for row in rows if row.guild_id == guild_id}
        members.lock_existing(connection, guild_id, user_ids)
    existing = {
        (guild_id, message_id)
        for guild_id, ids in grouped((row.guild_id, row.message_id) for row in rows).items()
        for message_id in changes.stored_ids(connection, guild_id, ids, with_text=True)
    }
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


def load_comparisons(connection: Connection, version: int) -> list[ShadowRow]:
    """Return a version's newest comparisons, newest first, at most MAX_REPORTED."""
    query = (
        select(shadow_recall)
        .where(_SHADOW.ShadowVersion == version)
        .order_by(_SHADOW.Id.desc())
        .limit(MAX_REPORTED)
    )
    return [
        from_row(ShadowRow, row, active_ids=_split(row.ActiveIds), shadow_ids=_split(row.ShadowIds))
        for row in connection.execute(query)
    ]


def _join(ids: Sequence[int]) -> str:
    return " ".join(map(str, ids))


def _split(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
