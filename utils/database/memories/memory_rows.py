"""The rows of stored memories: what recall reads of them, and how a row becomes a Memory."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, not_, or_, select

from utils.database.core.queries import Selection, member_parameters
from utils.database.schema.column_types import as_stored, aware, constant, seconds
from utils.database.schema.memory_tables import user_memory
from utils.models.memory import (
    SERVER_USER_ID,
    Form,
    Importance,
    Kind,
    Member,
    Memory,
    Source,
    Status,
)
from utils.models.recall import MemoryColumns
from utils.nlp.confidential import MARK

CURRENT = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)


# In the order of Memory's fields.
_RECALLED = [
    as_stored(user_memory.c[name])
    for name in (
        "Id", "ChannelId", "Memory", "Topics", "Importance", "Kind", "Status", "Confidence",
        "SearchStems", "CreatedAt", "LastConfirmedAt", "ExpiresAt", "Form", "FactKey",
    )
]  # fmt: skip
COLUMNS = _RECALLED + [
    as_stored(user_memory.c[name])
    for name in (
        "Uid", "GuildId", "UserId", "Source", "EvidenceCount", "LastUsedAt", "UseCount",
        "SupersededById",
    )
]  # fmt: skip


def current(columns: Sequence[Any], *conditions: ColumnElement[bool]) -> Select[Any]:
    """Return the query of the current memories that meet the conditions, at the time ``now``."""
    return (
        select(*columns)
        .where(
            *conditions,
            or_(*(user_memory.c.Status == constant(status) for status in CURRENT)),
            or_(user_memory.c.ExpiresAt.is_(None), user_memory.c.ExpiresAt > bindparam("now")),
        )
        .order_by(user_memory.c.Id)
    )


# Built once: building costs more than running.
_IN_GUILD = user_memory.c.GuildId == bindparam("guild_id")
_IS_THEIRS = (_IN_GUILD, user_memory.c.UserId == bindparam("user_id"))
IS_OPEN = not_(user_memory.c.SearchStems.contains(MARK))
"""The condition for memories that others than their member may hear of."""
LOAD_CURRENT = current(COLUMNS, *_IS_THEIRS)
LOAD_OPEN = current(COLUMNS, *_IS_THEIRS, IS_OPEN)
_LOAD_LORE = current(_RECALLED, *_IS_THEIRS, IS_OPEN)
_LOAD_FOR_RECALL = current(_RECALLED, *_IS_THEIRS, user_memory.c.Id > bindparam("after"))
_FORMS = {form.value: form for form in Form}
_KINDS = {kind.value: kind for kind in Kind}
_SOURCES = {source.value: source for source in Source}
_STATUSES = {status.value: status for status in Status}
_IMPORTANCES = {int(importance): importance for importance in Importance}


def columns_from(columns: Sequence[Sequence[Any]]) -> MemoryColumns:
    """Return memories from the columns that recall needs."""
    if not columns:
        return MemoryColumns.of(())
    (
        ids, channel_ids, texts, topics, importance, kinds, statuses, confidence, stems,
        created_at, last_confirmed_at, expires_at, forms, fact_keys,
    ) = columns  # fmt: skip
    return MemoryColumns(
        ids,
        channel_ids,
        texts,
        topics,
        importance,
        kinds,
        statuses,
        confidence,
        stems,
        seconds(created_at),
        seconds(last_confirmed_at),
        seconds(expires_at),
        forms,
        fact_keys,
    )


def memory_from(row: Sequence[Any]) -> Memory:
    """Return a memory from all columns; unpacking is faster than reading them by name."""
    (
        row_id, channel_id, text, topics, importance, kind, status, confidence, stems,
        created_at, last_confirmed_at, expires_at, form, fact_key, uid, guild_id, user_id, source,
        evidence_count, last_used_at, use_count, superseded_by,
    ) = row  # fmt: skip
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
        aware(created_at),
        aware(last_confirmed_at),
        expires_at and aware(expires_at),
        _FORMS[form],
        fact_key,
        uid,
        guild_id,
        user_id,
        _SOURCES[source],
        evidence_count,
        last_used_at and aware(last_used_at),
        use_count,
        superseded_by,
    )


def for_recall(member: Member, now: datetime, after: int = 0) -> Selection[MemoryColumns]:
    """Return the query of a member's current memories with the columns that recall needs.

    ``after`` is the id of a memory: only later ones are read.
    """
    return Selection(
        _LOAD_FOR_RECALL,
        member_parameters(member, now=now, after=after),
        columns_from,
        by_column=True,
    )


def lore_for_recall(guild_id: int, now: datetime) -> Selection[MemoryColumns]:
    """Return the query of those of a server's own memories that everybody may hear of."""
    return Selection(
        _LOAD_LORE,
        member_parameters(Member(guild_id, SERVER_USER_ID), now=now),
        columns_from,
        by_column=True,
    )
