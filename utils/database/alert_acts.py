"""The record of what moderators did about alerts; its keys let each act happen once."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, false, insert, select, update
from sqlalchemy.exc import IntegrityError

from utils.database.engine import Session
from utils.database.tables import alert, alert_message, moderator_action
from utils.database.upsert import delete_some
from utils.model.alerts import Action, AlertState
from utils.model.memory import Member


def claim(
    session: Session, guild_id: int, alert_id: int, action: Action, given_up: datetime
) -> bool:
    """Whether an act is the caller's to carry out: of many who try, one.

    Whoever began before ``given_up`` and never finished does so no more.
    """
    columns = moderator_action.c
    mine = _is(guild_id, alert_id, action)
    values = {
        "ActorId": action.actor_id,
        "At": action.at,
        "Amount": action.amount,
        "Done": action.is_done,
    }
    if session.execute(select(columns.Id).where(mine)).first() is None:
        try:
            with session.begin_nested():
                session.execute(
                    insert(moderator_action).values(
                        GuildId=guild_id,
                        AlertId=alert_id,
                        Act=action.act,
                        UserId=action.user_id,
                        **values,
                    )
                )
            return True
        except IntegrityError:  # somebody else just did
            return False
    taken_over = session.execute(
        update(moderator_action)
        .where(mine, columns.Done == false(), columns.At < given_up)
        .values(values)
    )
    return bool(taken_over.rowcount)


def finish(session: Session, guild_id: int, alert_id: int, action: Action) -> None:
    """Note that an act was carried out."""
    session.execute(
        update(moderator_action).where(_is(guild_id, alert_id, action)).values(Done=True)
    )


def release(session: Session, guild_id: int, alert_id: int, action: Action) -> None:
    """Let somebody else try an act that could not be carried out."""
    columns = moderator_action.c
    session.execute(
        delete(moderator_action).where(_is(guild_id, alert_id, action), columns.Done == false())
    )


def decide(
    session: Session,
    guild_id: int,
    alert_id: int,
    state: AlertState,
    action: Action,
    before: Collection[AlertState],
) -> bool:
    """Let an alert stand differently, if it stands as ``before``: of many who decide, one does."""
    columns = alert.c
    decided = session.execute(
        update(alert)
        .where(columns.GuildId == guild_id, columns.Id == alert_id, columns.State.in_(before))
        .values(State=state, DecidedById=action.actor_id, DecidedAt=action.at)
    )
    if decided.rowcount:
        claim(session, guild_id, alert_id, action, action.at)
    return bool(decided.rowcount)


def erase_member(session: Session, member: Member) -> None:
    """Delete what alerts and the record of acts hold of a member."""
    for table in (alert_message, moderator_action):
        columns = table.c
        session.execute(
            delete(table).where(
                columns.GuildId == member.guild_id, columns.UserId == member.user_id
            )
        )


def drop_actions(session: Session, before: datetime, limit: int) -> int:
    """Delete up to ``limit`` records of what was done before then; returns how many."""
    columns = moderator_action.c
    old = columns.At < before
    return len(delete_some(session, moderator_action, old, limit, returning=[columns.Id]))


def _is(guild_id: int, alert_id: int, action: Action) -> ColumnElement[bool]:
    columns = moderator_action.c
    return and_(
        columns.GuildId == guild_id,
        columns.AlertId == alert_id,
        columns.Act == action.act,
        columns.UserId == action.user_id,
    )
