"""The program's part: its own audience rule on discord.py's own objects, and its own recall."""

from collections.abc import Sequence
from typing import Protocol

from cogs.bot.audience import Audiences, readable_by, source_id_of
from tests.audience.cached_client import CachedClient
from tests.fakes.builders import make_reader
from tests.fakes.clock import ManualClock
from tests.fakes.discord import Channel, Guild, Member
from tests.fakes.discord.things import WITHOUT_CHAT
from utils.database.core.engine import Database
from utils.guilds.known_members import KnownMembers
from utils.guilds.who_else import WhoElse
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Audience
from utils.models.memory import Member as Known
from utils.models.policy import WritePolicy
from utils.models.recall import Person

LEARNS_ROLES_AFTER_S = 601.0


class ServerWithBaseRole(Protocol):
    """A server, and what moderators say of its base role."""

    guild: Guild
    base_role_id: int | None
    implied_role_ids: frozenset[int]


class AudienceRule:
    """Computes audiences as the bot does, after what moderators said of the base role."""

    def __init__(self, clock: ManualClock, client: CachedClient) -> None:
        self._clock, self._client = clock, client
        self._start()
        self._settings = GuildSettings(0)

    def _start(self) -> None:
        self._audiences = Audiences(self._clock)
        self._client.set_cog(self._audiences)

    async def notice(self, server: ServerWithBaseRole, *, restarts: bool = False) -> bool:
        """Take in what happened in a server, and what moderators say of its base role.

        The roles of those whom overwrites name are asked for again; after a restart, nobody's are
        known. Returns whether they are known.
        """
        self._settings = GuildSettings(
            server.guild.id,
            base_role_id=server.base_role_id,
            implied_role_ids=tuple(sorted(server.implied_role_ids)),
        )
        self._clock.advance(LEARNS_ROLES_AFTER_S)
        await self._client.settled()
        if restarts:
            self._start()
            return False
        for channel in server.guild.channels.values():
            if channel.type not in WITHOUT_CHAT:
                await self._audiences.learn_members(self._client.channel(channel), self._settings)
        return True

    def source_id(self, channel: Channel) -> int:
        """Return the channel that what is said there belongs to."""
        return source_id_of(self._client.channel(channel))

    def audience(self, channel: Channel, speaker: Member) -> Audience:
        """Return who reads an answer to somebody in a channel."""
        if channel.guild is not None:
            self._audiences.note_member(self._client.member(speaker))
        return self._audiences.of(self._client.channel(channel), self._settings)

    def shown_to(self, person: Member, place: Channel) -> frozenset[int]:
        """Return the channels that may be quoted to one person in a place, for them alone."""
        member = self._client.member(person)
        return readable_by(member.guild, member, self._client.channel(place))


class CachedProgram(AudienceRule):
    """The rule on discord.py's cache, and recall on a database, without anything between them."""

    def __init__(self, clock: ManualClock, client: CachedClient, database: Database) -> None:
        super().__init__(clock, client)
        self._reader = make_reader(database, clock)
        self._members = KnownMembers(database, clock)
        self._who_else = WhoElse(database, clock, self._members, WritePolicy())

    async def recalled(
        self, channel: Channel, speaker: Member, about: Sequence[Member], text: str
    ) -> str:
        """Return what a prompt would hold of what is remembered."""
        guild_id = DIRECT_MESSAGES if channel.guild is None else channel.guild.id
        people = {who.id: Person(who.id, who.name) for who in (speaker, *about)}
        recall = await self._reader.recall(
            self.audience(channel, speaker),
            list(people.values()),
            text,
            settings=GuildSettings(guild_id),
        )
        return f"{recall.block}\n{recall.now}"

    async def found(self, channel: Channel, speaker: Member, topic: str) -> str:
        """Return the notes of others with a topic, and the topic if it is a name."""
        audience = self.audience(channel, speaker)
        asker, settings = Known(audience.guild_id, speaker.id), GuildSettings(audience.guild_id)
        found = await self._who_else.find(asker, audience, topic, settings)
        named = await self._members.resolve(audience, f"Who is {topic}?", settings)
        return " ".join([*(member.row.text for member in found), *named.names])
