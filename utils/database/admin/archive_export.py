"""Read the rows of an archive from the database, as its lines."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import Row, Select, or_, select

from utils.database.admin.archive_rows import ARCHIVED, PARTS, with_references, write_line
from utils.database.core import queries
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, of_member, rows_for
from utils.database.erasure.inventory import Part, TableErasure
from utils.database.schema.memory_tables import (
    guild_settings,
    memory_event,
    user_memory,
    user_state,
)
from utils.models.memory import Member

Line: TypeAlias = tuple[str, bytes]
"""The name of a table, and the line of a row of it."""


def next_members(
    connection: Connection, guild_id: int | None, user_id: int | None, after: Member, limit: int
) -> list[Member]:
    """Return the next members after ``after`` who have stored data, in the order of their ids.

    ``guild_id`` and ``user_id`` None: of all servers, of all people.
    """
    ids = ((user_state.c.GuildId, guild_id), (user_state.c.UserId, user_id))
    conditions = [column == value for column, value in ids if value is not None]
    return queries.next_members(connection, user_state, after, limit, *conditions)


def servers(connection: Connection, guild_id: int | None) -> list[int]:
    """Return the servers with settings, in order; only ``guild_id`` if it is not None."""
    columns = guild_settings.c
    query = select(columns.GuildId).where(columns.RemovedAt.is_(None)).order_by(columns.GuildId)
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    return list(connection.scalars(query))


def part_lines(
    connection: Connection, member: Member, now: datetime, *parts: Part
) -> dict[Part, list[Line]]:
    """Return the lines of these parts of a member's archive. Part.SERVER takes their server's."""
    memories = connection.execute(_query(ARCHIVED[user_memory.name], member, now))
    uids = {str(row.Id): row.Uid for row in memories}
    return {
        part: [
            (name, write_line(name, values))
            for name, entry in ARCHIVED.items()
            if PARTS[name] is part
            for row in _rows(connection, entry, member, uids, now)
            if (values := _with_uids(row._asdict(), uids))
        ]
        for part in parts
    }


def message_lines(
    connection: Connection, member: Member, after_id: int, now: datetime, limit: int
) -> tuple[list[Line], int | None]:
    """Return the lines of a member's next stored messages, and the row id after which more follow;
    None: there are no more."""
    query = _query(ARCHIVED[memory_event.name], member, now).where(memory_event.c.Id > after_id)
    rows = connection.execute(query.limit(limit)).all()
    lines = [(memory_event.name, write_line(memory_event.name, row._asdict())) for row in rows]
    return lines, rows[-1].Id if len(rows) == limit else None


def _query(entry: TableErasure, member: Member, now: datetime) -> Select[Any]:
    """Return the query of a table's rows; of those that belong to memories, of the whole server."""
    columns, archived = entry.table.c, entry.archived
    query = select(entry.table).where(
        # "+ 0": SQLite would read all of the server's for each member.
        (columns.GuildId + 0 if "MemoryId" in columns else columns.GuildId) == member.guild_id
    )
    if archived and archived.only is not None:
        query = query.where(archived.only)
    if "ExpiresAt" in columns:
        query = query.where(or_(columns.ExpiresAt.is_(None), columns.ExpiresAt > now))
    order = [columns.Id] if "Id" in columns else list(entry.table.primary_key)
    if "MemoryId" in columns:
        return query.order_by(*dict.fromkeys((columns.MemoryId, *order)))
    if PARTS[entry.table.name] is not Part.SERVER:
        query = query.where(columns[entry.member[0]] == member.user_id)
    return query.order_by(*order)


def _rows(
    connection: Connection,
    entry: TableErasure,
    member: Member,
    uids: Mapping[str, str],
    now: datetime,
) -> list[Row[*tuple[Any, ...]]]:
    query, columns = _query(entry, member, now), entry.table.c
    if "MemoryId" not in columns:
        return list(connection.execute(query))
    rows = rows_for(connection, query.where(columns.MemoryId.in_(IDS)), [*map(int, uids)])
    if columns.MemoryId.nullable:  # the audit has entries about all memories of a member at once
        of_all = query.where(of_member(entry.table, member), columns.MemoryId.is_(None))
        rows = [*connection.execute(of_all), *rows]
    return rows


def _with_uids(row: Mapping[str, Any], uids: Mapping[str, str]) -> dict[str, Any]:
    """Return a row that names memories by their uids; empty: it rests on one that has expired.

    A profile is left out with any of its memories.
    """
    values = with_references(row, uids)
    if "ContextMemoryId" in values and not (row["ContextMessageId"] or values["ContextMemoryId"]):
        return {}
    if "NotesRowIds" in values:
        row_ids = row["NotesRowIds"].split()
        is_whole = bool(row_ids) and uids.keys() >= set(row_ids)
        values["NotesRowIds"] = [uids[row_id] for row_id in row_ids] if is_whole else []
        values["UserNotes"] = row["UserNotes"] if is_whole else ""
    return values
