"""Retention: members who left, servers that removed Kith, memories without evidence.

The caller of every function that changes a member's rows holds that member's lock.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, true, update

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    after_member,
    has_changed,
    has_rows,
    members_from,
    next_members,
    of_member,
    read_list,
    values_for,
)
from utils.database.erasure.deletion import delete_of_member, delete_of_server
from utils.database.erasure.inventory import BLANK_STATE, INVENTORY, Extent
from utils.database.memories import audit, write_policies
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    guild_settings,
    memory_audit,
    memory_event,
    memory_evidence,
    user_memory,
    user_state,
    watched_channel,
)
from utils.models.memory import (
    DIRECT_MESSAGES,
    SERVER_USER_ID,
    Consent,
    Member,
    Role,
    Status,
)

_SETTINGS, _EVENT, _MEMORY, _STATE = guild_settings.c, memory_event.c, user_memory.c, user_state.c
_IS_UNSUPPORTED = ~exists().where(memory_evidence.c.MemoryId == _MEMORY.Id)

# --- members ------------------------------------------------------------------------------------


def is_known(connection: Connection, member: Member) -> bool:
    """Return whether anything is stored of a member."""
    state = select(user_state.c.UserId).where(of_member(user_state, member))
    event = select(_EVENT.Id).where(
        _EVENT.GuildId == member.guild_id, _EVENT.AuthorId == member.user_id
    )
    return has_rows(connection, state) or has_rows(connection, event)


def set_left(connection: Connection, member: Member, at: datetime | None) -> None:
    """Store when a member left; None means that they are in the server."""
    connection.execute(update(user_state).where(of_member(user_state, member)).values(LeftAt=at))


def last_seen(connection: Connection, member: Member) -> datetime | None:
    """Return when a member last wrote; None if that is unknown."""
    return connection.scalar(select(user_state.c.LastSeenAt).where(of_member(user_state, member)))


def clear_returned(connection: Connection) -> None:
    """Clear the leaving time of members who have sent messages since."""
    connection.execute(
        update(user_state)
        .where(_STATE.LeftAt.is_not(None), _STATE.LastSeenAt > _STATE.LeftAt)
        .values(LeftAt=None)
    )


def list_departed(
    connection: Connection, left_by: datetime, unseen_since: datetime, after: Member, limit: int
) -> list[Member]:
    """Return the next members who left by ``left_by``, or were not seen since ``unseen_since``.

    Members with lasting consent, chosen or by the server's default, count only once they left.
    """
    effective = func.coalesce(_STATE.Consent, guild_settings.c.ConsentDefault, Consent.TEMPORARY)
    unseen = and_(_STATE.LastSeenAt <= unseen_since, effective != Consent.LASTING)
    is_default = guild_settings.c.GuildId == _STATE.GuildId
    return members_from(
        connection,
        select(_STATE.GuildId, _STATE.UserId)
        .select_from(user_state.outerjoin(guild_settings, is_default))
        .where(or_(_has_left(left_by), unseen), after_member(user_state, after))
        .order_by(_STATE.GuildId, _STATE.UserId)
        .limit(limit),
    )


def list_leavers(
    connection: Connection, left_by: datetime, after: Member, limit: int
) -> list[Member]:
    """Return the next members who left by then, as far as is known."""
    return next_members(connection, user_state, after, limit, _has_left(left_by))


def _has_left(left_by: datetime) -> ColumnElement[bool]:
    """Return the condition that a member left by then and has not written since."""
    has_not_written = or_(_STATE.LastSeenAt.is_(None), _STATE.LastSeenAt <= _STATE.LeftAt)
    return and_(_STATE.LeftAt <= left_by, has_not_written)


def list_unseen(
    connection: Connection, unseen_since: datetime, after: Member, limit: int
) -> list[Member]:
    """Return the next members with memories or messages who were not seen since then.

    They may have left.
    """
    has_memories = exists().where(
        _MEMORY.GuildId == _STATE.GuildId, _MEMORY.UserId == _STATE.UserId
    )
    has_messages = exists().where(
        _EVENT.GuildId == _STATE.GuildId, _EVENT.AuthorId == _STATE.UserId
    )
    return next_members(
        connection,
        user_state,
        after,
        limit,
        _STATE.GuildId != DIRECT_MESSAGES,
        _STATE.LeftAt.is_(None),
        or_(_STATE.LastSeenAt.is_(None), _STATE.LastSeenAt <= unseen_since),
        or_(has_memories, has_messages),
    )


def guilds_of_user(connection: Connection, user_id: int) -> list[int]:
    """Return every server in which anything is stored of a user."""
    guild_ids = {
        guild_id
        for entry in INVENTORY
        for column in entry.member_columns
        for guild_id in connection.scalars(
            select(entry.table.c.GuildId).where(column == user_id).distinct()
        )
    }
    return sorted(guild_ids)


def blank_member(connection: Connection, member: Member) -> int:
    """Erase what is stored of a member besides their memories and messages.

    Their state keeps only its version and what prevents storing more: consent off, the passive
    opt-out and a moderator's order to ignore them. The audit keeps its rows without text. Returns
    how many other rows were deleted.
    """
    _blank_states(connection, of_member(user_state, member))
    audit.blank(connection, of_member(memory_audit, member))
    return delete_of_member(connection, member, Extent.MEMBER)


def _blank_states(connection: Connection, condition: ColumnElement[bool]) -> None:
    connection.execute(update(user_state).where(condition).values(BLANK_STATE))
    connection.execute(
        update(user_state).where(condition, _STATE.Consent != Consent.OFF).values(Consent=None)
    )


# --- servers ------------------------------------------------------------------------------------


def list_guilds(connection: Connection) -> dict[int, datetime | None]:
    """Return every server with stored data, and when it removed Kith (None: it did not)."""
    removed_at: dict[int, datetime | None] = dict.fromkeys(
        guild_id
        for table in (user_state, watched_channel)
        for guild_id in connection.scalars(select(table.c.GuildId).distinct())
    )
    for row in connection.execute(select(guild_settings.c.GuildId, guild_settings.c.RemovedAt)):
        removed_at[row.GuildId] = row.RemovedAt
    removed_at.pop(DIRECT_MESSAGES, None)
    return removed_at


def set_removed(connection: Connection, guild_ids: Collection[int], at: datetime | None) -> None:
    """Store when servers removed Kith; None means that Kith is in them."""
    for guild_id in guild_ids:
        if at is not None:
            write_policies.lock(connection, guild_id)
        change = update(guild_settings).where(_SETTINGS.GuildId == guild_id)
        if at is not None:
            change = change.where(_SETTINGS.RemovedAt.is_(None))
        connection.execute(change.values(RemovedAt=at))


def list_outliving_default(connection: Connection, latest_end: datetime) -> list[int]:
    """Return the servers with a temporary default in which something outlives it.

    That is a message or memory of a member who has not chosen that ends after ``latest_end``, or
    never. A process that ended while it shortened them leaves some.
    """
    lasting = select(guild_settings.c.GuildId).where(
        guild_settings.c.ConsentDefault == Consent.LASTING
    )
    guild_ids: set[int] = set()
    for table, author, is_concerned in (
        (user_memory, user_memory.c.UserId, user_memory.c.Status != Status.FORGOTTEN),
        (memory_event, memory_event.c.AuthorId, memory_event.c.Role == Role.MEMBER),
    ):
        query = (
            select(table.c.GuildId)
            .distinct()
            .join(
                user_state,
                and_(user_state.c.GuildId == table.c.GuildId, user_state.c.UserId == author),
            )
            .where(
                user_state.c.Consent.is_(None),
                user_state.c.UserId != SERVER_USER_ID,
                table.c.GuildId.not_in(lasting),
                is_concerned,
                or_(table.c.ExpiresAt.is_(None), table.c.ExpiresAt > latest_end),
            )
        )
        guild_ids.update(connection.scalars(query))
    return sorted(guild_ids)


def list_removed_guilds(connection: Connection, removed_by: datetime) -> list[int]:
    """Return the servers that removed Kith by then."""
    return list(
        connection.scalars(select(_SETTINGS.GuildId).where(_SETTINGS.RemovedAt <= removed_by))
    )


def is_removed(connection: Connection, guild_id: int) -> bool:
    """Return whether a server has removed Kith and not added it again."""
    return has_rows(
        connection,
        select(_SETTINGS.GuildId).where(
            _SETTINGS.GuildId == guild_id, _SETTINGS.RemovedAt.is_not(None)
        ),
    )


def lock_removed(connection: Connection, guild_id: int, removed_by: datetime) -> bool:
    """Return whether a server removed Kith by then, and lock its row until the transaction ends."""
    return has_changed(
        connection,
        update(guild_settings)
        .where(_SETTINGS.GuildId == guild_id, _SETTINGS.RemovedAt <= removed_by)
        .values(RemovedAt=_SETTINGS.RemovedAt),
    )


def memories_of_guild(
    connection: Connection, guild_id: int, limit: int
) -> dict[Member, tuple[int, ...]]:
    """Return up to ``limit`` ids of a server's memories, by member."""
    rows = connection.execute(
        select(_MEMORY.UserId, _MEMORY.Id)
        .where(_MEMORY.GuildId == guild_id)
        .order_by(_MEMORY.UserId, _MEMORY.Id)
        .limit(limit)
    )
    return grouped((Member(guild_id, row.UserId), row.Id) for row in rows)


def delete_rows_of_guild(connection: Connection, guild_id: int, limit: int) -> int:
    """Delete up to ``limit`` rows of a server, once its memories are deleted; returns how many.

    Its settings stay, and of its members what :func:`blank_member` keeps.
    """
    if count := delete_of_server(connection, guild_id, limit):
        return count
    is_to_blank = or_(
        _STATE.Consent != Consent.OFF,
        *(
            _is_set(_STATE[name], value)
            for name, value in BLANK_STATE.items()
            if name != "MemoryVersion"
        ),
    )
    user_ids = connection.scalars(
        select(_STATE.UserId).where(_STATE.GuildId == guild_id, is_to_blank).limit(limit)
    ).all()
    if user_ids:
        _blank_states(connection, and_(_STATE.GuildId == guild_id, _STATE.UserId.in_(user_ids)))
    return len(user_ids)


def _is_set(column: ColumnElement[Any], blank: str | bool | None) -> ColumnElement[bool]:
    """Return the condition that a column has another value than its blank one."""
    if blank is None:
        return column.is_not(None)
    return column == true() if blank is False else is_not_empty(column)


def delete_guild(connection: Connection, guild_id: int) -> None:
    """Delete a server's settings and the texts of its audit, once its other rows are deleted."""
    audit.blank(connection, memory_audit.c.GuildId == guild_id)
    connection.execute(delete(guild_settings).where(_SETTINGS.GuildId == guild_id))


# --- rows ---------------------------------------------------------------------------------------


def list_without_evidence(
    connection: Connection, after_id: int, limit: int
) -> list[tuple[int, Member]]:
    """Return the next memories without evidence, in the order of their ids."""
    return read_list(
        connection,
        select(_MEMORY.Id, _MEMORY.GuildId, _MEMORY.UserId)
        .where(_MEMORY.Id > after_id, _IS_UNSUPPORTED)
        .order_by(_MEMORY.Id)
        .limit(limit),
        lambda row: (row.Id, Member(row.GuildId, row.UserId)),
    )


def still_without_evidence(connection: Connection, ids: Collection[int]) -> list[int]:
    """Return those of these memories that have no evidence."""
    return values_for(
        connection,
        select(user_memory.c.Id).where(user_memory.c.Id.in_(IDS), _IS_UNSUPPORTED),
        ids,
    )


def still_expired(connection: Connection, ids: Sequence[int], now: datetime) -> list[int]:
    """Return those of these memories that have expired; the caller holds their member's lock."""
    return values_for(
        connection, select(_MEMORY.Id).where(_MEMORY.Id.in_(IDS), _MEMORY.ExpiresAt <= now), ids
    )
