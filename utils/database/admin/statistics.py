"""Count memories, one range of ids at a time, and store the counts.

A range is one short read, so writers do not wait for a million rows to be counted.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Integer, case, delete, func, literal, select

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, rows_for, upsert
from utils.database.schema.memory_tables import census, user_memory, user_state
from utils.models.admin import AGES, LATER, NEVER, WEEKS_AHEAD, Census
from utils.models.memory import SERVER_USER_ID, Kind, Status

RANGE_SIZE = 20_000  # rows counted at once: about 60 ms
GUILDS_AT_ONCE = 200
ALL_SERVERS = -1  # GuildId of the census of all servers
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Group:
    """The count of similar memories; ``age`` is an index of AGES, ``end`` a number of weeks."""

    guild_id: int
    kind: Kind
    status: Status
    importance: int
    age: int
    end: int
    count: int


def next_groups(
    connection: Connection, after_id: int, now: datetime
) -> tuple[list[Group], int | None]:
    """Count the memories after an id; returns the groups and the last id (None: the end).

    The database does the grouping, so this process stays free for other work.
    """
    columns = user_memory.c
    last_id = connection.scalar(
        select(columns.Id)
        .where(columns.Id > after_id)
        .order_by(columns.Id)
        .offset(RANGE_SIZE - 1)
        .limit(1)
    )
    conditions = [columns.Id > after_id, *([] if last_id is None else [columns.Id <= last_id])]
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
        .where(*conditions)
        .subquery()
    )
    by = (*alike.c,)
    rows = connection.execute(select(*by, func.count().label("Count")).group_by(*by))
    return [Group(*values) for values in map(tuple, rows)], last_id


def _age(now: datetime) -> ColumnElement[int]:
    """Return the index of the youngest age group of AGES that a row belongs to."""
    columns = user_memory.c
    younger = [
        (columns.CreatedAt > now - timedelta(days=days), number)
        for number, days in enumerate(AGES.values())
        if days is not None
    ]
    return case(*younger, else_=literal(len(AGES) - 1, Integer))


def _end(now: datetime) -> ColumnElement[int]:
    """Return in how many weeks a row expires; LATER after the last week, NEVER if permanent."""
    columns = user_memory.c
    soon = [(columns.ExpiresAt <= now + WEEK * (week + 1), week) for week in range(WEEKS_AHEAD)]
    return case((columns.ExpiresAt.is_(None), NEVER), *soon, else_=literal(LATER, Integer))


def known_members(connection: Connection, after_id: int) -> dict[int, int]:
    """Return the number of known members of the next servers, in the order of their ids."""
    columns = user_state.c
    rows = connection.execute(
        select(columns.GuildId, func.count())
        .where(columns.GuildId > after_id, columns.UserId != SERVER_USER_ID)
        .group_by(columns.GuildId)
        .order_by(columns.GuildId)
        .limit(GUILDS_AT_ONCE)
    )
    return {row[0]: row[1] for row in rows}


def save(connection: Connection, censuses: Sequence[Census]) -> None:
    """Store counts; they replace earlier ones of the same servers."""
    for counts in censuses:
        row = {"At": counts.at, "Body": to_json(counts)}
        upsert(connection, census, {"GuildId": _stored_id(counts.guild_id)}, row)


def remove_others(connection: Connection, at: datetime) -> None:
    """Remove the counts of servers that were not counted at that time: they have no data left."""
    connection.execute(delete(census).where(census.c.At != at))


def load(connection: Connection, guild_id: int | None) -> Census | None:
    """Return the last count of a server or (None) of all, or None."""
    row = connection.execute(
        select(census.c.At, census.c.Body).where(census.c.GuildId == _stored_id(guild_id))
    ).one_or_none()
    return None if row is None else from_json(row.Body, guild_id, row.At)


def load_all(connection: Connection, guild_ids: Sequence[int]) -> dict[int, Census]:
    """Return the last counts of several servers by id; those never counted are missing."""
    rows = rows_for(connection, select(census).where(census.c.GuildId.in_(IDS)), guild_ids)
    return {row.GuildId: from_json(row.Body, row.GuildId, row.At) for row in rows}


def to_json(counts: Census) -> str:
    """Return the counts as JSON."""
    values = asdict(counts)
    del values["guild_id"], values["at"]
    return json.dumps(values)


def from_json(text: str, guild_id: int | None, at: datetime) -> Census:
    """Return stored counts."""
    values = json.loads(text)
    return Census(guild_id, at, **values | {"expiring": tuple(values["expiring"])})


def _stored_id(guild_id: int | None) -> int:
    return ALL_SERVERS if guild_id is None else guild_id
