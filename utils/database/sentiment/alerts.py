"""Alerts: their messages, their posts in the log channel, and their expiry."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    columns_of,
    from_row,
    has_changed,
    read_first,
    read_list,
    rows_for,
    run_for,
)
from utils.database.schema.memory_tables import (
    alert,
    alert_message,
    message_score,
    moderator_action,
)
from utils.database.sentiment import tension
from utils.models.alert import (
    UNDECIDED,
    ActionKind,
    Alert,
    AlertAction,
    AlertOutcome,
    AlertState,
)
from utils.models.sentiment import ThresholdCrossing

MAX_MESSAGES = 100  # of one alert
MAX_ALERTS = 50  # handled at once

SCORED = and_(
    message_score.c.GuildId == alert_message.c.GuildId,
    message_score.c.MessageId == alert_message.c.MessageId,
)
_MESSAGES = (  # how many an alert has that are not erased
    select(func.count())
    .select_from(alert_message)
    .join(message_score, SCORED)
    .where(alert_message.c.GuildId == alert.c.GuildId, alert_message.c.AlertId == alert.c.Id)
    .scalar_subquery()
)

# --- incidents ----------------------------------------------------------------------------------


def undecided_alert_id(
    connection: Connection, guild_id: int, place_id: int, since: datetime
) -> int | None:
    """Return the channel's latest undecided alert that changed since then."""
    return connection.scalar(
        select(alert.c.Id)
        .where(alert.c.GuildId == guild_id, alert.c.PlaceId == place_id)
        .where(alert.c.ChangedAt > since, alert.c.State.in_(UNDECIDED))
        .order_by(alert.c.ChangedAt.desc(), alert.c.Id.desc())
        .limit(1)
    )


def last_decided_at(connection: Connection, guild_id: int, place_id: int) -> datetime | None:
    """Return when a moderator last dismissed or closed an alert of a channel."""
    return connection.scalar(
        select(alert.c.DecidedAt)
        .where(alert.c.GuildId == guild_id, alert.c.PlaceId == place_id)
        .where(alert.c.State.not_in(UNDECIDED), alert.c.DecidedAt.is_not(None))
        .order_by(alert.c.DecidedAt.desc())
        .limit(1)
    )


def add_batch(
    connection: Connection,
    guild_id: int,
    place_id: int,
    alert_id: int | None,
    crossings: Sequence[ThresholdCrossing],
    messages: Sequence[tuple[int, int]],
    now: datetime,
) -> int:
    """Add messages (id, author) to an alert, up to a hundred in total; returns the alert's id.

    Its level becomes that of the highest crossing of its own trigger. Its post is out of date then,
    also if the alert has as many messages as before, or loses all of them until it is shown.

    Args:
        alert_id: None: a new alert, raised by the first crossing.
    """
    if alert_id is None:
        first = crossings[0]
        inserted = connection.execute(
            insert(alert).values(
                GuildId=guild_id,
                PlaceId=place_id,
                State=AlertState.OPEN,
                Signal=first.trigger,
                Level=first.level,
                Threshold=first.threshold,
                OpenedAt=now,
                ChangedAt=now,
                Shown=tension.OUTDATED,
                DecidedById=0,
            )
        )
        (alert_id,) = inserted.inserted_primary_key or (0,)  # always set after an insert
    trigger, level = connection.execute(
        select(alert.c.Signal, alert.c.Level).where(alert.c.Id == alert_id)
    ).one()
    levels = [level, *(crossing.level for crossing in crossings if crossing.trigger is trigger)]
    connection.execute(
        update(alert)
        .where(alert.c.Id == alert_id)
        .values(ChangedAt=now, Level=max(levels), Shown=tension.OUTDATED)
    )
    of_alert = and_(alert_message.c.GuildId == guild_id, alert_message.c.AlertId == alert_id)
    known_ids = set(connection.scalars(select(alert_message.c.MessageId).where(of_alert)))
    remaining = max(0, MAX_MESSAGES - len(known_ids))
    new = [message for message in messages if message[0] not in known_ids][:remaining]
    rows = [
        {"GuildId": guild_id, "AlertId": alert_id, "MessageId": message_id, "UserId": author_id}
        for message_id, author_id in new
    ]
    if rows:
        connection.execute(insert(alert_message), rows)
    return int(alert_id)


def load(connection: Connection, guild_id: int, alert_id: int) -> Alert | None:
    """Return an alert with its messages and actions; None if the server has no such alert."""
    return read_first(
        connection,
        select(alert).where(alert.c.GuildId == guild_id, alert.c.Id == alert_id),
        partial(_alert, connection),
    )


def _alert(connection: Connection, row: Row[tuple[object, ...]]) -> Alert:
    scores = connection.execute(
        select(message_score)
        .join(alert_message, SCORED)
        .where(alert_message.c.GuildId == row.GuildId, alert_message.c.AlertId == row.Id)
        .order_by(alert_message.c.MessageId)
    ).all()
    actions = connection.execute(
        select(*columns_of(moderator_action, AlertAction, kind="Act", is_done="Done"))
        .where(moderator_action.c.GuildId == row.GuildId, moderator_action.c.AlertId == row.Id)
        .order_by(moderator_action.c.Id)
    )
    return from_row(
        Alert,
        row,
        alert_id=row.Id,
        trigger=row.Signal,
        decided_by=row.DecidedById,
        messages=tuple(tension.stored_score(score) for score in scores),
        actions=tuple(AlertAction(*action) for action in actions),
    )


# --- posts --------------------------------------------------------------------------------------


def claim_post(
    connection: Connection, alert_id: int, now: datetime, retry_before: datetime
) -> bool:
    """Claim the posting of an alert; False if it is posted, or was tried after that time."""
    return has_changed(
        connection,
        update(alert)
        .where(alert.c.Id == alert_id, alert.c.PostId.is_(None), alert.c.State.in_(UNDECIDED))
        .where(or_(alert.c.TriedAt.is_(None), alert.c.TriedAt < retry_before))
        .values(TriedAt=now),
    )


def release_post(connection: Connection, unposted: Alert) -> None:
    """Undo :func:`claim_post` of an alert that could not be posted."""
    without_post = (alert.c.Id == unposted.alert_id, alert.c.PostId.is_(None))
    connection.execute(update(alert).where(*without_post).values(TriedAt=None))


def save_post(
    connection: Connection, shown: Alert, channel_id: int | None, post_id: int | None
) -> None:
    """Store the post in which an alert is shown, and how many messages and actions it shows."""
    count = len(shown.messages) + len(shown.actions)
    connection.execute(
        update(alert)
        .where(alert.c.Id == shown.alert_id)
        .values(PostChannelId=channel_id, PostId=post_id, Shown=count)
    )


def stale_posts(
    connection: Connection, guild_ids: Sequence[int], limit: int = MAX_ALERTS
) -> list[tuple[int, int]]:
    """Return up to ``limit`` alerts (server, id) whose post is out of date."""
    actions = (
        select(func.count())
        .select_from(moderator_action)
        .where(
            moderator_action.c.GuildId == alert.c.GuildId, moderator_action.c.AlertId == alert.c.Id
        )
        .scalar_subquery()
    )
    query = (
        select(alert.c.GuildId, alert.c.Id)
        .where(alert.c.PostId.is_not(None), alert.c.GuildId.in_(IDS))
        .where(alert.c.Shown != _MESSAGES + actions)
        .limit(limit)
    )
    return [(row.GuildId, row.Id) for row in rows_for(connection, query, guild_ids)][:limit]


def unposted(
    connection: Connection, guild_ids: Sequence[int], since: datetime
) -> list[tuple[int, int]]:
    """Return undecided alerts (server, id) changed since then that have no post, but messages.

    Those of a deleted channel have none: moderators could not look at what they would ping for.
    """
    query = (
        select(alert.c.GuildId, alert.c.Id)
        .where(alert.c.GuildId.in_(IDS), alert.c.ChangedAt > since)
        .where(alert.c.PostId.is_(None), alert.c.State.in_(UNDECIDED), _MESSAGES > 0)
        .order_by(alert.c.Id)
    )
    return [(row.GuildId, row.Id) for row in rows_for(connection, query, guild_ids)]


# --- lists --------------------------------------------------------------------------------------


def open_cases(connection: Connection, guild_id: int) -> list[Alert]:
    """Return a server's open cases, oldest first."""
    return read_list(
        connection,
        select(alert)
        .where(alert.c.GuildId == guild_id, alert.c.State == AlertState.CASE)
        .order_by(alert.c.Id),
        partial(_alert, connection),
    )


def newest(
    connection: Connection,
    guild_id: int,
    since: datetime,
    place_ids: Collection[int] | None = None,
    limit: int = MAX_ALERTS,
) -> list[Alert]:
    """Return a server's last alerts that changed since then, newest first.

    ``place_ids``: the channels and threads whose alerts count; None: all.
    """
    is_there = true() if place_ids is None else alert.c.PlaceId.in_(place_ids)
    return read_list(
        connection,
        select(alert)
        .where(alert.c.GuildId == guild_id, alert.c.ChangedAt >= since, is_there)
        .order_by(alert.c.ChangedAt.desc(), alert.c.Id.desc())
        .limit(limit),
        partial(_alert, connection),
    )


def outcomes(connection: Connection, guild_id: int, since: datetime) -> list[AlertOutcome]:
    """Return the alerts since then that were false alarms or led to an action."""
    columns, action = alert.c, moderator_action.c
    has_action = exists().where(
        action.GuildId == columns.GuildId,
        action.AlertId == columns.Id,
        action.Act.in_(
            (ActionKind.TIME_OUT, ActionKind.WARN, ActionKind.SLOW_MODE, ActionKind.OPEN_CASE)
        ),
    )
    is_false: ColumnElement[bool] = columns.State == AlertState.FALSE_ALARM
    return read_list(
        connection,
        select(columns.Signal, columns.Level, columns.State)
        .where(columns.GuildId == guild_id, columns.OpenedAt > since, or_(is_false, has_action))
        .order_by(columns.Id),
        lambda row: AlertOutcome(row.Signal, row.Level, row.State is AlertState.FALSE_ALARM),
    )


# --- expiry -------------------------------------------------------------------------------------


def expired(
    connection: Connection, before: datetime, cases_before: datetime
) -> list[tuple[int, int]]:
    """Return up to MAX_ALERTS expired alerts (server, id)."""
    is_expired = or_(
        and_(alert.c.State != AlertState.CASE, alert.c.ChangedAt < before),
        alert.c.ChangedAt < cases_before,
    )
    return read_list(
        connection, select(alert.c.GuildId, alert.c.Id).where(is_expired).limit(MAX_ALERTS), tuple
    )


def erase(connection: Connection, guild_id: int, alert_ids: Sequence[int]) -> None:
    """Delete alerts, but not the record of actions on them."""
    for table, column in ((alert_message, alert_message.c.AlertId), (alert, alert.c.Id)):
        run_for(
            connection, delete(table).where(table.c.GuildId == guild_id, column.in_(IDS)), alert_ids
        )
