"""Delete the rows that belong to a member, a message, a channel or a server, or have expired.

inventory.py says which tables have such rows. The caller holds the locks of the members.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, and_, or_, select

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    chunks,
    delete_all,
    delete_some,
    delete_up_to,
)
from utils.database.erasure.inventory import INVENTORY, Expiry, Extent, TableErasure
from utils.database.schema.column_types import UtcDateTime
from utils.database.schema.memory_tables import episode
from utils.models.memory import Member

_EXPIRING = {entry.table.name: entry for entry in INVENTORY if entry.expiries}
EXPIRING = tuple(_EXPIRING)
"""The names of the tables whose rows expire by themselves."""


def delete_of_member(connection: Connection, member: Member, extent: Extent) -> int:
    """Delete what an erasure of this extent deletes of a member; returns how many rows."""
    return sum(
        delete_all(connection, entry.table, is_theirs)
        for entry, is_theirs in _rows_of_member(member, extent)
    )


def delete_said_up_to(
    connection: Connection, member: Member, message_id: int, at: datetime
) -> None:
    """Delete the rows of Extent.SAID up to a message; call it after their messages are deleted.

    Rows that name no message are deleted if they are not newer than ``at``.
    """
    over = select(episode.c.Id).where(episode.c.GuildId == member.guild_id, episode.c.LastAt <= at)
    for entry, is_theirs in _rows_of_member(member, Extent.SAID):
        columns = entry.table.c
        if "MessageId" in columns:
            is_old = columns.MessageId <= message_id
        elif "EpisodeId" in columns:
            is_old = columns.EpisodeId.in_(over)
        elif "At" in columns:
            is_old = columns.At <= at
        else:  # part of another table's rows
            continue
        _delete(connection, entry, member.guild_id, and_(is_theirs, is_old))


def _rows_of_member(
    member: Member, extent: Extent
) -> Iterator[tuple[TableErasure, ColumnElement[bool]]]:
    """Yield each table that an erasure of this extent concerns, and the condition for its rows."""
    for entry in INVENTORY:
        if entry.extent is not None and entry.extent <= extent:
            names_them = or_(*(column == member.user_id for column in entry.member_columns))
            yield entry, and_(entry.table.c.GuildId == member.guild_id, names_them)


def delete_of_messages(
    connection: Connection, guild_id: int, message_ids: Sequence[int], *tables: Table
) -> None:
    """Delete the rows that go with messages; ``tables``: only those of these tables."""
    for entry in INVENTORY:
        if entry.with_message and (not tables or entry.table in tables):
            for ids in chunks(message_ids):
                _delete(connection, entry, guild_id, entry.table.c.MessageId.in_(ids))


def delete_of_channels(connection: Connection, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete what belongs to deleted channels and threads: settings, episodes, scores."""
    for entry in INVENTORY:
        if entry.channel:
            is_there = (entry.table.c[name].in_(channel_ids) for name in entry.channel)
            _delete(connection, entry, guild_id, or_(*is_there))


def _delete(
    connection: Connection, entry: TableErasure, guild_id: int, condition: ColumnElement[bool]
) -> None:
    """Delete the rows of a server that meet a condition, with what is part of them."""
    columns = entry.table.c
    condition = and_(columns.GuildId == guild_id, condition)
    if entry.delete is None:
        delete_all(connection, entry.table, condition)
    else:
        ids = connection.scalars(select(columns.Id).where(condition)).all()
        entry.delete(connection, guild_id, ids)


def delete_of_server(connection: Connection, guild_id: int, limit: int) -> int:
    """Delete up to ``limit`` rows of a server from one table; returns how many, 0 at the end."""
    for entry in INVENTORY:
        if "GuildId" in entry.table.c and not entry.outlives_server:
            of_server = entry.table.c.GuildId == guild_id
            if count := delete_up_to(connection, entry.table, of_server, limit):
                return count
    return 0


def delete_expired(connection: Connection, name: str, now: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` expired rows of an EXPIRING table; returns how many, by server."""
    entry = _EXPIRING[name]
    columns = entry.table.c
    deleted = delete_some(
        connection,
        entry.table,
        or_(*(_has_expired(columns[expiry.column], expiry, now) for expiry in entry.expiries)),
        limit,
        returning=[columns.GuildId] if entry.delete is None else [columns.GuildId, columns.Id],
        first=columns[entry.expiries[0].column],
    )
    if entry.delete is not None:  # also what is part of them
        for guild_id, ids in grouped(deleted).items():
            entry.delete(connection, guild_id, ids)
    return Counter(row.GuildId for row in deleted)


def _has_expired(column: Column[Any], expiry: Expiry, now: datetime) -> ColumnElement[bool]:
    first_kept = now - timedelta(days=expiry.days)
    if not expiry.days:
        is_over = column <= now
    elif isinstance(column.type, UtcDateTime):
        is_over = column < first_kept
    else:
        is_over = column < first_kept.date().isoformat()
    return is_over if expiry.only is None else and_(is_over, expiry.only)
