"""What commands share: answering in time, to the asker alone and without pings; moderators only."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import discord
from discord import app_commands

from utils.errors import KithError

NO_PINGS = discord.AllowedMentions.none()
# A request whose line broke. discord.py lets aiohttp's own through, and not all are OSErrors.
LINE_LOST = (OSError, aiohttp.ClientError)

_log = logging.getLogger(__name__)


class ForModerators:
    """Commands, or a form, for whoever may manage the server."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let only moderators in, whatever the server made of the default, and still when a form
        is sent long after it was opened."""
        if not interaction.permissions.manage_guild:
            raise app_commands.MissingPermissions(["manage_guild"])
        return True


def server_of(interaction: discord.Interaction[Any]) -> int:
    """Return the server it was used in. Raises NoPrivateMessage in direct messages."""
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id


def guild_of(interaction: discord.Interaction[Any]) -> discord.Guild:
    """Return the server it was used in, whole. Raises NoPrivateMessage in direct messages."""
    if interaction.guild is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild


async def begin(interaction: discord.Interaction[Any]) -> int:
    """Answer in time, so that only the asker sees what comes; returns the server.

    Raises NoPrivateMessage in direct messages.
    """
    guild_id = server_of(interaction)
    await interaction.response.defer(ephemeral=True, thinking=True)
    return guild_id


async def say(interaction: discord.Interaction[Any], text: str) -> None:
    """Tell the asker, and nobody else, what came of it."""
    await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)


@contextmanager
def going_on(what: str) -> Iterator[None]:
    """Keep what runs for ever going: log that ``what`` failed, with a traceback if it is a bug."""
    try:
        yield
    except (KithError, discord.HTTPException, *LINE_LOST) as error:
        _log.warning("%s: %s", what, type(error).__name__)
    except Exception:
        _log.exception(what)
