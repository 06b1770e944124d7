"""``/mod watch`` and ``/setup``: start and stop watching channels, with their notices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import discord
from discord import app_commands

from cogs.bot.audience import Place, place_of
from cogs.bot.client import KithClient
from cogs.bot.interactions import ModeratorsOnly, begin, respond, say
from cogs.bot.localisation import tr
from cogs.bot.views import MAX_CHOSEN
from cogs.sentiment.watch import Watching
from cogs.sentiment.watch_text import (
    CANNOT_SEE,
    MEMORY_DESCRIPTIONS,
    NO_MESSAGE_CONTENT,
    WATCHED,
    WITHOUT_NOTICE,
)
from utils.common.errors import BadInput
from utils.models.sentiment import PassiveMemory, WatchedChannel


@dataclass(eq=False, repr=False)
class WatchSetup:
    """Changes which channels are watched, one by one or as a whole list."""

    _bot: KithClient
    _watching: Watching

    async def watched(self, guild_id: int) -> Sequence[int]:
        """Return the ids of the watched channels in the order in which they were added."""
        channels = await self._bot.app.sentiment.channels.channels(guild_id)
        return [watched.channel_id for watched in channels]

    async def add(
        self, guild: discord.Guild, channel_id: int, memory: PassiveMemory, actor_id: int
    ) -> WatchedChannel:
        """Start watching a channel, or change what is noted there, and post or update its notice.

        Raises BadInput, without watching it, if Kith can't read the channel or post there.
        """
        self._check_can_watch()
        _check_permissions(guild, channel_id)
        before = self._bot.app.sentiment.channels.watched(guild.id, channel_id)
        channels = self._bot.app.sentiment.channels
        watched = await channels.add(guild.id, channel_id, memory, actor_id=actor_id)
        if not await self._watching.update_notice(guild.id, channel_id):
            await channels.remove(guild.id, channel_id)
            if before is not None:
                await self._watching.end_notice(before)
            raise BadInput(CANNOT_SEE, channel=f"<#{channel_id}>")
        return watched

    async def remove(self, guild_id: int, channel_id: int, actor_id: int) -> bool:
        """Stop watching a channel and change its notice; False if it was not watched."""
        removed = await self._bot.app.sentiment.channels.remove(
            guild_id, channel_id, actor_id=actor_id
        )
        if removed is not None:
            await self._watching.end_notice(removed)
        return removed is not None

    async def watch_only(
        self, guild: discord.Guild, channel_ids: Sequence[int], actor_id: int
    ) -> None:
        """Watch exactly these channels, of those that a select can show, as :meth:`replace`."""
        before = await self.watched(guild.id)
        existing = [
            channel_id for channel_id in before if guild.get_channel(channel_id) is not None
        ]
        await self.replace(guild, dict.fromkeys([*channel_ids, *existing[MAX_CHOSEN:]]), actor_id)

    async def replace(
        self, guild: discord.Guild, chosen: Mapping[int, PassiveMemory | None], actor_id: int
    ) -> None:
        """Watch exactly these channels; others are not watched any more.

        Raises BadInput if a channel can't be watched, if possible before anything is changed.

        Args:
            chosen: whose messages may become notes, by channel; None keeps what is chosen there,
                which is OPT_IN at first.
        """
        watched = await self._bot.app.sentiment.channels.channels(guild.id)
        before = {channel.channel_id: channel.memory for channel in watched}
        after = {
            id_: memory or before.get(id_, PassiveMemory.OPT_IN) for id_, memory in chosen.items()
        }
        new = {id_: memory for id_, memory in after.items() if before.get(id_) is not memory}
        if new:
            self._check_can_watch()
        for channel_id in new:
            _check_permissions(guild, channel_id)
        for channel_id in before.keys() - after.keys():
            await self.remove(guild.id, channel_id, actor_id)
        for channel_id, memory in new.items():
            await self.add(guild, channel_id, memory, actor_id)

    def _check_can_watch(self) -> None:
        """Raise BadInput without the Message Content intent or without a language model."""
        if not self._bot.has_message_content:
            raise BadInput(NO_MESSAGE_CONTENT)
        if not self._bot.app.sentiment.watcher.can_watch:
            raise BadInput("I can't watch channels: no language model is configured to read them.")


def _check_permissions(guild: discord.Guild, channel_id: int) -> None:
    """Raise BadInput for a channel that Kith can't read, or can't post its notice in."""
    channel = guild.get_channel(channel_id)
    granted = discord.Permissions.none() if channel is None else channel.permissions_for(guild.me)
    if not (granted.view_channel and granted.send_messages and granted.read_message_history):
        raise BadInput(CANNOT_SEE, channel=f"<#{channel_id}>")


class WatchCommands(ModeratorsOnly, app_commands.Group):
    """Channels in which I look for trouble."""

    def __init__(self, bot: KithClient, setup: WatchSetup) -> None:
        super().__init__(name="watch", description="Channels in which I look for trouble")
        self._bot = bot
        self._setup = setup

    @app_commands.command()
    @app_commands.describe(
        channel="Which channel, with its threads (default: this one)",
        memory=(
            "opt-in: only notes about members who allow it; opt-out: about all who didn't turn "
            "it off"
        ),
    )
    async def add(
        self,
        interaction: discord.Interaction,
        channel: Place | None = None,
        memory: Literal["opt-in", "opt-out"] = "opt-in",
    ) -> None:
        """Watch a channel and post a notice there."""
        await begin(interaction)
        place = place_of(interaction, channel)
        watched = await self._setup.add(
            place.guild, place.id, PassiveMemory(memory), interaction.user.id
        )
        await respond(
            interaction,
            "{channel} and its threads are now watched, and a notice there says so. {memory}.",
            channel=place.mention,
            memory=tr(interaction.locale, MEMORY_DESCRIPTIONS[watched.memory]),
        )

    @app_commands.command()
    @app_commands.describe(channel="Which channel (default: this one)")
    async def remove(self, interaction: discord.Interaction, channel: Place | None = None) -> None:
        """Stop watching a channel."""
        guild_id = await begin(interaction)
        place = place_of(interaction, channel)
        if not await self._setup.remove(guild_id, place.id, interaction.user.id):
            raise BadInput("{channel} is not watched.", channel=place.mention)
        await respond(
            interaction,
            "{channel} is no longer watched, and its notice says so. Waiting messages are deleted; "
            "scores are erased 30 days after their messages.",
            channel=place.mention,
        )

    @app_commands.command(name="list")
    async def list_watched(self, interaction: discord.Interaction) -> None:
        """List the watched channels and what I note there."""
        guild_id = await begin(interaction)
        locale = interaction.locale
        watched = await self._bot.app.sentiment.channels.channels(guild_id)
        lines = [tr(locale, WATCHED[bool(watched)])]
        for channel in watched:
            memory = tr(locale, MEMORY_DESCRIPTIONS[channel.memory])
            missing = "" if channel.notice_id is not None else f" ({tr(locale, WITHOUT_NOTICE)})"
            lines.append(f"- <#{channel.channel_id}>: {memory}{missing}")
        if not self._bot.has_message_content:
            lines.append(tr(locale, NO_MESSAGE_CONTENT))
        await say(interaction, "\n".join(lines))
