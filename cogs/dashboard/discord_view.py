"""The dashboard's view of Discord, from the client's cache."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import discord

from cogs.bot.audience import is_hidden, readable_by
from cogs.bot.client import KithClient
from cogs.bot.interactions import NO_PINGS, REQUEST_ERRORS
from cogs.bot.localisation import tr
from cogs.bot.messages import name_of, visible_text
from cogs.bot.permission_check import permission_report
from cogs.bot.recall_report import recall_report
from cogs.bot.texts import ANNOUNCEMENT
from cogs.dashboard.web.context import Channel, Moderator, Server
from cogs.settings.consent_default import check_is_announced
from cogs.settings.setup_pages import CHANNEL_TYPES as CHANNEL_KINDS
from utils.common.errors import BadInput
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Audience, Member
from utils.models.sentiment import PassiveMemory, StoredScore

NO_DISCORD = "Discord cannot be asked right now. Try again in a moment."
UNKNOWN_CHANNEL = "Kith cannot see that channel; choose another."
CHANNEL_TYPES = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel)


@dataclass(eq=False, repr=False)
class DiscordView:
    """Discord as the client's cache has it. Names are text that people chose.

    Without a client, nothing but ``servers`` is known.
    """

    _bot: KithClient | None = None
    _servers: Sequence[Server] = ()

    def _guild(self, guild_id: int) -> discord.Guild | None:
        return None if self._bot is None else self._bot.get_guild(guild_id)

    def servers(self) -> Sequence[Server]:
        """Return the servers Kith is in, sorted by name."""
        if self._bot is None:
            return self._servers
        servers = [Server(guild.id, guild.name, guild.member_count) for guild in self._bot.guilds]
        return sorted(servers, key=lambda server: (server.name.casefold(), server.id))

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return a server's channels with messages that Kith can view, sorted by name."""
        guild = self._guild(guild_id)
        if guild is None:
            return ()
        places = [
            place
            for place in guild.channels
            if isinstance(place, CHANNEL_TYPES) and not is_hidden(place)
        ]
        channels = [Channel(place.id, place.name) for place in (*places, *guild.threads)]
        return sorted(channels, key=lambda channel: (channel.name.casefold(), channel.id))

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return a person's display name in a server, or None."""
        if self._bot is None:
            return None
        guild = self._bot.get_guild(guild_id)
        person = (guild.get_member(user_id) if guild else None) or self._bot.get_user(user_id)
        return None if person is None else person.display_name

    def role_name(self, guild_id: int, role_id: int) -> str | None:
        """Return a role's name, or None."""
        guild = self._guild(guild_id)
        role = guild.get_role(role_id) if guild else None
        return None if role is None else role.name

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Return who reads an answer to that member there. Raises BadInput if unknown."""
        if self._bot is None:
            raise BadInput(
                "Who reads a channel is known only while the bot is connected to Discord. Open "
                "the dashboard of the running bot to see what would be recalled."
            )
        if guild_id == DIRECT_MESSAGES:
            return Audience(DIRECT_MESSAGES, channel_id, frozenset({channel_id}), is_open=True)
        guild = self._guild(guild_id)
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise BadInput(UNKNOWN_CHANNEL)
        settings = await self._bot.app.guilds.settings.get(guild_id)
        return self._bot.audiences.of(channel, settings)

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return the channels of a server that every member can read."""
        guild = self._guild(guild_id)
        if self._bot is None or guild is None:
            return frozenset()
        settings = await self._bot.app.guilds.settings.get(guild_id)
        return self._bot.audiences.open_channels(guild, settings)

    async def moderator(self, member: Member) -> Moderator | None:
        """Return a member with *Manage Server*, as the slash commands ask; None: they are none.

        They see the channels that Kith can view too: of others Discord hides the name.
        Without the Members intent the cache is out of date, so that Discord is asked each time.
        """
        guild = self._guild(member.guild_id)
        person = None if guild is None else await self._fetch(guild, member.user_id)
        if guild is None or person is None or not person.guild_permissions.manage_guild:
            return None
        visible_channels = [
            Channel(place.id, place.name, place.type.name)
            for place in sorted(guild.channels, key=lambda place: place.position)
            if place.type in CHANNEL_KINDS
            and place.permissions_for(person).view_channel
            and not is_hidden(place)
        ]
        readable = readable_by(guild, person)
        readable |= {
            thread.id
            for thread in guild.threads
            if thread.parent_id in readable and not thread.is_private()
        }
        return Moderator(member, person.display_name, visible_channels, readable)

    def roles(self, guild_id: int) -> Sequence[Channel]:
        """Return the roles that can be a server's base role, highest first."""
        guild = self._guild(guild_id)
        return [
            Channel(role.id, role.name)
            for role in reversed(guild.roles if guild else ())
            if not (role.is_default() or role.is_bot_managed() or role.permissions.administrator)
        ]

    async def reports(
        self, settings: GuildSettings, watched: Sequence[int], locale: discord.Locale
    ) -> Sequence[str]:
        """Return what Kith lacks in a server and where it cannot recall, in Discord's mark-up."""
        guild = self._guild(settings.guild_id)
        if self._bot is None or guild is None:
            return ()
        lines = permission_report(locale, guild, settings, watched).split("\n")
        return [*lines, *await recall_report(self._bot.audiences, guild, settings, locale)]

    async def lines(
        self, guild_id: int, messages: Sequence[StoredScore]
    ) -> Sequence[tuple[StoredScore, str, str]]:
        """Return those messages that still stand on Discord, with their author and text.

        Raises BadInput if Discord cannot be asked.
        """
        if self._bot is None:
            return ()
        lines = []
        for message in messages:
            place = self._bot.get_partial_messageable(message.channel_id, guild_id=guild_id)
            try:
                original = await place.fetch_message(message.message_id)
            except (discord.NotFound, discord.Forbidden):
                continue
            except REQUEST_ERRORS:
                raise BadInput(NO_DISCORD) from None
            lines.append((message, name_of(original.author), visible_text(original)))
        return lines

    async def watch(
        self, guild_id: int, chosen: Mapping[int, PassiveMemory | None], actor_id: int
    ) -> None:
        """Watch exactly these channels, with whose messages may become notes; None: as before.

        Raises BadInput where that is impossible.
        """
        guild = self._guild(guild_id)
        if self._bot is None or guild is None:
            return
        try:
            await self._bot.watch_setup.replace(guild, chosen, actor_id)
        except BadInput as error:
            names = {channel.mention: f"#{channel.name}" for channel in guild.channels}
            values = {key: names.get(str(value), value) for key, value in error.values.items()}
            raise BadInput(error.template, **values) from None

    async def announce_consent(self, settings: GuildSettings, channel_id: int) -> None:
        """Announce the default consent. Raises BadInput where too few members would read it."""
        guild = self._guild(settings.guild_id)
        channel = None if guild is None else guild.get_channel(channel_id)
        if self._bot is None or guild is None or not isinstance(channel, discord.abc.Messageable):
            raise BadInput(UNKNOWN_CHANNEL)
        await check_is_announced(channel, settings.consent_default, settings, self._bot.audiences)
        text = tr(guild.preferred_locale, ANNOUNCEMENT[settings.consent_default])
        try:
            await channel.send(text, allowed_mentions=NO_PINGS)
        except REQUEST_ERRORS:
            raise BadInput(
                "Kith cannot write in that channel, so nothing was changed; choose another."
            ) from None

    async def _fetch(self, guild: discord.Guild, user_id: int) -> discord.Member | None:
        """Return a member; None if they are not there. Raises BadInput if Discord does not say."""
        try:
            return await guild.fetch_member(user_id)
        except discord.NotFound:
            return None
        except REQUEST_ERRORS:
            raise BadInput(NO_DISCORD) from None

    async def member_sources(self, guild_id: int, user_id: int) -> frozenset[int] | None:
        """Return the channels that may be quoted to a member; None if they are not there.

        Discord is asked, because without the Members intent the cache is out of date. Raises
        BadInput if it cannot be asked.
        """
        if guild_id == DIRECT_MESSAGES:
            return frozenset()
        guild = self._guild(guild_id)
        person = None if guild is None else await self._fetch(guild, user_id)
        return None if guild is None or person is None else readable_by(guild, person)
