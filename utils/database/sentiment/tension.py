"""Scores of watched messages, kept for 30 days, and the tension levels computed from them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Table, and_, delete, insert, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    chunks,
    from_row,
    read_list,
    rows_for,
    run_for,
    to_row,
    upsert,
)
from utils.database.schema.memory_tables import alert, alert_message, message_score, tension
from utils.models.memory import Event
from utils.models.sentiment import (
    NO_USER,
    Score,
    ScoredMessage,
    StoredScore,
    TensionLevel,
    TensionSubject,
)

OUTDATED = -1  # no alert shows as many messages and actions

# --- levels -------------------------------------------------------------------------------------


def channel_levels(connection: Connection, guild_id: int) -> dict[TensionSubject, TensionLevel]:
    """Return the levels of a server's channels."""
    are_channels = and_(tension.c.GuildId == guild_id, tension.c.UserId == NO_USER)
    return dict(_level(row) for row in connection.execute(select(tension).where(are_channels)))


def levels_of(
    connection: Connection, subjects: Collection[TensionSubject]
) -> dict[TensionSubject, TensionLevel]:
    """Return the stored levels of these channels and members of one server."""
    levels: dict[TensionSubject, TensionLevel] = {}
    for chunk in chunks(sorted(subjects)):
        rows = connection.execute(
            select(tension).where(
                tension.c.GuildId == chunk[0].guild_id,
                tension.c.ChannelId.in_({subject.channel_id for subject in chunk}),
                tension.c.UserId.in_({subject.user_id for subject in chunk}),
            )
        )
        levels |= dict(_level(row) for row in rows)
    return levels


def _level(row: Row[Any]) -> tuple[TensionSubject, TensionLevel]:
    subject = TensionSubject(row.GuildId, row.ChannelId, row.UserId)
    return subject, TensionLevel(row.Level, row.At, row.Raised)


def save_levels(connection: Connection, levels: Mapping[TensionSubject, TensionLevel]) -> None:
    """Store levels, replacing the earlier ones."""
    for subject, level in levels.items():
        upsert(
            connection,
            tension,
            {
                "GuildId": subject.guild_id,
                "ChannelId": subject.channel_id,
                "UserId": subject.user_id,
            },
            {"Level": level.value, "At": level.at, "Raised": level.is_raised},
        )


# --- scores -------------------------------------------------------------------------------------


def save_scores(connection: Connection, messages: Sequence[ScoredMessage]) -> None:
    """Store the scores of messages of one server, replacing their earlier scores.

    Where one was edited, the posts of its alerts are out of date.
    """
    if not messages:
        return
    guild_id = messages[0].message.guild_id
    edited_ids = [scored.message.message_id for scored in messages if scored.message.revision]
    with_edited = select(alert_message.c.AlertId).where(
        alert_message.c.GuildId == guild_id, alert_message.c.MessageId.in_(IDS)
    )
    is_outdated = and_(alert.c.GuildId == guild_id, alert.c.Id.in_(with_edited))
    run_for(connection, update(alert).where(is_outdated).values(Shown=OUTDATED), edited_ids)
    delete_scores(connection, guild_id, [scored.message.message_id for scored in messages])
    connection.execute(
        insert(message_score),
        [
            to_row(
                message_score,
                scored.message,
                UserId=scored.message.author_id,
                PlaceId=scored.message.source_id,
                SaidAt=scored.message.created_at,
                **to_row(message_score, scored.score),
            )
            for scored in messages
        ],
    )


def newest_scores(
    connection: Connection, subject: TensionSubject, since: datetime, limit: int
) -> list[StoredScore]:
    """Return the newest scores of a channel or member since then, newest first."""
    of_subject = (
        message_score.c.PlaceId == subject.channel_id
        if subject.is_channel
        else message_score.c.UserId == subject.user_id
    )
    return read_list(
        connection,
        select(message_score)
        .where(
            message_score.c.GuildId == subject.guild_id, of_subject, message_score.c.SaidAt >= since
        )
        .order_by(message_score.c.SaidAt.desc(), message_score.c.MessageId.desc())
        .limit(limit),
        stored_score,
    )


def scores(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> list[StoredScore]:
    """Return the scores of messages, oldest first."""
    query = select(message_score).where(
        message_score.c.GuildId == guild_id, message_score.c.MessageId.in_(IDS)
    )
    stored = [stored_score(row) for row in rows_for(connection, query, message_ids)]
    return sorted(stored, key=lambda score: score.said_at)


def revisions(
    connection: Connection, table: Table, guild_id: int, message_ids: Sequence[int]
) -> Mapping[int, int]:
    """Return the revisions of those of these messages that a table has, by id."""
    query = select(table.c.MessageId, table.c.Revision).where(
        table.c.GuildId == guild_id, table.c.MessageId.in_(IDS)
    )
    return dict(rows_for(connection, query, message_ids))


def without_scores(connection: Connection, messages: Sequence[Event]) -> list[Event]:
    """Return those of these messages of one server whose revision, or a later one, has no score."""
    ids = [message.message_id for message in messages]
    scored = revisions(connection, message_score, messages[0].guild_id, ids) if messages else {}
    return [
        message for message in messages if message.revision > scored.get(message.message_id, -1)
    ]


def stored_score(row: Row[*tuple[Any, ...]]) -> StoredScore:
    """Return the score in a row of MessageScore."""
    return from_row(StoredScore, row, score=from_row(Score, row))


def delete_scores(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> None:
    """Delete the scores of messages."""
    run_for(
        connection,
        delete(message_score).where(
            message_score.c.GuildId == guild_id, message_score.c.MessageId.in_(IDS)
        ),
        message_ids,
    )
