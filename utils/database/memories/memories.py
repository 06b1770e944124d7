"""Memories with their evidence and audit rows.

The caller of every function that writes holds the member's lock.
"""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    bindparam,
    case,
    delete,
    insert,
    or_,
    select,
    update,
)

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    change_rows,
    chunks,
    delete_all,
    fetch_rows,
    insert_returning,
    is_member,
    member_parameters,
    of_member,
    to_row,
    values_for,
)
from utils.database.memories import audit, contexts
from utils.database.memories.memory_rows import (
    COLUMNS,
    IS_OPEN,
    LOAD_CURRENT,
    LOAD_OPEN,
    current,
    memory_from,
)
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import memory_evidence, user_memory
from utils.models.memory import (
    Evidence,
    Form,
    Member,
    Memory,
    Status,
)
from utils.models.operator import Erasure, ErasureKind
from utils.models.plan import NewMemory, Plan

LEARNT, QUOTED = "learnt", "quoted"
"""Audit actions: a note was learnt, or a sentence was kept as a quote."""

_MEMORY, _EVIDENCE = user_memory.c, memory_evidence.c

# Constants, as those below and in memory_rows.py: building costs more than running.
_IS_THEIRS = is_member(user_memory)
_CHANGE = update(user_memory).where(_MEMORY.Id == bindparam("row_id"))


def load_current(
    connection: Connection, member: Member, now: datetime, *, for_others: bool = False
) -> list[Memory]:
    """Return a member's memories that are not superseded, forgotten or expired, oldest first.

    ``for_others``: without those that the member alone may hear of.
    """
    query = LOAD_OPEN if for_others else LOAD_CURRENT
    rows = fetch_rows(connection, query, **member_parameters(member, now=now))
    return [memory_from(row) for row in rows]


_LOAD_PAST = (
    select(*COLUMNS)
    .where(
        _IS_THEIRS,
        _MEMORY.Status == Status.SUPERSEDED,
        _MEMORY.SupersededById.is_not(None),
        or_(_MEMORY.ExpiresAt.is_(None), _MEMORY.ExpiresAt > bindparam("now")),
    )
    .order_by(_MEMORY.Id)
)


def load_past(
    connection: Connection, member: Member, now: datetime, *, for_others: bool = False
) -> list[Memory]:
    """Return a member's superseded memories that have not expired, oldest first.

    ``for_others`` is as in :func:`load_current`.
    """
    query = _LOAD_PAST.where(IS_OPEN) if for_others else _LOAD_PAST
    rows = connection.execute(query, member_parameters(member, now=now))
    return [memory_from(row) for row in rows.all()]


def load_newest(
    connection: Connection, now: datetime, limit: int, *conditions: ColumnElement[bool]
) -> list[Memory]:
    """Return the newest current memories of any member that meet the conditions, newest first.

    Without those that only their member may hear of: whoever asks is not known here.
    """
    query = current(COLUMNS, IS_OPEN, *conditions).order_by(None).order_by(user_memory.c.Id.desc())
    rows = connection.execute(query.limit(limit), {"now": now})
    return [memory_from(row) for row in rows.all()]


_REMEMBERED = select(_MEMORY.Id).where(_MEMORY.Id.in_(IDS), _MEMORY.Status != Status.FORGOTTEN)


def remembered(connection: Connection, ids: Collection[int]) -> set[int]:
    """Return those of these memories that are stored with their text."""
    return {row.Id for row in fetch_rows(connection, _REMEMBERED, ids)}


_LOAD_EVIDENCE = (
    select(
        *(_EVIDENCE.MemoryId, _EVIDENCE.MessageId, _EVIDENCE.ChannelId, _EVIDENCE.Quote),
        *(_EVIDENCE.Method, _EVIDENCE.SaidAt),
    )
    .join(user_memory, _MEMORY.Id == _EVIDENCE.MemoryId)
    .where(_IS_THEIRS)
    .order_by(_MEMORY.Id, _EVIDENCE.Id)
)


def load_evidence(connection: Connection, member: Member) -> dict[int, tuple[Evidence, ...]]:
    """Return, for each of a member's memories, the messages that support it and their times."""
    rows = fetch_rows(connection, _LOAD_EVIDENCE, **member_parameters(member))
    return grouped((row[0], Evidence(*row[1:])) for row in rows)


def apply_plan(
    connection: Connection, member: Member, plan: Plan, *, now: datetime, actor_id: int
) -> list[int]:
    """Carry out a plan's inserts, confirmations and removals; returns the new rows' ids."""
    inserted = [_insert(connection, member, new, now, actor_id) for new in plan.inserts]
    for confirmation in plan.confirmations:
        parameters = {
            "row_id": confirmation.row_id,
            "said_at": confirmation.evidence.said_at,
            "Confidence": confirmation.confidence,
            "Importance": int(confirmation.importance),
            "ExpiresAt": confirmation.expires_at,
            "Status": confirmation.status,
        }
        change_rows(connection, _CONFIRM, parameters)
        _add_evidence(connection, member, confirmation.row_id, confirmation.evidence)
        audit.add(connection, member, [confirmation.row_id], "confirmed", now, actor_id)
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
) -> int:
    """Delete memories, what they superseded and their evidence; the audit keeps only ids.

    Returns how many memories are deleted, superseded ones included.
    """
    past: list[int] = []  # what these superseded, directly or through others
    wave: Sequence[int] = ids
    while wave:
        earlier = values_for(connection, _SUPERSEDED, wave, **member_parameters(member))
        wave = [row_id for row_id in earlier if row_id not in past]
        past += wave
    ids = [*ids, *past]
    for chunk in chunks(ids):
        connection.execute(delete(user_memory).where(user_memory.c.Id.in_(chunk)))
        delete_all(connection, memory_evidence, memory_evidence.c.MemoryId.in_(chunk))
        contexts.delete_for_memories(connection, chunk)
        audit.blank_of(connection, chunk)
        audit.add(connection, member, chunk, action, now, actor_id)
    return len(ids)


_SUPERSEDED = select(_MEMORY.Id).where(
    _IS_THEIRS,
    _MEMORY.SupersededById.in_(IDS),
    _MEMORY.Id.not_in(IDS),
)


def load_expired(
    connection: Connection, now: datetime, limit: int
) -> dict[Member, tuple[int, ...]]:
    """Return up to ``limit`` ids of expired memories, by member, the oldest first."""
    rows = connection.execute(
        select(_MEMORY.Id, _MEMORY.GuildId, _MEMORY.UserId)
        .where(_MEMORY.ExpiresAt.is_not(None), _MEMORY.ExpiresAt <= now)
        .order_by(_MEMORY.ExpiresAt, _MEMORY.Id)
        .limit(limit)
    )
    return grouped((Member(row.GuildId, row.UserId), row.Id) for row in rows)


def find_id(connection: Connection, member: Member, uid: str) -> int | None:
    """Return the id of a member's memory by its Uid; None if there is none."""
    return connection.scalar(
        select(_MEMORY.Id).where(_MEMORY.Uid == uid, of_member(user_memory, member))
    )


_RECORD_USE = (
    update(user_memory)
    .where(_MEMORY.Id == bindparam("memory_id"))
    .values(
        UseCount=_MEMORY.UseCount + bindparam("times"),
        LastUsedAt=bindparam("used_at"),
    )
)


def record_use(connection: Connection, uses: dict[int, tuple[int, datetime]]) -> None:
    """Add to use counts and set the last recall, by id: (times, when)."""
    if uses:
        connection.execute(
            _RECORD_USE,
            [
                {"memory_id": row_id, "times": times, "used_at": at}
                for row_id, (times, at) in sorted(uses.items())
            ],
        )


_INSERT = insert(user_memory).returning(_MEMORY.Id)


def _insert(
    connection: Connection, member: Member, new: NewMemory, now: datetime, actor_id: int
) -> int:
    row = to_row(
        user_memory,
        new,
        Uid=uuid.uuid4().hex,
        GuildId=member.guild_id,
        UserId=member.user_id,
        Memory=new.text,
        Topics=",".join(new.topics),
        Importance=int(new.importance),
        EvidenceCount=1,
        SearchStems=new.stems,
        CreatedAt=new.evidence.said_at,
        LastConfirmedAt=new.evidence.said_at,
        UseCount=0,
    )
    row_id: int = insert_returning(connection, _INSERT, row)
    _add_evidence(connection, member, row_id, new.evidence)
    is_note = new.form is Form.NOTE
    audit.add(
        connection,
        member,
        [row_id],
        LEARNT if is_note else QUOTED,
        now,
        actor_id,
        # The id of what it corrects, not its text, which may be erased separately.
        before=None if new.corrects is None else f"#{new.corrects}",
        after=new.text if is_note else None,
    )
    superseded = {"Status": Status.SUPERSEDED, "SupersededById": row_id}
    ended = () if new.supersedes is None else (new.supersedes, *new.also_supersedes)
    for ended_id in ended:
        change_rows(connection, _CHANGE, {"row_id": ended_id, **superseded})
    audit.add(connection, member, ended, "superseded", now, actor_id)
    return row_id


def add_evidence(
    connection: Connection, member: Member, row_id: int, evidence: Sequence[Evidence]
) -> None:
    """Add further evidence of the same day to a new memory."""
    for entry in evidence:
        _add_evidence(connection, member, row_id, entry)
    connection.execute(
        _CHANGE.values(EvidenceCount=_MEMORY.EvidenceCount + len(evidence)), {"row_id": row_id}
    )


_SAID_AT = bindparam("said_at", type_=_MEMORY.LastConfirmedAt.type)
_CONFIRM = _CHANGE.values(
    EvidenceCount=_MEMORY.EvidenceCount + 1,
    LastConfirmedAt=case(
        (_MEMORY.LastConfirmedAt > _SAID_AT, _MEMORY.LastConfirmedAt), else_=_SAID_AT
    ),
)


_ADD_EVIDENCE = insert(memory_evidence)


def _add_evidence(connection: Connection, member: Member, row_id: int, evidence: Evidence) -> None:
    change_rows(
        connection,
        _ADD_EVIDENCE,
        to_row(memory_evidence, evidence, GuildId=member.guild_id, MemoryId=row_id),
    )
    contexts.add_context(connection, member.guild_id, row_id, evidence.context)


def record_erasure(
    connection: Connection, member: Member, ids: Sequence[int], now: datetime
) -> None:
    """Record in the ledger that these memories of a member are about to be forgotten."""
    uids = values_for(
        connection,
        select(_MEMORY.Uid)
        .where(_MEMORY.Id.in_(IDS), _MEMORY.Status != Status.FORGOTTEN)
        .order_by(_MEMORY.Id),
        ids,
    )
    of_member = (ErasureKind.MEMORY, member.guild_id, member.user_id)
    # A memory before those that it superseded.
    erasure_ledger.record(connection, *(Erasure(now, *of_member, uid=uid) for uid in uids[::-1]))
