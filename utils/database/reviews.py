"""Memories that wait for a moderator: the queue, the decision, and where it was posted.

The caller of :func:`approve` and :func:`reject` holds the member's lock.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, insert, or_, select, update

from utils.database import memories, tombstones
from utils.database.engine import Session
from utils.database.tables import memory_audit, memory_evidence, user_memory
from utils.model.memory import Member, Status
from utils.model.policy import Outcome, Posted, Review, Waiting

NOBODY = 0
POSTED = "posted"
LEARNT = "learnt"
DECISIONS = {Outcome.APPROVED.value: Outcome.APPROVED, Outcome.REJECTED.value: Outcome.REJECTED}
# Written out: as a parameter, it would not let SQL Server use the index of what waits.
_PROPOSED = bindparam(
    "proposed", Status.PROPOSED, type_=user_memory.c.Status.type, literal_execute=True
)
_REPLACES = re.compile(r"#(\d+)")
_SHOWN = (
    user_memory.c.Id,
    user_memory.c.UserId,
    user_memory.c.GuildId,
    user_memory.c.ChannelId,
    user_memory.c.Memory,
    user_memory.c.Kind,
    user_memory.c.Confidence,
    user_memory.c.CreatedAt,
)


def waiting(session: Session, guild_id: int, now: datetime, limit: int) -> list[Waiting]:
    """Return what waits in a server, the oldest first."""
    rows = session.execute(
        select(*_SHOWN)
        .where(user_memory.c.GuildId == guild_id, _waits(now))
        .order_by(user_memory.c.Id)
        .limit(limit)
    )
    return [_waiting(row) for row in rows]


def find(session: Session, guild_id: int, memory_id: int, now: datetime) -> Waiting | None:
    """Return one memory of a server if it waits."""
    columns = user_memory.c
    row = session.execute(
        select(*_SHOWN).where(columns.Id == memory_id, columns.GuildId == guild_id, _waits(now))
    ).one_or_none()
    return None if row is None else _waiting(row)


def standing(session: Session, guild_id: int, memory_id: int, now: datetime) -> Review:
    """Return how a memory stands: waiting, decided and by whom, or gone."""
    columns, audit = user_memory.c, memory_audit.c
    if find(session, guild_id, memory_id, now) is not None:
        return Review(Outcome.WAITING)
    decided = session.execute(
        select(audit.Action, audit.ActorId)
        .where(
            audit.MemoryId == memory_id,
            audit.GuildId == guild_id,
            audit.Action.in_(list(DECISIONS)),
        )
        .order_by(audit.Id.desc())
        .limit(1)
    ).one_or_none()
    if decided is not None:
        return Review(DECISIONS[decided.Action], decided.ActorId)
    status = session.scalar(
        select(columns.Status).where(columns.Id == memory_id, columns.GuildId == guild_id)
    )
    is_kept = status in (Status.ACTIVE, Status.SHADOW, Status.SUPERSEDED)
    return Review(Outcome.CONFIRMED if is_kept else Outcome.GONE)


def approve(session: Session, one: Waiting, *, now: datetime, moderator_id: int) -> None:
    """Let a memory hold, and what it corrects hold no more."""
    columns = user_memory.c
    session.execute(
        update(user_memory).where(columns.Id == one.memory_id).values(Status=Status.ACTIVE)
    )
    deeds = [memories.audit(one.member, one.memory_id, Outcome.APPROVED, now, moderator_id)]
    corrected = _corrected(session, one)
    if corrected is not None:
        superseded = session.execute(
            update(user_memory)
            .where(
                columns.Id == corrected,
                columns.GuildId == one.member.guild_id,
                columns.UserId == one.member.user_id,
                columns.Status == Status.ACTIVE,
            )
            .values(Status=Status.SUPERSEDED, SupersededById=one.memory_id)
        )
        if superseded.rowcount:
            deeds.append(memories.audit(one.member, corrected, "superseded", now, moderator_id))
    session.execute(insert(memory_audit), deeds)


def reject(session: Session, one: Waiting, *, now: datetime, moderator_id: int) -> None:
    """Erase a memory's words; the tombstones keep it from being learnt again."""
    supporting = select(memory_evidence.c.MessageId).where(
        memory_evidence.c.MemoryId == one.memory_id
    )
    memories.note_erasure(session, one.member, [one.memory_id], now)
    tombstones.lay(session, one.member.guild_id, session.scalars(supporting).all(), now=now)
    session.execute(
        update(user_memory)
        .where(user_memory.c.Id == one.memory_id)
        .values(Memory="", Topics="", FactKey="", SearchStems="", Status=Status.FORGOTTEN)
    )
    session.execute(
        update(memory_evidence).where(memory_evidence.c.MemoryId == one.memory_id).values(Quote="")
    )
    memories.blank_audit(session, [one.memory_id])
    deed = memories.audit(one.member, one.memory_id, Outcome.REJECTED, now, moderator_id)
    session.execute(insert(memory_audit).values(deed))


def note_post(session: Session, post: Posted, now: datetime) -> None:
    """Note where a waiting memory was posted, in the audit of the server itself: ids, no words."""
    deed = memories.audit(Member(post.guild_id, NOBODY), post.memory_id, POSTED, now, 0)
    place = {
        "MemoryId": None,
        "Before": str(post.memory_id),
        "After": f"{post.channel_id} {post.message_id}",
    }
    session.execute(insert(memory_audit).values({**deed, **place}))


def stale_posts(session: Session, guild_ids: Sequence[int], now: datetime) -> list[Posted]:
    """Return the posts of memories that wait no more."""
    columns, audit = user_memory.c, memory_audit.c
    open_posts: list[Posted] = []
    for some in memories.chunks(guild_ids):
        rows = session.execute(
            select(audit.GuildId, audit.Before, audit.After)
            .where(_is_open_post(), audit.GuildId.in_(some))
            .order_by(audit.Id)
        )
        open_posts += [
            Posted(row.GuildId, int(row.Before), *map(int, row.After.split())) for row in rows
        ]
    waits: set[int] = set()
    for ids in memories.chunks(sorted({post.memory_id for post in open_posts})):
        waits.update(session.scalars(select(columns.Id).where(columns.Id.in_(ids), _waits(now))))
    return [post for post in open_posts if post.memory_id not in waits]


def close_post(session: Session, post: Posted) -> None:
    """Note that a post has been dealt with."""
    audit = memory_audit.c
    session.execute(
        update(memory_audit)
        .where(
            _is_open_post(),
            audit.GuildId == post.guild_id,
            audit.After == f"{post.channel_id} {post.message_id}",
        )
        .values(Before=None, After=None)
    )


def _corrected(session: Session, one: Waiting) -> int | None:
    """Return the row that a waiting memory was learnt to take the place of."""
    audit = memory_audit.c
    noted = session.scalar(
        select(audit.Before)
        .where(audit.MemoryId == one.memory_id, audit.Action == LEARNT)
        .order_by(audit.Id)
        .limit(1)
    )
    found = _REPLACES.fullmatch(noted or "")
    return int(found[1]) if found else None


def _waits(now: datetime) -> ColumnElement[bool]:
    columns = user_memory.c
    return and_(
        columns.Status == _PROPOSED,
        or_(columns.ExpiresAt.is_(None), columns.ExpiresAt > now),
    )


def _is_open_post() -> ColumnElement[bool]:
    audit = memory_audit.c
    return and_(
        audit.UserId == NOBODY,
        audit.MemoryId.is_(None),
        audit.Action == POSTED,
        audit.After.is_not(None),
    )


def _waiting(row: Any) -> Waiting:
    return Waiting(
        member=Member(row.GuildId, row.UserId),
        memory_id=row.Id,
        channel_id=row.ChannelId,
        text=row.Memory,
        kind=row.Kind,
        confidence=row.Confidence,
        said_at=row.CreatedAt,
    )
