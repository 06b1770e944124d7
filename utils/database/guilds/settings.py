"""A server's settings, and the purposes, modes and models of its channels."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from sqlalchemy import Select, Table, bindparam, delete, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import fetch_rows, to_row, upsert
from utils.database.schema.memory_tables import (
    channel_mode,
    channel_purpose,
    guild_settings,
    model_choice,
)
from utils.models.guild import ChannelMode, ChannelPurpose, GuildSettings, ModelChoice, Purpose
from utils.models.memory import Consent

# Built once: building costs more than running.
_LOAD = select(guild_settings).where(guild_settings.c.GuildId == bindparam("guild_id"))
_LOAD_CHANNELS = (
    select(channel_purpose)
    .where(channel_purpose.c.GuildId == bindparam("guild_id"))
    .order_by(channel_purpose.c.ChannelId)
)


def load(connection: Connection, guild_id: int) -> GuildSettings:
    """Return a server's settings; the defaults if it never changed any."""
    channels = _channels(connection, guild_id)
    rows = fetch_rows(connection, _LOAD, guild_id=guild_id)
    if not rows:
        return GuildSettings(guild_id, channels=channels)
    row = rows[0]
    return GuildSettings(
        guild_id,
        mode=row.Mode,
        time_zone=row.TimeZone,
        base_role_id=row.BaseRoleId,
        implied_role_ids=row.ImpliedRoleIds,
        consent_default=row.ConsentDefault,
        policy_version=row.PolicyVersion,
        frozen=row.Frozen,
        moderators_see_members=row.ModeratorsSeeMembers,
        channels=channels,
        lore=row.Lore,
        tool_servers=row.ToolServers,
        talk_role_ids=row.TalkRoleIds,
        noted=row.Noted,
        shows_sources=row.ShowsSources,
    )


def save(
    connection: Connection, settings: GuildSettings, on_update: Mapping[str, Any] | None = None
) -> None:
    """Store the settings without the channels, which :func:`set_purpose` stores.

    ``on_update`` replaces the values if the server has a row already. To save settings that were
    loaded before, hold the row's lock (:func:`utils.database.memories.write_policies.lock`).
    """
    values = to_row(guild_settings, settings)
    upsert(connection, guild_settings, {"GuildId": values.pop("GuildId")}, values, on_update)


def store(connection: Connection, before: GuildSettings, after: GuildSettings) -> None:
    """Store what differs between two states of a server's settings; hold its row's lock."""
    guild_id = after.guild_id
    for channel in set(before.channels) - set(after.channels):
        remove_purpose(connection, guild_id, channel.channel_id, channel.purpose)
    for channel in set(after.channels) - set(before.channels):
        set_purpose(connection, guild_id, channel)
    for override in set(before.channel_modes) - set(after.channel_modes):
        clear_channel_mode(connection, guild_id, override.channel_id)
    for override in set(after.channel_modes) - set(before.channel_modes):
        set_channel_mode(connection, guild_id, override.channel_id, override.mode)
    for choice in set(before.models) - set(after.models):
        reset_model(connection, guild_id, choice.channel_id)
    for choice in set(after.models) - set(before.models):
        choose_model(connection, guild_id, choice.channel_id, choice.model)
    lists = {name: getattr(before, name) for name in ("channels", "channel_modes", "models")}
    if replace(after, **lists) != before:
        save(connection, after)


def reset_consent_default(connection: Connection, guild_id: int) -> None:
    """Reset a server's default consent to temporary."""
    change = update(guild_settings).where(guild_settings.c.GuildId == guild_id)
    connection.execute(change.values(ConsentDefault=Consent.TEMPORARY))


def set_purpose(connection: Connection, guild_id: int, channel: ChannelPurpose) -> None:
    """Give a channel a purpose, or replace its topics."""
    upsert(
        connection,
        channel_purpose,
        {"GuildId": guild_id, "ChannelId": channel.channel_id, "Purpose": channel.purpose},
        {"Topics": ",".join(channel.topics) or None},
    )


def remove_purpose(
    connection: Connection, guild_id: int, channel_id: int, purpose: Purpose
) -> bool:
    """Remove a purpose from a channel; returns False if it did not have it."""
    columns = channel_purpose.c
    removed = connection.execute(
        delete(channel_purpose).where(
            columns.GuildId == guild_id,
            columns.ChannelId == channel_id,
            columns.Purpose == purpose,
        )
    )
    return bool(removed.rowcount)


def _channels(connection: Connection, guild_id: int) -> tuple[ChannelPurpose, ...]:
    rows = fetch_rows(connection, _LOAD_CHANNELS, guild_id=guild_id)
    return tuple(
        ChannelPurpose(
            row.ChannelId, row.Purpose, tuple(row.Topics.split(",")) if row.Topics else ()
        )
        for row in rows
    )


# --- modes of channels --------------------------------------------------------------------------


def channel_modes(connection: Connection, guild_id: int) -> tuple[ChannelMode, ...]:
    """Return the channels with a mode of their own, in the order of their ids."""
    rows = _by_channel(connection, channel_mode, guild_id)
    return tuple(ChannelMode(row.ChannelId, row.Mode) for row in rows)


def set_channel_mode(connection: Connection, guild_id: int, channel_id: int, mode: str) -> None:
    """Give a channel a mode of its own."""
    upsert(connection, channel_mode, {"GuildId": guild_id, "ChannelId": channel_id}, {"Mode": mode})


def clear_channel_mode(connection: Connection, guild_id: int, channel_id: int) -> bool:
    """Remove a channel's own mode; returns False if it had none."""
    return _clear(connection, channel_mode, guild_id, channel_id)


# --- models ---------------------------------------------------------------------------------------


def model_choices(connection: Connection, guild_id: int) -> tuple[ModelChoice, ...]:
    """Return a server's choices, its own first."""
    rows = _by_channel(connection, model_choice, guild_id)
    return tuple(ModelChoice(row.ChannelId, row.Model) for row in rows)


def choose_model(connection: Connection, guild_id: int, channel_id: int, model: str) -> None:
    """Store the model of a channel, or of the server."""
    keys = {"GuildId": guild_id, "ChannelId": channel_id}
    upsert(connection, model_choice, keys, {"Model": model})


def reset_model(connection: Connection, guild_id: int, channel_id: int) -> bool:
    """Remove the choice for a channel, or for the server; returns False if there was none."""
    return _clear(connection, model_choice, guild_id, channel_id)


def _by_channel(connection: Connection, table: Table, guild_id: int) -> list[Any]:
    """Return a server's rows of a table in the order of their channels."""
    return fetch_rows(connection, _in_guild(table), guild_id=guild_id)


@cache
def _in_guild(table: Table) -> Select[Any]:
    in_guild = table.c.GuildId == bindparam("guild_id")
    return select(table).where(in_guild).order_by(table.c.ChannelId)


def _clear(connection: Connection, table: Table, guild_id: int, channel_id: int) -> bool:
    """Delete a channel's row of a table; returns False if there was none."""
    is_row = (table.c.GuildId == guild_id, table.c.ChannelId == channel_id)
    return connection.execute(delete(table).where(*is_row)).rowcount > 0
