"""Scores of watched messages, kept for 30 days, and the levels of tension made from them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import and_, delete, insert, or_, select

from utils.database import memories
from utils.database.engine import Session
from utils.database.tables import message_score, tension
from utils.database.upsert import delete_some, upsert
from utils.model.watch import Level, Score, ScoredMessage, StoredScore, Subject

MOST_LEVELS = 200_000

# In the order of StoredScore's fields, then Score's.
_STORED = (
    message_score.c.MessageId,
    message_score.c.ChannelId,
    message_score.c.PlaceId,
    message_score.c.UserId,
    message_score.c.SaidAt,
    message_score.c.Sentiment,
    message_score.c.Toxicity,
    message_score.c.Tension,
    message_score.c.Reason,
)

# --- levels -------------------------------------------------------------------------------------


def load_levels(session: Session) -> dict[Subject, Level]:
    """Return every level there is, at most 200,000 of the latest."""
    rows = session.execute(select(tension).order_by(tension.c.At.desc()).limit(MOST_LEVELS))
    return {
        Subject(row.GuildId, row.ChannelId, row.UserId): Level(row.Level, row.At, row.Raised)
        for row in rows
    }


def levels_of(session: Session, subjects: Collection[Subject]) -> dict[Subject, Level]:
    """Return the levels of these channels and members of one server, as far as they have any."""
    columns = tension.c
    found: dict[Subject, Level] = {}
    for some in memories.chunks(sorted(subjects)):
        rows = session.execute(
            select(tension).where(
                columns.GuildId == some[0].guild_id,
                columns.ChannelId.in_({one.channel_id for one in some}),
                columns.UserId.in_({one.user_id for one in some}),
            )
        )
        for row in rows:
            subject = Subject(row.GuildId, row.ChannelId, row.UserId)
            found[subject] = Level(row.Level, row.At, row.Raised)
    return found


def save_levels(session: Session, levels: Mapping[Subject, Level]) -> None:
    """Store levels in the place of those that were."""
    for subject, level in levels.items():
        upsert(
            session,
            tension,
            {
                "GuildId": subject.guild_id,
                "ChannelId": subject.channel_id,
                "UserId": subject.user_id,
            },
            {"Level": level.value, "At": level.at, "Raised": level.is_raised},
        )


def delete_levels(session: Session, before: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` levels that nothing has raised since then; returns how many, by
    server."""
    columns = tension.c
    gone = delete_some(session, tension, columns.At < before, limit, returning=[columns.GuildId])
    return Counter(row.GuildId for row in gone)


# --- scores -------------------------------------------------------------------------------------


def save_scores(session: Session, scored: Sequence[ScoredMessage]) -> None:
    """Store the scores of messages of one server; a message that was scored before gets its new
    score."""
    if not scored:
        return
    delete_scores(session, scored[0].message.guild_id, [one.message.message_id for one in scored])
    session.execute(
        insert(message_score),
        [
            {
                "GuildId": one.message.guild_id,
                "MessageId": one.message.message_id,
                "PlaceId": one.message.place_id,
                "ChannelId": one.message.channel_id,
                "UserId": one.message.author_id,
                "SaidAt": one.message.created_at,
                "Sentiment": one.score.sentiment,
                "Toxicity": one.score.toxicity,
                "Tension": one.score.tension,
                "Reason": one.score.reason,
            }
            for one in scored
        ],
    )


def scores_of(session: Session, subject: Subject, since: datetime, limit: int) -> list[StoredScore]:
    """Return the newest scores of a channel or member since then, newest first."""
    columns = message_score.c
    whose = (
        columns.PlaceId == subject.channel_id
        if subject.is_channel
        else columns.UserId == subject.user_id
    )
    rows = session.execute(
        select(*_STORED)
        .where(columns.GuildId == subject.guild_id, whose, columns.SaidAt >= since)
        .order_by(columns.SaidAt.desc())
        .limit(limit)
    )
    return [StoredScore(*row[:5], Score(*row[5:])) for row in rows]


def scores(session: Session, guild_id: int, message_ids: Sequence[int]) -> list[StoredScore]:
    """Return the scores of messages, oldest first."""
    columns = message_score.c
    found: list[StoredScore] = []
    for some in memories.chunks(message_ids):
        rows = session.execute(
            select(*_STORED).where(columns.GuildId == guild_id, columns.MessageId.in_(some))
        )
        found += [StoredScore(*row[:5], Score(*row[5:])) for row in rows]
    return sorted(found, key=lambda one: one.said_at)


def delete_scores(session: Session, guild_id: int, message_ids: Sequence[int]) -> int:
    """Delete the scores of messages; returns how many went."""
    columns = message_score.c
    return sum(
        session.execute(
            delete(message_score).where(columns.GuildId == guild_id, columns.MessageId.in_(some))
        ).rowcount
        for some in memories.chunks(message_ids)
    )


def delete_expired(session: Session, before: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` scores of what was said before then; returns how many, by server."""
    columns = message_score.c
    gone = delete_some(
        session,
        message_score,
        columns.SaidAt < before,
        limit,
        returning=[columns.GuildId],
        first=columns.SaidAt,
    )
    return Counter(row.GuildId for row in gone)


# --- erasing ------------------------------------------------------------------------------------


def erase_places(session: Session, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete the scores and levels of channels, and the scores of their threads."""
    columns = message_score.c
    here = or_(columns.PlaceId.in_(channel_ids), columns.ChannelId.in_(channel_ids))
    session.execute(delete(message_score).where(columns.GuildId == guild_id, here))
    session.execute(
        delete(tension).where(
            and_(tension.c.GuildId == guild_id, tension.c.ChannelId.in_(channel_ids))
        )
    )


def erase_member(session: Session, guild_id: int, user_id: int) -> int:
    """Delete the scores and the level of a member; returns how many rows went."""
    return sum(
        session.execute(
            delete(table).where(table.c.GuildId == guild_id, table.c.UserId == user_id)
        ).rowcount
        for table in (message_score, tension)
    )
