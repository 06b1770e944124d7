"""The audit: what was done to a memory or a member, by whom."""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, insert, or_, select

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    change_rows,
    from_row,
    of_member,
    read_first,
    read_list,
    update_all,
    values_for,
)
from utils.database.schema.memory_tables import memory_audit
from utils.models.guild import LoggedChange, SettingChange, changes_between
from utils.models.memory import SERVER_USER_ID, Member
from utils.models.policy import Outcome
from utils.models.transfer import AuditEntry

_AUDIT = memory_audit.c

VIEWED = "viewed"
VISIT = timedelta(minutes=30)
"""What one person looks at within this time is one visit, and one entry in a member's audit."""
FORGOT_EVERYTHING = "forgot everything"
FORGOT_MESSAGE = "forgot a message"
NO_TEXT = {"Before": None, "After": None}
_ADD = insert(memory_audit)  # built once: building costs more than running


def audit_row(
    member: Member,
    row_id: int | None,
    action: str,
    now: datetime,
    actor_id: int,
    *,
    before: str | None = None,
    after: str | None = None,
) -> dict[str, Any]:
    """Return the entry for an action on a memory; without one it concerns the member."""
    return {
        "GuildId": member.guild_id,
        "UserId": member.user_id,
        "MemoryId": row_id,
        "At": now,
        "ActorId": actor_id,
        "Action": action,
        "Before": before,
        "After": after,
    }


def add(
    connection: Connection,
    member: Member,
    row_ids: Iterable[int | None],
    action: str,
    now: datetime,
    actor_id: int,
    *,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Append an entry for each of a member's memories."""
    rows = [
        audit_row(member, row_id, action, now, actor_id, before=before, after=after)
        for row_id in row_ids
    ]
    if rows:
        change_rows(connection, _ADD, *rows)


def record(
    connection: Connection,
    member: Member,
    action: str,
    now: datetime,
    actor_id: int,
    *,
    after: str | None = None,
) -> None:
    """Append an entry to the audit that concerns the member, not one memory."""
    add(connection, member, [None], action, now, actor_id, after=after)


def record_settings(
    connection: Connection,
    guild_id: int,
    values_before: Mapping[str, Any],
    values_after: Mapping[str, Any],
    now: datetime,
    actor_id: int,
) -> None:
    """Append an entry to the server's audit for each setting whose value changed."""
    server = Member(guild_id, SERVER_USER_ID)
    for change in changes_between(values_before, values_after):
        before, after = (json.dumps({change.name: it}) for it in (change.before, change.after))
        add(connection, server, [None], change.action, now, actor_id, before=before, after=after)


def load_settings(connection: Connection, guild_id: int, limit: int) -> list[LoggedChange]:
    """Return the last changes of a server's settings, newest first."""
    return read_list(
        connection, _settings_of(guild_id).order_by(memory_audit.c.Id.desc()).limit(limit), _logged
    )


def load_setting(connection: Connection, guild_id: int, entry_id: int) -> LoggedChange | None:
    """Return one change of a server's settings, or None."""
    return read_first(
        connection, _settings_of(guild_id).where(memory_audit.c.Id == entry_id), _logged
    )


def _settings_of(guild_id: int) -> Select[Any]:
    return select(memory_audit).where(
        of_member(memory_audit, Member(guild_id, SERVER_USER_ID)),
        _AUDIT.MemoryId.is_(None),
        _AUDIT.Before.is_not(None),
        _AUDIT.After.startswith("{"),  # a post of a waiting memory has its message's id there
    )


def _logged(row: Row[Any]) -> LoggedChange:
    ((name, before),) = json.loads(row.Before).items()
    return LoggedChange(
        row.Id, row.At, row.ActorId, SettingChange(name, before, json.loads(row.After)[name])
    )


def load_entries(
    connection: Connection, member: Member, *, action: str | None = None, limit: int | None = None
) -> list[AuditEntry]:
    """Return what was done to a member's memories, newest first; ``action`` selects one kind."""
    query = select(memory_audit).where(of_member(memory_audit, member)).order_by(_AUDIT.Id.desc())
    if action is not None:
        query = query.where(_AUDIT.Action == action)
    if limit is not None:
        query = query.limit(limit)
    return [from_row(AuditEntry, row) for row in connection.execute(query)]


def viewed_lately(
    connection: Connection,
    guild_id: int,
    user_ids: Collection[int],
    *,
    actor_id: int,
    now: datetime,
) -> set[int]:
    """Return those members of a server whose audit already has this visit of ``actor_id``."""
    viewed = select(_AUDIT.UserId).where(
        _AUDIT.GuildId == guild_id,
        _AUDIT.UserId.in_(IDS),
        _AUDIT.Action == VIEWED,
        _AUDIT.ActorId == actor_id,
        _AUDIT.At > now - VISIT,
        _AUDIT.At <= now,
    )
    return set(values_for(connection, viewed, user_ids))


def approved_ids(connection: Connection, member: Member) -> set[int]:
    """Return the ids of a member's memories that a moderator approved."""
    ids = connection.scalars(
        select(_AUDIT.MemoryId).where(
            of_member(memory_audit, member),
            _AUDIT.Action == Outcome.APPROVED,
        )
    )
    return set(ids)


def blank(connection: Connection, condition: ColumnElement[bool]) -> None:
    """Remove the text from the entries that meet a condition."""
    has_text = or_(_AUDIT.Before.is_not(None), _AUDIT.After.is_not(None))
    update_all(connection, memory_audit, and_(condition, has_text), NO_TEXT)


def blank_of(connection: Connection, memory_ids: Iterable[int]) -> None:
    """Remove the text from the entries of these memories."""
    blank(connection, memory_audit.c.MemoryId.in_(memory_ids))
