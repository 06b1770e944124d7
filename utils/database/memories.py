"""Rows of memory, their evidence and their audit. Only ``members.change`` and Keeper's units write.

The caller of anything that writes here holds the member's lock.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    DateTime,
    Select,
    String,
    TypeCoerce,
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

from utils.database import ledger
from utils.database.engine import Session
from utils.database.tables import memory_audit, memory_evidence, user_memory
from utils.database.types import EnumText, UtcDateTime
from utils.model.memory import Evidence, Importance, Kind, Member, Memory, Seen, Source, Status
from utils.model.operator import Erasing, Erasure
from utils.model.plan import Confirmation, NewMemory, Plan

CURRENT = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
IDS_PER_STATEMENT = 500  # SQL Server takes at most 2,100 parameters
T = TypeVar("T")


def load_current(session: Session, member: Member, now: datetime) -> list[Memory]:
    """Return a member's rows that are neither superseded, forgotten nor expired, oldest first."""
    rows = session.execute(
        _LOAD_CURRENT, {"guild_id": member.guild_id, "user_id": member.user_id, "now": now}
    )
    return [_memory(row) for row in rows.all()]


def load_past(session: Session, member: Member, now: datetime) -> list[tuple[Memory, int]]:
    """Return a member's superseded rows that have not expired, oldest first, each with the id of
    the row that took its place."""
    columns = user_memory.c
    rows = session.execute(
        select(*_COLUMNS, columns.SupersededById)
        .where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.Status == Status.SUPERSEDED,
            columns.SupersededById.is_not(None),
            or_(columns.ExpiresAt.is_(None), columns.ExpiresAt > now),
        )
        .order_by(columns.Id)
    )
    return [(_memory(row[:-1]), row[-1]) for row in rows.all()]


def load_for_recall(session: Session, member: Member, now: datetime) -> list[Memory]:
    """Return the same rows with what recall needs of them, in two thirds of the time."""
    rows = session.execute(
        _LOAD_FOR_RECALL, {"guild_id": member.guild_id, "user_id": member.user_id, "now": now}
    )
    return [_memory(row) for row in rows.all()]


def load_newest(
    session: Session, now: datetime, limit: int, *which: ColumnElement[bool]
) -> list[Memory]:
    """Return the newest of such rows as :func:`load_current` has, newest first, whosever."""
    query = _current(_COLUMNS, *which).order_by(None).order_by(user_memory.c.Id.desc())
    rows = session.execute(query.limit(limit), {"now": now})
    return [_memory(row) for row in rows.all()]


def evidence_of(session: Session, member: Member) -> dict[int, tuple[Seen, ...]]:
    """Return, for each of a member's rows, the messages and days that support it."""
    evidence, columns = memory_evidence.c, user_memory.c
    found: dict[int, list[Seen]] = defaultdict(list)
    rows = session.execute(
        select(evidence.MemoryId, evidence.MessageId, evidence.SaidAt)
        .join(user_memory, columns.Id == evidence.MemoryId)
        .where(columns.GuildId == member.guild_id, columns.UserId == member.user_id)
    )
    for row in rows:
        found[row.MemoryId].append(Seen(row.MessageId, row.SaidAt.date()))
    return {memory_id: tuple(seen) for memory_id, seen in found.items()}


def apply(
    session: Session, member: Member, plan: Plan, *, now: datetime, actor_id: int
) -> list[int]:
    """Carry out a plan's inserts, confirmations and removals; returns the new rows' ids."""
    inserted = [_insert(session, member, new, now, actor_id) for new in plan.inserts]
    for confirmation in plan.confirmations:
        _confirm(session, member, confirmation, now, actor_id)
    remove(session, member, plan.removals, "removed", now=now, actor_id=actor_id)
    return inserted


def remove(
    session: Session,
    member: Member,
    ids: Sequence[int],
    action: str,
    *,
    now: datetime,
    actor_id: int,
) -> None:
    """Delete rows, and what they superseded, with evidence and audit text.

    The audit keeps that it happened.
    """
    for some in chunks([*ids, *_superseded_by(session, member, ids)]):
        session.execute(delete(user_memory).where(user_memory.c.Id.in_(some)))
        session.execute(delete(memory_evidence).where(memory_evidence.c.MemoryId.in_(some)))
        blank_audit(session, some)
        session.execute(
            insert(memory_audit),
            [audit(member, row_id, action, now, actor_id) for row_id in some],
        )


def _superseded_by(session: Session, member: Member, ids: Sequence[int]) -> list[int]:
    """Return the whole past of some of a member's rows: what they superseded, and what that had."""
    columns = user_memory.c
    past: list[int] = []
    theirs = (columns.GuildId == member.guild_id, columns.UserId == member.user_id)
    wave: Sequence[int] = ids
    while wave:
        found: list[int] = []
        for some in chunks(wave):
            by_some = (columns.SupersededById.in_(some), columns.Id.not_in(some))
            found += session.scalars(select(columns.Id).where(*theirs, *by_some))
        wave = [row_id for row_id in found if row_id not in past]
        past += wave
    return past


def expired(session: Session, now: datetime, limit: int) -> dict[Member, list[int]]:
    """Return up to ``limit`` ids of rows whose time is over, by member, the oldest first."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.Id, columns.GuildId, columns.UserId)
        .where(columns.ExpiresAt.is_not(None), columns.ExpiresAt <= now)
        .order_by(columns.ExpiresAt)
        .limit(limit)
    )
    found: dict[Member, list[int]] = defaultdict(list)
    for row in rows:
        found[Member(row.GuildId, row.UserId)].append(row.Id)
    return found


def id_of(session: Session, member: Member, uid: str) -> int | None:
    """Return the id of a member's row; None if there is none of that Uid."""
    columns = user_memory.c
    found: int | None = session.scalar(
        select(columns.Id).where(
            columns.Uid == uid,
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
        )
    )
    return found


def record_use(session: Session, uses: dict[int, tuple[int, datetime]]) -> None:
    """Add to use counts and set when rows were last recalled: id -> (times, when)."""
    columns = user_memory.c
    for row_id, (times, at) in uses.items():
        session.execute(
            update(user_memory)
            .where(columns.Id == row_id)
            .values(UseCount=columns.UseCount + times, LastUsedAt=at)
        )


def _insert(session: Session, member: Member, new: NewMemory, now: datetime, actor_id: int) -> int:
    row_id: int = session.execute(
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
        )
        .returning(user_memory.c.Id)
    ).scalar_one()
    _add_evidence(session, member, row_id, new.evidence)
    action = audit(member, row_id, "learnt", now, actor_id, after=new.text)
    if new.corrects is not None:  # its number, not its words: they may be erased before these
        action["Before"] = f"#{new.corrects}"
    session.execute(insert(memory_audit).values(action))
    if new.supersedes is not None:
        session.execute(
            update(user_memory)
            .where(user_memory.c.Id == new.supersedes)
            .values(Status=Status.SUPERSEDED, SupersededById=row_id)
        )
        old = audit(member, new.supersedes, "superseded", now, actor_id)
        session.execute(insert(memory_audit).values(old))
    return row_id


def _confirm(
    session: Session, member: Member, again: Confirmation, now: datetime, actor_id: int
) -> None:
    columns = user_memory.c
    session.execute(
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
    _add_evidence(session, member, again.row_id, again.evidence)
    action = audit(member, again.row_id, "confirmed", now, actor_id)
    session.execute(insert(memory_audit).values(action))


def _add_evidence(session: Session, member: Member, row_id: int, evidence: Evidence) -> None:
    session.execute(
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
        )
    )


def audit(
    member: Member,
    row_id: int,
    action: str,
    now: datetime,
    actor_id: int,
    *,
    after: str | None = None,
) -> dict[str, Any]:
    """Return the audit row that says that something was done to a memory."""
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


def note_erasure(session: Session, member: Member, ids: Sequence[int], now: datetime) -> None:
    """Enter in the ledger that these rows of a member are about to be forgotten."""
    columns = user_memory.c
    for some in chunks(ids):
        uids = session.scalars(
            select(columns.Uid)
            .where(columns.Id.in_(some), columns.Status != Status.FORGOTTEN)
            .order_by(columns.Id.desc())  # a row before its past, which goes with it
        )
        ledger.note(
            session,
            *(
                Erasure(now, Erasing.MEMORY, member.guild_id, member.user_id, uid=uid)
                for uid in uids
            ),
        )


def blank_audit(session: Session, memory_ids: Sequence[int]) -> None:
    """Take the words from what the audit says of these memories."""
    columns = memory_audit.c
    session.execute(
        update(memory_audit).where(columns.MemoryId.in_(memory_ids)).values(Before=None, After=None)
    )


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Cut ids into as many as one statement takes."""
    for start in range(0, len(items), IDS_PER_STATEMENT):
        yield items[start : start + IDS_PER_STATEMENT]


def _raw(column: Column[Any]) -> Column[Any] | TypeCoerce[Any]:
    """Leave times and enums as the driver gives them: thousands are turned faster by hand."""
    if isinstance(column.type, UtcDateTime):
        return type_coerce(column, DateTime)
    return type_coerce(column, String) if isinstance(column.type, EnumText) else column


# In the order of Memory's fields; the first twelve are all that recall needs.
_COLUMNS = [
    _raw(user_memory.c[name])
    for name in (
        "Id", "ChannelId", "Memory", "Topics", "Importance", "Kind", "Status", "Confidence",
        "SearchStems", "CreatedAt", "LastConfirmedAt", "ExpiresAt", "Uid", "GuildId", "UserId",
        "FactKey", "Source", "EvidenceCount", "LastUsedAt", "UseCount",
    )
]  # fmt: skip
_RECALLED = 12


def _current(columns: Sequence[Any], *which: ColumnElement[bool]) -> Select[Any]:
    return (
        select(*columns)
        .where(
            *which,
            user_memory.c.Status.in_(CURRENT),
            or_(user_memory.c.ExpiresAt.is_(None), user_memory.c.ExpiresAt > bindparam("now")),
        )
        .order_by(user_memory.c.Id)
    )


# Built once: building costs more than running.
_IN_GUILD = user_memory.c.GuildId == bindparam("guild_id")
_THEIRS = (_IN_GUILD, user_memory.c.UserId == bindparam("user_id"))
_LOAD_CURRENT = _current(_COLUMNS, *_THEIRS)
_LOAD_FOR_RECALL = _current(_COLUMNS[:_RECALLED], *_THEIRS)
_EPOCH_UTC = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH = _EPOCH_UTC.replace(tzinfo=None)
_KINDS = {kind.value: kind for kind in Kind}
_SOURCES = {source.value: source for source in Source}
_STATUSES = {status.value: status for status in Status}
_IMPORTANCES = {int(importance): importance for importance in Importance}


def _utc(stored: datetime) -> datetime:
    """Make a stored time aware; ten times as fast as ``replace(tzinfo=UTC)``."""
    return _EPOCH_UTC + (stored - _EPOCH)


def _memory(row: Sequence[Any]) -> Memory:
    """Make a memory of some or all of the columns; unpacking costs less than asking by name."""
    (
        row_id, channel_id, text, topics, importance, kind, status, confidence, stems,
        created_at, last_confirmed_at, expires_at, *rest,
    ) = row  # fmt: skip
    if rest:
        uid, guild_id, user_id, fact_key, source, evidence_count, last_used_at, use_count = rest
        rest = [uid, guild_id, user_id, fact_key, _SOURCES[source], evidence_count]
        rest += [last_used_at and _utc(last_used_at), use_count]
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
        *rest,
    )
