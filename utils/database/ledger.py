"""The erasure ledger: what was erased and when, written in the unit of work that erases.

What it must hold is whatever a restored backup would bring back against somebody's will: messages
deleted, edited or forgotten; memories forgotten or rejected, with the past that they had; what a
member was to be asked about; everything of a member, a channel or a server; the open chapter of a
channel that was reset; and consent that became less. It need not hold what ends by itself (the
restored rows have their ends), what goes with something else (a memory whose last message was
deleted), what is over a cap (it is trimmed again), or what was merged or corrected: such a row is
kept as the past of another, and entered when that one is forgotten.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, insert, select

from utils.database.engine import Session
from utils.database.tables import erasure_ledger
from utils.model.memory import Member
from utils.model.operator import Erasure

_COLUMNS = erasure_ledger.c
# In the order of Erasure's fields.
_FIELDS = (
    _COLUMNS.At,
    _COLUMNS.Kind,
    _COLUMNS.GuildId,
    _COLUMNS.UserId,
    _COLUMNS.ChannelId,
    _COLUMNS.MessageId,
    _COLUMNS.Revision,
    _COLUMNS.Uid,
)


def note(session: Session, *erasures: Erasure) -> None:
    """Enter what this unit of work erases."""
    if erasures:
        session.execute(insert(erasure_ledger), [_row(one) for one in erasures])


def is_noted(session: Session, erasure: Erasure) -> bool:
    """Whether this very erasure is entered."""
    return session.execute(select(_COLUMNS.Id).where(_is(erasure)).limit(1)).first() is not None


def after(session: Session, entry_id: int, limit: int) -> list[tuple[int, Erasure]]:
    """Return the next entries after one, with their ids, oldest first."""
    rows = session.execute(
        select(_COLUMNS.Id, *_FIELDS)
        .where(_COLUMNS.Id > entry_id)
        .order_by(_COLUMNS.Id)
        .limit(limit)
    )
    return [(row[0], Erasure(*row[1:])) for row in rows]


def before(session: Session, entry_id: int, limit: int) -> list[tuple[int, Erasure]]:
    """Return the last entries before one, with their ids, newest first."""
    rows = session.execute(
        select(_COLUMNS.Id, *_FIELDS)
        .where(_COLUMNS.Id < entry_id)
        .order_by(_COLUMNS.Id.desc())
        .limit(limit)
    )
    return [(row[0], Erasure(*row[1:])) for row in rows]


def of_member(session: Session, member: Member) -> list[Erasure]:
    """Return what was erased of a member by name, oldest first."""
    return _of(session, member.guild_id, _COLUMNS.UserId == member.user_id)


def of_server(session: Session, guild_id: int) -> list[Erasure]:
    """Return what was erased of a server for everybody in it, oldest first."""
    return _of(session, guild_id, _COLUMNS.UserId.is_(None))


def _of(session: Session, guild_id: int, whose: ColumnElement[bool]) -> list[Erasure]:
    rows: Sequence[Any] = session.execute(
        select(*_FIELDS)
        .where(_COLUMNS.GuildId == guild_id, whose)
        .order_by(_COLUMNS.At, _COLUMNS.Id)
    ).all()
    return [Erasure(*row) for row in rows]


def _row(one: Erasure) -> dict[str, Any]:
    values = (
        *(one.at, one.kind, one.guild_id, one.user_id, one.channel_id),
        *(one.message_id, one.revision, one.uid),
    )
    return {column.name: value for column, value in zip(_FIELDS, values, strict=True)}


def _is(one: Erasure) -> ColumnElement[bool]:
    return and_(
        *(
            column.is_(None) if (value := _row(one)[column.name]) is None else column == value
            for column in _FIELDS
        )
    )
