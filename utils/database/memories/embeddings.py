"""Embeddings of memories and messages: finding missing ones, storing, loading a member's.

A vector is deleted with its text by a foreign key and by the triggers in
utils/database/schema/text_triggers.py.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, func, or_, select
from sqlalchemy import insert as insert_into
from sqlalchemy import update as change

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, chunks, is_member, member_parameters, run_for
from utils.database.memories.memory_rows import CURRENT
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    event_embedding,
    memory_embedding,
    memory_event,
    user_memory,
)
from utils.models.memory import Form, Member, Role

PAGE = 500


class VectorSource(Enum):
    """What was embedded: a memory or a member's message."""

    ROWS = "memories"
    EVENTS = "messages"


@dataclass(frozen=True, slots=True)
class MissingVector:
    """A text that has no vector of the current model yet."""

    id: int
    member: Member
    text: str


class StoredVector(NamedTuple):
    """A vector: its ascending number, the id of its text, and its 16-bit floats."""

    number: int
    of_id: int
    vector: bytes


class _Columns(NamedTuple):
    """A table of vectors, its column with the id of the text, and the table of texts."""

    vectors: Any
    of_id: Any
    texts: Any
    text: Any
    user_id: Any
    untouched: Any


_COLUMNS = {
    VectorSource.ROWS: _Columns(
        memory_embedding,
        memory_embedding.c.MemoryId,
        user_memory,
        user_memory.c.Memory,
        user_memory.c.UserId,
        user_memory.c.UseCount,
    ),
    VectorSource.EVENTS: _Columns(
        event_embedding,
        event_embedding.c.EventId,
        memory_event,
        memory_event.c.Text,
        memory_event.c.AuthorId,
        memory_event.c.Attempts,
    ),
}


def load_page(
    connection: Connection, source: VectorSource, model: str, after_id: int, now: datetime
) -> tuple[int | None, list[MissingVector]]:
    """Return the texts of the next page after an id that have no vector of this model.

    The last id that was examined comes first; it is None at the end.
    """
    of = _COLUMNS[source]
    ids = of.texts.c.Id
    next_ids = select(ids).where(ids > after_id).order_by(ids).limit(PAGE).subquery()
    last_id = connection.scalar(select(func.max(next_ids.c.Id)))
    if last_id is None:
        return None, []
    rows = connection.execute(
        select(ids, of.texts.c.GuildId, of.user_id, of.text)
        .where(ids > after_id, ids <= last_id, *_is_unread(source, model, now))
        .order_by(ids)
    )
    return last_id, [MissingVector(row[0], Member(row[1], row[2]), row[3]) for row in rows]


def count_missing(connection: Connection, source: VectorSource, model: str, now: datetime) -> int:
    """Count the texts without a vector of this model; scans the whole table."""
    texts = _COLUMNS[source].texts
    counted = select(func.count()).select_from(texts).where(*_is_unread(source, model, now))
    return int(connection.execute(counted).scalar_one())


def store(
    connection: Connection,
    source: VectorSource,
    model: str,
    vectors: Mapping[MissingVector, bytes],
    now: datetime,
) -> int:
    """Store vectors for those texts that have not changed since; returns how many."""
    of = _COLUMNS[source]
    by_id = {unread.id: unread for unread in vectors}
    stored = 0
    for ids in chunks(list(by_id)):
        # Locks the rows: on SQL Server, a concurrent blanking commits first or its trigger sees the
        # vector.
        touched = change(of.texts).where(of.texts.c.Id.in_(ids))
        connection.execute(touched.values({of.untouched: of.untouched}))
        rows = connection.execute(
            select(of.texts.c.Id, of.text).where(
                of.texts.c.Id.in_(ids), *_may_have_vector(source, now)
            )
        )
        unchanged = [by_id[row[0]] for row in rows if row[1] == by_id[row[0]].text]
        connection.execute(delete(of.vectors).where(of.of_id.in_([text.id for text in unchanged])))
        values = [
            {
                of.of_id.name: text.id,
                "GuildId": text.member.guild_id,
                "UserId": text.member.user_id,
                "Model": model,
                "Vector": vectors[text],
            }
            for text in unchanged
        ]
        if values:
            connection.execute(insert_into(of.vectors), values)
        stored += len(values)
    return stored


def load_newer(
    connection: Connection, source: VectorSource, model: str, member: Member, after: int, limit: int
) -> list[StoredVector]:
    """Return a member's newest ``limit`` vectors with numbers above ``after``, oldest first."""
    rows = connection.execute(
        _NEWER[source].limit(limit), member_parameters(member, model=model, after=after)
    )
    return [StoredVector(*row) for row in rows.all()][::-1]


def load_sample(
    connection: Connection, model: str
) -> list[tuple[VectorSource, MissingVector, bytes]]:
    """Return the oldest and the newest vector of a model, of memories and of messages.

    Each stands behind its text, of which it can be made again.
    """
    sample = []
    for source, of in _COLUMNS.items():
        texts, vectors = of.texts.c, of.vectors.c
        joined = (
            select(vectors.Id, texts.Id, texts.GuildId, of.user_id, of.text, vectors.Vector)
            .join_from(of.vectors, of.texts, of.of_id == texts.Id)
            .where(vectors.Model == model, is_not_empty(of.text))
            .limit(1)
        )
        ends = [
            connection.execute(joined.order_by(order)).first()
            for order in (vectors.Id.asc(), vectors.Id.desc())
        ]
        rows = {row[0]: row for row in ends if row is not None}
        sample += [
            (source, MissingVector(row[1], Member(row[2], row[3]), row[4]), row[5])
            for row in rows.values()
        ]
    return sample


def delete_some(connection: Connection, model: str) -> int:
    """Delete up to PAGE vectors of a model from each table; returns how many they were."""
    deleted = 0
    for of in _COLUMNS.values():
        ids = connection.scalars(
            select(of.vectors.c.Id).where(of.vectors.c.Model == model).limit(PAGE)
        ).all()
        deleted += run_for(connection, delete(of.vectors).where(of.vectors.c.Id.in_(IDS)), ids)
    return deleted


# Built once: every recall runs it, and building costs more than running.
_NEWER = {
    source: select(of.vectors.c.Id, of.of_id, of.vectors.c.Vector)
    .where(
        is_member(of.vectors),
        of.vectors.c.Id > bindparam("after"),
        of.vectors.c.Model == bindparam("model"),
    )
    .order_by(of.vectors.c.Id.desc())
    for source, of in _COLUMNS.items()
}


def _is_unread(source: VectorSource, model: str, now: datetime) -> Collection[ColumnElement[bool]]:
    of = _COLUMNS[source]
    has_vector = exists().where(of.of_id == of.texts.c.Id, of.vectors.c.Model == model)
    return *_may_have_vector(source, now), ~has_vector


def _may_have_vector(source: VectorSource, now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for texts to embed: what may be recalled now or after approval.

    A quote has no vector: its message has.
    """
    if source is VectorSource.ROWS:
        row = user_memory.c
        is_live = or_(row.ExpiresAt.is_(None), row.ExpiresAt > now)
        return row.Status.in_(CURRENT), row.Form == Form.NOTE, is_not_empty(row.Memory), is_live
    event = memory_event.c
    return (and_(event.Role == Role.MEMBER, is_not_empty(event.Text), event.ExpiresAt > now),)
