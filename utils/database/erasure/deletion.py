"""Deleting the rows that belong to a member, a message, a channel or a server, or have ended.

Which tables have such rows stands in inventory.py. The caller holds the locks of the members.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, and_, or_, select

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    chunks,
    delete_all,
    delete_some,
    delete_up_to,
    grouped,
)
from utils.database.erasure.inventory import INVENTORY, End, Extent, Stored
from utils.database.schema.column_types import UtcDateTime
from utils.database.schema.memory_tables import episode
from utils.models.memory import Member

_ENDING = {stored.table.name: stored for stored in INVENTORY if stored.ends}
ENDING = tuple(_ENDING)
"""The names of the tables whose rows end by themselves."""


def delete_of_member(connection: Connection, member: Member, extent: Extent) -> int:
    """Delete the rows that go with so much of a member; returns how many."""
    return sum(
        delete_all(connection, stored.table, is_theirs)
        for stored, is_theirs in _rows_of_member(member, extent)
    )


def delete_said_up_to(
    connection: Connection, member: Member, message_id: int, at: datetime
) -> None:
    """Delete the rows that go with what a member said up to a message, after their messages.

    Rows that name no message are deleted if they are not newer than ``at``.
    """
    ended = select(episode.c.Id).where(episode.c.GuildId == member.guild_id, episode.c.LastAt <= at)
    for stored, is_theirs in _rows_of_member(member, Extent.SAID):
        columns = stored.table.c
        if "MessageId" in columns:
            is_old = columns.MessageId <= message_id
        elif "EpisodeId" in columns:
            is_old = columns.EpisodeId.in_(ended)
        elif "At" in columns:
            is_old = columns.At <= at
        else:  # part of another table's rows
            continue
        _delete(connection, stored, member.guild_id, and_(is_theirs, is_old))


def _rows_of_member(member: Member, extent: Extent) -> Iterator[tuple[Stored, ColumnElement[bool]]]:
    """Yield each table with rows that go with so much of a member, and the condition for them."""
    for stored in INVENTORY:
        if stored.goes_with is not None and stored.goes_with <= extent:
            names_them = or_(*(column == member.user_id for column in stored.member_columns))
            yield stored, and_(stored.table.c.GuildId == member.guild_id, names_them)


def delete_of_messages(
    connection: Connection, guild_id: int, message_ids: Sequence[int], *tables: Table
) -> None:
    """Delete the rows that go with messages; ``tables``: only those of these tables."""
    for stored in INVENTORY:
        if stored.with_message and (not tables or stored.table in tables):
            for ids in chunks(message_ids):
                _delete(connection, stored, guild_id, stored.table.c.MessageId.in_(ids))


def delete_of_channels(connection: Connection, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete what belongs to deleted channels and threads: settings, episodes, alerts, scores."""
    for stored in INVENTORY:
        if stored.channel:
            is_there = (stored.table.c[name].in_(channel_ids) for name in stored.channel)
            _delete(connection, stored, guild_id, or_(*is_there))


def _delete(
    connection: Connection, stored: Stored, guild_id: int, condition: ColumnElement[bool]
) -> None:
    """Delete the rows of a server that meet a condition, with what is part of them."""
    columns = stored.table.c
    condition = and_(columns.GuildId == guild_id, condition)
    if stored.delete is None:
        delete_all(connection, stored.table, condition)
    else:
        ids = connection.scalars(select(columns.Id).where(condition)).all()
        stored.delete(connection, guild_id, ids)


def delete_of_server(connection: Connection, guild_id: int, limit: int) -> int:
    """Delete up to ``limit`` rows of a server from one table; returns how many, 0 at the end."""
    for stored in INVENTORY:
        if "GuildId" in stored.table.c and not stored.outlives_server:
            of_server = stored.table.c.GuildId == guild_id
            if count := delete_up_to(connection, stored.table, of_server, limit):
                return count
    return 0


def delete_ended(connection: Connection, name: str, now: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` ended rows of an ENDING table; returns how many, by server."""
    stored = _ENDING[name]
    columns = stored.table.c
    deleted = delete_some(
        connection,
        stored.table,
        or_(*(_has_ended(columns[end.column], end, now) for end in stored.ends)),
        limit,
        returning=[columns.GuildId] if stored.delete is None else [columns.GuildId, columns.Id],
        first=columns[stored.ends[0].column],
    )
    if stored.delete is not None:  # also what is part of them
        for guild_id, ids in grouped(deleted).items():
            stored.delete(connection, guild_id, ids)
    return Counter(row.GuildId for row in deleted)


def _has_ended(column: Column[Any], end: End, now: datetime) -> ColumnElement[bool]:
    first_kept = now - timedelta(days=end.days)
    if not end.days:
        is_over = column <= now
    elif isinstance(column.type, UtcDateTime):
        is_over = column < first_kept
    else:
        is_over = column < first_kept.date().isoformat()
    return is_over if end.only is None else and_(is_over, end.only)
