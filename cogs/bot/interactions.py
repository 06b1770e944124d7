"""Helpers of slash commands: deferring, ephemeral answers, checks for servers and moderators."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import discord
from discord import app_commands

from utils.common.errors import KithError

NO_PINGS = discord.AllowedMentions.none()
# A request whose connection broke. discord.py lets aiohttp's errors through; not all are OSErrors.
CONNECTION_ERRORS = (OSError, aiohttp.ClientError)

_log = logging.getLogger(__name__)


class ModeratorsOnly:
    """Mixin of commands or a form for members with *Manage Server*."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Raise MissingPermissions if the user lacks the permission.

        A server can change a command's default permission, and a form can be sent long after it was
        opened.
        """
        if not interaction.permissions.manage_guild:
            raise app_commands.MissingPermissions(["manage_guild"])
        return True


def server_of(interaction: discord.Interaction[Any]) -> int:
    """Return the id of the interaction's server. Raises NoPrivateMessage in direct messages."""
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id


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


async def say(interaction: discord.Interaction[Any], text: str) -> None:
    """Send an ephemeral answer without pings; the interaction has been deferred."""
    await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)


@contextmanager
def log_errors(message: str) -> Iterator[None]:
    """Log errors of the block instead of raising them, with a traceback if it is a bug."""
    try:
        yield
    except (KithError, discord.HTTPException, *CONNECTION_ERRORS) as error:
        _log.warning("%s: %s", message, type(error).__name__)
    except Exception:
        _log.exception(message)
