"""The operator's lists of messages, audit entries and known members."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Row, and_, bindparam, func, insert, not_, select, update

from utils.common.grouping import grouped
from utils.database.admin.pagination import ScanRange, load_page, scope_of
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    columns_of,
    from_row,
    read_dict,
    read_list,
    rows_for,
    run_for,
    values_for,
)
from utils.database.memories import audit as member_audit
from utils.database.memories.memory_rows import CURRENT, IS_OPEN
from utils.database.messages.events import IS_TOLD_OPENLY
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import memory_audit, memory_event, user_memory, user_state
from utils.models.admin import EventRow, KnownMember, Page
from utils.models.memory import SERVER_USER_ID, Member
from utils.models.operator import OPERATOR
from utils.models.provenance import NO_PROVENANCE
from utils.models.transfer import AuditEntry

MEMBERS_AT_ONCE = 1_000
ACTION_LIMIT = 20  # units of MemoryAudit.Action

# --- messages -----------------------------------------------------------------------------------

_EVENT = columns_of(memory_event, EventRow)


def events(
    connection: Connection,
    guild_id: int,
    channel_id: int | None = None,
    user_id: int | None = None,
    cursor: int | None = None,
    limit: int = 50,
) -> Page[EventRow]:
    """Return a server's messages in their last revision, newest first, without confidential ones.

    The cursor is a message id: ids are in order of time, and both indexes end in them.
    """
    columns, later = memory_event.c, memory_event.alias("later").c
    scope = scope_of(connection, columns.GuildId, columns.AuthorId, guild_id, user_id)
    is_edited = (
        select(later.Id)
        .where(
            later.GuildId == columns.GuildId,
            later.MessageId == columns.MessageId,
            later.Revision > columns.Revision,
        )
        .exists()
    )
    conditions = [~is_edited, IS_TOLD_OPENLY]
    if channel_id is not None:  # "+ 0" prevents the channel's index, conditions has another order
        conditions.append(columns.ChannelId + 0 == channel_id)
    scan = ScanRange.of(connection, columns.MessageId, scope, cursor)
    return load_page(connection, _EVENT, scan, conditions, limit, _event_from)


def turns_before(
    connection: Connection,
    guild_id: int,
    channel_id: int,
    at: datetime,
    now: datetime,
    limit: int,
) -> list[EventRow]:
    """Return the last stored messages of a channel within the hour up to a time, oldest first."""
    columns = memory_event.c
    rows = connection.execute(
        select(*_EVENT)
        .where(
            columns.GuildId == guild_id,
            columns.ChannelId == channel_id,
            IS_TOLD_OPENLY,
            columns.CreatedAt <= at,
            columns.CreatedAt > at - timedelta(hours=1),
            columns.ExpiresAt > now,
            is_not_empty(columns.Text),
        )
        .order_by(columns.CreatedAt.desc(), columns.Id.desc())
        .limit(2 * limit)  # revisions of an edited message are rows of their own
    )
    by_message: dict[int, EventRow] = {}
    for row in rows:
        by_message.setdefault(row.MessageId, _event_from(row))
    return list(by_message.values())[:limit][::-1]


def _event_from(row: Row[Any]) -> EventRow:
    return from_row(
        EventRow,
        row,
        about_ids=tuple(map(int, row.AboutIds.split())),
        attachments=(),
        attachment_texts=(),
        provenance=NO_PROVENANCE,
    )


# --- audit --------------------------------------------------------------------------------------

_ENTRY = columns_of(memory_audit, AuditEntry)


def audit(
    connection: Connection,
    guild_id: int | None,
    user_id: int | None,
    action: str,
    cursor: int | None,
    limit: int,
    *,
    without_looks: bool = False,
) -> Page[AuditEntry]:
    """Return audit entries, newest first; action "" matches all, or all but looks.

    Those of confidential memories are without text.
    """
    columns = memory_audit.c
    scope = scope_of(connection, columns.GuildId, columns.UserId, guild_id, user_id)
    conditions = [columns.Action == action] if action else []
    if without_looks:
        conditions.append(columns.Action != member_audit.VIEWED)
    scan = ScanRange.of(connection, columns.Id, scope, cursor)
    page = load_page(connection, _ENTRY, scan, conditions, limit, partial(from_row, AuditEntry))
    secret = values_for(
        connection,
        select(user_memory.c.Id).where(user_memory.c.Id.in_(IDS), not_(IS_OPEN)),
        {row.memory_id for row in page.rows if row.memory_id},
    )
    rows = [
        replace(row, before=None, after=None) if row.memory_id in secret else row
        for row in page.rows
    ]
    return replace(page, rows=tuple(rows))


def audit_of(connection: Connection, memory_id: int, limit: int) -> list[AuditEntry]:
    """Return the audit entries of a memory, newest first."""
    return read_list(
        connection,
        select(*_ENTRY)
        .where(memory_audit.c.MemoryId == memory_id)
        .order_by(memory_audit.c.Id.desc())
        .limit(limit),
        partial(from_row, AuditEntry),
    )


# --- members ------------------------------------------------------------------------------------

_spoke = memory_event.alias("spoke").c
_NAME = (
    select(_spoke.AuthorName)
    .where(
        _spoke.GuildId == user_state.c.GuildId,
        _spoke.AuthorId == user_state.c.UserId,
        is_not_empty(_spoke.AuthorName),
    )
    .order_by(_spoke.Id.desc())
    .limit(1)
    .correlate(user_state)
    .scalar_subquery()
)
_IN_SERVER = and_(user_state.c.GuildId == bindparam("guild_id"), user_state.c.UserId.in_(IDS))
_MEMBER = [
    user_state.c.UserId,
    user_state.c.GuildId,
    user_state.c.Consent,
    user_state.c.LastSeenAt,
    user_state.c.LeftAt,
    user_state.c.Ignored,
    _NAME.label("Name"),
]


def known_members(connection: Connection, guild_id: int, offset: int) -> Page[KnownMember]:
    """Return some members that Kith knows in a server, the newest Discord accounts first.

    The cursor is the next offset. Their memories are not counted; see :func:`memory_counts`.
    """
    rows = connection.execute(
        select(*_MEMBER)
        .where(user_state.c.GuildId == guild_id, user_state.c.UserId != SERVER_USER_ID)
        .order_by(user_state.c.UserId.desc())
        .offset(offset)
        .limit(MEMBERS_AT_ONCE + 1)
    ).all()
    members = tuple(
        from_row(KnownMember, row, name=row.Name or "", rows=0, is_ignored=row.Ignored)
        for row in rows[:MEMBERS_AT_ONCE]
    )
    return Page(members, offset + MEMBERS_AT_ONCE if len(rows) > MEMBERS_AT_ONCE else None)


def memory_counts(connection: Connection, guild_id: int, user_ids: Sequence[int]) -> dict[int, int]:
    """Return the number of current memories of these members."""
    columns = user_memory.c
    return read_dict(
        connection,
        select(columns.UserId, func.count())
        .where(
            columns.GuildId == guild_id,
            columns.UserId.in_(user_ids),
            columns.Status.in_(CURRENT),
        )
        .group_by(columns.UserId),
    )


def names(connection: Connection, members: Collection[Member]) -> dict[Member, str]:
    """Return the display names of these members' last messages; members without one are missing."""
    query = select(user_state.c.UserId, _NAME.label("Name")).where(_IN_SERVER)
    return {
        Member(guild_id, row.UserId): row.Name
        for guild_id, user_ids in _by_server(members).items()
        for row in rows_for(connection, query, user_ids, guild_id=guild_id)
        if row.Name
    }


def existing(connection: Connection, members: Collection[Member]) -> list[Member]:
    """Return those of these members that have a UserState row, sorted; without servers."""
    query = select(user_state.c.GuildId, user_state.c.UserId).where(_IN_SERVER)
    return sorted(
        Member(*row)
        for guild_id, user_ids in _by_server(members).items()
        for row in rows_for(connection, query, user_ids - {SERVER_USER_ID}, guild_id=guild_id)
    )


def unviewed(connection: Connection, members: Collection[Member], now: datetime) -> list[Member]:
    """Return the members with a UserState row whose audit does not have this visit yet, sorted."""
    by_server = _by_server(existing(connection, members))
    for guild_id, user_ids in by_server.items():
        user_ids -= member_audit.viewed_lately(
            connection, guild_id, user_ids, actor_id=OPERATOR, now=now
        )
    return [
        Member(guild_id, user_id)
        for guild_id in by_server
        for user_id in sorted(by_server[guild_id])
    ]


def record_views(connection: Connection, members: Collection[Member], now: datetime) -> None:
    """Record in each member's audit that the operator looks; one visit is one entry."""
    record_for_members(connection, unviewed(connection, members, now), now, member_audit.VIEWED)


def record_for_members(
    connection: Connection, members: Collection[Member], now: datetime, action: str
) -> None:
    """Record what the operator did in each member's audit, holding the locks of all."""
    concerned = existing(connection, members)
    locks = update(user_state).values(MemoryVersion=user_state.c.MemoryVersion + 1)
    for guild_id, user_ids in _by_server(concerned).items():
        run_for(connection, locks.where(_IN_SERVER), user_ids, guild_id=guild_id)
    rows = [member_audit.audit_row(member, None, action, now, OPERATOR) for member in concerned]
    if rows:
        connection.execute(insert(memory_audit), rows)


def _by_server(members: Collection[Member]) -> dict[int, set[int]]:
    ids = grouped((member.guild_id, member.user_id) for member in sorted(members))
    return {guild_id: set(user_ids) for guild_id, user_ids in ids.items()}
