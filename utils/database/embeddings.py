"""Vectors of memories and messages: which are missing, storing them, and loading a member's.

A vector goes with its text by itself: by a foreign key, and by utils/database/vector_triggers.py.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, exists, func, or_, select
from sqlalchemy import insert as insert_into
from sqlalchemy import update as change

from utils.database.engine import Session
from utils.database.memories import CURRENT, chunks
from utils.database.tables import event_embedding, memory_embedding, memory_event, user_memory
from utils.database.types import has_words
from utils.model.memory import Member, Role

PAGE = 500


class Source(Enum):
    """What a vector is of: a memory, or a message of a member's."""

    ROWS = "memories"
    EVENTS = "messages"


@dataclass(frozen=True, slots=True)
class Unread:
    """A text that has no vector of the current model yet."""

    id: int
    member: Member
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some texts in the order of their ids: up to which was looked, None at the end, and those
    without a vector."""

    last_id: int | None
    unread: tuple[Unread, ...]


class Stored(NamedTuple):
    """A vector: its own number, which rises, what it is of, and the numbers as 16-bit floats."""

    number: int
    of_id: int
    vector: bytes


class _Columns(NamedTuple):
    """A table of vectors, its column that names what they are of, and that table's columns."""

    vectors: Any
    of_id: Any
    texts: Any
    text: Any
    user_id: Any
    untouched: Any


_COLUMNS = {
    Source.ROWS: _Columns(
        memory_embedding,
        memory_embedding.c.MemoryId,
        user_memory,
        user_memory.c.Memory,
        user_memory.c.UserId,
        user_memory.c.UseCount,
    ),
    Source.EVENTS: _Columns(
        event_embedding,
        event_embedding.c.EventId,
        memory_event,
        memory_event.c.Text,
        memory_event.c.AuthorId,
        memory_event.c.Attempts,
    ),
}


def page(session: Session, source: Source, model: str, after_id: int, now: datetime) -> Page:
    """Look through the next texts after an id for those without a vector of this model."""
    of = _COLUMNS[source]
    ids = of.texts.c.Id
    next_ids = select(ids).where(ids > after_id).order_by(ids).limit(PAGE).subquery()
    last_id = session.scalar(select(func.max(next_ids.c.Id)))
    if last_id is None:
        return Page(None, ())
    rows = session.execute(
        select(ids, of.texts.c.GuildId, of.user_id, of.text)
        .where(ids > after_id, ids <= last_id, *_is_unread(source, model, now))
        .order_by(ids)
    )
    return Page(last_id, tuple(Unread(row[0], Member(row[1], row[2]), row[3]) for row in rows))


def count_unread(session: Session, source: Source, model: str, now: datetime) -> int:
    """Count the texts without a vector of this model, in a walk through the whole table."""
    texts = _COLUMNS[source].texts
    counted = select(func.count()).select_from(texts).where(*_is_unread(source, model, now))
    return int(session.execute(counted).scalar_one())


def store(
    session: Session, source: Source, model: str, made: Mapping[Unread, bytes], now: datetime
) -> int:
    """Store vectors for those texts that are still as they were read; returns how many."""
    of = _COLUMNS[source]
    by_id = {unread.id: unread for unread in made}
    stored = 0
    for some in chunks(list(by_id)):
        # Takes the rows' locks: whoever is blanking one now, SQL Server's triggers go first or see
        # the vector.
        touched = change(of.texts).where(of.texts.c.Id.in_(some))
        session.execute(touched.values({of.untouched: of.untouched}))
        rows = session.execute(
            select(of.texts.c.Id, of.text).where(
                of.texts.c.Id.in_(some), *_may_have_vector(source, now)
            )
        )
        kept = [by_id[row[0]] for row in rows if row[1] == by_id[row[0]].text]
        session.execute(delete(of.vectors).where(of.of_id.in_([one.id for one in kept])))
        values = [
            {
                of.of_id.name: one.id,
                "GuildId": one.member.guild_id,
                "UserId": one.member.user_id,
                "Model": model,
                "Vector": made[one],
            }
            for one in kept
        ]
        if values:
            session.execute(insert_into(of.vectors), values)
        stored += len(values)
    return stored


def newer(
    session: Session, source: Source, model: str, member: Member, after: int, limit: int
) -> list[Stored]:
    """Return a member's vectors made after the one numbered so, at most the last ``limit``, oldest
    first."""
    rows = session.execute(
        _NEWER[source].limit(limit),
        {
            "guild_id": member.guild_id,
            "user_id": member.user_id,
            "model": model,
            "after": after,
        },
    )
    return [Stored(*row) for row in rows.all()][::-1]


def _newer(source: Source) -> Select[Any]:
    of = _COLUMNS[source]
    columns = of.vectors.c
    return (
        select(columns.Id, of.of_id, columns.Vector)
        .where(
            columns.GuildId == bindparam("guild_id"),
            columns.UserId == bindparam("user_id"),
            columns.Id > bindparam("after"),
            columns.Model == bindparam("model"),
        )
        .order_by(columns.Id.desc())
    )


# Built once: every recall runs it, and building costs more than running.
_NEWER = {source: _newer(source) for source in Source}


def _is_unread(source: Source, model: str, now: datetime) -> Collection[ColumnElement[bool]]:
    of = _COLUMNS[source]
    has_vector = exists().where(of.of_id == of.texts.c.Id, of.vectors.c.Model == model)
    return *_may_have_vector(source, now), ~has_vector


def _may_have_vector(source: Source, now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Say of what vectors are made: of what may be recalled, or may be once it is approved."""
    if source is Source.ROWS:
        row = user_memory.c
        is_live = or_(row.ExpiresAt.is_(None), row.ExpiresAt > now)
        return row.Status.in_(CURRENT), has_words(row.Memory), is_live
    said = memory_event.c
    return (and_(said.Role == Role.MEMBER, has_words(said.Text), said.ExpiresAt > now),)
