"""Watched channels, cached for the process, and their settings by server."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from utils.common.errors import BadInput
from utils.database.core.engine import Connection, Database, DatabaseService, as_method, writes
from utils.database.memories import audit, write_policies
from utils.database.sentiment import watched_channels
from utils.models.sentiment import (
    PassiveMemory,
    WatchedChannel,
    WatchSettings,
    values_of_alerts,
    values_of_channels,
)

MAX_CHANNELS = 50
RANGES = {  # of the settings of alerts
    **dict.fromkeys(("tension_alert", "toxicity_alert", "auto_toxicity"), (0.1, 1)),
    "half_life_hours": (1, 7 * 24),
    "auto_minutes": (1, 10),
}


@dataclass(eq=False, repr=False)
class WatchedChannelService(DatabaseService):
    """Watched channels and settings by server.

    Changes of channels by other processes appear within a minute.
    """

    _watched: dict[tuple[int, int], WatchedChannel] = field(default_factory=dict, init=False)

    async def load(self) -> None:
        """Reload the watched channels of all servers."""
        channels = await self._database.read(watched_channels.channels, guild_id=None)
        self._watched = {(channel.guild_id, channel.channel_id): channel for channel in channels}

    def watched(self, guild_id: int, channel_id: int) -> WatchedChannel | None:
        """Return a channel if it is watched; from the cache, because every message asks."""
        return self._watched.get((guild_id, channel_id))

    @property
    def guild_ids(self) -> set[int]:
        """The servers with a watched channel."""
        return {guild_id for guild_id, _ in self._watched}

    # --- channels ------------------------------------------------------------------------------

    channels = as_method(Database.read, watched_channels.channels)

    async def add(
        self,
        guild_id: int,
        channel_id: int,
        memory: PassiveMemory = PassiveMemory.OPT_IN,
        *,
        actor_id: int = 0,
    ) -> WatchedChannel:
        """Start watching a channel, or change whose messages there may become notes.

        Raises BadInput if the server already has the maximum number of watched channels.
        """
        now = self._clock.now()

        def unit(connection: Connection, before: Collection[int]) -> None:
            if channel_id not in before and len(before) >= MAX_CHANNELS:
                raise BadInput(
                    "I can watch at most {limit} channels in a server.", limit=MAX_CHANNELS
                )
            watched_channels.add_channel(connection, guild_id, channel_id, memory, now)

        await self._change_channels(guild_id, unit, actor_id)
        return self._watched[guild_id, channel_id]

    async def remove(
        self, guild_id: int, channel_id: int, *, actor_id: int = 0
    ) -> WatchedChannel | None:
        """Stop watching a channel; returns it as it was, None if it was not watched.

        Its waiting messages are deleted at once; its scores stay until they expire.
        """

        def unit(connection: Connection, before: Collection[int]) -> None:
            watched_channels.remove_channel(connection, guild_id, channel_id)

        return (await self._change_channels(guild_id, unit, actor_id)).get(channel_id)

    async def _change_channels(
        self, guild_id: int, unit: Callable[[Connection, Collection[int]], None], actor_id: int
    ) -> dict[int, WatchedChannel]:
        """Change the watched channels, whose ids ``unit`` gets; returns those before, by id.

        What differs afterwards stands in the server's audit as ``actor_id``'s change.
        """
        now = self._clock.now()

        def change(
            connection: Connection,
        ) -> tuple[tuple[WatchedChannel, ...], tuple[WatchedChannel, ...]]:
            write_policies.lock(connection, guild_id)
            before = watched_channels.channels(connection, guild_id)
            unit(connection, {channel.channel_id for channel in before})
            after = watched_channels.channels(connection, guild_id)
            changed = (values_of_channels(before), values_of_channels(after))
            audit.record_settings(connection, guild_id, *changed, now, actor_id)
            return before, after

        before, after = await self._database.write(change)
        self._cache(guild_id, after)
        return {channel.channel_id: channel for channel in before}

    async def set_notice(self, guild_id: int, channel_id: int, notice_id: int | None) -> None:
        """Store which message is a channel's notice, if the channel is still watched."""
        await self._database.write(
            watched_channels.set_notice,
            guild_id=guild_id,
            channel_id=channel_id,
            notice_id=notice_id,
        )
        self._cache(guild_id, await self.channels(guild_id))

    # --- settings ------------------------------------------------------------------------------

    settings = as_method(Database.read, watched_channels.load_settings)

    @writes
    def change(
        self, connection: Connection, /, guild_id: int, *, actor_id: int = 0, **changes: Any
    ) -> WatchSettings:
        """Change the named settings and return all. Raises BadInput for an invalid value.

        What differs stands in the server's audit as ``actor_id``'s change.
        """
        now = self._clock.now()
        write_policies.lock(connection, guild_id)
        before = watched_channels.load_settings(connection, guild_id)
        settings = replace(before, **changes)
        for name, (least, most) in RANGES.items():
            if not least <= getattr(settings, name) <= most:
                raise BadInput(
                    "{option} must lie between {least} and {most}.",
                    option=name,
                    least=least,
                    most=most,
                )
        watched_channels.save_settings(connection, settings)
        changed = (values_of_alerts(before), values_of_alerts(settings))
        audit.record_settings(connection, guild_id, *changed, now, actor_id)
        return settings

    def _cache(self, guild_id: int, watched: tuple[WatchedChannel, ...]) -> None:
        elsewhere = {key: channel for key, channel in self._watched.items() if key[0] != guild_id}
        self._watched = elsewhere | {(guild_id, channel.channel_id): channel for channel in watched}
