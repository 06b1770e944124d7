"""Episodes (stretches of conversation) and their messages; summaries.py stores their summaries.

The caller of every function that writes holds the channel's lease.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    change_rows,
    chunks,
    fetch_rows,
    from_row,
    insert_new,
    insert_returning,
    read_first,
)
from utils.database.messages import events
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    NO_EPISODE,
    UNSUMMARISED,
    episode,
    episode_member,
    episode_summary,
    is_talk,
    memory_event,
)
from utils.models.episode import Episode
from utils.models.memory import SERVER_USER_ID, Event, Role

ChannelKey = tuple[int, int]
"""A server and a channel or thread in it."""

MAX_CHANNELS = 2_000
"""Channels that one look for work finds."""
BATCH = 100
"""Messages that are divided into episodes at once."""
TURNS_COMPARED = 12
TURNS_LOADED = 41
"""Messages that are loaded for a summary at once: one more than a chunk has."""

_EVENT, _EPISODE = memory_event.c, episode.c
_UNASSIGNED = _EVENT.EpisodeId.is_(None)

# --- finding work -------------------------------------------------------------------------------


# Built once, as those below: building costs more than running.
_UNASSIGNED_CHANNELS = (
    select(_EVENT.GuildId, _EVENT.ChannelId, func.max(_EVENT.Id), func.max(_EVENT.CreatedAt))
    .where(_UNASSIGNED)
    .group_by(_EVENT.GuildId, _EVENT.ChannelId)
    .order_by(func.max(_EVENT.Id).desc())
    .limit(MAX_CHANNELS)
)
_CHANNELS = (
    select(_EPISODE.GuildId, _EPISODE.ChannelId)
    .group_by(_EPISODE.GuildId, _EPISODE.ChannelId)
    .order_by(func.max(_EPISODE.Id).desc())
    .limit(MAX_CHANNELS)
)
_IS_OPEN, _IS_CLOSED = _EPISODE.ClosedAt.is_(None), _EPISODE.ClosedAt.is_not(None)
SILENT = _CHANNELS.where(_IS_OPEN, _EPISODE.LastAt <= bindparam("since"))
"""The channels whose open episode had no message ``since`` then."""
GROWN = _CHANNELS.where(_IS_OPEN, _EPISODE.SummarisedId < _EPISODE.LastEventId)
"""The channels with an open episode whose summary lacks newer messages."""
CLOSED = _CHANNELS.where(UNSUMMARISED, _IS_CLOSED)
"""The channels with closed episodes that lack their final summary."""


def unassigned_channels(connection: Connection) -> dict[ChannelKey, tuple[int, datetime]]:
    """Return last event id and time of channels with messages in no episode, latest first."""
    rows = fetch_rows(connection, _UNASSIGNED_CHANNELS)
    return {(guild_id, channel_id): (last, at) for guild_id, channel_id, last, at in rows}


def channels(connection: Connection, query: Select[Any], **parameters: Any) -> list[ChannelKey]:
    """Return the channels that SILENT, GROWN or CLOSED find."""
    rows = fetch_rows(connection, query, **parameters)
    return [(guild_id, channel_id) for guild_id, channel_id in rows]


# --- chapters -----------------------------------------------------------------------------------

_IS_WAITING = (
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.ChannelId == bindparam("channel_id"),
    _UNASSIGNED,
)
_SKIP = (
    update(memory_event)
    .where(
        *_IS_WAITING,
        or_(not_(is_not_empty(_EVENT.Text)), _EVENT.ExpiresAt <= bindparam("now")),
    )
    .values(EpisodeId=NO_EPISODE)
)

_UNASSIGNED_IDS = select(_EVENT.Id).where(*_IS_WAITING).order_by(_EVENT.Id).limit(BATCH)


def load_unassigned(connection: Connection, place: ChannelKey, now: datetime) -> list[Event]:
    """Return a channel's next BATCH messages that are in no episode yet, oldest first.

    Blanked and expired messages are excluded from episodes permanently.
    """
    in_channel: dict[str, Any] = {"guild_id": place[0], "channel_id": place[1]}
    change_rows(connection, _SKIP, {**in_channel, "now": now})
    rows = fetch_rows(connection, _UNASSIGNED_IDS, **in_channel)
    return events.load_existing(connection, [row.Id for row in rows])


def load(connection: Connection, query: Select[Any], place: ChannelKey) -> Episode | None:
    """Return the episode of a channel that OPEN or UNSUMMARISED_FIRST finds, if any."""
    rows = fetch_rows(connection, query, guild_id=place[0], channel_id=place[1])
    return from_row(Episode, rows[0]) if rows else None


def find_by_message(connection: Connection, guild_id: int, message_id: int) -> Episode | None:
    """Return the episode with an earlier revision of a message, if any."""
    episode_id = connection.scalar(
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
    return read_first(
        connection, _EPISODES.where(_EPISODE.Id == episode_id), partial(from_row, Episode)
    )


_EPISODES = select(episode)
_IN_CHANNEL = _EPISODES.where(
    _EPISODE.GuildId == bindparam("guild_id"), _EPISODE.ChannelId == bindparam("channel_id")
).limit(1)
OPEN = _IN_CHANNEL.where(_IS_OPEN).order_by(_EPISODE.Id.desc())
"""The open episode of a channel."""
UNSUMMARISED_FIRST = _IN_CHANNEL.where(UNSUMMARISED, _IS_CLOSED).order_by(_EPISODE.Id)
"""The oldest closed episode of a channel that lacks its final summary."""


_INSERT = insert(episode).returning(episode.c.Id)


def create(connection: Connection, turns: Sequence[Event]) -> int:
    """Insert an open episode with its first messages; returns its id."""
    first = turns[0]
    row = {
        "GuildId": first.guild_id,
        "ChannelId": first.channel_id,
        "SourceId": first.source_id,
        "StartedAt": first.created_at,
        "LastAt": first.created_at,
        "FirstEventId": first.id,
        "LastEventId": first.id,
        "SummarisedId": 0,
        "ExpiresAt": first.created_at,
    }
    episode_id: int = insert_returning(connection, _INSERT, row)
    extend(connection, episode_id, turns)
    return episode_id


def _later(column: ColumnElement[Any], name: str) -> ColumnElement[Any]:
    bound = bindparam(name, type_=column.type)
    return case((column > bound, column), else_=bound)


_ASSIGN = (
    update(memory_event)
    .where(_EVENT.Id.in_(IDS), _UNASSIGNED)
    .values(EpisodeId=bindparam("episode_id"))
)
_ASSIGNED = select(_EVENT.Id, _EVENT.ExpiresAt).where(
    _EVENT.Id.in_(IDS), _EVENT.EpisodeId == bindparam("episode_id"), is_not_empty(_EVENT.Text)
)
_CHANGE = update(episode).where(_EPISODE.Id == bindparam("episode_id"))
_EXTEND = _CHANGE.values(
    LastAt=_later(_EPISODE.LastAt, "last_at"),
    LastEventId=_later(_EPISODE.LastEventId, "last_event_id"),
    ExpiresAt=_later(_EPISODE.ExpiresAt, "expires_at"),
)


def extend(connection: Connection, episode_id: int, turns: Sequence[Event]) -> None:
    """Add messages and their authors to an episode; leaves out messages erased by now."""
    ids = [turn.id for turn in turns]
    if not lock(connection, [episode_id]):
        return
    change_rows(connection, _ASSIGN, {"ids": ids, "episode_id": episode_id})
    rows = fetch_rows(connection, _ASSIGNED, ids, episode_id=episode_id)
    expiries = {row.Id: row.ExpiresAt for row in rows}
    turns = [turn for turn in turns if turn.id in expiries]
    if not turns:
        return
    guild_id = turns[0].guild_id
    change_rows(
        connection,
        _EXTEND,
        {
            "episode_id": episode_id,
            "last_at": max(turn.created_at for turn in turns),
            "last_event_id": max(expiries),
            "expires_at": max(expiries.values()),
        },
    )
    authors = {turn.author_id for turn in turns if turn.role is Role.MEMBER}
    mentioned = {user_id for turn in turns for user_id in turn.about_ids}
    participants = load_members(connection, guild_id, [episode_id]).get(episode_id, ())
    new = sorted((authors | mentioned) - {SERVER_USER_ID, *participants})
    insert_new(
        connection,
        episode_member,
        [{"GuildId": guild_id, "EpisodeId": episode_id, "UserId": user_id} for user_id in new],
    )


def close(connection: Connection, episode_id: int, now: datetime) -> None:
    """Close an episode, so that it gets its final summary."""
    change_rows(connection, _CHANGE, {"episode_id": episode_id, "ClosedAt": now, "SummarisedId": 0})


def discard_open(connection: Connection, place: ChannelKey) -> None:
    """Delete a channel's open episode; its messages, and waiting ones, join no other episode."""
    open_episode = load(connection, OPEN, place)
    lock(connection, [] if open_episode is None else [open_episode.id])
    in_channel = (_EVENT.GuildId == place[0], _EVENT.ChannelId == place[1])
    connection.execute(
        update(memory_event).where(*in_channel, _UNASSIGNED).values(EpisodeId=NO_EPISODE)
    )
    if open_episode is not None:
        connection.execute(
            update(memory_event)
            .where(
                *in_channel,
                _EVENT.Id.between(open_episode.first_event_id, open_episode.last_event_id),
            )
            .where(_EVENT.EpisodeId == open_episode.id)
            .values(EpisodeId=NO_EPISODE)
        )
        erase(connection, place[0], [open_episode.id])


def load_turns(connection: Connection, of: Episode, after_id: int, now: datetime) -> list[Event]:
    """Return an episode's next TURNS_LOADED messages after an id, oldest first.

    Blanked and expired ones are left out.
    """
    rows = fetch_rows(connection, _IDS_AFTER, **_place_of(of), after_id=after_id, now=now)
    return events.load_existing(connection, [row.Id for row in rows])


def load_last_turns(connection: Connection, of: Episode) -> list[Event]:
    """Return an episode's last messages, oldest first."""
    rows = fetch_rows(connection, _LAST_IDS, **_place_of(of))
    return events.load_existing(connection, [row.Id for row in rows])


_TURN_IDS = select(_EVENT.Id).where(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.ChannelId == bindparam("channel_id"),
    _EVENT.Id.between(bindparam("first_id"), bindparam("last_id")),
    _EVENT.EpisodeId == bindparam("episode_id"),
    is_talk(_EVENT.State),  # so that the talk's index serves
    is_not_empty(_EVENT.Text),
)
_LAST_IDS = _TURN_IDS.order_by(_EVENT.Id.desc()).limit(TURNS_COMPARED)
_IDS_AFTER = (
    _TURN_IDS.where(_EVENT.Id > bindparam("after_id"), _EVENT.ExpiresAt > bindparam("now"))
    .order_by(_EVENT.Id)
    .limit(TURNS_LOADED)
)


def _place_of(of: Episode) -> dict[str, Any]:
    return {
        "guild_id": of.guild_id,
        "channel_id": of.channel_id,
        "first_id": of.first_event_id,
        "last_id": of.last_event_id,
        "episode_id": of.id,
    }


_MEMBER = episode_member.c
_MEMBERS = (
    select(_MEMBER.EpisodeId, _MEMBER.UserId)
    .where(_MEMBER.GuildId == bindparam("guild_id"), _MEMBER.EpisodeId.in_(IDS))
    .order_by(_MEMBER.EpisodeId, _MEMBER.UserId)
)


def load_members(
    connection: Connection, guild_id: int, episode_ids: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """Return the members who wrote in each episode, or whom Kith's answers in it were about."""
    return grouped(fetch_rows(connection, _MEMBERS, episode_ids, guild_id=guild_id))


def lock(connection: Connection, episode_ids: Collection[int]) -> int:
    """Lock episodes, always before their summaries and members; returns how many there are.

    An erasure of their messages commits before this or waits (summaries.erase_summaries).
    """
    if not episode_ids:
        return 0
    return change_rows(connection, _LOCK, {"ids": list(episode_ids)})


_LOCK = update(episode).where(_EPISODE.Id.in_(IDS)).values(SummarisedId=_EPISODE.SummarisedId)


def set_summarised(connection: Connection, episode_id: int, event_id: int) -> None:
    """Store up to which event an episode is summarised."""
    change_rows(connection, _CHANGE, {"episode_id": episode_id, "SummarisedId": event_id})


# --- ends ---------------------------------------------------------------------------------------


def erase(connection: Connection, guild_id: int, episode_ids: Collection[int]) -> None:
    """Delete episodes; a concurrent summary commits before this, or finds no episode."""
    for ids in chunks(sorted(episode_ids)):
        lock(connection, ids)
        for table, column in (
            (episode_summary, episode_summary.c.EpisodeId),
            (episode_member, episode_member.c.EpisodeId),
            (episode, _EPISODE.Id),
        ):
            connection.execute(delete(table).where(table.c.GuildId == guild_id, column.in_(ids)))
