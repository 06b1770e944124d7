"""Which memory a waiting memory corrects, and replacing it once the new one is approved.

A memory that waits replaces nothing yet: its rejection must leave the old one in force. The caller
of every function holds the member's lock.
"""

import re
from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import of_member
from utils.database.memories import audit_entries, memories
from utils.database.schema.memory_tables import memory_audit, user_memory
from utils.models.memory import Member, Status

_REPLACES = re.compile(r"#(\d+)")
MAX_CHAIN = 100


def corrected_ids(
    connection: Connection, member: Member, memory_ids: Collection[int]
) -> dict[int, int]:
    """Return, by memory, the active memory that it corrects, if there is one.

    What was replaced since counts as its successor.
    """
    named = _named_ids(connection, memory_ids)
    active = {key: _active_successor(connection, member, old) for key, old in named.items()}
    return {key: old for key, old in active.items() if old is not None and old != key}


def put_in_place(
    connection: Connection, member: Member, memory_id: int, now: datetime, actor_id: int
) -> None:
    """Put a memory that was approved behind the one that it corrects.

    If that one was corrected since by something said later, the later one stays in force, and this
    memory becomes the one that the later one replaced: undoing goes back through all of them.
    """
    named = _named_ids(connection, [memory_id])
    if memory_id not in named:
        return
    old_id, later_id = _neighbours(connection, member, memory_id, named[memory_id])
    if later_id is None:
        if old_id != memory_id:
            replace_corrected(connection, member, memory_id, old_id, now, actor_id)
        return
    columns = user_memory.c
    for superseded_id, by_id in ((memory_id, later_id), (old_id, memory_id)):
        connection.execute(
            update(user_memory)
            .where(columns.Id == superseded_id, of_member(user_memory, member))
            .values(Status=Status.SUPERSEDED, SupersededById=by_id)
        )
    audit_entries.add(connection, member, [memory_id], "superseded", now, actor_id)


def replace_corrected(
    connection: Connection,
    member: Member,
    memory_id: int,
    old_id: int,
    now: datetime,
    actor_id: int,
) -> None:
    """Supersede an active memory by the one that corrects it."""
    columns = user_memory.c
    superseded = connection.execute(
        update(user_memory)
        .where(
            columns.Id == old_id, of_member(user_memory, member), columns.Status == Status.ACTIVE
        )
        .values(Status=Status.SUPERSEDED, SupersededById=memory_id)
    )
    if superseded.rowcount:
        audit_entries.add(connection, member, [old_id], "superseded", now, actor_id)


def _neighbours(
    connection: Connection, member: Member, memory_id: int, old_id: int
) -> tuple[int, int | None]:
    """Return the last memory before one, among those that replaced another in turn from ``old_id``
    on, and the first after it, if there is one."""
    row = _row(connection, member, memory_id)
    later_id = None
    for _ in range(MAX_CHAIN):
        old = _row(connection, member, old_id)
        later_id = None if old is None else old.SupersededById
        later = None if later_id is None else _row(connection, member, later_id)
        if row is None or later is None:
            return old_id, None
        if (later.CreatedAt, later.Id) > (row.CreatedAt, memory_id):
            break
        old_id = later.Id
    return old_id, later_id


def _active_successor(connection: Connection, member: Member, memory_id: int) -> int | None:
    """Return a memory, or what replaced it, if that is active."""
    for _ in range(MAX_CHAIN):
        row = _row(connection, member, memory_id)
        if row is None:
            return None
        if row.SupersededById is None:
            return memory_id if row.Status is Status.ACTIVE else None
        memory_id = row.SupersededById
    return None


def _named_ids(connection: Connection, memory_ids: Collection[int]) -> dict[int, int]:
    """Return, by memory, the one that it was said to correct."""
    if not memory_ids:
        return {}
    columns = memory_audit.c
    rows = connection.execute(
        select(columns.MemoryId, columns.Before)
        .where(columns.MemoryId.in_(sorted(memory_ids)), columns.Action == memories.LEARNT)
        .order_by(columns.Id)
    )
    matches = {row.MemoryId: _REPLACES.fullmatch(row.Before or "") for row in rows}
    return {memory_id: int(match[1]) for memory_id, match in matches.items() if match}


def _row(connection: Connection, member: Member, memory_id: int) -> Row[Any, Any, Any, Any] | None:
    columns = user_memory.c
    return connection.execute(
        select(columns.Id, columns.Status, columns.SupersededById, columns.CreatedAt).where(
            columns.Id == memory_id, of_member(user_memory, member)
        )
    ).one_or_none()
