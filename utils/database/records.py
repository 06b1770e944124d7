"""The operator's lists of messages, of the audit, and of the members that Kith knows."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, insert, select, update

from utils.database import histories, memories
from utils.database.engine import Session
from utils.database.paging import Stretch, scope_of, walk
from utils.database.tables import memory_audit, memory_event, user_memory, user_state
from utils.database.types import has_words
from utils.model.browsing import AuditLine, EventLine, MemberRow, Page
from utils.model.memory import SERVER_ITSELF, Member
from utils.model.operator import OPERATOR

MOST_MEMBERS_SCANNED = 1_000
ACTION_LIMIT = 20  # units of MemoryAudit.Action

# --- messages -----------------------------------------------------------------------------------

_EVENT = [
    memory_event.c[name]
    for name in (
        "MessageId", "Id", "GuildId", "ChannelId", "SourceId", "Revision", "ReplyToId", "AuthorId",
        "AuthorName", "Role", "Text", "State", "Attempts", "CreatedAt", "ExpiresAt",
    )
]  # fmt: skip


def events(
    session: Session,
    guild_id: int,
    channel_id: int | None,
    user_id: int | None,
    cursor: int | None,
    limit: int,
) -> Page[EventLine]:
    """Return a server's messages, newest first, each as it was last edited.

    The cursor is a message's id: those are in order of time, and both indexes end in them.
    """
    columns, later = memory_event.c, memory_event.alias("later").c
    scope = scope_of(session, columns.GuildId, columns.AuthorId, guild_id, user_id)
    is_edited = (
        select(later.Id)
        .where(
            later.GuildId == columns.GuildId,
            later.MessageId == columns.MessageId,
            later.Revision > columns.Revision,
        )
        .exists()
    )
    which = [~is_edited]
    if channel_id is not None:  # the sum keeps it from the channel's index, which has no such order
        which.append(columns.ChannelId + 0 == channel_id)
    stretch = Stretch.of(session, columns.MessageId, scope, cursor)
    return walk(session, _EVENT, stretch, which, limit, _event_from)


def _event_from(row: Row[Any]) -> EventLine:
    return EventLine(
        id=row.Id,
        guild_id=row.GuildId,
        channel_id=row.ChannelId,
        source_id=row.SourceId,
        message_id=row.MessageId,
        revision=row.Revision,
        reply_to_id=row.ReplyToId,
        author_id=row.AuthorId,
        author_name=row.AuthorName,
        role=row.Role,
        text=row.Text,
        state=row.State,
        attempts=row.Attempts,
        created_at=row.CreatedAt,
        expires_at=row.ExpiresAt,
    )


# --- audit --------------------------------------------------------------------------------------

_LINE = [
    memory_audit.c[name]
    for name in (
        "Id", "GuildId", "UserId", "MemoryId", "At", "ActorId", "Action", "Before", "After",
    )
]  # fmt: skip


def audit(
    session: Session,
    guild_id: int | None,
    user_id: int | None,
    action: str,
    cursor: int | None,
    limit: int,
) -> Page[AuditLine]:
    """Return what was done, newest first; "" stands for every action."""
    columns = memory_audit.c
    scope = scope_of(session, columns.GuildId, columns.UserId, guild_id, user_id)
    which = [columns.Action == action] if action else []
    stretch = Stretch.of(session, columns.Id, scope, cursor)
    return walk(session, _LINE, stretch, which, limit, _line_from)


def audit_of(session: Session, memory_id: int, limit: int) -> list[AuditLine]:
    """Return what was done to a memory, newest first."""
    rows = session.execute(
        select(*_LINE)
        .where(memory_audit.c.MemoryId == memory_id)
        .order_by(memory_audit.c.Id.desc())
        .limit(limit)
    )
    return [_line_from(row) for row in rows]


def _line_from(row: Row[Any]) -> AuditLine:
    return AuditLine(
        id=row.Id,
        guild_id=row.GuildId,
        user_id=row.UserId,
        memory_id=row.MemoryId,
        at=row.At,
        actor_id=row.ActorId,
        action=row.Action,
        before=row.Before,
        after=row.After,
    )


# --- members ------------------------------------------------------------------------------------

_spoke = memory_event.alias("spoke").c
_NAME = (
    select(_spoke.AuthorName)
    .where(
        _spoke.GuildId == user_state.c.GuildId,
        _spoke.AuthorId == user_state.c.UserId,
        has_words(_spoke.AuthorName),
    )
    .order_by(_spoke.Id.desc())
    .limit(1)
    .correlate(user_state)
    .scalar_subquery()
)
_MEMBER = [
    user_state.c.UserId,
    user_state.c.GuildId,
    user_state.c.Consent,
    user_state.c.LastSeenAt,
    user_state.c.LeftAt,
    user_state.c.Ignored,
    _NAME.label("Name"),
]


def known_members(
    session: Session, guild_id: int, text: str, cursor: int | None, limit: int
) -> Page[MemberRow]:
    """Return the members that Kith knows in a server, who joined Discord last first.

    ``text`` is a part of the name they last spoke under, or their id.
    """
    columns, sought = user_state.c, text.strip().casefold()
    scope = and_(columns.GuildId == guild_id, columns.UserId != SERVER_ITSELF)
    stretch = Stretch.of(session, columns.UserId, scope, cursor, MOST_MEMBERS_SCANNED)

    def is_meant(row: Row[Any]) -> bool:
        return sought in (row.Name or "").casefold() or sought == str(row.UserId)

    page = walk(session, _MEMBER, stretch, (), limit, _member_from, is_meant if sought else None)
    counts = _remembered(session, guild_id, [one.user_id for one in page.rows])
    return Page(
        tuple(replace(one, rows=counts.get(one.user_id, 0)) for one in page.rows), page.cursor
    )


def names(session: Session, members: Collection[Member]) -> dict[Member, str]:
    """Return the names these last spoke under; those of whom there is none are left out."""
    columns = user_state.c
    found: dict[Member, str] = {}
    for guild_id, user_ids in _by_server(members).items():
        for some in memories.chunks(sorted(user_ids)):
            rows = session.execute(
                select(columns.UserId, _NAME.label("Name")).where(
                    columns.GuildId == guild_id, columns.UserId.in_(some)
                )
            )
            found |= {Member(guild_id, row.UserId): row.Name for row in rows if row.Name}
    return found


def _remembered(session: Session, guild_id: int, user_ids: Sequence[int]) -> dict[int, int]:
    """Return how much is remembered of these members now."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.UserId, func.count())
        .where(
            columns.GuildId == guild_id,
            columns.UserId.in_(user_ids),
            columns.Status.in_(memories.CURRENT),
        )
        .group_by(columns.UserId)
    )
    return {row[0]: row[1] for row in rows}


def _member_from(row: Row[Any]) -> MemberRow:
    return MemberRow(
        guild_id=row.GuildId,
        user_id=row.UserId,
        name=row.Name or "",
        consent=row.Consent,
        rows=0,
        last_seen_at=row.LastSeenAt,
        left_at=row.LeftAt,
        is_ignored=row.Ignored,
    )


def known(session: Session, seen: Collection[Member]) -> list[Member]:
    """Return those of whom there is a row, in one order; a server itself is nobody."""
    columns = user_state.c
    found: set[Member] = set()
    for guild_id, user_ids in _by_server(seen).items():
        for some in memories.chunks(sorted(user_ids - {SERVER_ITSELF})):
            rows = session.scalars(
                select(columns.UserId).where(columns.GuildId == guild_id, columns.UserId.in_(some))
            )
            found.update(Member(guild_id, user_id) for user_id in rows)
    return sorted(found)


def note_views(session: Session, seen: Collection[Member], now: datetime) -> None:
    """Note in the audit of each of these that the operator looked, under the locks of all."""
    columns, looked_at = user_state.c, known(session, seen)
    for guild_id, user_ids in _by_server(looked_at).items():
        for some in memories.chunks(sorted(user_ids)):
            session.execute(
                update(user_state)
                .where(columns.GuildId == guild_id, columns.UserId.in_(some))
                .values(MemoryVersion=columns.MemoryVersion + 1)
            )
    lines = [memories.audit(one, 0, histories.VIEWED, now, OPERATOR) for one in looked_at]
    if lines:
        session.execute(insert(memory_audit), [line | {"MemoryId": None} for line in lines])


def _by_server(members: Collection[Member]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for one in sorted(members):
        found.setdefault(one.guild_id, set()).add(one.user_id)
    return found
