"""Where commands are refused: public ones in silent channels, and most in servers without Kith."""

import discord

from cogs.bot.audience import place_ids
from cogs.bot.localisation import tr
from utils.guilds.settings import GuildSettingsService
from utils.models.memory import DIRECT_MESSAGES

NEVER_HERE = "Moderators chose that I answer nobody in this channel; use this in another one."
NOT_A_MEMBER = (
    "I am not a member of this server. Here you can use `/ask`; everything else works in a direct "
    "message with me."
)
WORK_EVERYWHERE = frozenset({"ask", "Ask about this"})
PUBLIC_COMMANDS = frozenset({"reset", "config consent"})
"""The commands whose answer everybody in the channel sees."""


async def may_answer_here(
    guild_settings: GuildSettingsService, interaction: discord.Interaction
) -> bool:
    """Return whether a command may answer in this channel; tell the person if not."""
    command = interaction.command
    if command is None or command.qualified_name in WORK_EVERYWHERE:
        return True
    if interaction.guild_id is not None and not interaction.is_guild_integration():
        return await _refuse(interaction, NOT_A_MEMBER)
    if command.qualified_name not in PUBLIC_COMMANDS:
        return True
    settings = await guild_settings.get(interaction.guild_id or DIRECT_MESSAGES)
    if not settings.never_answers(*place_ids(interaction.channel)):
        return True
    return await _refuse(interaction, NEVER_HERE)


async def _refuse(interaction: discord.Interaction, sentence: str) -> bool:
    """Tell the person why a command does nothing here; autocomplete gets no choices."""
    if interaction.type is discord.InteractionType.application_command:
        await interaction.response.send_message(tr(interaction.locale, sentence), ephemeral=True)
    return False
