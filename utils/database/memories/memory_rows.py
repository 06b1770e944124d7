"""The columns of a stored memory, and how a row becomes a Memory: the hot part of every recall."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, select, union_all

from utils.database.schema.column_types import aware, constant, unconverted
from utils.database.schema.memory_tables import memory_evidence, user_memory
from utils.models.memory import Form, Importance, Kind, Memory, Source, Status

CURRENT = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)


# In the order of Memory's fields; the first thirteen are all that recall needs.
COLUMNS = [
    unconverted(user_memory.c[name])
    for name in (
        "Id", "ChannelId", "Memory", "Topics", "Importance", "Kind", "Status", "Confidence",
        "SearchStems", "CreatedAt", "LastConfirmedAt", "ExpiresAt", "Form",
        "Uid", "GuildId", "UserId", "FactKey", "Source", "EvidenceCount", "LastUsedAt", "UseCount",
    )
]  # fmt: skip
RECALLED = 13


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
LOAD_CURRENT = current(COLUMNS, *_IS_THEIRS)
LOAD_FOR_RECALL = current(COLUMNS[:RECALLED], *_IS_THEIRS)
COUNT_CURRENT = current([func.count()], *_IS_THEIRS).order_by(None)
# Two index seeks; "or" would look at every memory of the member.
CHANGED_IDS = union_all(
    select(user_memory.c.Id).where(*_IS_THEIRS, user_memory.c.Id > bindparam("last_id")),
    select(user_memory.c.Id).where(
        *_IS_THEIRS, user_memory.c.ChangedVersion >= bindparam("version")
    ),
)
LOAD_CHANGED_SOURCES = (
    select(memory_evidence.c.MemoryId, memory_evidence.c.MessageId)
    .where(memory_evidence.c.MemoryId.in_(CHANGED_IDS))
    .order_by(memory_evidence.c.Id)
)
LOAD_CHANGED = current(COLUMNS[:RECALLED], user_memory.c.Id.in_(CHANGED_IDS))
_FORMS = {form.value: form for form in Form}
_KINDS = {kind.value: kind for kind in Kind}
_SOURCES = {source.value: source for source in Source}
_STATUSES = {status.value: status for status in Status}
_IMPORTANCES = {int(importance): importance for importance in Importance}


def memory_from(row: Sequence[Any]) -> Memory:
    """Return a memory from the recall columns or all columns; unpacking is faster than by name."""
    (
        row_id, channel_id, text, topics, importance, kind, status, confidence, stems,
        created_at, last_confirmed_at, expires_at, form, *extra,
    ) = row  # fmt: skip
    if extra:
        uid, guild_id, user_id, fact_key, source, evidence_count, last_used_at, use_count = extra
        extra = [uid, guild_id, user_id, fact_key, _SOURCES[source], evidence_count]
        extra += [last_used_at and aware(last_used_at), use_count]
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
        *extra,
    )
