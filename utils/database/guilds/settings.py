"""A server's settings, and the purposes, modes and models of its channels."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table, bindparam, delete, insert, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import fetch_rows, fields_in, to_row, upsert
from utils.database.schema.memory_tables import (
    channel_mode,
    channel_purpose,
    guild_settings,
    model_choice,
)
from utils.models.guild import ChannelPurpose, GuildSettings
from utils.models.memory import Consent

# Built once: building costs more than running.
_LOAD = select(guild_settings).where(guild_settings.c.GuildId == bindparam("guild_id"))
_STORED = fields_in(guild_settings, GuildSettings)
_LOAD_CHANNELS, _LOAD_MODES, _LOAD_MODELS = (
    select(table).where(table.c.GuildId == bindparam("guild_id")).order_by(*table.primary_key)
    for table in (channel_purpose, channel_mode, model_choice)
)


def load(connection: Connection, guild_id: int) -> GuildSettings:
    """Return a server's settings; the defaults if it never changed any."""
    channels = tuple(
        ChannelPurpose(
            row.ChannelId, row.Purpose, tuple(row.Topics.split(",")) if row.Topics else ()
        )
        for row in fetch_rows(connection, _LOAD_CHANNELS, guild_id=guild_id)
    )
    rows = fetch_rows(connection, _LOAD, guild_id=guild_id)
    if not rows:
        return GuildSettings(guild_id, channels=channels)
    row = rows[0]
    return GuildSettings(
        channels=channels, **{name: getattr(row, column) for name, column in _STORED}
    )


def save(
    connection: Connection, settings: GuildSettings, on_update: Mapping[str, Any] | None = None
) -> None:
    """Store the settings without what is chosen for channels, which :func:`store` stores.

    ``on_update`` replaces the values if the server has a row already. To save settings that were
    loaded before, hold the row's lock (:func:`utils.database.memories.write_policies.lock`).
    """
    values = to_row(guild_settings, settings)
    upsert(connection, guild_settings, {"GuildId": values.pop("GuildId")}, values, on_update)


def store(connection: Connection, before: GuildSettings, after: GuildSettings) -> None:
    """Store what differs between two states of a server's settings; hold its row's lock.

    Other rows are not written: a channel that is erased at that moment does not come back.
    """
    rows_before = _channel_rows(before)
    for table, rows in _channel_rows(after).items():
        for removed_row in [row for row in rows_before[table] if row not in rows]:
            keys = (column == removed_row[column.name] for column in table.primary_key)
            connection.execute(delete(table).where(*keys))
        if new := [row for row in rows if row not in rows_before[table]]:
            connection.execute(insert(table), new)
    if to_row(guild_settings, before) != to_row(guild_settings, after):
        save(connection, after)


def _channel_rows(settings: GuildSettings) -> dict[Table, list[dict[str, Any]]]:
    """Return what a server chose for its channels, as the rows of each table."""
    guild_id = settings.guild_id
    return {
        channel_purpose: [
            to_row(
                channel_purpose,
                channel,
                GuildId=guild_id,
                Topics=",".join(channel.topics) or None,
            )
            for channel in settings.channels
        ],
        channel_mode: [
            {"GuildId": guild_id, "ChannelId": channel_id, "Mode": mode}
            for channel_id, mode in settings.channel_modes.items()
        ],
        model_choice: [
            {"GuildId": guild_id, "ChannelId": channel_id, "Model": model}
            for channel_id, model in settings.models.items()
        ],
    }


def reset_consent_default(connection: Connection, guild_id: int) -> None:
    """Reset a server's default consent to temporary."""
    connection.execute(
        update(guild_settings)
        .where(guild_settings.c.GuildId == guild_id)
        .values(ConsentDefault=Consent.TEMPORARY)
    )


# --- modes of channels --------------------------------------------------------------------------


def channel_modes(connection: Connection, guild_id: int) -> dict[int, str]:
    """Return the modes of the channels with one of their own, in the order of their ids."""
    rows = fetch_rows(connection, _LOAD_MODES, guild_id=guild_id)
    return {row.ChannelId: row.Mode for row in rows}


# --- models ---------------------------------------------------------------------------------------


def model_choices(connection: Connection, guild_id: int) -> dict[int, str]:
    """Return a server's choices by channel, its own first."""
    rows = fetch_rows(connection, _LOAD_MODELS, guild_id=guild_id)
    return {row.ChannelId: row.Model for row in rows}
