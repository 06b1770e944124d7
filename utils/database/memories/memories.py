"""Memories with their evidence and audit rows.

The caller of every function that writes holds the member's lock.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    DateTime,
    Select,
    String,
    TypeCoerce,
    and_,
    bindparam,
    case,
    delete,
    insert,
    literal,
    or_,
    select,
    type_coerce,
    update,
)

from utils.database.core.batches import chunks
from utils.database.core.engine import Connection
from utils.database.core.filters import of_member
from utils.database.core.queries import Selection
from utils.database.core.upsert import delete_all, update_all
from utils.database.memories import proposed_notes
from utils.database.privacy import erasure_ledger
from utils.database.schema.column_types import EnumText, UtcDateTime
from utils.database.schema.memory_tables import memory_audit, memory_evidence, user_memory
from utils.models.memory import (
    Evidence,
    EvidenceRef,
    Form,
    Importance,
    Kind,
    Member,
    Memory,
    Source,
    Status,
)
from utils.models.operator import Erasure, ErasureKind
from utils.models.plan import Confirmation, NewMemory, Plan

LEARNT, QUOTED = "learnt", "quoted"
"""Audit actions: a note was learnt, or a sentence was kept as a quote."""
CURRENT = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)


def load_current(connection: Connection, member: Member, now: datetime) -> list[Memory]:
    """Return a member's memories that are not superseded, forgotten or expired, oldest first."""
    rows = connection.execute(
        _LOAD_CURRENT, {"guild_id": member.guild_id, "user_id": member.user_id, "now": now}
    )
    return [_memory(row) for row in rows.all()]


def load_past(connection: Connection, member: Member, now: datetime) -> list[tuple[Memory, int]]:
    """Return a member's superseded memories that have not expired, oldest first, each with the id
    of the memory that superseded it."""
    columns = user_memory.c
    rows = connection.execute(
        select(*_COLUMNS, columns.SupersededById)
        .where(
            of_member(user_memory, member),
            columns.Status == Status.SUPERSEDED,
            columns.SupersededById.is_not(None),
            or_(columns.ExpiresAt.is_(None), columns.ExpiresAt > now),
        )
        .order_by(columns.Id)
    )
    return [(_memory(row[:-1]), row[-1]) for row in rows.all()]


def for_recall(member: Member, now: datetime) -> Selection[list[Memory]]:
    """Return the query of the same memories with the columns that recall needs.

    It takes two thirds of the time.
    """
    parameters = {"guild_id": member.guild_id, "user_id": member.user_id, "now": now}
    return Selection(_LOAD_FOR_RECALL, parameters, lambda rows: [_memory(row) for row in rows])


def load_newest(
    connection: Connection, now: datetime, limit: int, *conditions: ColumnElement[bool]
) -> list[Memory]:
    """Return the newest current memories of any member that meet the conditions, newest first."""
    query = _current(_COLUMNS, *conditions).order_by(None).order_by(user_memory.c.Id.desc())
    rows = connection.execute(query.limit(limit), {"now": now})
    return [_memory(row) for row in rows.all()]


def remembered(connection: Connection, ids: Collection[int]) -> set[int]:
    """Return those of these memories that are stored with their text."""
    columns = user_memory.c
    is_left = columns.Status != Status.FORGOTTEN
    return {
        row_id
        for chunk in chunks(sorted(ids))
        for row_id in connection.scalars(select(columns.Id).where(columns.Id.in_(chunk), is_left))
    }


def load_evidence(connection: Connection, member: Member) -> dict[int, tuple[EvidenceRef, ...]]:
    """Return, for each of a member's memories, the messages that support it and their times."""
    evidence, columns = memory_evidence.c, user_memory.c
    sources: dict[int, list[EvidenceRef]] = defaultdict(list)
    rows = connection.execute(
        select(evidence.MemoryId, evidence.MessageId, evidence.SaidAt, evidence.Quote)
        .join(user_memory, columns.Id == evidence.MemoryId)
        .where(of_member(user_memory, member))
    )
    for row in rows:
        sources[row.MemoryId].append(EvidenceRef(row.MessageId, row.SaidAt, row.Quote))
    return {memory_id: tuple(seen_in) for memory_id, seen_in in sources.items()}


def apply_plan(
    connection: Connection, member: Member, plan: Plan, *, now: datetime, actor_id: int
) -> list[int]:
    """Carry out a plan's inserts, confirmations and removals; returns the new rows' ids."""
    inserted = [_insert(connection, member, new, now, actor_id) for new in plan.inserts]
    for confirmation in plan.confirmations:
        _confirm(connection, member, confirmation, now, actor_id)
    remove(connection, member, plan.removals, "removed", now=now, actor_id=actor_id)
    return inserted


def remove(
    connection: Connection,
    member: Member,
    ids: Sequence[int],
    action: str,
    *,
    now: datetime,
    actor_id: int,
) -> None:
    """Delete memories, what they superseded and their evidence; the audit keeps only ids."""
    for chunk in chunks([*ids, *_superseded_by(connection, member, ids)]):
        connection.execute(delete(user_memory).where(user_memory.c.Id.in_(chunk)))
        delete_all(connection, memory_evidence, memory_evidence.c.MemoryId.in_(chunk))
        proposed_notes.delete_for_memories(connection, chunk)
        blank_audit(connection, chunk)
        connection.execute(
            insert(memory_audit),
            [audit_row(member, row_id, action, now, actor_id) for row_id in chunk],
        )


def _superseded_by(connection: Connection, member: Member, ids: Sequence[int]) -> list[int]:
    """Return what some of a member's memories superseded, directly or through others."""
    columns = user_memory.c
    past: list[int] = []
    is_theirs = of_member(user_memory, member)
    wave: Sequence[int] = ids
    while wave:
        earlier: list[int] = []
        for chunk in chunks(wave):
            superseded = (columns.SupersededById.in_(chunk), columns.Id.not_in(chunk))
            earlier += connection.scalars(select(columns.Id).where(is_theirs, *superseded))
        wave = [row_id for row_id in earlier if row_id not in past]
        past += wave
    return past


def load_expired(connection: Connection, now: datetime, limit: int) -> dict[Member, list[int]]:
    """Return up to ``limit`` ids of expired memories, by member, the oldest first."""
    columns = user_memory.c
    rows = connection.execute(
        select(columns.Id, columns.GuildId, columns.UserId)
        .where(columns.ExpiresAt.is_not(None), columns.ExpiresAt <= now)
        .order_by(columns.ExpiresAt)
        .limit(limit)
    )
    ids: dict[Member, list[int]] = defaultdict(list)
    for row in rows:
        ids[Member(row.GuildId, row.UserId)].append(row.Id)
    return ids


def find_id(connection: Connection, member: Member, uid: str) -> int | None:
    """Return the id of a member's memory by its Uid; None if there is none."""
    columns = user_memory.c
    row_id: int | None = connection.scalar(
        select(columns.Id).where(columns.Uid == uid, of_member(user_memory, member))
    )
    return row_id


def record_use(connection: Connection, uses: dict[int, tuple[int, datetime]]) -> None:
    """Add to use counts and set the last recall, by id: (times, when)."""
    columns = user_memory.c
    for row_id, (times, at) in uses.items():
        connection.execute(
            update(user_memory)
            .where(columns.Id == row_id)
            .values(UseCount=columns.UseCount + times, LastUsedAt=at)
        )


def _insert(
    connection: Connection, member: Member, new: NewMemory, now: datetime, actor_id: int
) -> int:
    row_id: int = connection.execute(
        insert(user_memory)
        .values(
            Uid=uuid.uuid4().hex,
            GuildId=member.guild_id,
            UserId=member.user_id,
            ChannelId=new.channel_id,
            Memory=new.text,
            Topics=",".join(new.topics),
            Importance=int(new.importance),
            Kind=new.kind,
            FactKey=new.fact_key,
            Source=new.source,
            Status=new.status,
            Confidence=new.confidence,
            EvidenceCount=1,
            SearchStems=new.stems,
            CreatedAt=new.evidence.said_at,
            ExpiresAt=new.expires_at,
            LastConfirmedAt=new.evidence.said_at,
            UseCount=0,
            Form=new.form,
        )
        .returning(user_memory.c.Id)
    ).scalar_one()
    _add_evidence(connection, member, row_id, new.evidence)
    proposed_notes.add_proposed(connection, member, row_id, new.evidence, new.proposed, now)
    is_note = new.form is Form.NOTE
    action = audit_row(
        member,
        row_id,
        LEARNT if is_note else QUOTED,
        now,
        actor_id,
        after=new.text if is_note else None,
    )
    if new.corrects is not None:  # its id, not its text, which may be erased separately
        action["Before"] = f"#{new.corrects}"
    connection.execute(insert(memory_audit).values(action))
    if new.supersedes is not None:
        connection.execute(
            update(user_memory)
            .where(user_memory.c.Id == new.supersedes)
            .values(Status=Status.SUPERSEDED, SupersededById=row_id)
        )
        superseded = audit_row(member, new.supersedes, "superseded", now, actor_id)
        connection.execute(insert(memory_audit).values(superseded))
    return row_id


def add_evidence(
    connection: Connection, member: Member, row_id: int, evidence: Sequence[Evidence]
) -> None:
    """Add further evidence of the same day to a new memory."""
    for entry in evidence:
        _add_evidence(connection, member, row_id, entry)
    connection.execute(
        update(user_memory)
        .where(user_memory.c.Id == row_id)
        .values(EvidenceCount=user_memory.c.EvidenceCount + len(evidence))
    )


def _confirm(
    connection: Connection, member: Member, again: Confirmation, now: datetime, actor_id: int
) -> None:
    columns = user_memory.c
    connection.execute(
        update(user_memory)
        .where(columns.Id == again.row_id)
        .values(
            Confidence=again.confidence,
            Importance=int(again.importance),
            ExpiresAt=again.expires_at,
            Status=again.status,
            EvidenceCount=columns.EvidenceCount + 1,
            LastConfirmedAt=case(
                (columns.LastConfirmedAt > again.evidence.said_at, columns.LastConfirmedAt),
                else_=literal(again.evidence.said_at, columns.LastConfirmedAt.type),
            ),
        )
    )
    _add_evidence(connection, member, again.row_id, again.evidence)
    action = audit_row(member, again.row_id, "confirmed", now, actor_id)
    connection.execute(insert(memory_audit).values(action))


def _add_evidence(connection: Connection, member: Member, row_id: int, evidence: Evidence) -> None:
    connection.execute(
        insert(memory_evidence).values(
            GuildId=member.guild_id,
            MemoryId=row_id,
            MessageId=evidence.message_id,
            ChannelId=evidence.channel_id,
            Quote=evidence.quote,
            Method=evidence.method,
            Model=evidence.model,
            PromptHash=evidence.prompt_hash,
            SaidAt=evidence.said_at,
            VerifiedBy=evidence.verified_by,
            VerifierModel=evidence.verifier_model,
            VerifierHash=evidence.verifier_hash,
        )
    )
    proposed_notes.add_context(connection, member.guild_id, row_id, evidence.context)


def audit_row(
    member: Member,
    row_id: int,
    action: str,
    now: datetime,
    actor_id: int,
    *,
    after: str | None = None,
) -> dict[str, Any]:
    """Return the audit row for an action on a memory."""
    return {
        "GuildId": member.guild_id,
        "UserId": member.user_id,
        "MemoryId": row_id,
        "At": now,
        "ActorId": actor_id,
        "Action": action,
        "Before": None,
        "After": after,
    }


def record_erasure(
    connection: Connection, member: Member, ids: Sequence[int], now: datetime
) -> None:
    """Record in the ledger that these memories of a member are about to be forgotten."""
    columns = user_memory.c
    for chunk in chunks(ids):
        uids = connection.scalars(
            select(columns.Uid)
            .where(columns.Id.in_(chunk), columns.Status != Status.FORGOTTEN)
            .order_by(columns.Id.desc())  # a memory before those that it superseded
        )
        erasure_ledger.record(
            connection,
            *(
                Erasure(now, ErasureKind.MEMORY, member.guild_id, member.user_id, uid=uid)
                for uid in uids
            ),
        )


def blank_audit(connection: Connection, memory_ids: Sequence[int]) -> None:
    """Remove the text from the audit of these memories."""
    columns = memory_audit.c
    has_text = or_(columns.Before.is_not(None), columns.After.is_not(None))
    of_memories = and_(columns.MemoryId.in_(memory_ids), has_text)
    update_all(connection, memory_audit, of_memories, {"Before": None, "After": None})


def _raw(column: Column[Any]) -> Column[Any] | TypeCoerce[Any]:
    """Read times and enums as the driver returns them: converting thousands by hand is faster."""
    if isinstance(column.type, UtcDateTime):
        return type_coerce(column, DateTime)
    return type_coerce(column, String) if isinstance(column.type, EnumText) else column


# In the order of Memory's fields; the first thirteen are all that recall needs.
_COLUMNS = [
    _raw(user_memory.c[name])
    for name in (
        "Id", "ChannelId", "Memory", "Topics", "Importance", "Kind", "Status", "Confidence",
        "SearchStems", "CreatedAt", "LastConfirmedAt", "ExpiresAt", "Form",
        "Uid", "GuildId", "UserId", "FactKey", "Source", "EvidenceCount", "LastUsedAt", "UseCount",
    )
]  # fmt: skip
_RECALLED = 13


def _current(columns: Sequence[Any], *conditions: ColumnElement[bool]) -> Select[Any]:
    return (
        select(*columns)
        .where(
            *conditions,
            user_memory.c.Status.in_(CURRENT),
            or_(user_memory.c.ExpiresAt.is_(None), user_memory.c.ExpiresAt > bindparam("now")),
        )
        .order_by(user_memory.c.Id)
    )


# Built once: building costs more than running.
_IN_GUILD = user_memory.c.GuildId == bindparam("guild_id")
_IS_THEIRS = (_IN_GUILD, user_memory.c.UserId == bindparam("user_id"))
_LOAD_CURRENT = _current(_COLUMNS, *_IS_THEIRS)
_LOAD_FOR_RECALL = _current(_COLUMNS[:_RECALLED], *_IS_THEIRS)
_EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH = _EPOCH_UTC.replace(tzinfo=None)
_FORMS = {form.value: form for form in Form}
_KINDS = {kind.value: kind for kind in Kind}
_SOURCES = {source.value: source for source in Source}
_STATUSES = {status.value: status for status in Status}
_IMPORTANCES = {int(importance): importance for importance in Importance}


def _utc(stored: datetime) -> datetime:
    """Make a stored time aware; ten times as fast as ``replace(tzinfo=UTC)``."""
    return _EPOCH_UTC + (stored - _EPOCH)


def _memory(row: Sequence[Any]) -> Memory:
    """Return a memory from the recall columns or all columns; unpacking is faster than by name."""
    (
        row_id, channel_id, text, topics, importance, kind, status, confidence, stems,
        created_at, last_confirmed_at, expires_at, form, *extra,
    ) = row  # fmt: skip
    if extra:
        uid, guild_id, user_id, fact_key, source, evidence_count, last_used_at, use_count = extra
        extra = [uid, guild_id, user_id, fact_key, _SOURCES[source], evidence_count]
        extra += [last_used_at and _utc(last_used_at), use_count]
    return Memory(
        row_id,
        channel_id,
        text,
        tuple(topics.split(",")) if topics else (),
        _IMPORTANCES[importance],
        _KINDS[kind],
        _STATUSES[status],
        confidence,
        stems,
        _utc(created_at),
        _utc(last_confirmed_at),
        expires_at and _utc(expires_at),
        _FORMS[form],
        *extra,
    )
