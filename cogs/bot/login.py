"""Log in to Discord and run the client, and tell how well it is connected.

A refusal becomes one sentence for the operator.
"""

import asyncio
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord
from discord.ext import commands
from pydantic import SecretStr

from cogs.bot.client import KithClient
from cogs.bot.interactions import CONNECTION_ERRORS
from utils.app import App
from utils.common.errors import KithError, SettingsError
from utils.models.memory import DIRECT_MESSAGES
from utils.runtime.stopping import StopRequest

LOGIN_REFUSED = (
    "Discord refused DISCORD_TOKEN. Copy the token again from the Developer Portal (Bot → Reset "
    "Token) into .env."
)
NOT_CONFIGURED = (
    "DISCORD_TOKEN is not set. `python bot.py setup` asks for your bot's token (README.md, “Put it "
    "on your server”, says where to get it); `python bot.py console` talks in the terminal."
)
OUTDATED = (
    "Discord no longer supports this version of Kith. Get the newest one, and run "
    "`pip install -r requirements.txt`."
)
# Close codes after which reconnecting cannot succeed (Discord's documentation, "Gateway Close Event
# Codes"): authentication failed, invalid shard, sharding required, invalid version or intents.
FATAL_CLOSE_CODES = {
    4004: LOGIN_REFUSED,
    4010: (
        "Discord refused SHARD_IDS of SHARD_COUNT: every process needs the same SHARD_COUNT, and "
        "SHARD_IDS below it. Correct them in .env, or leave both empty."
    ),
    4011: (
        "Discord requires more shards than SHARD_COUNT for these servers. Raise it in .env, to the "
        "same number for all processes, or leave SHARD_COUNT and SHARD_IDS empty: then Discord "
        "advises."
    ),
    4012: OUTDATED,
    4013: OUTDATED,
}
# What discord.py raises when Discord is unreachable or refuses the login.
DISCORD_ERRORS = (
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.LoginFailure,
    discord.ConnectionClosed,
    *CONNECTION_ERRORS,
)

CANCEL_TRIES = 5
CANCEL_PAUSE_S = 1.0

_log = logging.getLogger(__name__)


async def run_client(app: App, stopping: StopRequest) -> None:
    """Run the bot on Discord until ``stopping`` is requested; ``app`` is already started.

    Falls back to running without the Message Content intent where the Developer Portal does not
    grant it.

    Raises:
        SettingsError: The token or the shards are missing or wrong.
        KithError: Discord is unreachable.
    """
    if app.settings.discord_token is None:
        raise SettingsError(NOT_CONFIGURED)
    token = checked_token(app.settings.discord_token)
    for message_content in (True, False):
        try:
            async with KithClient(app, message_content=message_content) as client:
                await _connect_until(client, token, stopping)
            return
        except discord.PrivilegedIntentsRequired:
            _log.warning(
                "the Message Content intent is off in the Developer Portal: I answer mentions, "
                "replies and direct messages, but not every message of chat channels"
            )
        except DISCORD_ERRORS as error:
            raise login_error(error) from None
    raise SettingsError(
        "Discord refused the gateway intents that Kith asks for. Check the Message Content Intent "
        "in the Developer Portal (Bot → Privileged Gateway Intents)."
    )


async def _connect_until(client: KithClient, token: str, stopping: StopRequest) -> None:
    """Stay connected until ``stopping`` is requested. Raises what ends the connection before.

    While a shard reconnects, discord.py swallows a cancellation and goes on, so it is repeated.
    """
    connection = asyncio.create_task(client.start(token), name="discord")
    request = asyncio.create_task(stopping.wait(), name="wait for the stop")
    try:
        await asyncio.wait({connection, request}, return_when=asyncio.FIRST_COMPLETED)
        if connection.done():
            await connection
    finally:
        request.cancel()
        for _ in range(CANCEL_TRIES):
            if connection.done():
                break
            connection.cancel()
            await asyncio.wait({connection}, timeout=CANCEL_PAUSE_S)
        if connection.done() and not connection.cancelled():
            connection.exception()  # the stop ends it anyway


@asynccontextmanager
async def rest_client(token: SecretStr) -> AsyncIterator[discord.Client]:
    """Log in without a gateway connection. Raises KithError, in the block too."""
    client = discord.Client(intents=discord.Intents(guilds=True))
    try:
        await client.login(checked_token(token))
        yield client
    except DISCORD_ERRORS as error:
        raise login_error(error) from None
    finally:
        await client.close()


def checked_token(secret: SecretStr) -> str:
    """Return the token without surrounding blanks. Raises SettingsError if it cannot be one."""
    token = secret.get_secret_value().strip()
    if not (token.isascii() and token.isprintable()):
        raise SettingsError(LOGIN_REFUSED)
    return token


def login_error(error: Exception) -> KithError:
    """Return the error to show the operator: a refused setting, or Discord is unreachable."""
    if isinstance(error, discord.LoginFailure):
        return SettingsError(LOGIN_REFUSED)
    if isinstance(error, discord.ConnectionClosed) and error.code in FATAL_CLOSE_CODES:
        return SettingsError(FATAL_CLOSE_CODES[error.code])
    why = "the connection fails"
    if isinstance(error, discord.HTTPException):
        why = f"it answers with status {error.status}"
    elif isinstance(error, aiohttp.ClientConnectorDNSError):
        why = "its name cannot be looked up"
    elif isinstance(error, discord.ConnectionClosed):
        why = f"it closes the connection with code {error.code}"
    return KithError(
        "Discord can't be reached: {why}. Check this machine's network and "
        "https://discordstatus.com, then start again.",
        why=why,
    )


def latency_s(bot: commands.AutoShardedBot) -> float | None:
    """Return the latency of the slowest shard; None if a shard is disconnected.

    A disconnected shard keeps its last latency, and the client stays ready.
    """
    shards = bot.shards.values()
    latencies = [math.inf if shard.is_closed() else shard.latency for shard in shards]
    is_connected = bot.is_ready() and latencies and all(map(math.isfinite, latencies))
    return max(latencies) if is_connected else None


def is_connected_for(bot: commands.AutoShardedBot, guild_id: int) -> bool:
    """Return whether this process is connected for a server, or for direct messages."""
    if guild_id == DIRECT_MESSAGES:
        return bot.shard_ids is None or 0 in bot.shard_ids
    guild = bot.get_guild(guild_id)
    return guild is not None and not guild.unavailable
