"""Channels where moderators chose that Kith answers nobody: no command posts there either."""

import discord

from cogs.audience import place_ids
from cogs.localisation import tr
from utils.core import Core
from utils.model.memory import DIRECT_MESSAGES

NEVER_HERE = "Moderators chose that I answer nobody in this channel; use this in another one."
PUBLIC_COMMANDS = frozenset({"reset", "config consent"})
"""The commands whose answer a channel sees."""


async def may_answer_here(core: Core, interaction: discord.Interaction) -> bool:
    """Refuse, so that only the person sees it, what would be said where Kith never answers."""
    command = interaction.command
    if command is None or command.qualified_name not in PUBLIC_COMMANDS:
        return True
    settings = await core.guilds.get(interaction.guild_id or DIRECT_MESSAGES)
    if not settings.never_answers(*place_ids(interaction.channel)):
        return True
    if interaction.type is discord.InteractionType.application_command:
        text = tr(interaction.locale, NEVER_HERE)
        await interaction.response.send_message(text, ephemeral=True)
    return False
