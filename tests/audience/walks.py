"""Makes walks: on discord.py's cache alone, or through the whole bot."""

import random
from collections.abc import Sequence
from typing import Any

import discord

from cogs.bot.audience import readable_by, source_id_of
from cogs.chat.turns import TurnBuilder
from tests.audience.cached_client import CachedClient, cached_channel, cached_member
from tests.audience.changing_server import ChangingServer
from tests.audience.program import LEARNS_ROLES_AFTER_S, CachedProgram
from tests.audience.walk import Walk
from tests.e2e.den import Den
from tests.fakes.clock import ManualClock
from tests.fakes.discord import Channel, FakeDiscord, Member, Message, Pings, payloads
from utils.database.core.engine import Database
from utils.models.guild import GuildSettings
from utils.models.memory import Audience
from utils.models.memory import Member as Known


def walk_on(database: Database, clock: ManualClock, seed: int) -> Walk:
    """Return a walk on discord.py's cache that is not prepared yet, in a server of its own."""
    fake = FakeDiscord(point_here=False)
    client = CachedClient(fake)
    server = ChangingServer(fake, fake.add_guild("Walk"), random.Random(seed))
    return Walk(server, CachedProgram(clock, client, database), database, clock, seed)


def walk_in(den: Den, seed: int) -> Walk:
    """Return a walk through a bot that runs, in a server of its own."""
    fake = den.fake
    server = ChangingServer(fake, fake.add_guild("Walk"), random.Random(seed))
    return Walk(server, RunningProgram(den), den.app.database, den.clock, seed)


class RunningProgram:
    """A bot that hears of changes through its gateway, and builds prompts for messages."""

    def __init__(self, den: Den) -> None:
        self._den = den
        self._settings = GuildSettings(0)

    async def notice(self, server: ChangingServer, *, restarts: bool) -> bool:
        """Let the bot hear everything, and ask for roles again; it does not restart."""
        den = self._den
        self._settings = GuildSettings(
            server.guild.id,
            base_role_id=server.base_role_id,
            implied_role_ids=tuple(sorted(server.implied_role_ids)),
        )
        await self._tell_settings(server)
        den.clock.pass_time(LEARNS_ROLES_AFTER_S)
        await den.calm()
        for channel in server.chats():
            await den.client.audiences.learn_members(self._channel(channel), self._settings)
        return True

    async def _tell_settings(self, server: ChangingServer) -> None:
        settings, guild_id = self._den.app.guilds.settings, server.guild.id
        await settings.set_values(guild_id, base_role_id=None)
        if server.base_role_id is not None:
            await settings.set_values(guild_id, base_role_id=server.base_role_id)
            for role_id in server.implied_role_ids:
                await settings.set_implied_role(
                    guild_id, server.base_role_id, role_id, is_implied=True
                )

    def audience(self, channel: Channel, speaker: Member) -> Audience:
        """Return who reads an answer to somebody in a channel."""
        return self._den.client.audiences.of(self._channel(channel), self._settings)

    def shown_to(self, person: Member, place: Channel) -> frozenset[int]:
        """Return the channels that may be quoted to one person in a place, for them alone."""
        member = cached_member(self._den.client._connection, person)
        return readable_by(member.guild, member, self._channel(place))

    def source_id(self, channel: Channel) -> int:
        """Return the channel that what is said there belongs to."""
        return source_id_of(self._channel(channel))

    async def recalled(
        self, channel: Channel, speaker: Member, about: Sequence[Member], text: str
    ) -> str:
        """Return what the prompt for a message would hold of what is remembered.

        The message mentions those whom it is about. It is not sent: what it asks for would be
        remembered too.
        """
        den = self._den
        mentions = " ".join(who.mention for who in about)
        asked = Message(
            id=den.fake.ids.next(),
            channel=channel,
            author=speaker.user,
            sent=f"{text} {mentions}",
            mentions=Pings(frozenset(who.id for who in about)),
        )
        message = discord.Message(
            state=den.client._connection,
            channel=self._channel(channel),
            data=payloads.message(asked, readable=True, gateway=True),
        )
        guild_id = 0 if channel.guild is None else channel.guild.id
        den.client.audiences.note_member(message.author)
        settings = await den.app.guilds.settings.get(guild_id)
        turns = TurnBuilder(den.client)
        prepared = await den.app.conversation.prepare(turns.build(message, settings))
        return f"{prepared.recall.block}\n{prepared.recall.now}"

    async def found(self, channel: Channel, speaker: Member, topic: str) -> str:
        """Return the notes of others with a topic, and the topic if it is a name."""
        audience = self.audience(channel, speaker)
        settings = await self._den.app.guilds.settings.get(audience.guild_id)
        asker = Known(audience.guild_id, speaker.id)
        found = await self._den.app.guilds.who_else.find(asker, audience, topic, settings)
        named = await self._den.app.guilds.members.resolve(audience, f"Who is {topic}?", settings)
        return " ".join([*(member.row.text for member in found), *named.names])

    def _channel(self, channel: Channel) -> Any:
        return cached_channel(self._den.client._connection, channel)
