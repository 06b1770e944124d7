"""Counters per server, day (UTC), name and label."""

from collections.abc import Collection, Mapping
from datetime import date

from sqlalchemy import bindparam, func, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, insert_new, rows_for
from utils.database.schema.memory_tables import daily_count
from utils.models.operator import CounterName, DailyCount

_COUNT = daily_count.c

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
    stored = connection.execute(
        select(*(_COUNT[name] for name in KEY)).where(
            _COUNT.GuildId.in_({row["GuildId"] for row in rows}),
            _COUNT.Day.in_({row["Day"] for row in rows}),
        )
    )
    existing = {tuple(row) for row in stored}
    new = [row | {"Count": 0} for row in rows if tuple(row.values()) not in existing]
    insert_new(connection, daily_count, new)
    change = update(daily_count).where(
        *(_COUNT[name] == bindparam(f"at_{name}") for name in KEY),
    )
    increment = bindparam("more", type_=_COUNT.Count.type)
    connection.execute(
        change.values(Count=_COUNT.Count + increment),
        [
            {f"at_{name}": value for name, value in row.items()} | {"more": counts[key]}
            for row, key in zip(rows, keys, strict=True)
        ],
    )


def since(
    connection: Connection,
    day: date,
    names: Collection[CounterName],
    guild_ids: Collection[int] | None = None,
) -> list[DailyCount]:
    """Return the counts since a day of each of these servers, each's oldest day first.

    ``guild_ids`` None: they are summed over all servers.
    """
    key = [_COUNT.Day, _COUNT.Name, _COUNT.Label]
    if guild_ids is not None:
        key.append(_COUNT.GuildId)
    query = (
        select(*key, func.sum(_COUNT.Count).label("Count"))
        .where(_COUNT.Day >= day.isoformat(), _COUNT.Name.in_(names))
        .group_by(*key)
        .order_by(*key)
    )
    rows = (
        connection.execute(query).all()
        if guild_ids is None
        else rows_for(connection, query.where(_COUNT.GuildId.in_(IDS)), guild_ids)
    )
    return [
        DailyCount(
            None if guild_ids is None else row.GuildId,
            date.fromisoformat(row.Day),
            CounterName(row.Name),
            row.Label,
            int(row.Count),
        )
        for row in rows
    ]
