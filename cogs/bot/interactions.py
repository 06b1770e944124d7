"""Helpers of commands and posts: deferring, ephemeral answers, checks, edits of old posts."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import discord
from discord import app_commands

from cogs.bot.localisation import tr
from utils.common.errors import KithError
from utils.conversation.message_split import split_message
from utils.models.memory import DIRECT_MESSAGES

NO_PINGS = discord.AllowedMentions.none()
# A request whose connection broke. discord.py lets aiohttp's errors through; not all are OSErrors.
CONNECTION_ERRORS = (OSError, aiohttp.ClientError)
REQUEST_ERRORS = (discord.HTTPException, *CONNECTION_ERRORS)
EDIT_TIMEOUT_S = 15.0

_log = logging.getLogger(__name__)


class ModeratorsOnly:
    """Mixin of commands or a form for members with *Manage Server*."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Raise NoPrivateMessage outside servers, MissingPermissions without the permission.

        A server can change a command's default permission, and a form can be sent long after it was
        opened.
        """
        server_of(interaction)
        require_moderator(interaction)
        return True


def require_moderator(interaction: discord.Interaction[Any]) -> None:
    """Raise MissingPermissions unless the person has *Manage Server* now."""
    if not interaction.permissions.manage_guild:
        raise app_commands.MissingPermissions(["manage_guild"])


def server_of(interaction: discord.Interaction[Any]) -> int:
    """Return the id of the interaction's server. Raises NoPrivateMessage in direct messages."""
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id


def is_in_server(interaction: discord.Interaction[Any]) -> bool:
    """Return whether an interaction comes from a server that Kith is a member of.

    Elsewhere people use Kith from their own account. A server that Discord has sent counts even if
    the interaction does not name the installation there.
    """
    guild_id = interaction.guild_id
    return guild_id is not None and (
        interaction.is_guild_integration() or interaction.client.get_guild(guild_id) is not None
    )


def home_of(interaction: discord.Interaction[Any]) -> int:
    """Return the server whose data an interaction concerns: DIRECT_MESSAGES outside servers.

    A server without Kith, where people use Kith from their own account, counts as outside.
    """
    guild_id = interaction.guild_id
    return DIRECT_MESSAGES if guild_id is None or not is_in_server(interaction) else guild_id


def guild_of(interaction: discord.Interaction[Any]) -> discord.Guild:
    """Return the interaction's server. Raises NoPrivateMessage in direct messages."""
    if interaction.guild is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild


async def begin(interaction: discord.Interaction[Any]) -> int:
    """Defer an ephemeral answer, and return the id of the server.

    Raises NoPrivateMessage in direct messages.
    """
    guild_id = server_of(interaction)
    await interaction.response.defer(ephemeral=True, thinking=True)
    return guild_id


def card(text: str, colour: discord.Colour | None = None) -> discord.Embed:
    """Return an embed with a text. An answer to an interaction may always have one."""
    return discord.Embed(description=text, colour=colour or discord.Colour.blurple())


async def say(interaction: discord.Interaction[Any], text: str, **options: Any) -> None:
    """Send an ephemeral answer without pings; the interaction has been deferred.

    A long text is sent in several messages; ``options``, such as a view, go with the last one.
    """
    *before, last = split_message(text)
    for part in before:
        await interaction.followup.send(part, ephemeral=True, allowed_mentions=NO_PINGS)
    await interaction.followup.send(last, ephemeral=True, allowed_mentions=NO_PINGS, **options)


async def respond(interaction: discord.Interaction[Any], text: str, **values: object) -> None:
    """Send an English text as :func:`say` does, in the person's language and filled in."""
    await say(interaction, tr(interaction.locale, text, **values))


async def edit_post(post: discord.PartialMessage, **changes: Any) -> None:
    """Edit a post, however old. Raises TimeoutError if Discord lets it wait.

    Discord limits how often messages older than an hour are edited, and discord.py would wait up to
    an hour for the next edit.
    """
    async with asyncio.timeout(EDIT_TIMEOUT_S):
        await post.edit(**changes)


def is_final(error: BaseException) -> bool:
    """Return whether Discord refuses for good; a refusal in HTML is Cloudflare's, which passes."""
    if not isinstance(error, discord.Forbidden | discord.NotFound):
        return False
    return error.response.headers.get("Content-Type") == "application/json"


def is_refused(error: BaseException) -> bool:
    """Return whether such a request is refused again: it is wrong, or Discord refuses for good."""
    return getattr(error, "status", None) == 400 or is_final(error)


async def try_to_edit_post(post: discord.PartialMessage, **changes: Any) -> bool:
    """Edit a post. Returns False if it failed and may work later; errors are logged."""
    try:
        await edit_post(post, **changes)
    except REQUEST_ERRORS as error:
        status = getattr(error, "status", None)
        _log.info("a post could not be edited: %s (%s)", type(error).__name__, status)
        return is_refused(error)
    return True


@contextmanager
def log_errors(message: str) -> Iterator[None]:
    """Log errors of the block instead of raising them, with a traceback if it is a bug."""
    try:
        yield
    except (KithError, *REQUEST_ERRORS) as error:
        _log.warning("%s: %s", message, type(error).__name__)
    except Exception:
        _log.exception(message)
