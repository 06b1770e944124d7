"""Summaries of episodes: running, chunk and final ones.

The caller of :func:`store` holds the channel's lease and the episode's lock (episodes.lock).
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    Selection,
    chunks,
    fetch_rows,
    from_row,
    has_changed,
    of_member,
    run_for,
    to_row,
    values_for,
)
from utils.database.messages import episodes
from utils.database.schema.memory_tables import (
    answer_source,
    episode,
    episode_member,
    episode_summary,
    memory_event,
)
from utils.models.episode import Summary, SummaryPart
from utils.models.memory import Member
from utils.models.provenance import SourceKind

_EVENT, _EPISODE, _SUMMARY, _SOURCE = memory_event.c, episode.c, episode_summary.c, answer_source.c

_SUMMARIES = select(episode_summary)
# Built once: building costs more than running.
_OF_EPISODE = _SUMMARIES.where(
    _SUMMARY.GuildId == bindparam("guild_id"), _SUMMARY.EpisodeId == bindparam("episode_id")
).order_by(_SUMMARY.Id)


def earliest_expiry(connection: Connection, event_ids: Sequence[int]) -> datetime | None:
    """Return when the first of some events expires."""
    expiries = values_for(
        connection, select(func.min(_EVENT.ExpiresAt)).where(_EVENT.Id.in_(IDS)), event_ids
    )
    return min((at for at in expiries if at is not None), default=None)


def load_of_episode(connection: Connection, guild_id: int, episode_id: int) -> list[Summary]:
    """Return an episode's summaries in the order in which they were stored."""
    rows = fetch_rows(connection, _OF_EPISODE, guild_id=guild_id, episode_id=episode_id)
    return [_summary(row) for row in rows]


def store(connection: Connection, summary: Summary, now: datetime) -> None:
    """Store a summary; all but a chunk's replace the running summary."""
    if summary.part is not SummaryPart.CHUNK:
        delete_running(connection, summary.guild_id, summary.episode_id)
    connection.execute(insert(episode_summary), to_row(episode_summary, summary, CreatedAt=now))


def delete_running(connection: Connection, guild_id: int, episode_id: int) -> bool:
    """Delete the running summary of an episode; returns False if there was none."""
    return has_changed(
        connection,
        delete(episode_summary).where(
            _SUMMARY.GuildId == guild_id,
            _SUMMARY.EpisodeId == episode_id,
            _SUMMARY.Part == SummaryPart.RUNNING,
        ),
    )


_NEWEST = select(func.max(_SUMMARY.Id)).where(_SUMMARY.GuildId == bindparam("guild_id"))


def newest_summary_id(guild_id: int) -> Selection[int]:
    """Return the query of the id of a server's newest summary, 0 if there is none."""
    return Selection(_NEWEST, {"guild_id": guild_id}, lambda rows: rows[0][0] or 0)


def load_newest(
    connection: Connection,
    guild_id: int,
    *,
    after_id: int,
    now: datetime,
    limit: int,
    channel_id: int | None = None,
) -> list[Summary]:
    """Return a server's newest running and final summaries above ``after_id``, oldest first.

    Each names the members it is about. ``channel_id`` selects one channel.
    """
    query = _SUMMARIES.where(
        _SUMMARY.GuildId == guild_id,
        _SUMMARY.Id > after_id,
        _SUMMARY.Part != SummaryPart.CHUNK,
        _SUMMARY.ExpiresAt > now,
    )
    if channel_id is not None:
        of_channel = select(_EPISODE.Id).where(
            _EPISODE.GuildId == guild_id, _EPISODE.ChannelId == channel_id
        )
        query = query.where(_SUMMARY.EpisodeId.in_(of_channel))
    rows = connection.execute(query.order_by(_SUMMARY.Id.desc()).limit(limit)).all()[::-1]
    about = episodes.load_members(connection, guild_id, {row.EpisodeId for row in rows})
    return [_summary(row, about.get(row.EpisodeId, ())) for row in rows]


def erase_summaries(
    connection: Connection, guild_id: int, of_events: ColumnElement[bool]
) -> set[int]:
    """Delete every summary of the episodes that these events belong to.

    ``of_events`` names their server, too: by its id + 0 if they are known by their own ids. Else
    SQLite would read each message of the server. Returns the ids of these episodes; they are
    summarised again from the remaining events. They are locked first: a concurrent summary either
    commits before this and is deleted, or commits later and sees the missing text.
    """
    episode_ids: Sequence[Any] = connection.scalars(
        select(_EVENT.EpisodeId).where(of_events, _EVENT.EpisodeId.is_not(None)).distinct()
    ).all()
    in_guild = episode.c.GuildId == guild_id
    for change in (
        update(episode).where(in_guild, episode.c.Id.in_(IDS)).values(SummarisedId=0),
        delete(episode_summary).where(_SUMMARY.GuildId == guild_id, _SUMMARY.EpisodeId.in_(IDS)),
    ):
        run_for(connection, change, episode_ids)
    return {episode_id for episode_id in episode_ids if episode_id}


def withhold(connection: Connection, guild_id: int, message_ids: Collection[int]) -> bool:
    """Delete the summaries that were made of messages which may not be used now.

    Those made of Kith's answers to them, or of answers that rest on them, go too. Returns whether
    there were any; their episodes are summarised again without these turns.
    """
    is_summarised = exists().where(
        _SUMMARY.GuildId == guild_id,
        _SUMMARY.EpisodeId == _EVENT.EpisodeId,
        _SUMMARY.FirstEventId <= _EVENT.Id,
        _SUMMARY.LastEventId >= _EVENT.Id,
    )
    episode_ids: set[int] = set()
    for ids in chunks(sorted(message_ids)):
        answers = select(_SOURCE.EventId).where(
            _SOURCE.GuildId == guild_id,
            _SOURCE.Kind == SourceKind.MESSAGE,
            _SOURCE.SourceId.in_(ids),
        )
        for rests_on in (
            and_(_EVENT.GuildId == guild_id, _EVENT.MessageId.in_(ids)),
            and_(_EVENT.GuildId == guild_id, _EVENT.ReplyToId.in_(ids)),
            and_(_EVENT.GuildId + 0 == guild_id, _EVENT.Id.in_(answers)),
        ):
            episode_ids |= erase_summaries(connection, guild_id, and_(rests_on, is_summarised))
    return bool(episode_ids)


def count_of_member(connection: Connection, member: Member, now: datetime) -> int:
    """Return how many summaries there are of the episodes that a member took part in."""
    episode_ids = select(episode_member.c.EpisodeId).where(of_member(episode_member, member))
    count = connection.scalar(
        select(func.count()).where(
            _SUMMARY.GuildId == member.guild_id,
            _SUMMARY.EpisodeId.in_(episode_ids),
            _SUMMARY.ExpiresAt > now,
        )
    )
    return count or 0


def _summary(row: Any, about_ids: tuple[int, ...] = ()) -> Summary:
    return from_row(Summary, row, about_ids=about_ids)
