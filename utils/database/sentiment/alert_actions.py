"""Actions on alerts; the table's unique key lets each action happen only once."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, false, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, has_changed, has_rows, insert_new, rows_for
from utils.database.schema.memory_tables import alert, moderator_action
from utils.models.alert import ActionKind, Alert, AlertAction, AlertState, SlowModeEnd


def claim(
    connection: Connection,
    guild_id: int,
    alert_id: int,
    action: AlertAction,
    abandoned_before: datetime,
) -> bool:
    """Claim an action; True for exactly one of several callers who try.

    A claim from before ``abandoned_before`` that never finished can be taken over.
    """
    is_action = _is_action(guild_id, alert_id, action.kind, action.user_id)
    values = {
        "ActorId": action.actor_id,
        "At": action.at,
        "Amount": action.amount,
        "Done": action.is_done,
    }
    if not has_rows(connection, select(moderator_action.c.Id).where(is_action)):
        key = {"GuildId": guild_id, "AlertId": alert_id, "Act": action.kind}
        row = key | {"UserId": action.user_id} | values
        return bool(insert_new(connection, moderator_action, [row]))  # another may be faster
    return has_changed(
        connection,
        update(moderator_action)
        .where(
            is_action, moderator_action.c.Done == false(), moderator_action.c.At < abandoned_before
        )
        .values(values),
    )


def finish(connection: Connection, of: Alert | SlowModeEnd, kind: ActionKind, user_id: int) -> None:
    """Mark a claimed action as done."""
    is_action = _is_action(of.guild_id, of.alert_id, kind, user_id)
    connection.execute(update(moderator_action).where(is_action).values(Done=True))


def release(
    connection: Connection, of: Alert | SlowModeEnd, kind: ActionKind, user_id: int
) -> None:
    """Give up a claim whose action failed, so that it can be tried again."""
    connection.execute(
        delete(moderator_action).where(
            _is_action(of.guild_id, of.alert_id, kind, user_id), moderator_action.c.Done == false()
        )
    )


def slow_modes_over(
    connection: Connection, guild_ids: Collection[int], now: datetime
) -> list[SlowModeEnd]:
    """Return the ends of slow mode that are due in these servers, the earliest first."""
    query = (
        select(
            moderator_action.c.GuildId,
            moderator_action.c.AlertId,
            moderator_action.c.UserId,
            moderator_action.c.Amount,
        )
        .where(
            moderator_action.c.GuildId.in_(IDS), moderator_action.c.Act == ActionKind.END_SLOW_MODE
        )
        .where(moderator_action.c.Done == false(), moderator_action.c.At <= now)
        .order_by(moderator_action.c.At, moderator_action.c.Id)
    )
    return [SlowModeEnd(*row) for row in rows_for(connection, query, guild_ids)]


def decide(
    connection: Connection,
    guild_id: int,
    alert_id: int,
    state: AlertState,
    action: AlertAction,
    from_states: Collection[AlertState],
) -> bool:
    """Change an alert's state if it is in one of ``from_states``; True for only one caller."""
    decided = connection.execute(
        update(alert)
        .where(alert.c.GuildId == guild_id, alert.c.Id == alert_id, alert.c.State.in_(from_states))
        .values(State=state, DecidedById=action.actor_id, DecidedAt=action.at)
    )
    if decided.rowcount:
        claim(connection, guild_id, alert_id, action, action.at)
    return bool(decided.rowcount)


def _is_action(guild_id: int, alert_id: int, kind: ActionKind, user_id: int) -> ColumnElement[bool]:
    return and_(
        moderator_action.c.GuildId == guild_id,
        moderator_action.c.AlertId == alert_id,
        moderator_action.c.Act == kind,
        moderator_action.c.UserId == user_id,
    )
