"""Count memories, one range of ids at a time, and store the counts.

A range is one short read, so writers do not wait for a million rows to be counted.
"""

from collections import Counter
from datetime import date, datetime, timedelta
from typing import TypeAlias

from sqlalchemy import Integer, case, delete, func, insert, literal, select

from utils.database.core.engine import Connection
from utils.database.memories.memory_rows import CURRENT
from utils.database.schema.memory_tables import daily_count, user_memory, user_state
from utils.models.admin import AGES, LATER, NEVER, WEEKS_AHEAD
from utils.models.memory import SERVER_USER_ID
from utils.models.operator import CENSUS_NAMES, CounterName

_MEMORY, _STATE = user_memory.c, user_state.c

RANGE_SIZE = 20_000  # rows counted at once: about 60 ms
WEEK = timedelta(days=7)


Counts: TypeAlias = Counter[tuple[int, CounterName, str]]
"""Numbers by server id, name and label."""


def count_range(connection: Connection, after_id: int, now: datetime) -> tuple[Counts, int | None]:
    """Count the memories after an id; returns the counts and the last id (None: the end).

    The database does the grouping, so this process stays free for other work.
    """
    last_id = connection.scalar(
        select(_MEMORY.Id)
        .where(_MEMORY.Id > after_id)
        .order_by(_MEMORY.Id)
        .offset(RANGE_SIZE - 1)
        .limit(1)
    )
    conditions = [_MEMORY.Id > after_id, *([] if last_id is None else [_MEMORY.Id <= last_id])]
    younger = [
        (_MEMORY.CreatedAt > now - timedelta(days=days), number)
        for number, days in enumerate(AGES.values())
        if days is not None
    ]
    # In how many weeks a row expires; LATER after the last week, NEVER if permanent.
    soon = [(_MEMORY.ExpiresAt <= now + WEEK * (week + 1), week) for week in range(WEEKS_AHEAD)]
    end = case((_MEMORY.ExpiresAt.is_(None), NEVER), *soon, else_=literal(LATER, Integer))
    # Grouped by name: SQL Server takes two equal expressions with parameters for different ones.
    alike = (
        select(
            _MEMORY.GuildId,
            _MEMORY.Kind,
            _MEMORY.Status,
            case(*younger, else_=literal(len(AGES) - 1, Integer)).label("Age"),
            end.label("Week"),
        )
        .where(*conditions)
        .subquery()
    )
    by = (*alike.c,)
    rows = connection.execute(select(*by, func.count().label("Count")).group_by(*by))
    counts: Counts = Counter()
    for guild_id, kind, status, age, week, number in map(tuple, rows):
        labels = {CounterName.STATUS: str(status)}
        if status in CURRENT:
            labels |= {
                CounterName.KIND: str(kind),
                CounterName.AGE: list(AGES)[age],
                CounterName.END: str(week),
            }
        counts.update({(guild_id, name, label): number for name, label in labels.items()})
    return counts, last_id


def members(connection: Connection) -> Counts:
    """Return the number of known members of each server."""
    rows = connection.execute(
        select(_STATE.GuildId, func.count())
        .where(_STATE.UserId != SERVER_USER_ID)
        .group_by(_STATE.GuildId)
    )
    return Counter({(row[0], CounterName.MEMBERS, ""): row[1] for row in rows})


def replace(connection: Connection, day: date, counts: Counts) -> None:
    """Store counts in place of all earlier ones."""
    connection.execute(delete(daily_count).where(daily_count.c.Name.in_(CENSUS_NAMES)))
    rows = [
        {
            "GuildId": guild_id,
            "Day": day.isoformat(),
            "Name": name,
            "Label": label,
            "Count": number,
        }
        for (guild_id, name, label), number in counts.items()
    ]
    if rows:
        connection.execute(insert(daily_count), rows)
