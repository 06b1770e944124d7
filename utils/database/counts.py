"""How often things happened, a row for each server, day (UTC), name and label."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from utils.database.engine import Session
from utils.database.tables import daily_count
from utils.database.upsert import insert_new
from utils.model.operator import Counted, DayCount

Key = tuple[int, date, Counted, str]
"""A server, a day, what is counted, and its label."""

KEY = ("GuildId", "Day", "Name", "Label")


def add(session: Session, counts: Mapping[Key, int]) -> None:
    """Add to the counts of days; rows are made where there are none.

    A few statements however many there are: SQLite has one writer, and others wait for it.
    """
    keys = sorted(counts)
    rows = [
        {"GuildId": guild_id, "Day": day.isoformat(), "Name": name, "Label": label}
        for guild_id, day, name, label in keys
    ]
    known = _known(session, rows)
    new = [row | {"Count": 0} for row in rows if tuple(row.values()) not in known]
    insert_new(session, daily_count, new)
    columns = daily_count.c
    change = update(daily_count).where(
        *(columns[name] == bindparam(f"at_{name}") for name in KEY),
    )
    more = bindparam("more", type_=columns.Count.type)
    session.execute(
        change.values(Count=columns.Count + more),
        [
            {f"at_{name}": value for name, value in row.items()} | {"more": counts[key]}
            for row, key in zip(rows, keys, strict=True)
        ],
    )


def _known(session: Session, rows: Sequence[Mapping[str, Any]]) -> set[tuple[Any, ...]]:
    """Return the keys of the rows that there are, of these servers and days."""
    columns = daily_count.c
    found = session.execute(
        select(*(columns[name] for name in KEY)).where(
            columns.GuildId.in_({row["GuildId"] for row in rows}),
            columns.Day.in_({row["Day"] for row in rows}),
        )
    )
    return {tuple(row) for row in found}


def since(
    session: Session, day: date, names: Collection[Counted], guild_id: int | None = None
) -> list[DayCount]:
    """Return what was counted from a day on, of one server or of all, the oldest day first."""
    columns = daily_count.c
    query = select(daily_count).where(columns.Day >= day.isoformat(), columns.Name.in_(names))
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    rows = session.execute(query.order_by(columns.Day, columns.GuildId, columns.Name))
    return [
        DayCount(row.GuildId, date.fromisoformat(row.Day), Counted(row.Name), row.Label, row.Count)
        for row in rows
    ]


def totals(session: Session, day: date, names: Collection[Counted]) -> list[DayCount]:
    """Return what was counted from a day on in all servers together, the oldest day first."""
    columns = daily_count.c
    each = (columns.Day, columns.Name, columns.Label)
    rows = session.execute(
        select(*each, func.sum(columns.Count).label("Count"))
        .where(columns.Day >= day.isoformat(), columns.Name.in_(names))
        .group_by(*each)
        .order_by(columns.Day, columns.Name)
    )
    return [
        DayCount(None, date.fromisoformat(row.Day), Counted(row.Name), row.Label, int(row.Count))
        for row in rows
    ]


def remove(session: Session, before: date) -> int:
    """Remove the counts of days before that; returns how many rows went."""
    old = delete(daily_count).where(daily_count.c.Day < before.isoformat())
    return session.execute(old).rowcount
