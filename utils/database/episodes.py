"""Chapters of conversation, and which messages are in them; summaries.py has what is written.

The caller of anything that writes holds the lease of the channel (memory/episodes.py).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    TextClause,
    case,
    delete,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    update,
)

from utils.database import events, memories
from utils.database.engine import Session
from utils.database.tables import (
    NO_EPISODE,
    UNSUMMARISED,
    episode,
    episode_member,
    episode_summary,
    is_talk,
    memory_event,
)
from utils.database.types import has_words
from utils.database.upsert import insert_new
from utils.model.episode import Episode
from utils.model.memory import SERVER_ITSELF, Event, Role

Place = tuple[int, int]
"""A server and a channel or thread in it."""

_EVENT, _EPISODE = memory_event.c, episode.c
_UNDIVIDED = _EVENT.EpisodeId.is_(None)

# --- finding work -------------------------------------------------------------------------------


def undivided_places(session: Session, limit: int) -> dict[Place, tuple[int, datetime]]:
    """Return where messages wait for their chapter: the last one's id, and when it was said; the
    places that spoke last first."""
    rows = session.execute(
        select(_EVENT.GuildId, _EVENT.ChannelId, func.max(_EVENT.Id), func.max(_EVENT.CreatedAt))
        .where(_UNDIVIDED)
        .group_by(_EVENT.GuildId, _EVENT.ChannelId)
        .order_by(func.max(_EVENT.Id).desc())
        .limit(limit)
    )
    return {(guild_id, channel_id): (last, at) for guild_id, channel_id, last, at in rows}


def silent_places(session: Session, since: datetime, limit: int) -> list[Place]:
    """Return where a chapter is open in which nothing was said since then."""
    return _places(session, limit, _EPISODE.ClosedAt.is_(None), _EPISODE.LastAt <= since)


def open_places(session: Session, limit: int) -> list[Place]:
    """Return where a chapter is open, whose summary may be behind."""
    behind = _EPISODE.SummarisedId < _EPISODE.LastEventId
    return _places(session, limit, _EPISODE.ClosedAt.is_(None), behind)


def unsummarised_places(session: Session, limit: int) -> list[Place]:
    """Return where chapters are closed that wait for their final summary."""
    return _places(session, limit, UNSUMMARISED, _EPISODE.ClosedAt.is_not(None))


def _places(session: Session, limit: int, *which: ColumnElement[bool] | TextClause) -> list[Place]:
    """Return the places of such chapters, those of the newest first."""
    rows = session.execute(
        select(_EPISODE.GuildId, _EPISODE.ChannelId)
        .where(*which)
        .group_by(_EPISODE.GuildId, _EPISODE.ChannelId)
        .order_by(func.max(_EPISODE.Id).desc())
        .limit(limit)
    )
    return [(guild_id, channel_id) for guild_id, channel_id in rows]


# --- chapters -----------------------------------------------------------------------------------


def undivided(session: Session, place: Place, now: datetime, limit: int) -> list[Event]:
    """Return a channel's next messages that are in no chapter yet, oldest first.

    What has no words any more, or is over, is in none for good.
    """
    here = (_EVENT.GuildId == place[0], _EVENT.ChannelId == place[1], _UNDIVIDED)
    session.execute(
        update(memory_event)
        .where(*here, or_(not_(has_words(_EVENT.Text)), _EVENT.ExpiresAt <= now))
        .values(EpisodeId=NO_EPISODE)
    )
    ids = session.scalars(select(_EVENT.Id).where(*here).order_by(_EVENT.Id).limit(limit)).all()
    return events.surviving(session, list(ids))


def open_in(session: Session, place: Place) -> Episode | None:
    """Return the chapter that is open in a channel."""
    return _first(session, place, _EPISODE.ClosedAt.is_(None), newest=True)


def unsummarised_in(session: Session, place: Place) -> Episode | None:
    """Return the oldest closed chapter of a channel that waits for its final summary."""
    return _first(session, place, UNSUMMARISED, _EPISODE.ClosedAt.is_not(None))


def of_message(session: Session, guild_id: int, message_id: int) -> Episode | None:
    """Return the chapter that an earlier revision of a message is in."""
    episode_id = session.scalar(
        select(_EVENT.EpisodeId)
        .where(
            _EVENT.GuildId == guild_id,
            _EVENT.MessageId == message_id,
            _EVENT.EpisodeId > NO_EPISODE,
        )
        .limit(1)
    )
    if episode_id is None:
        return None
    row = session.execute(_EPISODES.where(_EPISODE.Id == episode_id)).one_or_none()
    return None if row is None else _episode(row)


def _first(
    session: Session,
    place: Place,
    *which: ColumnElement[bool] | TextClause,
    newest: bool = False,
) -> Episode | None:
    here = (_EPISODE.GuildId == place[0], _EPISODE.ChannelId == place[1])
    order = _EPISODE.Id.desc() if newest else _EPISODE.Id
    row = session.execute(_EPISODES.where(*here, *which).order_by(order).limit(1)).one_or_none()
    return None if row is None else _episode(row)


# In the order of Episode's fields.
_EPISODES = select(
    _EPISODE.Id,
    _EPISODE.GuildId,
    _EPISODE.ChannelId,
    _EPISODE.SourceId,
    _EPISODE.StartedAt,
    _EPISODE.LastAt,
    _EPISODE.FirstEventId,
    _EPISODE.LastEventId,
    _EPISODE.SummarisedId,
    _EPISODE.ClosedAt,
)


def _episode(row: Sequence[Any]) -> Episode:
    return Episode(*row)


def begin(session: Session, turns: Sequence[Event]) -> int:
    """Open a chapter with its first messages; returns its id."""
    first = turns[0]
    episode_id: int = session.execute(
        insert(episode)
        .values(
            GuildId=first.guild_id,
            ChannelId=first.channel_id,
            SourceId=first.source_id,
            StartedAt=first.created_at,
            LastAt=first.created_at,
            FirstEventId=first.id,
            LastEventId=first.id,
            SummarisedId=0,
            ExpiresAt=first.created_at,
        )
        .returning(episode.c.Id)
    ).scalar_one()
    extend(session, episode_id, turns)
    return episode_id


def extend(session: Session, episode_id: int, turns: Sequence[Event]) -> None:
    """Put further messages into a chapter, which ends with the last of them.

    What was erased since they were read is left out, with whoever said it.
    """
    ids = [turn.id for turn in turns]
    if not _hold(session, [episode_id]):
        return
    session.execute(
        update(memory_event).where(_EVENT.Id.in_(ids), _UNDIVIDED).values(EpisodeId=episode_id)
    )
    found = session.execute(
        select(_EVENT.Id, _EVENT.ExpiresAt).where(
            _EVENT.Id.in_(ids), _EVENT.EpisodeId == episode_id, has_words(_EVENT.Text)
        )
    )
    ends_at = {row.Id: row.ExpiresAt for row in found}
    turns = [turn for turn in turns if turn.id in ends_at]
    if not turns:
        return
    guild_id, ends, ids = turns[0].guild_id, max(ends_at.values()), list(ends_at)
    last_at, last_id = max(turn.created_at for turn in turns), max(ids)
    session.execute(
        update(episode)
        .where(_EPISODE.Id == episode_id)
        .values(
            LastAt=_later(_EPISODE.LastAt, last_at),
            LastEventId=_later(_EPISODE.LastEventId, last_id),
            ExpiresAt=_later(_EPISODE.ExpiresAt, ends),
        )
    )
    spoke = {turn.author_id for turn in turns if turn.role is Role.MEMBER}
    told = {user_id for turn in turns for user_id in turn.about_ids}
    known = members_of(session, guild_id, [episode_id]).get(episode_id, ())
    new = sorted((spoke | told) - {SERVER_ITSELF, *known})
    rows = [{"GuildId": guild_id, "EpisodeId": episode_id, "UserId": one} for one in new]
    insert_new(session, episode_member, rows)


def _later(column: ColumnElement[Any], value: object) -> ColumnElement[Any]:
    bound = literal(value, column.type)
    return case((column > bound, column), else_=bound)


def close(session: Session, episode_id: int, now: datetime) -> None:
    """End a chapter: it waits for its final summary."""
    session.execute(
        update(episode).where(_EPISODE.Id == episode_id).values(ClosedAt=now, SummarisedId=0)
    )


def drop_open(session: Session, place: Place) -> None:
    """Let go of the open chapter of a channel, with what waits for one: no summary tells of it."""
    gone = open_in(session, place)
    _hold(session, [] if gone is None else [gone.id])
    here = (_EVENT.GuildId == place[0], _EVENT.ChannelId == place[1])
    session.execute(update(memory_event).where(*here, _UNDIVIDED).values(EpisodeId=NO_EPISODE))
    if gone is not None:
        session.execute(
            update(memory_event)
            .where(*here, _EVENT.Id.between(gone.first_event_id, gone.last_event_id))
            .where(_EVENT.EpisodeId == gone.id)
            .values(EpisodeId=NO_EPISODE)
        )
        _delete(session, place[0], [gone.id])


def turns(session: Session, of: Episode, after_id: int, limit: int, now: datetime) -> list[Event]:
    """Return a chapter's messages after one, oldest first, as far as they still have words, and
    are not over."""
    later = _ids(of).where(_EVENT.Id > after_id, _EVENT.ExpiresAt > now)
    ids = session.scalars(later.order_by(_EVENT.Id).limit(limit))
    return events.surviving(session, list(ids))


def last_turns(session: Session, of: Episode, limit: int) -> list[Event]:
    """Return a chapter's last messages, oldest first."""
    ids = session.scalars(_ids(of).order_by(_EVENT.Id.desc()).limit(limit))
    return events.surviving(session, list(ids))


def _ids(of: Episode) -> Select[Any]:
    return select(_EVENT.Id).where(
        _EVENT.GuildId == of.guild_id,
        _EVENT.ChannelId == of.channel_id,
        _EVENT.Id.between(of.first_event_id, of.last_event_id),
        _EVENT.EpisodeId == of.id,
        is_talk(_EVENT.State),  # so that the talk's index serves
        has_words(_EVENT.Text),
    )


def members_of(
    session: Session, guild_id: int, episode_ids: Iterable[int]
) -> dict[int, tuple[int, ...]]:
    """Return who spoke in each of some chapters, or was told of in it."""
    columns, found = episode_member.c, dict[int, tuple[int, ...]]()
    for some in memories.chunks(sorted(episode_ids)):
        rows = session.execute(
            select(columns.EpisodeId, columns.UserId)
            .where(columns.GuildId == guild_id, columns.EpisodeId.in_(some))
            .order_by(columns.EpisodeId, columns.UserId)
        )
        for episode_id, user_id in rows:
            found[episode_id] = (*found.get(episode_id, ()), user_id)
    return found


def hold(session: Session, of: Episode) -> bool:
    """Lock a chapter until this unit of work ends; False if it is gone.

    Whoever erases one of its messages does so before this, or waits (derived.unsummarise).
    """
    return bool(_hold(session, [of.id]))


def _hold(session: Session, episode_ids: Collection[int]) -> int:
    """Lock chapters before what belongs to them, as everybody does; returns how many there are."""
    if not episode_ids:
        return 0
    held = update(episode).where(_EPISODE.Id.in_(episode_ids))
    return session.execute(held.values(SummarisedId=_EPISODE.SummarisedId)).rowcount


def note_summarised(session: Session, episode_id: int, event_id: int) -> None:
    """Note up to which message a chapter is summarised, or was given up."""
    session.execute(update(episode).where(_EPISODE.Id == episode_id).values(SummarisedId=event_id))


# --- ends ---------------------------------------------------------------------------------------


def delete_places(session: Session, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete the chapters of channels that are gone, and of their threads."""
    ids = session.scalars(
        select(_EPISODE.Id).where(
            _EPISODE.GuildId == guild_id,
            or_(_EPISODE.ChannelId.in_(channel_ids), _EPISODE.SourceId.in_(channel_ids)),
        )
    ).all()
    _delete(session, guild_id, ids)


def delete_expired(session: Session, now: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` chapters whose last message is over; returns how many, by server."""
    over = session.execute(
        select(_EPISODE.GuildId, _EPISODE.Id)
        .where(_EPISODE.ExpiresAt <= now)
        .order_by(_EPISODE.ExpiresAt)
        .limit(limit)
    ).all()
    for guild_id in {row.GuildId for row in over}:
        _delete(session, guild_id, [row.Id for row in over if row.GuildId == guild_id])
    return Counter(row.GuildId for row in over)


def _delete(session: Session, guild_id: int, episode_ids: Collection[int]) -> None:
    """Delete chapters: whoever stores a summary does so before this, or finds no chapter."""
    for some in memories.chunks(sorted(episode_ids)):
        _hold(session, some)
        for table, column in (
            (episode_summary, episode_summary.c.EpisodeId),
            (episode_member, episode_member.c.EpisodeId),
            (episode, _EPISODE.Id),
        ):
            session.execute(delete(table).where(table.c.GuildId == guild_id, column.in_(some)))
