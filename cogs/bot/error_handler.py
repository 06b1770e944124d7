"""The one place where an error becomes a sentence for a person.

Errors arrive from slash commands (the command tree), views and forms (their ``on_error``),
persistent buttons, chat replies and reactions. They are handled in this order:

1. An interaction that cannot be answered any more is only logged: it is too old, or another process
   has answered it.
2. A KithError says its own sentence, translated. BadInput ends there; for a database or model
   failure the sentence ends with a reference id that is also in the log.
3. A missing permission of the person, a command that only works in servers, an unknown command, and
   a channel that Discord shows the person but not Kith, get a fixed sentence.
4. discord.Forbidden means that Kith lacks a permission; a Discord server error, a rate limit or a
   lost connection means "try again". Both have a reference id. A text that Discord blocks gets a
   fixed sentence.
5. Everything else is a bug: it is logged with its traceback under a reference id, and the person
   gets that id.

Only the person sees the answer to an interaction, its first response or a follow-up.
"""

import logging
import secrets
from collections.abc import Mapping

import aiohttp
import discord
from discord import app_commands

from cogs.bot.interactions import REQUEST_ERRORS
from cogs.bot.localisation import ENGLISH, option_name, tr
from cogs.bot.texts import BLOCKED, HIDDEN_CHANNEL
from utils.common.errors import (
    UNEXPECTED_ERROR,
    BudgetSpent,
    DatabaseError,
    KithError,
    Logged,
    ModelError,
    log_unexpected,
)

DISCORD_IS_AWAY = (discord.DiscordServerError, aiohttp.ClientError)
TOO_MANY_REQUESTS = 429
# Discord's codes of a text that AutoMod or the filter of harmful links blocks.
BLOCKED_TEXTS = {
    200000: BLOCKED,
    240000: "Discord blocks a link in what I wanted to answer. Please ask in other words.",
}
# Discord's codes for an interaction that cannot be answered: unknown (older than three seconds),
# already acknowledged (by another process, or Discord sent it twice), token expired (15 minutes) or
# never valid.
UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED, TOKEN_EXPIRED, UNKNOWN_TOKEN = 10062, 40060, 50027, 10015

SENTENCES = {
    app_commands.NoPrivateMessage: "This command only works in a server: use it there.",
    app_commands.TransformerError: HIDDEN_CHANNEL,  # an archived thread was chosen
    app_commands.CommandNotFound: (
        "I don't know this command any more; it will be gone from the list in a moment."
    ),
    discord.Forbidden: (
        "Discord does not let me do that here; a moderator can check my permissions."
    ),
}
TRANSLATED = {"permission", "list"}
"""The values of an error's sentence that are texts themselves."""

_log = logging.getLogger(__name__)


def sentence_for(error: BaseException, locale: discord.Locale = ENGLISH) -> str:
    """Return the sentence for an error; an unexpected one is logged under a reference id."""
    error = _original(error)
    if isinstance(error, BudgetSpent) and error.until is not None:
        until = tr(
            locale,
            "That is at {time} where you are.",
            time=discord.utils.format_dt(error.until, "t"),
        )
        return f"{tr(locale, error.template)} {until}"
    if isinstance(error, KithError):
        return tr(locale, error.template, **_translated(error.values, locale))
    if isinstance(error, app_commands.MissingPermissions):
        names = [tr(locale, permission_name(name)) for name in error.missing_permissions]
        return tr(
            locale,
            "This command is for moderators: it needs the permission {needed}.",
            needed=", ".join(names),
        )
    if isinstance(error, discord.HTTPException) and error.code in BLOCKED_TEXTS:
        return tr(locale, BLOCKED_TEXTS[error.code])
    for kind, sentence in SENTENCES.items():
        if isinstance(error, kind):
            return tr(locale, sentence)
    if _is_away(error):
        return tr(locale, "Discord did not answer me just now; please try again in a moment.")
    return tr(locale, UNEXPECTED_ERROR, reference=log_unexpected(error))


async def send_error(
    interaction: discord.Interaction[discord.Client], error: BaseException
) -> None:
    """Tell the person who used a command or button what went wrong; only they see it."""
    if cannot_be_answered(error):
        return
    sentence = f"{sentence_for(error, interaction.locale)}{_reference(_original(error))}"
    with Logged(_log.warning, "an error message could not be sent", *REQUEST_ERRORS):
        if interaction.response.is_done() or not await _sent_as_response(interaction, sentence):
            await interaction.followup.send(sentence, ephemeral=True)


async def _sent_as_response(
    interaction: discord.Interaction[discord.Client], sentence: str
) -> bool:
    """Send the first response; False if an earlier deferral reached Discord after all."""
    try:
        await interaction.response.send_message(sentence, ephemeral=True)
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        return not (await interaction.original_response()).flags.loading
    return True


def cannot_be_answered(error: BaseException) -> bool:
    """Return whether an error means that this process cannot answer the interaction; log that."""
    error = _original(error)
    if isinstance(error, discord.HTTPException) and error.code == ALREADY_ACKNOWLEDGED:
        _log.info("an interaction was answered by another process")
        return True
    too_late = (UNKNOWN_INTERACTION, TOKEN_EXPIRED, UNKNOWN_TOKEN)
    if isinstance(error, discord.HTTPException) and error.code in too_late:
        _log.warning("an interaction could not be answered in time: %s", error.code)
        return True
    return False


def permission_name(permission: str) -> str:
    """Return a permission's name as Discord's settings show it, in English."""
    return permission.replace("_", " ").title().replace("Guild", "Server").replace(" In ", " in ")


def _translated(values: Mapping[str, object], locale: discord.Locale) -> dict[str, object]:
    """Return the values of a sentence, with names of permissions, lists and options translated."""
    display_values = dict(values)
    for name in TRANSLATED & display_values.keys():
        display_values[name] = tr(locale, str(display_values[name]))
    if "option" in display_values:
        display_values["option"] = option_name(locale, str(display_values["option"]))
    return display_values


def _is_away(error: BaseException) -> bool:
    """Return whether a request may succeed later: Discord is away, or limits the rate."""
    status = error.status if isinstance(error, discord.HTTPException) else None
    return isinstance(error, DISCORD_IS_AWAY) or status == TOO_MANY_REQUESTS


def _original(error: BaseException) -> BaseException:
    while isinstance(error, app_commands.CommandInvokeError) and error.original is not error:
        error = error.original
    return error


def _reference(error: BaseException) -> str:
    """Log a failure that is not the person's input; returns its reference id for the sentence."""
    is_failure = isinstance(error, (DatabaseError, ModelError, discord.Forbidden))
    if not (is_failure or _is_away(error)):
        return ""
    reference = secrets.token_hex(4)
    _log.warning("a command failed, %s: %s", reference, type(error).__name__)
    return f" ({reference})"
