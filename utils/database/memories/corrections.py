"""Which memory a waiting memory corrects, and replacing it once the new one is approved.

A memory that waits replaces nothing yet: its rejection must leave the old one in force. The caller
of every function holds the member's lock.
"""

import re
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import insert, select, update

from utils.database.core.engine import Connection
from utils.database.core.filters import of_member
from utils.database.memories import memories
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
    if not memory_ids:
        return {}
    columns = memory_audit.c
    rows = connection.execute(
        select(columns.MemoryId, columns.Before)
        .where(columns.MemoryId.in_(sorted(memory_ids)), columns.Action == memories.LEARNT)
        .order_by(columns.Id)
    )
    matches = {row.MemoryId: _REPLACES.fullmatch(row.Before or "") for row in rows}
    active = {
        memory_id: _active_successor(connection, member, int(match[1]))
        for memory_id, match in matches.items()
        if match
    }
    return {key: old for key, old in active.items() if old is not None and old != key}


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
        entry = memories.audit_row(member, old_id, "superseded", now, actor_id)
        connection.execute(insert(memory_audit).values(entry))


def _active_successor(connection: Connection, member: Member, memory_id: int) -> int | None:
    """Return a memory, or what replaced it, if that is active."""
    columns = user_memory.c
    for _ in range(MAX_CHAIN):
        row = connection.execute(
            select(columns.Status, columns.SupersededById).where(
                columns.Id == memory_id, of_member(user_memory, member)
            )
        ).one_or_none()
        if row is None:
            return None
        if row.SupersededById is None:
            return memory_id if row.Status is Status.ACTIVE else None
        memory_id = row.SupersededById
    return None
