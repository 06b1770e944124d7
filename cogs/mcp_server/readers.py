"""Which channels an agent may read from: Discord is asked, without a gateway connection.

If Discord cannot be asked, its last answer is used for ten minutes; after that, nothing is read.
"""

import asyncio
import logging

import discord

from cogs.bot.audience import can_read, is_age_restricted, server_readers
from cogs.bot.interactions import CONNECTION_ERRORS
from cogs.bot.login import checked_token
from cogs.bot.member_roles import MemberRoleCache
from cogs.mcp_server.grants import AgentRefused, Grant
from utils.app import App
from utils.common.errors import SettingsError

FRESH_S = 30.0
KNOWN_FOR_S = 600.0

_log = logging.getLogger(__name__)


class AgentReaders:
    """Looks up the channels that may be read for a grant."""

    def __init__(self, app: App) -> None:
        """Raise SettingsError if there is no token with which to ask Discord."""
        if app.settings.discord_token is None:
            raise SettingsError(
                "DISCORD_TOKEN is not set here, so Discord cannot be asked who reads what. Kith "
                "reads the file .env of the folder in which it starts, and an agent starts it in "
                "its own: give it Kith's folder, or DISCORD_TOKEN and --database (docs/mcp.md "
                "shows both)."
            )
        self._app = app
        self._token = app.settings.discord_token
        self._client: discord.Client | None = None
        self._login = asyncio.Lock()
        self._known: dict[Grant, tuple[float, frozenset[int]]] = {}

    async def sources(self, grant: Grant) -> frozenset[int]:
        """Return the channels that the grant's member can read; without one, that everyone can.

        Age-restricted channels are left out. Raises AgentRefused if Discord cannot be asked, or if
        the member or Kith is not in the server.
        """
        at_s, channel_ids = self._known.get(grant, (float("-inf"), frozenset[int]()))
        now = self._app.clock.monotonic()
        if now - at_s < FRESH_S:
            return channel_ids
        try:
            channel_ids = await self._ask(grant)
        except (discord.NotFound, discord.Forbidden):
            self._known.pop(grant, None)
            raise AgentRefused(
                "That member or Kith is not in that server, so nothing is read."
            ) from None
        except (discord.DiscordException, *CONNECTION_ERRORS) as error:
            _log.warning("Discord cannot be asked: %s", type(error).__name__)
            if now - at_s < KNOWN_FOR_S:
                return channel_ids
            raise AgentRefused(
                "Discord cannot be asked who reads what right now, so nothing is read. Try later."
            ) from None
        self._known[grant] = now, channel_ids
        return channel_ids

    async def close(self) -> None:
        """Close the connections to Discord."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _ask(self, grant: Grant) -> frozenset[int]:
        async with self._login:  # the first calls of several agents log in once
            client = self._client
            if client is None:
                client = discord.Client(intents=discord.Intents(guilds=True))
                try:
                    await client.login(checked_token(self._token))
                except BaseException:
                    await client.close()
                    raise
                self._client = client
        guild = await client.fetch_guild(grant.guild_id, with_counts=False)
        channels = [
            channel
            for channel in await guild.fetch_channels()
            if not isinstance(channel, discord.CategoryChannel) and not is_age_restricted(channel)
        ]
        if grant.user_id is not None:
            member = await guild.fetch_member(grant.user_id)
            return frozenset(channel.id for channel in channels if can_read(member, channel))
        readers = server_readers(
            guild, channels, None, (), bot_ids=[client.user.id] if client.user else []
        )
        roles = MemberRoleCache(self._app.clock)
        await roles.fetch(guild, readers.all_named_members)
        return readers.open_channels(roles.known(guild.id, readers.all_named_members)[0])
