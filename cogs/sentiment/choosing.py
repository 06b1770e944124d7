"""Having channels watched, or no longer: for /mod watch and for /setup, with the notices there."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from cogs.sentiment.texts import CANNOT_HEAR, CANNOT_SEE, NO_MODEL
from cogs.sentiment.watching import Watching
from cogs.setup_pages import MOST_CHOSEN
from utils.core import Core
from utils.errors import BadInput
from utils.model.watch import PassiveMemory, WatchedChannel


class WatchChoice:
    """Which channels are watched: chosen one by one, or as a whole list."""

    def __init__(self, core: Core, watching: Watching, *, hears_everything: bool) -> None:
        self._core = core
        self._watching = watching
        self._hears_everything = hears_everything

    async def watched(self, guild_id: int) -> Sequence[int]:
        """Return the channels that are watched now, the first watched first."""
        return [one.channel_id for one in await self._core.watch.channels(guild_id)]

    async def add(
        self, guild: discord.Guild, channel_id: int, memory: PassiveMemory
    ) -> WatchedChannel:
        """Have a channel watched, or change what is noted there; a notice there says so.

        Raises BadInput, and nothing new is watched, where that can't be.
        """
        self._need_ears()
        _need_place(guild, channel_id)
        before = self._core.watch.watched(guild.id, channel_id)
        watched = await self._core.watch.add(guild.id, channel_id, memory)
        if not await self._watching.update_notice(guild.id, channel_id):
            await self._core.watch.remove(guild.id, channel_id)
            if before is not None:
                await self._watching.end_notice(before)
            raise BadInput(CANNOT_SEE, channel=f"<#{channel_id}>")
        return watched

    async def remove(self, guild_id: int, channel_id: int) -> bool:
        """Watch a channel no more, and let its notice say so; False if it was not watched."""
        was = await self._core.watch.remove(guild_id, channel_id)
        if was is not None:
            await self._watching.end_notice(was)
        return was is not None

    async def watch_only(
        self, interaction: discord.Interaction[Any], channel_ids: Sequence[int]
    ) -> None:
        """Watch these channels and no others, of those that a list can show; each that stays is
        watched as it was. Raises BadInput with what to do, before anything is changed if it can.
        """
        guild = interaction.guild
        if guild is None:
            raise app_commands.NoPrivateMessage
        before = await self.watched(guild.id)
        unseen = [one for one in before if guild.get_channel(one) is not None][MOST_CHOSEN:]
        new = [one for one in channel_ids if one not in before]
        if new:
            self._need_ears()
        for channel_id in new:
            _need_place(guild, channel_id)
        for channel_id in before:
            if channel_id not in channel_ids and channel_id not in unseen:
                await self.remove(guild.id, channel_id)
        for channel_id in new:
            await self.add(guild, channel_id, PassiveMemory.OPT_IN)

    def _need_ears(self) -> None:
        """Raise BadInput where nothing can be watched at all."""
        if not self._hears_everything:
            raise BadInput(CANNOT_HEAR)
        if not self._core.watcher.can_watch:
            raise BadInput(NO_MODEL)


def _need_place(guild: discord.Guild, channel_id: int) -> None:
    """Raise BadInput for a channel that Kith can't read, or can't post its notice in."""
    place = guild.get_channel(channel_id)
    mine = discord.Permissions.none() if place is None else place.permissions_for(guild.me)
    if not (mine.view_channel and mine.send_messages and mine.read_message_history):
        raise BadInput(CANNOT_SEE, channel=f"<#{channel_id}>")
