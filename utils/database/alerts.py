"""Alerts, the messages they are about, and the record of what moderators did."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Row, and_, delete, exists, func, insert, or_, select, update

from utils.database import memories
from utils.database.engine import Session
from utils.database.tables import alert, alert_message, message_score, moderator_action
from utils.database.upsert import delete_some
from utils.model.alerts import (
    UNDECIDED,
    Act,
    Action,
    Alert,
    AlertMessage,
    AlertState,
    Verdict,
)
from utils.model.watch import Crossing, Score

MOST_MESSAGES = 100  # of one alert

_SCORED = and_(
    message_score.c.GuildId == alert_message.c.GuildId,
    message_score.c.MessageId == alert_message.c.MessageId,
)

# --- incidents ----------------------------------------------------------------------------------


def current(session: Session, guild_id: int, place_id: int, since: datetime) -> int | None:
    """Return the alert of a place that changed since then and nobody has decided on."""
    columns = alert.c
    return session.scalar(
        select(columns.Id)
        .where(columns.GuildId == guild_id, columns.PlaceId == place_id)
        .where(columns.ChangedAt > since, columns.State.in_(UNDECIDED))
        .order_by(columns.ChangedAt.desc(), columns.Id.desc())
        .limit(1)
    )


def last_decided_at(session: Session, guild_id: int, place_id: int) -> datetime | None:
    """Return when somebody last ended an alert of a place."""
    columns = alert.c
    return session.scalar(
        select(columns.DecidedAt)
        .where(columns.GuildId == guild_id, columns.PlaceId == place_id)
        .where(columns.State.not_in(UNDECIDED), columns.DecidedAt.is_not(None))
        .order_by(columns.DecidedAt.desc())
        .limit(1)
    )


def make(
    session: Session, guild_id: int, place_id: int, crossing: Crossing, opened_at: datetime
) -> int:
    """Store a new alert; returns its id."""
    made = session.execute(
        insert(alert).values(
            GuildId=guild_id,
            PlaceId=place_id,
            State=AlertState.OPEN,
            Signal=crossing.signal,
            Level=crossing.level,
            Threshold=crossing.threshold,
            OpenedAt=opened_at,
            ChangedAt=opened_at,
            Shown=0,
            DecidedById=0,
        )
    )
    (alert_id,) = made.inserted_primary_key or (0,)  # never none: the row is there
    return int(alert_id)


def renew(session: Session, alert_id: int, crossings: Iterable[Crossing], now: datetime) -> None:
    """Let an alert last, and rise to the highest level of what raised it first."""
    signal, level = session.execute(
        select(alert.c.Signal, alert.c.Level).where(alert.c.Id == alert_id)
    ).one()
    levels = [level, *(one.level for one in crossings if one.signal is signal)]
    session.execute(
        update(alert).where(alert.c.Id == alert_id).values(ChangedAt=now, Level=max(levels))
    )


def add_messages(
    session: Session, guild_id: int, alert_id: int, messages: Sequence[tuple[int, int]]
) -> None:
    """Let an alert be about further messages (id, author), at most a hundred in all."""
    columns = alert_message.c
    mine = and_(columns.GuildId == guild_id, columns.AlertId == alert_id)
    known = set(session.scalars(select(columns.MessageId).where(mine)))
    new = [one for one in messages if one[0] not in known][: max(0, MOST_MESSAGES - len(known))]
    if new:
        session.execute(
            insert(alert_message),
            [
                {"GuildId": guild_id, "AlertId": alert_id, "MessageId": one, "UserId": author}
                for one, author in new
            ],
        )


def load(session: Session, guild_id: int, alert_id: int) -> Alert | None:
    """Return an alert with its messages and what was done; None if there is none here."""
    columns = alert.c
    row = session.execute(
        select(alert).where(columns.GuildId == guild_id, columns.Id == alert_id)
    ).one_or_none()
    return None if row is None else _alert(session, row)


def _alert(session: Session, row: Row[tuple[object, ...]]) -> Alert:
    return Alert(
        row.GuildId,
        row.Id,
        row.PlaceId,
        row.State,
        row.Signal,
        row.Level,
        row.Threshold,
        row.OpenedAt,
        row.ChangedAt,
        row.PostChannelId,
        row.PostId,
        row.DecidedById,
        _messages(session, row.GuildId, row.Id),
        _actions(session, row.GuildId, row.Id),
    )


def _messages(session: Session, guild_id: int, alert_id: int) -> tuple[AlertMessage, ...]:
    mine, score = alert_message.c, message_score.c
    rows = session.execute(
        select(
            score.MessageId,
            score.ChannelId,
            score.UserId,
            score.SaidAt,
            score.Sentiment,
            score.Toxicity,
            score.Tension,
            score.Reason,
        )
        .join(message_score, _SCORED)
        .where(mine.GuildId == guild_id, mine.AlertId == alert_id)
        .order_by(score.MessageId)
    )
    return tuple(AlertMessage(*row[:4], Score(*row[4:])) for row in rows)


def _actions(session: Session, guild_id: int, alert_id: int) -> tuple[Action, ...]:
    columns = moderator_action.c
    rows = session.execute(
        select(
            columns.Act, columns.UserId, columns.ActorId, columns.At, columns.Amount, columns.Done
        )
        .where(columns.GuildId == guild_id, columns.AlertId == alert_id)
        .order_by(columns.Id)
    )
    return tuple(Action(*row) for row in rows)


# --- posts --------------------------------------------------------------------------------------


def try_post(session: Session, alert_id: int, now: datetime, not_since: datetime) -> bool:
    """Whether it is the caller's turn to post an alert: nobody has, or tried since then."""
    columns = alert.c
    turn = session.execute(
        update(alert)
        .where(columns.Id == alert_id, columns.PostId.is_(None), columns.State.in_(UNDECIDED))
        .where(or_(columns.TriedAt.is_(None), columns.TriedAt < not_since))
        .values(TriedAt=now)
    )
    return bool(turn.rowcount)


def note_post(session: Session, alert_id: int, channel_id: int, post_id: int) -> None:
    """Store where an alert is posted."""
    session.execute(
        update(alert).where(alert.c.Id == alert_id).values(PostChannelId=channel_id, PostId=post_id)
    )


def note_shown(session: Session, alert_id: int, shown: int) -> None:
    """Store how many messages and actions an alert's post shows."""
    session.execute(update(alert).where(alert.c.Id == alert_id).values(Shown=shown))


def stale_posts(session: Session, guild_ids: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Return alerts (server, id) whose post shows more or less than there is now, up to a limit."""
    columns = alert.c
    said, acted = alert_message.c, moderator_action.c
    messages = (
        select(func.count())
        .select_from(alert_message)
        .join(message_score, _SCORED)
        .where(said.GuildId == columns.GuildId, said.AlertId == columns.Id)
        .scalar_subquery()
    )
    actions = (
        select(func.count())
        .select_from(moderator_action)
        .where(acted.GuildId == columns.GuildId, acted.AlertId == columns.Id)
        .scalar_subquery()
    )
    found: list[tuple[int, int]] = []
    for some in memories.chunks(guild_ids):
        rows = session.execute(
            select(columns.GuildId, columns.Id)
            .where(columns.PostId.is_not(None), columns.GuildId.in_(some))
            .where(columns.Shown != messages + actions)
            .limit(limit - len(found))
        )
        found += [(row.GuildId, row.Id) for row in rows]
        if len(found) == limit:
            break
    return found


def unposted(session: Session, guild_ids: Sequence[int], since: datetime) -> list[tuple[int, int]]:
    """Return alerts (server, id) since then that are undecided and stand in no log channel."""
    columns = alert.c
    found = []
    for some in memories.chunks(guild_ids):
        rows = session.execute(
            select(columns.GuildId, columns.Id)
            .where(columns.GuildId.in_(some), columns.ChangedAt > since)
            .where(columns.PostId.is_(None), columns.State.in_(UNDECIDED))
            .order_by(columns.Id)
        )
        found += [(row.GuildId, row.Id) for row in rows]
    return found


# --- lists --------------------------------------------------------------------------------------


def cases(session: Session, guild_id: int) -> list[Alert]:
    """Return a server's open cases, oldest first."""
    columns = alert.c
    rows = session.execute(
        select(alert)
        .where(columns.GuildId == guild_id, columns.State == AlertState.CASE)
        .order_by(columns.Id)
    ).all()
    return [_alert(session, row) for row in rows]


def verdicts(session: Session, guild_id: int, since: datetime) -> list[Verdict]:
    """Return how moderators took the alerts since then: false alarms, and those acted upon."""
    columns, acted = alert.c, moderator_action.c
    has_acts = exists().where(
        acted.GuildId == columns.GuildId,
        acted.AlertId == columns.Id,
        acted.Act.in_((Act.TIME_OUT, Act.WARN, Act.SLOW_MODE, Act.OPEN_CASE)),
    )
    is_false: ColumnElement[bool] = columns.State == AlertState.FALSE_ALARM
    rows = session.execute(
        select(columns.Signal, columns.Level, columns.State)
        .where(columns.GuildId == guild_id, columns.OpenedAt > since, or_(is_false, has_acts))
        .order_by(columns.Id)
    )
    return [Verdict(row.Signal, row.Level, row.State is AlertState.FALSE_ALARM) for row in rows]


# --- ends ---------------------------------------------------------------------------------------


def expired(
    session: Session, before: datetime, cases_before: datetime, limit: int
) -> list[tuple[int, int]]:
    """Return alerts (server, id) whose time is over."""
    columns = alert.c
    is_over = _is_over(before, cases_before)
    rows = session.execute(select(columns.GuildId, columns.Id).where(is_over).limit(limit))
    return [(row.GuildId, row.Id) for row in rows]


def drop_expired(session: Session, before: datetime, cases_before: datetime, limit: int) -> None:
    """Delete up to ``limit`` alerts whose time is over, not the record of what was done."""
    returning = [alert.c.GuildId, alert.c.Id]
    is_over = _is_over(before, cases_before)
    gone = delete_some(session, alert, is_over, limit, returning=returning)
    for guild_id in {row.GuildId for row in gone}:
        erase(session, guild_id, [row.Id for row in gone if row.GuildId == guild_id])


def _is_over(before: datetime, cases_before: datetime) -> ColumnElement[bool]:
    columns = alert.c
    return or_(
        and_(columns.State != AlertState.CASE, columns.ChangedAt < before),
        columns.ChangedAt < cases_before,
    )


def erase(session: Session, guild_id: int, alert_ids: Sequence[int]) -> int:
    """Delete alerts, not the record of what was done; returns how many."""
    said, columns = alert_message.c, alert.c
    gone = 0
    for some in memories.chunks(alert_ids):
        session.execute(
            delete(alert_message).where(said.GuildId == guild_id, said.AlertId.in_(some))
        )
        gone += session.execute(
            delete(alert).where(columns.GuildId == guild_id, columns.Id.in_(some))
        ).rowcount
    return gone


def erase_places(session: Session, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete the alerts of channels that are gone."""
    columns = alert.c
    ids = session.scalars(
        select(columns.Id).where(columns.GuildId == guild_id, columns.PlaceId.in_(channel_ids))
    ).all()
    erase(session, guild_id, ids)
