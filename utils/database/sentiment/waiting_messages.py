"""Queue of watched messages that wait for analysis."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, delete, func, select, union_all, update

from utils.database.core import queries
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, columns_of, read_list, run_for, to_row
from utils.database.schema.memory_tables import alert_message, message_score, waiting_message
from utils.database.sentiment import alerts, tension, watched_channels
from utils.models.memory import Event, Role

_COLUMNS = columns_of(waiting_message, Event, author_id="UserId", source_id="PlaceId")
_COMPARED = union_all(  # with Discord, after a gap; alerts show links to messages, and reasons
    select(*waiting_message.c["GuildId", "ChannelId", "MessageId"]),
    select(*message_score.c["GuildId", "ChannelId", "MessageId"]).join(
        alert_message, alerts.SCORED
    ),
).subquery()


def store(
    connection: Connection, messages: Sequence[Event], *, with_scored: bool = False
) -> list[Event]:
    """Add messages of one server to the queue; returns the newly added ones.

    A later revision replaces an earlier one that still waits. Skipped are authors without consent,
    channels that are no longer watched, and, unless ``with_scored``, messages that were already
    analysed. The caller has locked the authors (members.lock_authors).
    """
    guild_id = messages[0].guild_id
    watched_ids = {
        place_id
        for place_id in sorted({message.source_id for message in messages})
        if watched_channels.locked_memory(connection, guild_id, place_id) is not None
    }
    authors = {message.author_id for message in messages}
    without_consent = watched_channels.without_consent(connection, guild_id, authors)
    allowed = {
        message.message_id: message
        for message in messages
        if message.source_id in watched_ids and message.author_id not in without_consent
    }
    waiting = tension.revisions(connection, waiting_message, guild_id, list(allowed))
    for message_id in waiting.keys() & allowed.keys():
        if allowed[message_id].revision > waiting[message_id]:
            later = allowed[message_id]
            is_earlier = and_(
                waiting_message.c.GuildId == guild_id,
                waiting_message.c.MessageId == message_id,
                waiting_message.c.Revision < later.revision,
            )
            values = {"Text": later.text, "Revision": later.revision}
            connection.execute(update(waiting_message).where(is_earlier), values)
    new = [message for message in allowed.values() if message.message_id not in waiting]
    if not with_scored:
        new = tension.without_scores(connection, new)
    inserted = queries.insert_new(
        connection,
        waiting_message,
        [
            to_row(waiting_message, message, UserId=message.author_id, PlaceId=message.source_id)
            for message in new
        ],
    )
    inserted_ids = {row["MessageId"] for row in inserted}  # another process stored the rest
    return [message for message in new if message.message_id in inserted_ids]


def channels(connection: Connection) -> list[tuple[int, int]]:
    """Return the servers and channels, or threads, of all messages that wait or are in an alert."""
    query = select(_COMPARED.c.GuildId, _COMPARED.c.ChannelId).distinct()
    return read_list(connection, query, tuple)


def ids_in(connection: Connection, guild_id: int, channel_id: int) -> set[int]:
    """Return the messages of a channel or thread that wait or are in an alert."""
    in_channel = and_(_COMPARED.c.GuildId == guild_id, _COMPARED.c.ChannelId == channel_id)
    return set(connection.scalars(select(_COMPARED.c.MessageId).where(in_channel)))


def queue_lengths(connection: Connection) -> dict[tuple[int, int], int]:
    """Return the number of waiting messages per server and watched channel that has any."""
    place = (waiting_message.c.GuildId, waiting_message.c.PlaceId)
    rows = connection.execute(select(*place, func.count()).group_by(*place))
    return {(guild_id, place_id): waiting for guild_id, place_id, waiting in rows}


def newest_ids(connection: Connection, since: datetime) -> dict[tuple[int, int], int]:
    """Return the newest message since then that waits or has a score, by server and channel."""
    newest: dict[tuple[int, int], int] = {}
    for columns, said_at in (
        (waiting_message.c, waiting_message.c.CreatedAt),
        (message_score.c, message_score.c.SaidAt),
    ):
        last = func.max(columns.MessageId).label("MessageId")
        query = select(columns.GuildId, columns.PlaceId, last).where(said_at >= since)
        for row in connection.execute(query.group_by(columns.GuildId, columns.PlaceId)):
            place = (row.GuildId, row.PlaceId)
            newest[place] = max(row.MessageId, newest.get(place, 0))
    return newest


def count(connection: Connection, guild_id: int, place_id: int) -> int:
    """Return how many messages of a watched channel wait."""
    in_channel = and_(waiting_message.c.GuildId == guild_id, waiting_message.c.PlaceId == place_id)
    counted = select(func.count()).select_from(waiting_message).where(in_channel)
    return connection.scalar(counted) or 0


def oldest(connection: Connection, guild_id: int, place_id: int, limit: int) -> list[Event]:
    """Return the oldest waiting messages of a watched channel, oldest first.

    Leaves out authors who have withdrawn consent.
    """
    rows = connection.execute(
        select(*_COLUMNS)
        .where(waiting_message.c.GuildId == guild_id, waiting_message.c.PlaceId == place_id)
        .order_by(waiting_message.c.MessageId)
        .limit(limit)
    )
    messages = [Event(*[*row[:6], Role.MEMBER, *row[6:]]) for row in rows]
    authors = {message.author_id for message in messages}
    without_consent = watched_channels.without_consent(connection, guild_id, authors)
    return [message for message in messages if message.author_id not in without_consent]


def still_waiting(connection: Connection, messages: Sequence[Event]) -> set[int]:
    """Return the ids of those messages of one server that wait in exactly this revision."""
    if not messages:
        return set()
    message_ids = [message.message_id for message in messages]
    revisions = tension.revisions(connection, waiting_message, messages[0].guild_id, message_ids)
    return {
        message.message_id
        for message in messages
        if revisions.get(message.message_id) == message.revision
    }


def finish(connection: Connection, messages: Sequence[Event]) -> set[int]:
    """Remove analysed messages of one server from the queue; returns the removed ids.

    Messages deleted in the meantime are not among them; edited messages stay in the queue.
    """
    if not messages:
        return set()
    guild_id, columns = messages[0].guild_id, waiting_message.c
    # Locks the rows: no later revision can arrive between this read and the delete.
    are_these = and_(columns.GuildId == guild_id, columns.MessageId.in_(IDS))
    run_for(
        connection,
        update(waiting_message).where(are_these).values(Revision=columns.Revision),
        [message.message_id for message in messages],
    )
    unchanged = still_waiting(connection, messages)
    if unchanged:
        delete_messages(connection, guild_id, sorted(unchanged))
    return unchanged


def delete_messages(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> None:
    """Remove messages from the queue."""
    are_these = and_(waiting_message.c.GuildId == guild_id, waiting_message.c.MessageId.in_(IDS))
    run_for(connection, delete(waiting_message).where(are_these), message_ids)


def keep_newest(connection: Connection, guild_id: int, place_id: int, limit: int) -> int:
    """Delete a channel's oldest waiting messages beyond ``limit``; returns how many."""
    in_channel = and_(waiting_message.c.GuildId == guild_id, waiting_message.c.PlaceId == place_id)
    oldest_to_keep = connection.scalar(
        select(waiting_message.c.MessageId)
        .where(in_channel)
        .order_by(waiting_message.c.MessageId.desc())
        .offset(limit - 1)
        .limit(1)
    )
    if oldest_to_keep is None:
        return 0
    is_surplus = and_(in_channel, waiting_message.c.MessageId < oldest_to_keep)
    return queries.delete_all(connection, waiting_message, is_surplus)


def delete_all(connection: Connection) -> None:
    """Empty the queue: after a restore, messages that waited in the backup are not analysed."""
    connection.execute(delete(waiting_message))
