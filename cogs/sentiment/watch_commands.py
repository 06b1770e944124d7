"""``/mod watch``: add, remove and list watched channels."""

from typing import Literal

import discord
from discord import app_commands

from cogs.bot.audience import Place, place_of
from cogs.bot.interactions import ModeratorsOnly, begin, say
from cogs.bot.localisation import tr
from cogs.sentiment.texts import (
    ADDED,
    MEMORY_DESCRIPTIONS,
    NO_MESSAGE_CONTENT,
    NOT_WATCHED,
    NOTHING_WATCHED,
    REMOVED,
    WATCHED,
    WITHOUT_NOTICE,
)
from cogs.sentiment.watch_setup import WatchSetup
from utils.app import App
from utils.common.errors import BadInput
from utils.models.sentiment import PassiveMemory


class WatchCommands(ModeratorsOnly, app_commands.Group):
    """Channels in which I look for trouble."""

    def __init__(self, app: App, setup: WatchSetup, *, hears_everything: bool) -> None:
        super().__init__(name="watch", description="Channels in which I look for trouble")
        self._app = app
        self._setup = setup
        self._hears_everything = hears_everything

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
        watched = await self._setup.add(place.guild, place.id, PassiveMemory(memory))
        memory_text = tr(interaction.locale, MEMORY_DESCRIPTIONS[watched.memory])
        text = tr(interaction.locale, ADDED, channel=place.mention, memory=memory_text)
        await say(interaction, text)

    @app_commands.command()
    @app_commands.describe(channel="Which channel (default: this one)")
    async def remove(self, interaction: discord.Interaction, channel: Place | None = None) -> None:
        """Stop watching a channel."""
        guild_id = await begin(interaction)
        place = place_of(interaction, channel)
        if not await self._setup.remove(guild_id, place.id):
            raise BadInput(NOT_WATCHED, channel=place.mention)
        await say(interaction, tr(interaction.locale, REMOVED, channel=place.mention))

    @app_commands.command(name="list")
    async def list_watched(self, interaction: discord.Interaction) -> None:
        """List the watched channels and what I note there."""
        guild_id = await begin(interaction)
        locale = interaction.locale
        watched = await self._app.sentiment.channels.channels(guild_id)
        lines = [tr(locale, WATCHED) if watched else tr(locale, NOTHING_WATCHED)]
        for channel in watched:
            memory = tr(locale, MEMORY_DESCRIPTIONS[channel.memory])
            missing = "" if channel.notice_id is not None else f" ({tr(locale, WITHOUT_NOTICE)})"
            lines.append(f"- <#{channel.channel_id}>: {memory}{missing}")
        if not self._hears_everything:
            lines.append(tr(locale, NO_MESSAGE_CONTENT))
        await say(interaction, "\n".join(lines))
