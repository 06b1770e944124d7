"""What the running client knows of Discord, for the dashboard; asks Discord for nothing."""

from collections.abc import Sequence

import discord
from discord.ext import commands

from cogs.audience import Audiences, open_channels
from cogs.dashboard.house import Channel, Server
from utils.errors import BadInput
from utils.guild_book import GuildBook
from utils.model.memory import DIRECT_MESSAGES, Audience

UNKNOWN_PLACE = "Kith does not see that channel (any more); choose another."
TALKED_IN = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel)


class ClientView:
    """Discord as the client has it in its cache."""

    def __init__(
        self, bot: commands.AutoShardedBot, audiences: Audiences, guilds: GuildBook
    ) -> None:
        self._bot = bot
        self._audiences = audiences
        self._guilds = guilds

    def servers(self) -> Sequence[Server]:
        """Return the servers Kith is in, by name."""
        found = [Server(one.id, one.name, one.member_count) for one in self._bot.guilds]
        return sorted(found, key=lambda one: (one.name.casefold(), one.id))

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return a server's channels that people talk in, by name."""
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return ()
        places = [one for one in guild.channels if isinstance(one, TALKED_IN)]
        found = [Channel(one.id, one.name) for one in (*places, *guild.threads)]
        return sorted(found, key=lambda one: (one.name.casefold(), one.id))

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return what somebody is called there, if that is known."""
        guild = self._bot.get_guild(guild_id)
        person = (guild.get_member(user_id) if guild else None) or self._bot.get_user(user_id)
        return None if person is None else person.display_name

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Return who reads an answer to that member there. Raises BadInput for an unknown place."""
        if guild_id == DIRECT_MESSAGES:
            sources = frozenset({channel_id})
            return Audience(DIRECT_MESSAGES, channel_id, user_id, sources, is_open=True)
        guild = self._bot.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise BadInput(UNKNOWN_PLACE)
        settings = await self._guilds.get(guild_id)
        return self._audiences.of(channel, settings.base_role_id)

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return the channels of a server that everybody there can read."""
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return frozenset()
        settings = await self._guilds.get(guild_id)
        return frozenset(open_channels(guild, settings.base_role_id))
