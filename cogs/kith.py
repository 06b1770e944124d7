"""/kith …: how a member wants to be treated, whatever the mode."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.localisation import tr
from utils.core import Core
from utils.model.memory import DIRECT_MESSAGES, Member

ROAST = {
    "off": "I make fun of you in no mode here, whoever asks for it; `/kith roast` changes that.",
    "on": "Where the mode is *roast*, I may make fun of you here; `/kith roast` changes that.",
}


class KithCommands(commands.GroupCog, group_name="kith"):
    """How I treat you."""

    def __init__(self, core: Core) -> None:
        self._core = core
        super().__init__()

    @app_commands.command()
    @app_commands.describe(state="off: I never make fun of you; on: in the mode roast I may")
    async def roast(self, interaction: discord.Interaction, state: Literal["off", "on"]) -> None:
        """Choose whether I may make fun of you here."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = Member(interaction.guild_id or DIRECT_MESSAGES, interaction.user.id)
        await self._core.personas.refuse_roasts(member, refused=state == "off")
        await interaction.followup.send(tr(interaction.locale, ROAST[state]), ephemeral=True)
