"""Entries of the audit: what was done to a memory or a member, by whom."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, insert, or_

from utils.database.core.engine import Connection
from utils.database.core.queries import update_all
from utils.database.schema.memory_tables import memory_audit
from utils.models.memory import Member

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
        connection.execute(_ADD, rows)


def blank(connection: Connection, condition: ColumnElement[bool]) -> None:
    """Remove the text from the entries that meet a condition."""
    columns = memory_audit.c
    has_text = or_(columns.Before.is_not(None), columns.After.is_not(None))
    update_all(connection, memory_audit, and_(condition, has_text), NO_TEXT)


def blank_of(connection: Connection, memory_ids: Iterable[int]) -> None:
    """Remove the text from the entries of these memories."""
    blank(connection, memory_audit.c.MemoryId.in_(memory_ids))
