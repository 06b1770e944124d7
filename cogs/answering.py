"""What commands share: answering in time, to the asker alone and without pings; moderators only."""

from typing import Any

import discord
from discord import app_commands

NO_PINGS = discord.AllowedMentions.none()


class ForModerators:
    """Commands, or a form, for whoever may manage the server."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let only moderators in, whatever the server made of the default, and still when a form
        is sent long after it was opened."""
        if not interaction.permissions.manage_guild:
            raise app_commands.MissingPermissions(["manage_guild"])
        return True


async def begin(interaction: discord.Interaction[Any]) -> int:
    """Answer in time, so that only the asker sees what comes; returns the server.

    Raises NoPrivateMessage in direct messages.
    """
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    await interaction.response.defer(ephemeral=True, thinking=True)
    return interaction.guild_id


async def say(interaction: discord.Interaction[Any], text: str) -> None:
    """Tell the asker, and nobody else, what came of it."""
    await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)
