"""Merging duplicate memories: finding members with duplicates, merging, and undoing a merge.

The caller of every function that writes holds the member's lock.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, true, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    after_member,
    columns_of,
    members_from,
    of_member,
    rows_for,
    run_for,
)
from utils.database.memories import audit
from utils.database.schema.memory_tables import (
    guild_settings,
    memory_audit,
    memory_evidence,
    user_memory,
)
from utils.models.memory import Evidence, Importance, Member, Status

MERGED, TOOK_IN = "merged", "took in"
_QUOTED = [memory_evidence.c.GuildId, *columns_of(memory_evidence, Evidence)]
_TIMES = ("LastConfirmedAt", "ExpiresAt")
# The columns that a merge may raise.
_RAISED = [user_memory.c[name] for name in ("Confidence", "Importance", *_TIMES)]


@dataclass(frozen=True, slots=True)
class Absorption:
    """A memory that absorbs others, and its values after the merge."""

    kept_id: int
    absorbed_ids: tuple[int, ...]
    confidence: float
    importance: Importance
    last_confirmed_at: datetime
    expires_at: datetime | None


def members_with_duplicates(connection: Connection, after: Member, limit: int) -> list[Member]:
    """Return the next members with several active memories of one attribute from one channel.

    Members of frozen servers are left out.
    """
    columns = user_memory.c
    frozen = select(guild_settings.c.GuildId).where(guild_settings.c.Frozen == true())
    duplicates = (
        select(columns.GuildId, columns.UserId)
        .where(
            columns.FactKey != "",
            columns.Status == Status.ACTIVE,
            columns.GuildId.not_in(frozen),
            after_member(user_memory, after),
        )
        .group_by(columns.GuildId, columns.UserId, columns.ChannelId, columns.Kind, columns.FactKey)
        .having(func.count() > 1)
        .subquery()
    )
    ids = (duplicates.c.GuildId, duplicates.c.UserId)
    return members_from(connection, select(*ids).distinct().order_by(*ids).limit(limit))


def merged_ids(connection: Connection, member: Member) -> frozenset[int]:
    """Return the ids of a member's memories that were ever merged into another."""
    columns = memory_audit.c
    return frozenset(
        connection.scalars(
            select(columns.MemoryId).where(
                of_member(memory_audit, member),
                columns.Action == MERGED,
            )
        )
    )


def merge(connection: Connection, member: Member, absorption: Absorption, *, now: datetime) -> None:
    """Merge memories into one: it gets their evidence, and they become superseded by it."""
    evidence = memory_evidence.c
    own_ids = set(
        connection.scalars(
            select(evidence.MessageId).where(evidence.MemoryId == absorption.kept_id)
        )
    )
    query = select(*_QUOTED).where(evidence.MemoryId.in_(IDS)).order_by(evidence.Id)
    copied: dict[int, dict[str, object]] = {  # each message once
        row.MessageId: {**row._mapping, "MemoryId": absorption.kept_id}
        for row in rows_for(connection, query, absorption.absorbed_ids)
        if row.MessageId not in own_ids
    }
    if copied:
        connection.execute(insert(memory_evidence), list(copied.values()))
    columns = user_memory.c
    is_kept = columns.Id == absorption.kept_id
    before = connection.execute(select(*_RAISED).where(is_kept)).one()
    connection.execute(
        update(user_memory)
        .where(is_kept)
        .values(
            Confidence=absorption.confidence,
            Importance=int(absorption.importance),
            LastConfirmedAt=absorption.last_confirmed_at,
            ExpiresAt=absorption.expires_at,
            EvidenceCount=columns.EvidenceCount + len(copied),
        )
    )
    after = connection.execute(select(*_RAISED).where(is_kept)).one()
    messages = [str(message_id) for message_id in copied]
    details = {"before": _as_json(before), "given": _as_json(after), "messages": messages}
    stored = json.dumps(details)  # ids and numbers only: text may be erased separately
    audit.add(connection, member, [absorption.kept_id], TOOK_IN, now, 0, before=stored)
    superseded = {"Status": Status.SUPERSEDED, "SupersededById": absorption.kept_id}
    change = update(user_memory).where(columns.Id.in_(IDS)).values(superseded)
    run_for(connection, change, absorption.absorbed_ids)
    audit.add(connection, member, absorption.absorbed_ids, MERGED, now, 0)


def unmerge(connection: Connection, row_id: int, at: datetime) -> None:
    """Undo the merge into a memory at that time: remove the copied evidence, lower raised columns.

    A column that changed again since the merge keeps its value.
    """
    columns, evidence = memory_audit.c, memory_evidence.c
    stored = connection.scalar(
        select(columns.Before)
        .where(columns.MemoryId == row_id, columns.Action == TOOK_IN, columns.At == at)
        .order_by(columns.Id.desc())
        .limit(1)
    )
    if stored is None:
        return
    details = json.loads(stored)
    copied = delete(memory_evidence).where(evidence.MemoryId == row_id, evidence.MessageId.in_(IDS))
    run_for(connection, copied, [int(message_id) for message_id in details["messages"]])
    remaining = select(func.count()).select_from(memory_evidence).where(evidence.MemoryId == row_id)
    now = _as_json(connection.execute(select(*_RAISED).where(user_memory.c.Id == row_id)).one())
    unchanged = [column for column in _RAISED if now[column.name] == details["given"][column.name]]
    lowered = {
        column.name: _value(column.name, details["before"][column.name]) for column in unchanged
    }
    connection.execute(
        update(user_memory)
        .where(user_memory.c.Id == row_id)
        .values({**lowered, "EvidenceCount": connection.scalar(remaining)})
    )


def _as_json(row: Row[Any]) -> dict[str, Any]:
    """Return the columns that a merge may raise, as JSON values."""
    values = row._mapping
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in ((column.name, values[column]) for column in _RAISED)
    }


def _value(name: str, stored: Any) -> Any:
    return datetime.fromisoformat(stored) if stored is not None and name in _TIMES else stored
