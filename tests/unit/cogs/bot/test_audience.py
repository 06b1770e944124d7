"""Audiences, computed from discord.py's cache of a fake Discord without sockets."""

from dataclasses import replace
from types import SimpleNamespace

import discord
import pytest

from cogs.bot import audience as rules
from cogs.bot.audience import (
    Audiences,
    can_read,
    is_age_restricted,
    place_ids,
    place_of,
    readable_by,
    server_readers,
    source_id_of,
)
from cogs.bot.member_roles import KNOWN_FOR_S
from tests.audience.cached_client import CachedClient
from tests.fakes.clock import ManualClock
from tests.fakes.discord import FakeDiscord, perms
from tests.fakes.discord.things import CATEGORY, FORUM, STAGE, VOICE
from utils.common.errors import BadInput
from utils.guilds.permission_rules import CONNECT, HISTORY, VIEW
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Audience


def chosen(base_role_id=None, implied_role_ids=()):
    """The settings of a server with these roles."""
    return GuildSettings(0, base_role_id=base_role_id, implied_role_ids=implied_role_ids)


class Town:
    """A server with channels of every kind, and the bot's audiences of it."""

    def __init__(self):
        fake = FakeDiscord(point_here=False)
        self.fake, self.clock, self.client = fake, ManualClock(), CachedClient(fake)
        guild = self.guild = fake.add_guild("Town")
        self.crew = guild.add_role("Crew")
        self.gates = guild.add_role("Gates", perms("manage_threads"))
        self.ada = guild.add_member("Ada", roles=[self.crew])
        self.bob = guild.add_member("Bob")
        self.open = guild.add_text_channel("open")
        self.closed = self.private("closed", self.crew)
        self.audiences = Audiences(self.clock)
        self.client.set_cog(self.audiences)

    @property
    def real_guild(self):
        return self.client.channel(self.open).guild

    def of(self, channel, *roles):
        return self.audiences.of(self.client.channel(channel), chosen(*roles))

    def private(self, name, *viewers):
        """Make a channel that Kith and these can view, and nobody else."""
        channel = self.guild.add_text_channel(name)
        channel.overwrite(self.guild.everyone, deny=VIEW)
        for who in (self.guild.bot_role, *viewers):
            channel.overwrite(who, allow=VIEW)
        return channel

    def shut_out(self, *people):
        """Make a channel that these people cannot view, whatever their roles are."""
        channel = self.guild.add_text_channel("without")
        for who in people:
            channel.overwrite(who, deny=VIEW)
        return channel


@pytest.fixture
def town():
    return Town()


def ids(*things):
    return frozenset(thing.id for thing in things)


# --- who reads an answer ------------------------------------------------------------------------


async def test_an_audience_is_of_its_channel_and_of_its_parent_for_a_thread(town):
    guild_id, crew = town.guild.id, town.crew.id
    everywhere = ids(town.open, town.closed)
    open_ids = everywhere - {town.closed.id}
    assert town.of(town.open) == Audience(
        guild_id, town.open.id, open_ids, is_open=True, open_ids=open_ids
    )
    assert town.of(town.closed) == Audience(
        guild_id, town.closed.id, everywhere, is_open=False, open_ids=open_ids
    )
    thread = town.open.add_thread("thread", owner=town.ada)
    assert town.of(thread) == Audience(
        guild_id, thread.id, ids(town.open, thread), is_open=True, open_ids=open_ids
    )
    whisper = town.open.add_thread(
        "whisper", owner=town.ada, private=True, members=(town.ada, town.fake.bot_user)
    )
    assert town.of(whisper) == Audience(
        guild_id, whisper.id, ids(town.open, whisper), is_open=False, open_ids=open_ids
    )
    assert town.of(town.closed, crew).is_open
    assert not town.of(town.closed).is_open
    silent = town.guild.add_text_channel("silent")
    silent.overwrite(town.guild.everyone, deny=HISTORY)
    await town.client.settled()
    inside = silent.add_thread("inside", owner=town.ada)
    assert town.of(silent).sources == town.of(inside).sources == ids(town.open)
    message = town.fake.dm(town.ada)
    assert town.of(message) == Audience(DIRECT_MESSAGES, message.id, ids(message), is_open=True)


async def test_what_was_computed_is_used_until_permissions_or_settings_change(town, monkeypatch):
    made = []
    original = rules.server_readers
    monkeypatch.setattr(
        rules, "server_readers", lambda *given: made.append(given[2:]) or original(*given)
    )
    crew, gates = town.crew.id, town.gates.id
    town.of(town.open)
    town.of(town.closed)
    assert made == [(None, ())]
    assert town.audiences.open_channels(town.real_guild, chosen()) == ids(town.open)
    assert len(made) == 1
    town.of(town.open, crew)
    town.of(town.open, crew, (gates,))
    town.of(town.closed, crew, (gates,))
    assert made[1:] == [(crew, ()), (crew, (gates,))]
    town.closed.overwrite(town.guild.everyone, allow=VIEW)
    await town.client.settled()
    assert town.of(town.open, crew, (gates,)).sources == ids(town.open, town.closed)
    settings = GuildSettings(town.guild.id, base_role_id=crew, implied_role_ids=(gates,))
    assert await town.audiences.may_quote(town.client.channel(town.open), town.open.id, settings)
    assert len(made) == 4


@pytest.mark.parametrize(
    "change",
    [
        lambda town: town.guild.add_text_channel("more"),
        lambda town: town.fake.world.remove_channel(town.closed),
        lambda town: town.guild.add_role("More"),
        lambda town: town.open.overwrite(town.crew, deny=VIEW),
        lambda town: town.open.restrict_age(),
    ],
)
async def test_each_change_of_a_server_is_seen(town, change):
    town.of(town.open)
    change(town)
    await town.client.settled()
    assert town.audiences._servers == {}


async def test_a_person_counts_with_the_roles_that_are_known_for_ten_minutes(town):
    place = town.private("without", town.crew)
    place.overwrite(town.ada, deny=VIEW)
    hall = town.private("hall", town.crew)
    person = town.client.member(town.bob)
    named = town.private("named", town.bob)
    assert hall.id not in town.of(named).sources
    assert place.id not in town.of(hall).sources
    town.audiences.note_member(person)
    assert hall.id not in town.of(named).sources
    town.bob.role_ids.add(town.crew.id)
    town.audiences.note_member(town.client.member(town.bob))
    assert hall.id in town.of(named).sources
    town.clock.advance(599)
    assert hall.id in town.of(named).sources
    town.clock.advance(1)
    assert hall.id not in town.of(named).sources


async def test_open_channels_follow_the_roles_of_people_too(town):
    place = town.shut_out(town.bob)
    guild = town.real_guild
    assert place.id not in town.audiences.open_channels(guild, chosen(town.crew.id))
    town.audiences.note_member(town.client.member(town.bob))  # without the base role
    assert place.id in town.audiences.open_channels(guild, chosen(town.crew.id))
    assert town.of(place, town.crew.id).is_open
    town.clock.advance(KNOWN_FOR_S)
    assert place.id not in town.audiences.open_channels(guild, chosen(town.crew.id))


async def test_who_left_may_come_back_without_roles_and_discord_does_not_say_so(town):
    named = town.private("named", town.ada)
    left = town.guild.members.pop(town.ada.id)
    await town.audiences.learn_members(town.client.channel(named))
    town.guild.members[left.id] = left
    left.role_ids.clear()
    assert town.closed.id not in town.of(named).sources
    assert town.open.id in town.of(named).sources


async def test_discord_is_asked_for_the_roles_that_decide(town):
    fetched = []
    get_member = town.client._get_member

    async def counting(guild_id, member_id):
        fetched.append(member_id)
        return await get_member(guild_id, member_id)

    town.client._state.http.get_member = counting
    named = town.private("named", town.ada)
    thread = named.add_thread("thread", owner=town.ada)
    assert town.closed.id not in town.of(named).sources
    learn = town.audiences.learn_members
    await learn(town.client.channel(town.fake.dm(town.ada)))
    await learn(town.client.channel(town.open))
    assert fetched == []
    await learn(town.client.channel(thread))
    await learn(town.client.channel(thread))
    assert fetched == [town.ada.id]
    assert town.closed.id in town.of(named).sources
    town.clock.advance(KNOWN_FOR_S)
    roles = (town.crew.id, (town.gates.id,))
    assert town.closed.id not in town.of(named, *roles).sources
    await learn(town.client.channel(named), chosen(*roles))
    assert (town.audiences._servers[town.guild.id].base_roles, len(fetched)) == (roles, 2)
    assert town.closed.id in town.of(named, *roles).sources


async def test_a_post_may_quote_what_everybody_there_can_read(town):
    may_quote = town.audiences.may_quote
    settings = GuildSettings(town.guild.id)
    based = replace(settings, base_role_id=town.crew.id)
    named = town.private("named", town.ada)
    place = town.client.channel(named)
    assert await may_quote(place, town.open.id, settings)
    assert await may_quote(place, town.closed.id, settings)  # Ada's roles are asked for
    assert not await may_quote(town.client.channel(town.open), town.closed.id, settings)
    assert not await may_quote(town.client.channel(town.open), town.closed.id, based)
    implied = replace(based, implied_role_ids=(town.gates.id,))
    gate = town.private("gate", town.gates)
    await town.client.settled()
    assert not await may_quote(town.client.channel(gate), town.closed.id, based)
    assert await may_quote(town.client.channel(gate), town.closed.id, implied)
    dm = town.fake.dm(town.ada)
    assert not await may_quote(town.client.channel(dm), dm.id, settings)
    assert not await may_quote(None, town.open.id, settings)


async def test_who_reads_a_channel_that_kith_cannot_view_is_unknown(town):
    hidden = town.guild.add_text_channel("hidden")
    hidden.overwrite(town.guild.everyone, deny=VIEW)
    hidden.overwrite(town.crew, allow=VIEW)
    for place in (hidden, hidden.add_thread("thread", owner=town.ada)):
        assert town.of(place).sources == ids()
        assert not town.of(place).is_open
    assert hidden.id not in town.of(town.closed).sources
    hidden.overwrite(town.guild.bot_role, allow=VIEW)
    await town.client.settled()
    assert town.of(hidden).sources == ids(hidden, town.closed, town.open)
    hidden.overwrite(town.guild.bot_role, deny=VIEW)
    bot = town.guild.members[town.fake.bot_user.id]
    bot.role_ids |= {town.crew.id}
    hidden.overwrite(town.guild.bot_role, deny=0)
    await town.client.settled()
    assert town.of(hidden).sources == ids()  # Discord has not told of Kith's role yet
    town.fake.world.announce("GUILD_MEMBER_UPDATE", bot)
    await town.client.settled()
    assert town.of(hidden).sources == ids(hidden, town.closed, town.open)


async def test_findings_are_of_the_channels_that_kith_views(town):
    hidden = town.guild.add_text_channel("hidden")
    hidden.overwrite(town.guild.everyone, deny=VIEW)
    hidden.overwrite(town.guild.bot_role, deny=VIEW)
    named = town.shut_out(town.ada)
    found = await town.audiences.findings(town.real_guild, chosen())
    told = {channel_id for finding in found for channel_id in finding.channel_ids}
    assert told
    assert hidden.id not in told
    roles, _ = town.audiences._roles.known(town.guild.id, [town.ada.id])
    assert roles == {town.ada.id: ids(town.crew, town.guild.everyone)}
    named.overwrite(town.ada, allow=VIEW)
    based = await town.audiences.findings(town.real_guild, chosen(town.crew.id, (town.gates.id,)))
    assert based != found


# --- what is read from a server -----------------------------------------------------------------


async def test_the_readers_of_a_server_are_made_of_its_roles_and_channels(town, monkeypatch):
    monkeypatch.setattr(rules, "ServerReaders", lambda *given, **named: (given, named))
    guild, ada, bot_role = town.guild, town.ada.id, town.guild.bot_role
    guild.add_channel("heading", CATEGORY)
    forum = guild.add_channel("forum", FORUM)
    voice, stage = guild.add_channel("voice", VOICE), guild.add_channel("stage", STAGE)
    voice.overwrite(town.ada, allow=CONNECT, deny=perms("send_messages"))
    voice.overwrite(town.bob, deny=perms("send_messages"))
    stage.restrict_age()
    await town.client.settled()
    real = town.real_guild
    (owner_id, everyone, roles, places), named = server_readers(
        real, real.channels, 5, (6,), bot_ids=(7,)
    )
    assert (owner_id, everyone) == (
        guild.owner_id,
        (guild.id, real.default_role.permissions.value, False),
    )
    assert {role.role_id: role.is_bot for role in roles} == {
        guild.id: False, town.crew.id: False, town.gates.id: False, bot_role.id: True
    }  # fmt: skip
    assert {role.role_id: role.permissions for role in roles}[town.gates.id] == (
        perms("manage_threads")
    )
    made = {place.channel_id: place for place in places}
    chats = [c for c in guild.channels.values() if c.type != CATEGORY]
    assert made.keys() == ids(*chats)
    assert made[voice.id] == (voice.id, [(ada, True, CONNECT, perms("send_messages"))], True, False)
    assert made[stage.id] == (stage.id, [], True, True)
    assert made[forum.id] == (forum.id, [], False, False)
    assert set(made[town.closed.id].overwrites) == {
        (guild.id, False, 0, VIEW), (town.crew.id, False, VIEW, 0), (bot_role.id, False, VIEW, 0)
    }  # fmt: skip
    assert named == {
        "bot_ids": [real.me.id, 7], "base_role_id": 5, "implied_role_ids": (6,)
    }  # fmt: skip
    monkeypatch.setattr(real, "nsfw_level", discord.NSFWLevel.age_restricted)
    (*_, restricted), _ = server_readers(real, real.channels, None, ())
    assert all(place.is_age_restricted for place in restricted)


# --- one reader ---------------------------------------------------------------------------------


async def test_one_person_reads_what_their_permissions_let_them(town):
    guild = town.guild
    silent, blind, voice, open_voice = (
        guild.add_text_channel("silent"),
        guild.add_text_channel("blind"),
        guild.add_channel("voice", VOICE),
        guild.add_channel("open-voice", VOICE),
    )
    silent.overwrite(guild.everyone, deny=HISTORY)
    blind.overwrite(guild.everyone, deny=VIEW)
    voice.overwrite(guild.everyone, deny=CONNECT)
    adult = guild.add_text_channel("adult")
    adult.restrict_age()
    await town.client.settled()
    ada = town.client.member(town.ada)
    channels = (town.open, town.closed, silent, blind, voice, open_voice, adult)
    readable = [c for c in channels if can_read(ada, town.client.channel(c))]
    assert readable == [town.open, town.closed, open_voice, adult]
    real = town.real_guild
    assert readable_by(real, ada) == ids(town.open, town.closed, open_voice)
    assert readable_by(real, ada, town.client.channel(adult)) == ids(*readable)
    assert readable_by(real, ada, town.client.channel(town.open)) == ids(*readable) - ids(adult)
    boss = town.client.member(
        guild.add_member("Ruth", roles=[guild.add_role("Boss", perms("administrator"))])
    )
    assert blind.id in readable_by(real, boss, town.client.channel(adult))
    assert blind.id not in readable_by(real, boss)  # whether it is age-restricted is hidden
    assert not can_read(SimpleNamespace(), town.client.channel(town.open))
    assert not can_read(ada, town.client.channel(town.fake.dm(town.ada)))


async def test_what_was_recalled_is_still_heard_only_by_its_readers_and_of_their_age(town):
    def may_hear(channel, earlier, *, age_restricted=False):
        return town.audiences.may_still_hear(
            earlier, town.client.channel(channel), chosen(), age_restricted=age_restricted
        )

    closed, here = town.of(town.closed), town.of(town.open)
    assert may_hear(town.open, here)
    assert may_hear(town.closed, closed)
    assert not may_hear(town.open, here, age_restricted=True)
    town.open.restrict_age()
    await town.client.settled()
    assert may_hear(town.open, town.of(town.open), age_restricted=True)
    await town.fake.set_overwrite(town.closed, town.guild.everyone, allow=VIEW)
    await town.client.settled()
    assert not may_hear(town.closed, closed)


async def test_a_private_thread_is_read_by_those_in_it_and_who_manages_threads(town):
    town.bob.role_ids.add(town.gates.id)
    inside = (town.ada, town.fake.bot_user)
    thread = town.open.add_thread("thread", owner=town.ada)
    whisper = town.open.add_thread("whisper", owner=town.ada, private=True, members=inside)
    ada, bob = town.client.member(town.ada), town.client.member(town.bob)
    real, private = town.client.channel(thread), town.client.channel(whisper)
    assert can_read(ada, real)
    assert not can_read(ada, private)
    assert can_read(ada, private, is_here=True)
    assert can_read(bob, private)
    for denied in (VIEW, HISTORY):
        town.open.overwrite(town.guild.everyone, deny=denied)
        await town.client.settled()
        assert not can_read(ada, private, is_here=True)
        assert not can_read(bob, private)
        assert not can_read(ada, real)


# --- channels -----------------------------------------------------------------------------------


async def test_a_channel_and_its_threads_are_placed(town, monkeypatch):
    inside = (town.ada, town.fake.bot_user)
    thread = town.open.add_thread("thread", owner=town.ada)
    whisper = town.open.add_thread("whisper", owner=town.ada, private=True, members=inside)
    place, real, private = map(town.client.channel, (town.open, thread, whisper))
    assert [source_id_of(c) for c in (place, real, private)] == [
        town.open.id,
        town.open.id,
        whisper.id,
    ]
    assert place_ids(None) == ()
    assert place_ids(place) == (town.open.id,)
    assert place_ids(real) == (thread.id, town.open.id)
    assert not any(map(is_age_restricted, (place, real, None)))
    used = SimpleNamespace(channel=real)
    assert place_of(used, None) is place
    assert place_of(used, town.client.channel(town.closed)).id == town.closed.id
    with pytest.raises(BadInput, match="text channel"):
        place_of(SimpleNamespace(channel=town.client.channel(town.fake.dm(town.ada))), None)
    town.open.restrict_age()
    await town.client.settled()
    assert is_age_restricted(town.client.channel(town.open))
    assert is_age_restricted(town.client.channel(thread))
    assert not is_age_restricted(town.client.channel(town.closed))
    monkeypatch.setattr(town.real_guild, "nsfw_level", discord.NSFWLevel.age_restricted)
    assert is_age_restricted(town.client.channel(town.closed))
