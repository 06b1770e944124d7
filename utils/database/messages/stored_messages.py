"""The messages of a member that are stored with their text: count, list, find.

They are listed newest first by event id, and include overheard and imported messages.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, func, select

from utils.database.core.engine import Connection
from utils.database.core.queries import columns_of, from_row, member_parameters
from utils.database.messages.events import IS_TOLD_OPENLY
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import memory_event
from utils.models.memory import Member, Role
from utils.models.recall import MemberMessage, MessageCount

PAGE = 2_000
_AFTER_ALL = 2**63 - 1
_EVENT = memory_event.c
_SHOWN = columns_of(memory_event, MemberMessage, said_at="CreatedAt")

# Built once: building costs more than running.
IS_STORED = and_(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.AuthorId == bindparam("user_id"),
    _EVENT.Role == Role.MEMBER,
    is_not_empty(_EVENT.Text),
    _EVENT.ExpiresAt > bindparam("now"),
)
"""The condition for what is stored of a member, with the parameters guild_id, user_id and now."""
_COUNT = select(func.count(), func.max(_EVENT.ExpiresAt)).where(IS_STORED)


def count(connection: Connection, member: Member, now: datetime) -> MessageCount:
    """Return how many messages of a member are stored, and until when the last of them is."""
    row = connection.execute(_COUNT, member_parameters(member, now=now)).one()
    return MessageCount(row[0], row[1])


def load_newest(
    connection: Connection,
    member: Member,
    now: datetime,
    limit: int,
    *,
    before: int = _AFTER_ALL,
    sources: Collection[int] | None = None,
    for_others: bool = False,
) -> list[MemberMessage]:
    """Return a member's newest stored messages.

    Args:
        before: only messages with a smaller event id.
        sources: only messages that readers of these channels may see; None means all.
        for_others: only messages that others than the member may hear of.
    """
    query = select(*_SHOWN).where(IS_STORED, before > _EVENT.Id)
    if sources is not None:
        query = query.where(_EVENT.SourceId.in_(sources))
    if for_others:
        query = query.where(IS_TOLD_OPENLY)
    rows = connection.execute(
        query.order_by(_EVENT.Id.desc()).limit(limit), member_parameters(member, now=now)
    )
    return [_message(row) for row in rows]


def pages(
    connection: Connection, member: Member, now: datetime, sources: Collection[int] | None
) -> Iterator[list[MemberMessage]]:
    """Yield all stored messages of a member in pages; see :func:`load_newest`."""
    before = _AFTER_ALL
    while page := load_newest(connection, member, now, PAGE, before=before, sources=sources):
        yield page
        before = page[-1].id


def find(
    connection: Connection, member: Member, event_id: int, now: datetime
) -> MemberMessage | None:
    """Return a stored message of this member by its event id; None if there is none."""
    row = connection.execute(
        select(*_SHOWN).where(IS_STORED, _EVENT.Id == event_id),
        member_parameters(member, now=now),
    ).one_or_none()
    return None if row is None else _message(row)


def _message(row: Any) -> MemberMessage:
    return from_row(MemberMessage, row, said_at=row.CreatedAt, attached=(), memory_ids=())
