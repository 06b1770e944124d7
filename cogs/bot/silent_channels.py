"""Silent channels: where moderators turned Kith's answers off, public commands are refused too."""

import discord

from cogs.bot.audience import place_ids
from cogs.bot.localisation import tr
from utils.guilds.settings import GuildSettingsService
from utils.models.memory import DIRECT_MESSAGES

NEVER_HERE = "Moderators chose that I answer nobody in this channel; use this in another one."
PUBLIC_COMMANDS = frozenset({"reset", "config consent"})
"""The commands whose answer everybody in the channel sees."""


async def may_answer_here(
    guild_settings: GuildSettingsService, interaction: discord.Interaction
) -> bool:
    """Return whether a command may answer in this channel; tell the person if not."""
    command = interaction.command
    if command is None or command.qualified_name not in PUBLIC_COMMANDS:
        return True
    settings = await guild_settings.get(interaction.guild_id or DIRECT_MESSAGES)
    if not settings.never_answers(*place_ids(interaction.channel)):
        return True
    if interaction.type is discord.InteractionType.application_command:
        text = tr(interaction.locale, NEVER_HERE)
        await interaction.response.send_message(text, ephemeral=True)
    return False
