"""What is written of chapters of conversation: running, chunk and final summaries.

The caller of :func:`write` holds the lease of the channel, and the chapter (episodes.hold).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select

from utils.database import episodes, memories
from utils.database.engine import Session
from utils.database.tables import episode, episode_member, episode_summary, memory_event
from utils.database.upsert import delete_some
from utils.model.episode import Part, Summary
from utils.model.memory import Member

_EVENT, _EPISODE, _SUMMARY = memory_event.c, episode.c, episode_summary.c


def first_end(session: Session, event_ids: Sequence[int]) -> datetime | None:
    """Return when the first of some messages must be gone."""
    found = [
        session.scalar(select(func.min(_EVENT.ExpiresAt)).where(_EVENT.Id.in_(some)))
        for some in memories.chunks(event_ids)
    ]
    return min((end for end in found if end is not None), default=None)


def of_episode(session: Session, guild_id: int, episode_id: int) -> list[Summary]:
    """Return what is written of a chapter, in the order in which it was written."""
    rows = session.execute(
        _SUMMARIES.where(_SUMMARY.GuildId == guild_id, _SUMMARY.EpisodeId == episode_id).order_by(
            _SUMMARY.Id
        )
    )
    return [_summary(row) for row in rows]


def write(session: Session, summary: Summary, now: datetime) -> None:
    """Store a summary in the place of the running one, which a chunk's does not take."""
    if summary.part is not Part.CHUNK:
        drop_running(session, summary.guild_id, summary.episode_id)
    session.execute(
        insert(episode_summary).values(
            GuildId=summary.guild_id,
            ChannelId=summary.channel_id,
            SourceId=summary.source_id,
            EpisodeId=summary.episode_id,
            Part=summary.part,
            FirstEventId=summary.first_event_id,
            LastEventId=summary.last_event_id,
            Text=summary.text,
            Structure=summary.structure,
            Stems=summary.stems,
            SaidFrom=summary.said_from,
            SaidTo=summary.said_to,
            Model=summary.model,
            PromptHash=summary.prompt_hash,
            CreatedAt=now,
            ExpiresAt=summary.expires_at,
        )
    )


def drop_running(session: Session, guild_id: int, episode_id: int) -> bool:
    """Delete the running summary of a chapter; False if there was none."""
    gone = session.execute(
        delete(episode_summary).where(
            _SUMMARY.GuildId == guild_id,
            _SUMMARY.EpisodeId == episode_id,
            _SUMMARY.Part == Part.RUNNING,
        )
    )
    return bool(gone.rowcount)


# In the order of Summary's fields.
_SUMMARIES = select(
    _SUMMARY.GuildId,
    _SUMMARY.ChannelId,
    _SUMMARY.SourceId,
    _SUMMARY.EpisodeId,
    _SUMMARY.Part,
    _SUMMARY.FirstEventId,
    _SUMMARY.LastEventId,
    _SUMMARY.Text,
    _SUMMARY.Structure,
    _SUMMARY.Stems,
    _SUMMARY.SaidFrom,
    _SUMMARY.SaidTo,
    _SUMMARY.ExpiresAt,
    _SUMMARY.Model,
    _SUMMARY.PromptHash,
    _SUMMARY.Id,
)
_NEWEST = select(func.max(_SUMMARY.Id)).where(_SUMMARY.GuildId == bindparam("guild_id"))


def newest_summary_id(session: Session, guild_id: int) -> int:
    """Return the id of the summary that was written last in a server, 0 if there is none."""
    found: int | None = session.scalar(_NEWEST, {"guild_id": guild_id})
    return found or 0


def told_in(
    session: Session,
    guild_id: int,
    *,
    after_id: int,
    now: datetime,
    limit: int,
    channel_id: int | None = None,
) -> list[Summary]:
    """Return a server's newest running and final summaries after one, oldest first, with those
    whom they are about; of one channel only where it is named."""
    query = _SUMMARIES.where(
        _SUMMARY.GuildId == guild_id,
        _SUMMARY.Id > after_id,
        _SUMMARY.Part != Part.CHUNK,
        _SUMMARY.ExpiresAt > now,
    )
    if channel_id is not None:
        of_channel = select(_EPISODE.Id).where(
            _EPISODE.GuildId == guild_id, _EPISODE.ChannelId == channel_id
        )
        query = query.where(_SUMMARY.EpisodeId.in_(of_channel))
    rows = session.execute(query.order_by(_SUMMARY.Id.desc()).limit(limit)).all()[::-1]
    about = episodes.members_of(session, guild_id, {row.EpisodeId for row in rows})
    return [_summary(row, about.get(row.EpisodeId, ())) for row in rows]


def count_of(session: Session, member: Member, now: datetime) -> int:
    """Return how many summaries there are of chapters that a member took part in."""
    theirs = select(episode_member.c.EpisodeId).where(
        episode_member.c.GuildId == member.guild_id, episode_member.c.UserId == member.user_id
    )
    found = session.scalar(
        select(func.count()).where(
            _SUMMARY.GuildId == member.guild_id,
            _SUMMARY.EpisodeId.in_(theirs),
            _SUMMARY.ExpiresAt > now,
        )
    )
    return found or 0


def delete_expired(session: Session, now: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` summaries whose time is over; returns how many, by server."""
    gone = delete_some(
        session,
        episode_summary,
        _SUMMARY.ExpiresAt <= now,
        limit,
        returning=[_SUMMARY.GuildId],
        first=_SUMMARY.ExpiresAt,
    )
    return Counter(row.GuildId for row in gone)


def _summary(row: Sequence[Any], about_ids: tuple[int, ...] = ()) -> Summary:
    return replace(Summary(*row), about_ids=about_ids)
