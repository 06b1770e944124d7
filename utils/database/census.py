"""Counting what is remembered, a stretch of ids at a time, and keeping what was counted.

A stretch is one short read: nobody who writes waits for a million rows to be counted.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Integer, case, delete, func, literal, select

from utils.database.engine import Session
from utils.database.memories import chunks
from utils.database.tables import census, user_memory, user_state
from utils.database.upsert import upsert
from utils.model.browsing import AGES, LATER, NEVER, WEEKS_AHEAD, Census
from utils.model.memory import SERVER_ITSELF, Kind, Status

STRETCH = 20_000  # rows counted at once: about 60 ms
GUILDS_AT_ONCE = 200
EVERYWHERE = -1  # stands for all servers, where a census has a server's id
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Group:
    """So many memories that are alike; ``age`` and ``end`` are numbers of AGES and of weeks."""

    guild_id: int
    kind: Kind
    status: Status
    importance: int
    age: int
    end: int
    count: int


def next_groups(session: Session, after_id: int, now: datetime) -> tuple[list[Group], int | None]:
    """Count the memories that come after an id; returns also how far that went, None: to the end.

    All of it is grouped by the database, which leaves this process free for others meanwhile.
    """
    columns = user_memory.c
    upto = session.scalar(
        select(columns.Id)
        .where(columns.Id > after_id)
        .order_by(columns.Id)
        .offset(STRETCH - 1)
        .limit(1)
    )
    which = [columns.Id > after_id, *([] if upto is None else [columns.Id <= upto])]
    # Grouped by name: SQL Server takes two equal expressions with parameters for different ones.
    alike = (
        select(
            columns.GuildId,
            columns.Kind,
            columns.Status,
            columns.Importance,
            _age(now).label("Age"),
            _end(now).label("Week"),
        )
        .where(*which)
        .subquery()
    )
    by = (*alike.c,)
    rows = session.execute(select(*by, func.count().label("Count")).group_by(*by))
    return [Group(*values) for values in map(tuple, rows)], upto


def _age(now: datetime) -> ColumnElement[int]:
    """Return the number of the youngest of AGES that a row is not older than."""
    columns = user_memory.c
    younger = [
        (columns.CreatedAt > now - timedelta(days=days), number)
        for number, days in enumerate(AGES.values())
        if days is not None
    ]
    return case(*younger, else_=literal(len(AGES) - 1, Integer))


def _end(now: datetime) -> ColumnElement[int]:
    """Return in how many weeks a row ends; LATER beyond those counted, NEVER where it does not."""
    columns = user_memory.c
    soon = [(columns.ExpiresAt <= now + WEEK * (week + 1), week) for week in range(WEEKS_AHEAD)]
    return case((columns.ExpiresAt.is_(None), NEVER), *soon, else_=literal(LATER, Integer))


def members_known(session: Session, after_id: int) -> dict[int, int]:
    """Return how many members are known in each of the next servers, in the order of their ids."""
    columns = user_state.c
    rows = session.execute(
        select(columns.GuildId, func.count())
        .where(columns.GuildId > after_id, columns.UserId != SERVER_ITSELF)
        .group_by(columns.GuildId)
        .order_by(columns.GuildId)
        .limit(GUILDS_AT_ONCE)
    )
    return {row[0]: row[1] for row in rows}


def save(session: Session, taken: Sequence[Census]) -> None:
    """Store what was counted, in the place of what was counted before."""
    for one in taken:
        counted = {"At": one.at, "Body": to_json(one)}
        upsert(session, census, {"GuildId": _stored_id(one.guild_id)}, counted)


def remove_others(session: Session, at: datetime) -> None:
    """Remove what was not counted at that time: nothing is known of those servers any more."""
    session.execute(delete(census).where(census.c.At != at))


def load(session: Session, guild_id: int | None) -> Census | None:
    """Return what was counted last of a server, or of all (None)."""
    row = session.execute(
        select(census.c.At, census.c.Body).where(census.c.GuildId == _stored_id(guild_id))
    ).one_or_none()
    return None if row is None else from_json(row.Body, guild_id, row.At)


def load_all(session: Session, guild_ids: Sequence[int]) -> dict[int, Census]:
    """Return what was counted last of several servers, by their ids; those not counted are left
    out."""
    columns = census.c
    found: dict[int, Census] = {}
    for some in chunks(guild_ids):
        rows = session.execute(select(census).where(columns.GuildId.in_(some)))
        found |= {row.GuildId: from_json(row.Body, row.GuildId, row.At) for row in rows}
    return found


def to_json(one: Census) -> str:
    """Write the counts as JSON."""
    counts = asdict(one)
    del counts["guild_id"], counts["at"]
    return json.dumps(counts)


def from_json(text: str, guild_id: int | None, at: datetime) -> Census:
    """Read stored counts; what they do not name is 0."""
    stored = json.loads(text)
    known = {one.name: stored[one.name] for one in fields(Census) if one.name in stored}
    known["expiring"] = tuple(known.get("expiring", ()))
    return Census(**{**known, "guild_id": guild_id, "at": at})


def _stored_id(guild_id: int | None) -> int:
    return EVERYWHERE if guild_id is None else guild_id
