"""/kith …: how a member wants to be treated, whatever the mode."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.localisation import tr
from utils.core import Core
from utils.errors import BadInput
from utils.model.memory import DIRECT_MESSAGES, Member

ROAST = {
    "off": "I make fun of you in no mode here, whoever asks for it; `/kith roast` changes that.",
    "on": "Where the mode is *roast*, I may make fun of you here; `/kith roast` changes that.",
}
ONLY_HERE = "Accounts are linked in a server: use `/kith link` there, not in a direct message."
NOT_YOURSELF = "That is this very account; name your other one."
NOT_A_PERSON = "Only accounts of people can be linked, and that one is a bot's."
NOT_THERE = "That account is not on this server; name one that is."
ASKED = (
    "Noted. Now let {other} use `/kith link` here too and name this account, within a day: then I "
    "recall the two of you together."
)
LINKED = (
    "Linked. When one of these two accounts talks to me here, I recall what I know of both, as far "
    "as the channel may hear it; each keeps its own memories and choices. `/kith unlink` ends it."
)
UNLINKED = "This account is linked with no other one any more."
NOT_LINKED = "This account was not linked with another one."


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

    @app_commands.command()
    @app_commands.describe(other="Your other account; it has to name this one too")
    async def link(self, interaction: discord.Interaction, other: discord.User) -> None:
        """Tell me that another account here is yours too, so that I recall both together."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        if interaction.guild_id is None:
            raise BadInput(ONLY_HERE)
        if other.id == interaction.user.id:
            raise BadInput(NOT_YOURSELF)
        if other.bot:
            raise BadInput(NOT_A_PERSON)
        if not isinstance(other, discord.Member):
            raise BadInput(NOT_THERE)
        member = Member(interaction.guild_id, interaction.user.id)
        if await self._core.links.link(member, other.id):
            said = tr(interaction.locale, LINKED)
        else:
            said = tr(interaction.locale, ASKED, other=other.mention)
        await interaction.followup.send(said, ephemeral=True)

    @app_commands.command()
    async def unlink(self, interaction: discord.Interaction) -> None:
        """End what links this account with another one of yours here."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = Member(interaction.guild_id or DIRECT_MESSAGES, interaction.user.id)
        ended = await self._core.links.unlink(member)
        said = tr(interaction.locale, UNLINKED if ended else NOT_LINKED)
        await interaction.followup.send(said, ephemeral=True)
