"""The dashboard's view of Discord, from the client's cache; makes no requests."""

from collections.abc import Sequence

import discord

from cogs.bot.audience import readable_by
from cogs.bot.client import KithClient
from cogs.bot.interactions import CONNECTION_ERRORS
from cogs.dashboard.web.context import Channel, DiscordView, Server
from utils.common.errors import BadInput
from utils.models.memory import DIRECT_MESSAGES, Audience

NO_DISCORD = "Discord cannot be asked right now. Try again in a moment."
UNKNOWN_CHANNEL = "Kith cannot see that channel; choose another."
CHANNEL_TYPES = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel)


class ClientDiscordView(DiscordView):
    """Discord as the client's cache has it."""

    def __init__(self, bot: KithClient) -> None:
        self._bot = bot
        self._guilds = bot.app.guilds.settings

    def servers(self) -> Sequence[Server]:
        """Return the servers Kith is in, sorted by name."""
        servers = [Server(guild.id, guild.name, guild.member_count) for guild in self._bot.guilds]
        return sorted(servers, key=lambda server: (server.name.casefold(), server.id))

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return a server's channels with messages, sorted by name."""
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return ()
        places = [place for place in guild.channels if isinstance(place, CHANNEL_TYPES)]
        channels = [Channel(place.id, place.name) for place in (*places, *guild.threads)]
        return sorted(channels, key=lambda channel: (channel.name.casefold(), channel.id))

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return a person's display name in a server, or None."""
        guild = self._bot.get_guild(guild_id)
        person = (guild.get_member(user_id) if guild else None) or self._bot.get_user(user_id)
        return None if person is None else person.display_name

    def role_name(self, guild_id: int, role_id: int) -> str | None:
        """Return a role's name, or None."""
        guild = self._bot.get_guild(guild_id)
        role = guild.get_role(role_id) if guild else None
        return None if role is None else role.name

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Return who reads an answer to that member there. Raises BadInput if unknown."""
        if guild_id == DIRECT_MESSAGES:
            sources = frozenset({channel_id})
            return Audience(DIRECT_MESSAGES, channel_id, sources, is_open=True)
        guild = self._bot.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise BadInput(UNKNOWN_CHANNEL)
        settings = await self._guilds.get(guild_id)
        return self._bot.audiences.of(channel, settings)

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return the channels of a server that every member can read."""
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return frozenset()
        return self._bot.audiences.open_channels(guild, await self._guilds.get(guild_id))

    async def member_sources(self, guild_id: int, user_id: int) -> frozenset[int] | None:
        """Return the channels that may be quoted to a member; None if they are not there.

        Discord is asked: without the Members intent, the cache is out of date.
        """
        if guild_id == DIRECT_MESSAGES:
            return frozenset()
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return None
        try:
            return readable_by(guild, await guild.fetch_member(user_id))
        except discord.NotFound:
            return None
        except (discord.HTTPException, *CONNECTION_ERRORS):
            raise BadInput(NO_DISCORD) from None
