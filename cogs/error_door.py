"""The one place where an error becomes a sentence for a person."""

import logging
import secrets

import aiohttp
import discord
from discord import app_commands

from cogs.answering import LINE_LOST
from cogs.localisation import ENGLISH, tr
from utils.errors import (
    UNFORESEEN,
    DatabaseError,
    KithError,
    ModelError,
    log_unforeseen,
)

FOR_MODERATORS = "This command is for moderators: it needs the permission {needed}."
ONLY_IN_SERVERS = "This command only works in a server."
UNKNOWN_COMMAND = "I don't know this command any more; it will be gone from the list in a moment."
FORBIDDEN = "Discord does not let me do that here; a moderator can check my permissions."

AWAY = "Discord did not answer me just now; please try again in a moment."
DISCORD_IS_AWAY = (discord.DiscordServerError, aiohttp.ClientError)
# Discord's codes for a press that nobody here can answer (any more): given up after three seconds,
# answered by another process (or this one, told of it twice), its fifteen minutes over.
TOO_LATE, TAKEN, OVER = 10062, 40060, 50027

_log = logging.getLogger(__name__)


def sentence_for(error: BaseException, locale: discord.Locale = ENGLISH) -> str:
    """Return what to tell the person; anything unforeseen is logged under a reference id."""
    error = _original(error)
    if isinstance(error, KithError):
        return tr(locale, error.template, **error.values)
    if isinstance(error, app_commands.MissingPermissions):
        names = [tr(locale, permission_name(name)) for name in error.missing_permissions]
        return tr(locale, FOR_MODERATORS, needed=", ".join(names))
    if isinstance(error, app_commands.NoPrivateMessage):
        return tr(locale, ONLY_IN_SERVERS)
    if isinstance(error, app_commands.CommandNotFound):
        return tr(locale, UNKNOWN_COMMAND)
    if isinstance(error, discord.Forbidden):
        return tr(locale, FORBIDDEN)
    if isinstance(error, DISCORD_IS_AWAY):
        return tr(locale, AWAY)
    return tr(locale, UNFORESEEN, reference=log_unforeseen(error))


async def answer_error(
    interaction: discord.Interaction[discord.Client], error: BaseException
) -> None:
    """Tell the person who used a command what went wrong, so that only they see it.

    What failed on this side is told with a reference id that is also in the log.
    """
    if is_out_of_reach(error):
        return
    sentence = f"{sentence_for(error, interaction.locale)}{_reference(_original(error))}"
    try:
        if interaction.response.is_done() or not await _is_first_answer(interaction, sentence):
            await interaction.followup.send(sentence, ephemeral=True)
    except (discord.HTTPException, *LINE_LOST) as unsaid:
        _log.warning("an error could not be told: %s", type(unsaid).__name__)


async def _is_first_answer(interaction: discord.Interaction[discord.Client], sentence: str) -> bool:
    """Answer for the first time; False if a deferral whose receipt was lost waits for more."""
    try:
        await interaction.response.send_message(sentence, ephemeral=True)
    except discord.HTTPException as error:
        if error.code != TAKEN:
            raise
        return not (await interaction.original_response()).flags.loading
    return True


def is_out_of_reach(error: BaseException) -> bool:
    """Whether Discord would take no answer to this press from here; says so in the log."""
    error = _original(error)
    if isinstance(error, discord.HTTPException) and error.code == TAKEN:
        _log.info("a command or press was answered by another process")
        return True
    if isinstance(error, discord.HTTPException) and error.code in (TOO_LATE, OVER):
        _log.warning("a command or press could not be answered in time: %s", error.code)
        return True
    return False


def permission_name(permission: str) -> str:
    """Return a permission's name as Discord's settings show it, in English."""
    return permission.replace("_", " ").title().replace("Guild", "Server").replace(" In ", " in ")


def _original(error: BaseException) -> BaseException:
    while isinstance(error, app_commands.CommandInvokeError) and error.original is not error:
        error = error.original
    return error


def _reference(error: BaseException) -> str:
    """Log a failure that is nobody's input under a reference id; returns what ends the sentence."""
    is_failure = isinstance(error, (DatabaseError, ModelError, discord.Forbidden, *DISCORD_IS_AWAY))
    if not is_failure:
        return ""
    reference = secrets.token_hex(4)
    _log.warning("a command failed, %s: %s", reference, type(error).__name__)
    return f" ({reference})"
