"""Watched channels, a server's settings for them, and members' choices about being noted."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import and_, delete, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    from_row,
    is_member,
    member_parameters,
    to_row,
    upsert,
)
from utils.database.guilds import settings as guilds
from utils.database.schema.memory_tables import (
    passive_refusal,
    user_state,
    waiting_message,
    watch_settings,
    watched_channel,
)
from utils.models.memory import Consent, Member
from utils.models.sentiment import PassiveMemory, WatchedChannel, WatchSettings

# --- channels and settings ----------------------------------------------------------------------


def channels(connection: Connection, guild_id: int | None) -> tuple[WatchedChannel, ...]:
    """Return the watched channels of a server or (None) of all, by server and time of adding."""
    query = select(watched_channel).order_by(
        watched_channel.c.GuildId, watched_channel.c.AddedAt, watched_channel.c.ChannelId
    )
    if guild_id is not None:
        query = query.where(watched_channel.c.GuildId == guild_id)
    return tuple(
        WatchedChannel(row.GuildId, row.ChannelId, row.Memory, row.NoticeId)
        for row in connection.execute(query)
    )


def locked_memory(connection: Connection, guild_id: int, channel_id: int) -> PassiveMemory | None:
    """Return whose messages in a channel may become notes; None if it is not watched.

    It stays so until the transaction ends: who stops watching the channel waits, and then deletes
    what this unit of work stores.
    """
    of_channel = and_(
        watched_channel.c.GuildId == guild_id, watched_channel.c.ChannelId == channel_id
    )
    connection.execute(
        update(watched_channel).where(of_channel).values(Memory=watched_channel.c.Memory)
    )
    return connection.scalar(select(watched_channel.c.Memory).where(of_channel))


def add_channel(
    connection: Connection, guild_id: int, channel_id: int, memory: PassiveMemory, now: datetime
) -> None:
    """Start watching a channel, or change whose messages there may become notes."""
    upsert(
        connection,
        watched_channel,
        {"GuildId": guild_id, "ChannelId": channel_id},
        {"Memory": memory, "AddedAt": now},
        on_update={"Memory": memory},
    )


def remove_channel(connection: Connection, guild_id: int, channel_id: int) -> None:
    """Stop watching a channel and delete its waiting messages."""
    connection.execute(
        delete(watched_channel).where(
            watched_channel.c.GuildId == guild_id, watched_channel.c.ChannelId == channel_id
        )
    )
    connection.execute(
        delete(waiting_message).where(
            waiting_message.c.GuildId == guild_id, waiting_message.c.PlaceId == channel_id
        )
    )


def set_notice(
    connection: Connection, guild_id: int, channel_id: int, notice_id: int | None
) -> None:
    """Store which message is a channel's notice, if the channel is still watched."""
    connection.execute(
        update(watched_channel)
        .where(watched_channel.c.GuildId == guild_id, watched_channel.c.ChannelId == channel_id)
        .values(NoticeId=notice_id)
    )


def load_settings(connection: Connection, guild_id: int) -> WatchSettings:
    """Return a server's settings; the defaults if it has none."""
    row = connection.execute(
        select(watch_settings).where(watch_settings.c.GuildId == guild_id)
    ).one_or_none()
    return WatchSettings(guild_id) if row is None else from_row(WatchSettings, row)


def save_settings(connection: Connection, settings: WatchSettings) -> None:
    """Store a server's settings."""
    row = to_row(watch_settings, settings)
    key = {"GuildId": row.pop("GuildId")}
    upsert(connection, watch_settings, key, row)


# --- members' choices ---------------------------------------------------------------------------


# Built once: building costs more than running.
_REFUSAL = select(passive_refusal.c.UserId).where(is_member(passive_refusal))


def has_opted_out(connection: Connection, member: Member) -> bool:
    """Whether Kith may not make notes of what a member says to others."""
    return connection.execute(_REFUSAL, member_parameters(member)).first() is not None


def without_consent(connection: Connection, guild_id: int, user_ids: Collection[int]) -> set[int]:
    """Return those of these members whose consent is off: their messages must not be stored."""
    choices = dict(
        connection.execute(
            select(user_state.c.UserId, user_state.c.Consent).where(
                user_state.c.GuildId == guild_id,
                user_state.c.UserId.in_(user_ids),
                user_state.c.Consent.is_not(None),
            )
        ).all()
    )
    default = guilds.load(connection, guild_id).consent_default
    return {user_id for user_id in user_ids if choices.get(user_id, default) is Consent.OFF}
