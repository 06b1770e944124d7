"""Counters per server, day (UTC), name and label."""

from collections.abc import Collection, Mapping
from datetime import date

from sqlalchemy import bindparam, func, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import insert_new
from utils.database.schema.memory_tables import daily_count
from utils.models.operator import CounterName, DailyCount

Key = tuple[int, date, CounterName, str]
"""Server id, day, counter name, label."""

KEY = ("GuildId", "Day", "Name", "Label")


def add(connection: Connection, counts: Mapping[Key, int]) -> None:
    """Add to the counts; missing rows are inserted.

    The number of statements does not depend on the number of counts, because other writers wait.
    """
    keys = sorted(counts)
    rows = [
        {"GuildId": guild_id, "Day": day.isoformat(), "Name": name, "Label": label}
        for guild_id, day, name, label in keys
    ]
    columns = daily_count.c
    stored = connection.execute(
        select(*(columns[name] for name in KEY)).where(
            columns.GuildId.in_({row["GuildId"] for row in rows}),
            columns.Day.in_({row["Day"] for row in rows}),
        )
    )
    existing = {tuple(row) for row in stored}
    new = [row | {"Count": 0} for row in rows if tuple(row.values()) not in existing]
    insert_new(connection, daily_count, new)
    change = update(daily_count).where(
        *(columns[name] == bindparam(f"at_{name}") for name in KEY),
    )
    increment = bindparam("more", type_=columns.Count.type)
    connection.execute(
        change.values(Count=columns.Count + increment),
        [
            {f"at_{name}": value for name, value in row.items()} | {"more": counts[key]}
            for row, key in zip(rows, keys, strict=True)
        ],
    )


def since(
    connection: Connection, day: date, names: Collection[CounterName], guild_id: int | None = None
) -> list[DailyCount]:
    """Return the counts since a day, of one server or (None) of each, the oldest day first."""
    columns = daily_count.c
    query = select(daily_count).where(columns.Day >= day.isoformat(), columns.Name.in_(names))
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    order = (columns.Day, columns.GuildId, columns.Name, columns.Label)
    rows = connection.execute(query.order_by(*order))
    return [
        DailyCount(
            row.GuildId, date.fromisoformat(row.Day), CounterName(row.Name), row.Label, row.Count
        )
        for row in rows
    ]


def totals(connection: Connection, day: date, names: Collection[CounterName]) -> list[DailyCount]:
    """Return the counts since a day summed over all servers, the oldest day first."""
    columns = daily_count.c
    group = (columns.Day, columns.Name, columns.Label)
    rows = connection.execute(
        select(*group, func.sum(columns.Count).label("Count"))
        .where(columns.Day >= day.isoformat(), columns.Name.in_(names))
        .group_by(*group)
        .order_by(*group)
    )
    return [
        DailyCount(
            None, date.fromisoformat(row.Day), CounterName(row.Name), row.Label, int(row.Count)
        )
        for row in rows
    ]
