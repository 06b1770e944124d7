"""/mod watch: which channels are watched."""

from typing import Literal

import discord
from discord import app_commands

from cogs.answering import ForModerators, begin, say
from cogs.audience import Place, place_of
from cogs.localisation import tr
from cogs.sentiment.choosing import WatchChoice
from cogs.sentiment.texts import (
    ADDED,
    CANNOT_HEAR,
    MEMORY_WORDS,
    NOT_WATCHED,
    NOTHING_WATCHED,
    REMOVED,
    WATCHED,
    WITHOUT_NOTICE,
)
from utils.core import Core
from utils.errors import BadInput
from utils.model.watch import PassiveMemory


class WatchCommands(ForModerators, app_commands.Group):
    """Channels in which I look for trouble."""

    def __init__(self, core: Core, choice: WatchChoice, *, hears_everything: bool) -> None:
        super().__init__(name="watch", description="Channels in which I look for trouble")
        self._core = core
        self._choice = choice
        self._hears_everything = hears_everything

    @app_commands.command()
    @app_commands.describe(
        channel="Which channel, with its threads (default: this one)",
        memory="opt-in: I note only who lets me listen; opt-out: all who did not turn it off",
    )
    async def add(
        self,
        interaction: discord.Interaction,
        channel: Place | None = None,
        memory: Literal["opt-in", "opt-out"] = "opt-in",
    ) -> None:
        """Have a channel watched; a notice there says so."""
        await begin(interaction)
        place = place_of(interaction, channel)
        watched = await self._choice.add(place.guild, place.id, PassiveMemory(memory))
        words = tr(interaction.locale, MEMORY_WORDS[watched.memory])
        text = tr(interaction.locale, ADDED, channel=place.mention, memory=words)
        await say(interaction, text)

    @app_commands.command()
    @app_commands.describe(channel="Which channel (default: this one)")
    async def remove(self, interaction: discord.Interaction, channel: Place | None = None) -> None:
        """Watch a channel no more."""
        guild_id = await begin(interaction)
        place = place_of(interaction, channel)
        if not await self._choice.remove(guild_id, place.id):
            raise BadInput(NOT_WATCHED, channel=place.mention)
        await say(interaction, tr(interaction.locale, REMOVED, channel=place.mention))

    @app_commands.command(name="list")
    async def list_watched(self, interaction: discord.Interaction) -> None:
        """Show which channels are watched, and what is noted there."""
        guild_id = await begin(interaction)
        locale = interaction.locale
        watched = await self._core.watch.channels(guild_id)
        lines = [tr(locale, WATCHED) if watched else tr(locale, NOTHING_WATCHED)]
        for one in watched:
            words = tr(locale, MEMORY_WORDS[one.memory])
            missing = "" if one.notice_id is not None else f" ({tr(locale, WITHOUT_NOTICE)})"
            lines.append(f"- <#{one.channel_id}>: {words}{missing}")
        if not self._hears_everything:
            lines.append(tr(locale, CANNOT_HEAR))
        await say(interaction, "\n".join(lines))
