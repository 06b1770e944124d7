"""The one place where an error becomes a sentence for a person."""

import logging

import discord
from discord import app_commands

from utils.errors import KithError, unforeseen

_log = logging.getLogger(__name__)


def sentence_for(error: BaseException) -> str:
    """Return what to tell the person; anything unforeseen is logged under a reference id."""
    while isinstance(error, app_commands.CommandInvokeError) and error.original is not error:
        error = error.original
    if isinstance(error, KithError):
        return str(error)
    if isinstance(error, app_commands.MissingPermissions):
        needed = ", ".join(_as_discord_calls_it(name) for name in error.missing_permissions)
        return f"This command is for moderators: it needs the permission {needed}."
    if isinstance(error, app_commands.NoPrivateMessage):
        return "This command only works in a server."
    if isinstance(error, app_commands.CommandNotFound):
        return "I don't know this command any more; it will be gone from the list in a moment."
    if isinstance(error, discord.Forbidden):
        return "Discord does not let me do that here; a moderator can check my permissions."
    return unforeseen(error)


async def answer_error(
    interaction: discord.Interaction[discord.Client], error: BaseException
) -> None:
    """Tell the person who used a command what went wrong, so that only they see it."""
    sentence = sentence_for(error)
    try:
        if interaction.response.is_done():
            await interaction.followup.send(sentence, ephemeral=True)
        else:
            await interaction.response.send_message(sentence, ephemeral=True)
    except discord.HTTPException as unsaid:
        _log.warning("an error could not be told: %s %s", unsaid.status, unsaid.code)


def _as_discord_calls_it(permission: str) -> str:
    return permission.replace("_", " ").title().replace("Guild", "Server")
