"""Open loops: goals, promises, questions, reminders, and what Kith was asked to bring up."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    bindparam,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy import delete as sql_delete

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    Selection,
    chunks,
    from_row,
    has_changed,
    has_rows,
    is_member,
    member_parameters,
    of_member,
    read_list,
    run,
    to_row,
)
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import loop_source, open_loop
from utils.models.episode import BY_DIRECT_MESSAGE, MAX_MISSES, LoopKind, LoopState, OpenLoop
from utils.models.memory import Member
from utils.models.operator import Erasure, ErasureKind

_LOOP, _LOOP_SOURCE = open_loop.c, loop_source.c

NOON, SOON = timedelta(hours=12), timedelta(hours=1)
MAX_OPEN = 20
"""Open loops per member. A new one closes the oldest, but only a new request closes a request."""


def add(connection: Connection, loop: OpenLoop, repeated_ids: Sequence[int] = ()) -> bool:
    """Store a loop; returns False if its text is open already, or if only requests could make room.

    ``repeated_ids`` are the messages besides its own whose words it repeats. The caller holds the
    member's lock.
    """
    open_rows = connection.execute(
        select(_LOOP.Id, _LOOP.Text, _LOOP.Kind)
        .where(
            of_member(open_loop, loop.member),
            _LOOP.State == LoopState.OPEN,
            _LOOP.Kind != LoopKind.REMINDER,
        )
        .order_by(_LOOP.Id)
    ).all()
    if any(row.Text == loop.text for row in open_rows):
        return False
    requests_last = sorted(open_rows, key=lambda row: row.Kind == LoopKind.ASK)
    may_close = [
        row.Id for row in requests_last if loop.kind is LoopKind.ASK or row.Kind != LoopKind.ASK
    ]
    too_many = max(0, len(open_rows) + 1 - MAX_OPEN)
    if too_many > len(may_close):
        return False
    set_state(connection, may_close[:too_many], LoopState.CLOSED)
    insert_loop(connection, loop, repeated_ids)
    return True


def insert_loop(
    connection: Connection, loop: OpenLoop, repeated_ids: Sequence[int] = ()
) -> OpenLoop:
    """Insert a loop, and return it with its id. The caller holds the member's lock.

    ``repeated_ids`` are as in :func:`add`.
    """
    row = to_row(open_loop, loop, GuildId=loop.member.guild_id, UserId=loop.member.user_id)
    loop_id: int = connection.execute(insert(open_loop).returning(open_loop.c.Id), row).scalar_one()
    rows = [
        {"LoopId": loop_id, "MessageId": message_id, "GuildId": loop.member.guild_id}
        for message_id in dict.fromkeys(repeated_ids)
    ]
    if rows:
        connection.execute(insert(loop_source), rows)
    return replace(loop, id=loop_id)


def load_open(
    connection: Connection, guild_id: int, user_ids: Collection[int], now: datetime
) -> list[OpenLoop]:
    """Return the open loops of some members of a server, newest first."""
    return read_list(
        connection,
        select(open_loop)
        .where(
            _LOOP.GuildId == guild_id,
            _LOOP.UserId.in_(sorted(user_ids)),
            _LOOP.State == LoopState.OPEN,
            _LOOP.ExpiresAt > now,
        )
        .order_by(_LOOP.Id.desc()),
        loop_of,
    )


_ALL = (  # built once: many recalls run it
    select(open_loop)
    .where(is_member(open_loop), open_loop.c.ExpiresAt > bindparam("now"))
    .order_by(open_loop.c.Id)
)


def load_all(connection: Connection, member: Member, now: datetime) -> list[OpenLoop]:
    """Return all stored loops of a member in any state, oldest first."""
    return run(connection, all_of(member, now))


def all_of(member: Member, now: datetime) -> Selection[list[OpenLoop]]:
    """Return the query of :func:`load_all`."""
    return Selection(
        _ALL, member_parameters(member, now=now), lambda rows: [loop_of(row) for row in rows]
    )


def has_loop_from(connection: Connection, member: Member, message_id: int) -> bool:
    """Return whether a loop in any state was made from this message of a member."""
    is_from_it = and_(of_member(open_loop, member), open_loop.c.MessageId == message_id)
    return has_rows(connection, select(open_loop.c.Id).where(is_from_it))


def load_of_channel(connection: Connection, guild_id: int, channel_id: int) -> list[OpenLoop]:
    """Return the open loops of what members said in a channel, reminders left out, oldest first."""
    return read_list(
        connection,
        select(open_loop)
        .where(
            _LOOP.GuildId == guild_id,
            _LOOP.ChannelId == channel_id,
            _LOOP.State == LoopState.OPEN,
            _LOOP.Kind != LoopKind.REMINDER,
        )
        .order_by(_LOOP.Id),
        loop_of,
    )


def set_state(
    connection: Connection, ids: Sequence[int], state: LoopState, *, min_offers: int = 0
) -> int:
    """Set the state of loops that are open and were offered so often; returns of how many."""
    if not ids:
        return 0
    are_open = and_(_LOOP.State == LoopState.OPEN, _LOOP.Offers >= min_offers)
    return connection.execute(
        update(open_loop).where(_LOOP.Id.in_(ids), are_open).values(State=state)
    ).rowcount


_CHANGE = update(open_loop).where(open_loop.c.Id == bindparam("loop_id"))


def keep_private(
    connection: Connection, member: Member, message_ids: Collection[int], now: datetime
) -> None:
    """Bring up by direct message, or not at all, what these messages of a member left open.

    What the member asked for is a reminder from then on. The caller holds the member's lock.
    """
    for ids in chunks(sorted(message_ids)):
        repeating = select(_LOOP_SOURCE.LoopId).where(
            _LOOP_SOURCE.GuildId == member.guild_id, _LOOP_SOURCE.MessageId.in_(ids)
        )
        rests_on = or_(_LOOP.MessageId.in_(ids), _LOOP.Id.in_(repeating))
        is_open = and_(of_member(open_loop, member), _LOOP.State == LoopState.OPEN)
        for row in connection.execute(select(open_loop).where(is_open, rests_on)).all():
            loop = loop_of(row)
            values: dict[str, Any] = {"State": LoopState.CLOSED}
            if loop.kind in (LoopKind.ASK, LoopKind.REMINDER):
                private = as_private(loop, now)
                values = {
                    "Kind": private.kind,
                    "ChannelId": private.channel_id,
                    "DueAt": private.due_at,
                }
            connection.execute(_CHANGE.values(values), {"loop_id": loop.id})


def as_private(loop: OpenLoop, now: datetime) -> OpenLoop:
    """Return a request as a reminder by direct message: at its time, or at noon of its day."""
    due_at = loop.due_at
    if due_at is not None and loop.kind is LoopKind.ASK:
        due_at = max(due_at + NOON, now + SOON)
    return replace(loop, kind=LoopKind.REMINDER, channel_id=BY_DIRECT_MESSAGE, due_at=due_at)


def record_offers(
    connection: Connection, loop_id: int, offers: int, *, first_at: datetime, last_at: datetime
) -> None:
    """Count the answers that could have asked about a loop; times that are known stay."""
    connection.execute(
        update(open_loop)
        .where(_LOOP.Id == loop_id)
        .values(
            Offers=_LOOP.Offers + offers,
            FirstOfferedAt=func.coalesce(
                _LOOP.FirstOfferedAt, literal(first_at, _LOOP.FirstOfferedAt.type)
            ),
            LastOfferedAt=last_at,
        )
    )


def change(
    connection: Connection,
    member: Member,
    loop_id: int,
    *,
    text: str,
    due_at: datetime | None,
    expires_at: datetime,
) -> bool:
    """Change an open loop and offer it again; returns False if the member has no such loop.

    The caller holds the member's lock.
    """
    changed = connection.execute(
        update(open_loop).where(
            of_member(open_loop, member),
            open_loop.c.Id == loop_id,
            open_loop.c.State == LoopState.OPEN,
        ),
        {
            "Text": text,
            "DueAt": due_at,
            "ExpiresAt": expires_at,
            "Offers": 0,
            "FirstOfferedAt": None,
            "LastOfferedAt": None,
        },
    )
    return changed.rowcount > 0


def delete(connection: Connection, member: Member, loop_id: int, now: datetime) -> bool:
    """Delete a loop; returns False if the member has no such loop. The caller holds the lock."""
    this = (of_member(open_loop, member), open_loop.c.Id == loop_id)
    message_id = connection.scalar(select(open_loop.c.MessageId).where(*this))
    if message_id is None:
        return False
    erasure_ledger.record(
        connection,
        Erasure(now, ErasureKind.LOOP, member.guild_id, member.user_id, message_id=message_id),
    )
    connection.execute(sql_delete(open_loop).where(*this))
    return True


def delete_by_message(connection: Connection, member: Member, message_id: int) -> None:
    """Delete the loops made from a message of a member; the caller holds the member's lock."""
    connection.execute(
        sql_delete(open_loop).where(
            of_member(open_loop, member), open_loop.c.MessageId == message_id
        )
    )


def loop_of(row: Row[Any]) -> OpenLoop:
    """Return the loop that a row holds."""
    return from_row(OpenLoop, row, member=Member(row.GuildId, row.UserId))


# --- reminders ----------------------------------------------------------------------------------


_IS_REMINDER = and_(_LOOP.Kind == LoopKind.REMINDER, _LOOP.State == LoopState.OPEN)


def load_reminders(connection: Connection, member: Member, now: datetime) -> list[OpenLoop]:
    """Return a member's reminders, the next one first."""
    return read_list(
        connection,
        select(open_loop)
        .where(_IS_REMINDER, of_member(open_loop, member), _LOOP.ExpiresAt > now)
        .order_by(_LOOP.DueAt, _LOOP.Id),
        loop_of,
    )


def load_due_reminders(
    connection: Connection, now: datetime, held_for: timedelta, limit: int
) -> list[OpenLoop]:
    """Return the reminders that are due and that no process has been delivering for so long."""
    return read_list(
        connection,
        select(open_loop)
        .where(_is_reminder_due(now, held_for), _LOOP.ExpiresAt > now)
        .order_by(_LOOP.DueAt, _LOOP.Id)
        .limit(limit),
        loop_of,
    )


def claim_reminder(
    connection: Connection, reminder_id: int, now: datetime, held_for: timedelta
) -> bool:
    """Begin to deliver a reminder; returns False if another process does, or it is gone."""
    return has_changed(
        connection,
        update(open_loop)
        .where(_LOOP.Id == reminder_id, _is_reminder_due(now, held_for))
        .values(
            Offers=_LOOP.Offers + 1,
            FirstOfferedAt=func.coalesce(
                _LOOP.FirstOfferedAt, literal(now, _LOOP.FirstOfferedAt.type)
            ),
            LastOfferedAt=now,
        ),
    )


def finish_reminder(connection: Connection, reminder: OpenLoop) -> None:
    """Delete a reminder that was delivered, or can't be. The caller holds the member's lock."""
    connection.execute(sql_delete(open_loop).where(_LOOP.Id == reminder.id, _IS_REMINDER))


def postpone_reminder(connection: Connection, reminder: OpenLoop, due_at: datetime) -> None:
    """Store when a repeated reminder is next due, and its misses.

    One that was postponed since it was loaded is moved no further. The caller holds the member's
    lock.
    """
    connection.execute(
        update(open_loop)
        .where(_LOOP.Id == reminder.id, _IS_REMINDER, _LOOP.DueAt == reminder.due_at)
        .values(
            DueAt=due_at,
            Misses=reminder.misses,
            Offers=0,
            FirstOfferedAt=None,
            LastOfferedAt=None,
        )
    )


def _is_reminder_due(now: datetime, held_for: timedelta) -> ColumnElement[bool]:
    is_free = or_(_LOOP.LastOfferedAt.is_(None), _LOOP.LastOfferedAt <= now - held_for)
    return and_(_IS_REMINDER, _LOOP.DueAt <= now, _LOOP.Misses < MAX_MISSES, is_free)
