"""What is open between Kith and its members: goals, promises, questions, and what to ask about."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, insert, or_, select, update
from sqlalchemy import delete as sql_delete

from utils.database import ledger
from utils.database.engine import Session
from utils.database.tables import open_loop
from utils.database.upsert import delete_some
from utils.model.episode import LoopKind, LoopState, OpenLoop
from utils.model.memory import Member
from utils.model.operator import Erasing, Erasure

MOST_OPEN = 20
"""Loops of one member that are kept open; a new one then closes the oldest, but what they asked
for is closed only by what they ask for."""


def add(session: Session, loop: OpenLoop) -> bool:
    """Store a loop; False if its words are open already, or if all that is open was asked for and
    leaves no room for what was not. The caller holds the member's lock."""
    columns = open_loop.c
    theirs = session.execute(
        select(columns.Id, columns.Text, columns.Kind)
        .where(
            columns.GuildId == loop.member.guild_id,
            columns.UserId == loop.member.user_id,
            columns.State == LoopState.OPEN,
        )
        .order_by(columns.Id)
    ).all()
    if any(row.Text == loop.text for row in theirs):
        return False
    wished = [row.Id for row in theirs if row.Kind == LoopKind.ASK]
    others = [row.Id for row in theirs if row.Kind != LoopKind.ASK]
    may_close = others + (wished if loop.kind is LoopKind.ASK else [])
    too_many = max(0, len(theirs) + 1 - MOST_OPEN)
    if too_many > len(may_close):
        return False
    set_state(session, may_close[:too_many], LoopState.CLOSED)
    session.execute(
        insert(open_loop).values(
            GuildId=loop.member.guild_id,
            UserId=loop.member.user_id,
            ChannelId=loop.channel_id,
            SourceId=loop.source_id,
            MessageId=loop.message_id,
            Kind=loop.kind,
            Text=loop.text,
            State=loop.state,
            DueAt=loop.due_at,
            CreatedAt=loop.created_at,
            ExpiresAt=loop.expires_at,
        )
    )
    return True


def open_of(
    session: Session,
    guild_id: int,
    user_ids: Collection[int],
    now: datetime,
    *,
    only_due: bool = True,
) -> list[OpenLoop]:
    """Return what is open, and due, of some members of a server, the newest first."""
    columns = open_loop.c
    is_due = or_(columns.DueAt.is_(None), columns.DueAt <= now)
    rows = session.execute(
        select(open_loop)
        .where(
            columns.GuildId == guild_id,
            columns.UserId.in_(sorted(user_ids)),
            columns.State == LoopState.OPEN,
            columns.ExpiresAt > now,
            *([is_due] if only_due else []),
        )
        .order_by(columns.Id.desc())
    )
    return [_loop(row) for row in rows]


def all_of(session: Session, member: Member, now: datetime) -> list[OpenLoop]:
    """Return all that is stored of what a member left open, in whatever state, oldest first."""
    columns = open_loop.c
    rows = session.execute(
        select(open_loop)
        .where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.ExpiresAt > now,
        )
        .order_by(columns.Id)
    )
    return [_loop(row) for row in rows]


def rests_on(session: Session, member: Member, message_id: int) -> bool:
    """Whether anything open, or brought up before, rests on a message of a member's."""
    columns = open_loop.c
    found = session.execute(
        select(columns.Id)
        .where(
            columns.GuildId == member.guild_id,
            columns.MessageId == message_id,
            columns.UserId == member.user_id,
        )
        .limit(1)
    )
    return found.first() is not None


def set_state(session: Session, ids: Sequence[int], state: LoopState) -> None:
    """Note what became of loops that are open."""
    if ids:
        session.execute(
            update(open_loop)
            .where(open_loop.c.Id.in_(ids), open_loop.c.State == LoopState.OPEN)
            .values(State=state)
        )


def delete(session: Session, member: Member, loop_id: int, now: datetime) -> bool:
    """Delete a loop; False if it is not this member's. The caller holds the member's lock."""
    this = (*_is_of(member), open_loop.c.Id == loop_id)
    message_id = session.scalar(select(open_loop.c.MessageId).where(*this))
    if message_id is None:
        return False
    erasure = Erasure(now, Erasing.LOOP, member.guild_id, member.user_id, message_id=message_id)
    ledger.note(session, erasure)
    session.execute(sql_delete(open_loop).where(*this))
    return True


def delete_of(session: Session, member: Member, message_id: int) -> None:
    """Delete what rests on a message of a member's; the caller holds the member's lock."""
    rests = (*_is_of(member), open_loop.c.MessageId == message_id)
    session.execute(sql_delete(open_loop).where(*rests))


def _is_of(member: Member) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return open_loop.c.GuildId == member.guild_id, open_loop.c.UserId == member.user_id


def delete_expired(session: Session, now: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` loops whose time is over; returns how many, by server."""
    gone = delete_some(
        session,
        open_loop,
        open_loop.c.ExpiresAt <= now,
        limit,
        returning=[open_loop.c.GuildId],
        first=open_loop.c.ExpiresAt,
    )
    return Counter(row.GuildId for row in gone)


def _loop(row: Row[Any]) -> OpenLoop:
    return OpenLoop(
        member=Member(row.GuildId, row.UserId),
        channel_id=row.ChannelId,
        source_id=row.SourceId,
        message_id=row.MessageId,
        kind=row.Kind,
        text=row.Text,
        created_at=row.CreatedAt,
        expires_at=row.ExpiresAt,
        due_at=row.DueAt,
        state=row.State,
        id=row.Id,
    )
