"""Rows of memory, their evidence and their audit. Only ``members.change`` and Keeper's units write.

The caller of anything that writes here holds the member's lock.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import Row, and_, case, delete, insert, or_, select, update

from utils.database.engine import Session
from utils.database.tables import memory_audit, memory_evidence, user_memory
from utils.model.memory import (
    Confirmation,
    Evidence,
    Importance,
    Member,
    Memory,
    NewMemory,
    Plan,
    Seen,
    Status,
)

CURRENT = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
IDS_PER_STATEMENT = 500  # SQL Server takes at most 2,100 parameters
T = TypeVar("T")


def load_current(session: Session, member: Member, now: datetime) -> list[Memory]:
    """Return a member's rows that are neither superseded, forgotten nor expired, oldest first."""
    columns = user_memory.c
    rows = session.execute(
        select(*_LOADED)
        .where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.Status.in_(CURRENT),
            or_(columns.ExpiresAt.is_(None), columns.ExpiresAt > now),
        )
        .order_by(columns.Id)
    )
    return [_memory(row) for row in rows]


def tombstones(session: Session, member: Member, message_ids: Sequence[int]) -> frozenset[int]:
    """Return those messages of which something was forgotten: they teach nothing again."""
    if not message_ids:
        return frozenset()
    evidence, columns = memory_evidence.c, user_memory.c
    return frozenset(
        session.scalars(
            select(evidence.MessageId)
            .join(user_memory, columns.Id == evidence.MemoryId)
            .where(
                evidence.GuildId == member.guild_id,
                evidence.MessageId.in_(message_ids),
                columns.UserId == member.user_id,
                columns.Status == Status.FORGOTTEN,
            )
        )
    )


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
    """Delete rows with their evidence and audit text; the audit keeps that it happened."""
    for some in _chunks(ids):
        session.execute(delete(user_memory).where(user_memory.c.Id.in_(some)))
        session.execute(delete(memory_evidence).where(memory_evidence.c.MemoryId.in_(some)))
        _blank_audit(session, some)
        session.execute(
            insert(memory_audit),
            [_audit(member, row_id, action, now, actor_id) for row_id in some],
        )


def forget(session: Session, member: Member, memory_id: int, *, now: datetime) -> list[int] | None:
    """Erase one row's text and quotes, leaving a tombstone; returns the messages behind it.

    Rows that it superseded go with it: they say the same thing's past. None if the row is not
    this member's.
    """
    ids = _with_predecessors(session, member, memory_id)
    if not ids:
        return None
    evidence = memory_evidence.c
    messages = list(
        session.scalars(select(evidence.MessageId).where(evidence.MemoryId.in_(ids)).distinct())
    )
    session.execute(
        update(user_memory)
        .where(user_memory.c.Id.in_(ids))
        .values(Memory="", Topics="", FactKey="", SearchStems="", Status=Status.FORGOTTEN)
    )
    session.execute(update(memory_evidence).where(evidence.MemoryId.in_(ids)).values(Quote=""))
    _forget_source(session, member, messages)
    _blank_audit(session, ids)
    session.execute(
        insert(memory_audit),
        [_audit(member, row_id, "forgotten", now, member.user_id) for row_id in ids],
    )
    return messages


def supported_by(session: Session, guild_id: int, message_ids: Sequence[int]) -> list[Member]:
    """Return the members of whom something is believed because of these messages."""
    evidence, columns = memory_evidence.c, user_memory.c
    found: set[int] = set()
    for some in _chunks(message_ids):
        found.update(
            session.scalars(
                select(columns.UserId)
                .join(memory_evidence, columns.Id == evidence.MemoryId)
                .where(evidence.GuildId == guild_id, evidence.MessageId.in_(some))
                .distinct()
            )
        )
    return [Member(guild_id, user_id) for user_id in sorted(found)]


def withdraw(
    session: Session, member: Member, message_ids: Sequence[int], *, now: datetime
) -> list[int]:
    """Take messages away as evidence; rows that nothing else supports go, and are returned."""
    gone = set(message_ids)
    orphans = []
    for memory_id, seen in evidence_of(session, member).items():
        left = [one for one in seen if one.message_id not in gone]
        if not left:
            orphans.append(memory_id)
        elif len(left) < len(seen):
            session.execute(
                delete(memory_evidence).where(
                    memory_evidence.c.MemoryId == memory_id,
                    memory_evidence.c.MessageId.in_(gone & {one.message_id for one in seen}),
                )
            )
            session.execute(
                update(user_memory)
                .where(user_memory.c.Id == memory_id)
                .values(EvidenceCount=len(left))
            )
    remove(session, member, orphans, "retracted", now=now, actor_id=member.user_id)
    return orphans


def forget_all(session: Session, member: Member, *, now: datetime) -> int:
    """Delete every row of a member, tombstones too; returns how many could still be recalled."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.Id, columns.Status).where(
            columns.GuildId == member.guild_id, columns.UserId == member.user_id
        )
    ).all()
    ids = [row.Id for row in rows]
    remove(session, member, ids, "erased", now=now, actor_id=member.user_id)
    return sum(row.Status in CURRENT for row in rows)


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
    action = _audit(member, row_id, "learnt", now, actor_id, after=new.text)
    session.execute(insert(memory_audit).values(action))
    if new.supersedes is not None:
        session.execute(
            update(user_memory)
            .where(user_memory.c.Id == new.supersedes)
            .values(Status=Status.SUPERSEDED, SupersededById=row_id)
        )
        old = _audit(member, new.supersedes, "superseded", now, actor_id)
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
                else_=again.evidence.said_at,
            ),
        )
    )
    _add_evidence(session, member, again.row_id, again.evidence)
    action = _audit(member, again.row_id, "confirmed", now, actor_id)
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


def _with_predecessors(session: Session, member: Member, memory_id: int) -> list[int]:
    """Return a row of this member and all that it superseded; empty if it is not theirs."""
    columns = user_memory.c
    mine = and_(columns.GuildId == member.guild_id, columns.UserId == member.user_id)
    found: list[int] = []
    wave = list(
        session.scalars(
            select(columns.Id).where(
                mine, columns.Id == memory_id, columns.Status != Status.FORGOTTEN
            )
        )
    )
    while wave:
        found += wave
        wave = list(
            session.scalars(select(columns.Id).where(mine, columns.SupersededById.in_(wave)))
        )
    return found


def _forget_source(session: Session, member: Member, message_ids: Sequence[int]) -> None:
    """Take erased messages' words from the member's other memories: quotes, and stems beyond the
    memory's own."""
    evidence, columns = memory_evidence.c, user_memory.c
    for some in _chunks(message_ids):
        from_them = and_(evidence.GuildId == member.guild_id, evidence.MessageId.in_(some))
        rows = session.execute(
            select(columns.Id, columns.SearchStems)
            .join(memory_evidence, columns.Id == evidence.MemoryId)
            .where(from_them, columns.GuildId == member.guild_id, columns.UserId == member.user_id)
        ).all()
        for row in rows:
            own = row.SearchStems.split("\n", 1)[0]
            session.execute(
                update(user_memory).where(columns.Id == row.Id).values(SearchStems=own)
            )
        session.execute(update(memory_evidence).where(from_them).values(Quote=""))


def _audit(
    member: Member,
    row_id: int,
    action: str,
    now: datetime,
    actor_id: int,
    *,
    after: str | None = None,
) -> dict[str, Any]:
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


def _blank_audit(session: Session, memory_ids: Sequence[int]) -> None:
    columns = memory_audit.c
    session.execute(
        update(memory_audit).where(columns.MemoryId.in_(memory_ids)).values(Before=None, After=None)
    )


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), IDS_PER_STATEMENT):
        yield items[start : start + IDS_PER_STATEMENT]


_LOADED = [column for column in user_memory.c if column.name != "SupersededById"]


def _memory(row: Row[Any]) -> Memory:
    return Memory(
        id=row.Id,
        uid=row.Uid,
        guild_id=row.GuildId,
        user_id=row.UserId,
        channel_id=row.ChannelId,
        text=row.Memory,
        topics=tuple(row.Topics.split(",")) if row.Topics else (),
        importance=Importance(row.Importance),
        kind=row.Kind,
        fact_key=row.FactKey,
        source=row.Source,
        status=row.Status,
        confidence=row.Confidence,
        evidence_count=row.EvidenceCount,
        stems=row.SearchStems,
        created_at=row.CreatedAt,
        last_confirmed_at=row.LastConfirmedAt,
        last_used_at=row.LastUsedAt,
        use_count=row.UseCount,
        expires_at=row.ExpiresAt,
    )
