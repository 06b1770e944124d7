"""Merging rows that say the same: who has any, carrying it out, and taking it back.

The caller of anything that writes here holds the member's lock.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, delete, func, insert, or_, select, true, update

from utils.database import memories
from utils.database.engine import Session
from utils.database.tables import guild_settings, memory_audit, memory_evidence, user_memory
from utils.model.memory import Importance, Member, Status

MERGED, TOOK_IN = "merged", "took in"
_QUOTED = (
    memory_evidence.c.GuildId,
    memory_evidence.c.MessageId,
    memory_evidence.c.ChannelId,
    memory_evidence.c.Quote,
    memory_evidence.c.Method,
    memory_evidence.c.Model,
    memory_evidence.c.PromptHash,
    memory_evidence.c.SaidAt,
)
_TIMES = ("LastConfirmedAt", "ExpiresAt")
# What a row may gain by taking others in.
_RAISED = [user_memory.c[name] for name in ("Confidence", "Importance", *_TIMES)]


@dataclass(frozen=True, slots=True)
class Absorption:
    """A row that takes others in, and what it is from then on."""

    kept_id: int
    absorbed_ids: tuple[int, ...]
    confidence: float
    importance: Importance
    last_confirmed_at: datetime
    expires_at: datetime | None


def members_with_twins(session: Session, after: Member, limit: int) -> list[Member]:
    """Return the next members with several active rows on one attribute for the same readers;
    none of a frozen server."""
    columns = user_memory.c
    frozen = select(guild_settings.c.GuildId).where(guild_settings.c.Frozen == true())
    twins = (
        select(columns.GuildId, columns.UserId)
        .where(
            columns.FactKey != "",
            columns.Status == Status.ACTIVE,
            columns.GuildId.not_in(frozen),
            or_(
                columns.GuildId > after.guild_id,
                and_(columns.GuildId == after.guild_id, columns.UserId > after.user_id),
            ),
        )
        .group_by(columns.GuildId, columns.UserId, columns.ChannelId, columns.Kind, columns.FactKey)
        .having(func.count() > 1)
        .subquery()
    )
    rows = session.execute(
        select(twins.c.GuildId, twins.c.UserId)
        .distinct()
        .order_by(twins.c.GuildId, twins.c.UserId)
        .limit(limit)
    )
    return [Member(row.GuildId, row.UserId) for row in rows]


def merged_before(session: Session, member: Member) -> frozenset[int]:
    """Return the rows that were merged into another once."""
    columns = memory_audit.c
    return frozenset(
        session.scalars(
            select(columns.MemoryId).where(
                columns.GuildId == member.guild_id,
                columns.UserId == member.user_id,
                columns.Action == MERGED,
            )
        )
    )


def absorb(session: Session, member: Member, taken_in: Absorption, *, now: datetime) -> None:
    """Let a row take others in: their evidence supports it too, and they are kept as its past."""
    copied = _further_evidence(session, taken_in)
    if copied:
        session.execute(insert(memory_evidence), copied)
    columns = user_memory.c
    kept = columns.Id == taken_in.kept_id
    before = session.execute(select(*_RAISED).where(kept)).one()
    session.execute(
        update(user_memory)
        .where(kept)
        .values(
            Confidence=taken_in.confidence,
            Importance=int(taken_in.importance),
            LastConfirmedAt=taken_in.last_confirmed_at,
            ExpiresAt=taken_in.expires_at,
            EvidenceCount=columns.EvidenceCount + len(copied),
        )
    )
    after = session.execute(select(*_RAISED).where(kept)).one()
    deed = memories.audit(member, taken_in.kept_id, TOOK_IN, now, actor_id=0)
    messages = [str(row["MessageId"]) for row in copied]
    taken = {"before": _as_json(before), "given": _as_json(after), "messages": messages}
    deed["Before"] = json.dumps(taken)  # ids and numbers, no words: those may be erased first
    session.execute(insert(memory_audit).values(deed))
    for some in memories.chunks(taken_in.absorbed_ids):
        session.execute(
            update(user_memory)
            .where(columns.Id.in_(some))
            .values(Status=Status.SUPERSEDED, SupersededById=taken_in.kept_id)
        )
        session.execute(
            insert(memory_audit),
            [memories.audit(member, one, MERGED, now, actor_id=0) for one in some],
        )


def part(session: Session, row_id: int, at: datetime) -> None:
    """Take from a row what it was given when it took others in at that time: their evidence, and
    whatever of theirs raised it, unless that has changed since."""
    columns, evidence = memory_audit.c, memory_evidence.c
    stored = session.scalar(
        select(columns.Before)
        .where(columns.MemoryId == row_id, columns.Action == TOOK_IN, columns.At == at)
        .order_by(columns.Id.desc())
        .limit(1)
    )
    if stored is None:
        return
    taken = json.loads(stored)
    for some in memories.chunks([int(one) for one in taken["messages"]]):
        session.execute(
            delete(memory_evidence).where(evidence.MemoryId == row_id, evidence.MessageId.in_(some))
        )
    left = select(func.count()).select_from(memory_evidence).where(evidence.MemoryId == row_id)
    now = _as_json(session.execute(select(*_RAISED).where(user_memory.c.Id == row_id)).one())
    unchanged = [column for column in _RAISED if now[column.name] == taken["given"][column.name]]
    lowered = {
        column.name: _value(column.name, taken["before"][column.name]) for column in unchanged
    }
    session.execute(
        update(user_memory)
        .where(user_memory.c.Id == row_id)
        .values({**lowered, "EvidenceCount": session.scalar(left)})
    )


def _as_json(row: Row[Any]) -> dict[str, Any]:
    """Return what a merge raises in a row, as JSON can hold it."""
    values = row._mapping
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in ((column.name, values[column]) for column in _RAISED)
    }


def _value(name: str, stored: Any) -> Any:
    return datetime.fromisoformat(stored) if stored is not None and name in _TIMES else stored


def _further_evidence(session: Session, taken_in: Absorption) -> list[dict[str, object]]:
    """Return the absorbed rows' evidence as the keeping row's own, each message once."""
    columns = memory_evidence.c
    known = set(
        session.scalars(select(columns.MessageId).where(columns.MemoryId == taken_in.kept_id))
    )
    found: dict[int, dict[str, object]] = {}
    for row in _evidence(session, taken_in.absorbed_ids):
        if row["MessageId"] not in known:
            found[int(str(row["MessageId"]))] = {**row, "MemoryId": taken_in.kept_id}
    return list(found.values())


def _evidence(session: Session, row_ids: Sequence[int]) -> list[dict[str, object]]:
    return [
        dict(row._mapping)
        for some in memories.chunks(row_ids)
        for row in session.execute(
            select(*_QUOTED)
            .where(memory_evidence.c.MemoryId.in_(some))
            .order_by(memory_evidence.c.Id)
        )
    ]
