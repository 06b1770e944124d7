"""How often things happened, a row for each server, day (UTC), name and label."""

from collections.abc import Collection, Mapping
from datetime import date

from sqlalchemy import delete, func, select

from utils.database.engine import Session
from utils.database.tables import daily_count
from utils.database.upsert import upsert
from utils.model.operator import Counted, DayCount

Key = tuple[int, date, Counted, str]
"""A server, a day, what is counted, and its label."""


def add(session: Session, counts: Mapping[Key, int]) -> None:
    """Add to the counts of days; rows are made where there are none."""
    for (guild_id, day, name, label), count in sorted(counts.items()):
        upsert(
            session,
            daily_count,
            {"GuildId": guild_id, "Day": day.isoformat(), "Name": name, "Label": label},
            {"Count": count},
            on_update={"Count": daily_count.c.Count + count},
        )


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
