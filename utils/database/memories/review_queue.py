"""Memories that wait for a moderator's review: the queue, decisions and posts.

The caller of :func:`approve` and :func:`reject` holds the member's lock.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, or_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, read_first, rows_for, values_for
from utils.database.memories import audit, memories, memory_changes
from utils.database.memories.memory_history import SUPERSEDED
from utils.database.memories.memory_rows import COLUMNS, IS_OPEN, memory_from
from utils.database.privacy import tombstones
from utils.database.schema.memory_tables import WAS_SENT, memory_audit, memory_evidence, user_memory
from utils.models.memory import Kind, Member, Memory, Status, VerifiedBy
from utils.models.policy import Outcome, Review, ReviewPost

_EVIDENCE, _MEMORY = memory_evidence.c, user_memory.c

NOBODY = NO_MEMORY = 0
POSTED = "posted"
DECISIONS = {Outcome.APPROVED.value: Outcome.APPROVED, Outcome.REJECTED.value: Outcome.REJECTED}
# A literal: with a parameter, SQL Server would not use the filtered index of proposed memories.
_PROPOSED = bindparam(
    "proposed", Status.PROPOSED, type_=user_memory.c.Status.type, literal_execute=True
)


def list_waiting(
    connection: Connection, guild_ids: Collection[int], now: datetime, limit: int
) -> list[Memory]:
    """Return the memories of these servers that wait for review, the oldest first."""
    rows = rows_for(
        connection,
        select(*COLUMNS)
        .where(_MEMORY.GuildId.in_(IDS), _waits(now))
        .order_by(_MEMORY.Id)
        .limit(limit),
        guild_ids,
    )
    return sorted(map(memory_from, rows), key=lambda memory: memory.id)[:limit]


def find_waiting(
    connection: Connection, guild_id: int, memory_id: int, now: datetime
) -> Memory | None:
    """Return a memory of a server if it waits for review, else None."""
    return read_first(
        connection,
        select(*COLUMNS).where(_MEMORY.Id == memory_id, _MEMORY.GuildId == guild_id, _waits(now)),
        memory_from,
    )


def load_review(connection: Connection, guild_id: int, memory_id: int, now: datetime) -> Review:
    """Return a memory's review: waiting, decided (and by whom), or gone."""
    if find_waiting(connection, guild_id, memory_id, now) is not None:
        return Review(Outcome.WAITING)
    decision = connection.execute(
        select(_AUDIT.Action, _AUDIT.ActorId)
        .where(
            _AUDIT.MemoryId == memory_id,
            _AUDIT.GuildId + 0 == guild_id,  # "+ 0": by the index of the memory, not the server's
            _AUDIT.Action.in_(list(DECISIONS)),
        )
        .order_by(_AUDIT.Id.desc())
        .limit(1)
    ).one_or_none()
    if decision is not None:
        return Review(DECISIONS[decision.Action], decision.ActorId)
    status = connection.scalar(
        select(_MEMORY.Status).where(_MEMORY.Id == memory_id, _MEMORY.GuildId == guild_id)
    )
    if status is Status.SUPERSEDED:
        replacement = connection.execute(
            select(_AUDIT.ActorId, _AUDIT.UserId)
            .where(_AUDIT.MemoryId == memory_id, _AUDIT.Action == SUPERSEDED)
            .order_by(_AUDIT.Id.desc())
            .limit(1)
        ).one_or_none()
        if replacement is None or replacement.ActorId in (NOBODY, replacement.UserId):
            return Review(Outcome.REPLACED)
        return Review(Outcome.EDITED, replacement.ActorId)
    is_kept = status in (Status.ACTIVE, Status.SHADOW)
    return Review(Outcome.CONFIRMED if is_kept else Outcome.GONE)


def approve(connection: Connection, waiting: Memory, *, now: datetime, moderator_id: int) -> None:
    """Activate a memory in the place of the memory that it corrects.

    If no verifier gave a verdict on it, the moderator verified it.
    """
    member, memory_id = waiting.member, waiting.id
    verified = update(memory_evidence).where(
        _EVIDENCE.MemoryId == memory_id, _EVIDENCE.VerifiedBy == VerifiedBy.NONE
    )
    change: dict[str, Any] = {"Status": Status.ACTIVE}
    if connection.execute(verified.values(VerifiedBy=VerifiedBy.MODERATOR)).rowcount:
        change["Confidence"] = 1.0
    connection.execute(update(user_memory).where(_MEMORY.Id == memory_id).values(change))
    audit.add(connection, member, [memory_id], Outcome.APPROVED, now, moderator_id)
    memory_changes.put_in_place(connection, member, memory_id, now, moderator_id)


def reject(
    connection: Connection, waiting: Memory, *, now: datetime, moderator_id: int
) -> list[int]:
    """Delete a memory; returns the messages that it rests on.

    Tombstones prevent learning it again from these messages.
    """
    message_ids = list(
        connection.scalars(
            select(memory_evidence.c.MessageId).where(
                memory_evidence.c.MemoryId == waiting.id, WAS_SENT
            )
        )
    )
    memories.record_erasure(connection, waiting.member, [waiting.id], now)
    tombstones.add(connection, waiting.member.guild_id, message_ids, now=now)
    memories.remove(
        connection,
        waiting.member,
        [waiting.id],
        Outcome.REJECTED,
        now=now,
        actor_id=moderator_id,
    )
    return message_ids


def unapproved_messages(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> set[int]:
    """Return those messages on which a memory rests that waits for approval or is kept unused.

    A habit that has yet to show on further days is not meant.
    """
    is_unused = and_(_MEMORY.Status == Status.SHADOW, _MEMORY.Kind != Kind.PATTERN)
    query = (
        select(_EVIDENCE.MessageId)
        .join(user_memory, _MEMORY.Id == _EVIDENCE.MemoryId)
        .where(
            _EVIDENCE.GuildId == guild_id,
            _EVIDENCE.MessageId.in_(IDS),
            or_(_MEMORY.Status == Status.PROPOSED, is_unused),
        )
    )
    return set(values_for(connection, query, message_ids))


def record_post(connection: Connection, post: ReviewPost, now: datetime) -> None:
    """Record where a waiting memory was posted, in the audit of the server itself (ids only)."""
    server, place = Member(post.guild_id, NOBODY), f"{post.channel_id} {post.message_id}"
    audit.add(connection, server, [None], POSTED, now, 0, before=str(post.memory_id), after=place)


def stale_posts(
    connection: Connection, guild_ids: Sequence[int], now: datetime
) -> list[ReviewPost]:
    """Return the posts of memories that no longer wait for review."""
    posts = [
        post
        for post in open_posts(connection, guild_ids)
        if post.message_id and post.memory_id != NO_MEMORY
    ]
    waiting = select(_MEMORY.Id).where(_MEMORY.Id.in_(IDS), _waits(now))
    still_waiting = set(values_for(connection, waiting, {post.memory_id for post in posts}))
    return [post for post in posts if post.memory_id not in still_waiting]


_AUDIT = memory_audit.c
# Built once: building costs more than running.
_IS_OPEN_POST = and_(
    _AUDIT.UserId == NOBODY,
    _AUDIT.MemoryId.is_(None),
    _AUDIT.Action == POSTED,
    _AUDIT.After.is_not(None),
)
_OPEN_POSTS = (
    select(_AUDIT.GuildId, _AUDIT.Before, _AUDIT.After)
    .where(_IS_OPEN_POST, _AUDIT.GuildId.in_(IDS))
    .order_by(_AUDIT.Id)
)


def open_posts(connection: Connection, guild_ids: Sequence[int]) -> list[ReviewPost]:
    """Return the posts of memories and of what is decided.

    The message of those that were about to be sent is unknown: it is 0.
    """
    return [
        ReviewPost(row.GuildId, int(row.Before), *map(int, row.After.split()))
        for row in rows_for(connection, _OPEN_POSTS, guild_ids)
    ]


def close_post(connection: Connection, post: ReviewPost) -> None:
    """Record that a post is done."""
    connection.execute(
        update(memory_audit)
        .where(
            _IS_OPEN_POST,
            _AUDIT.GuildId == post.guild_id,
            _AUDIT.Before == str(post.memory_id),
            _AUDIT.After == f"{post.channel_id} {post.message_id}",
        )
        .values(Before=None, After=None)
    )


def _waits(now: datetime) -> ColumnElement[bool]:
    """Return the condition for what moderators may review: nothing that is told in confidence."""
    return and_(
        _MEMORY.Status == _PROPOSED,
        IS_OPEN,
        or_(_MEMORY.ExpiresAt.is_(None), _MEMORY.ExpiresAt > now),
    )
