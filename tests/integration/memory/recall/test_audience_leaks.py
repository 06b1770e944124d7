"""No pair of channels leaks: what was told in one is told in another only if everybody who reads
there can read the first, by Discord's own rules, before and after permissions change.

The oracle (tests/oracles) knows nothing of Kith, of discord.py or of the fake Discord.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import discord
import pytest

from cogs.bot.audience import readable_by, source_id_of
from tests.audience.judging import server_of
from tests.e2e.den import Den, open_den
from tests.fakes.discord import Channel, Guild, perms
from tests.fakes.discord import Member as Person_
from tests.fakes.discord.things import FORUM, STAGE, VOICE
from tests.oracles.permissions import Judge, reads
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.llm import ToolCall
from utils.models.memory import DIRECT_MESSAGES, Consent, Event, Member, Role
from utils.models.recall import Person

VIEW, HISTORY, CONNECT = perms("view_channel"), perms("read_message_history"), perms("connect")
THINGS = [
    "canoe",
    "lute",
    "yurt",
    "kayak",
    "banjo",
    "loom",
    "anvil",
    "sundial",
    "harp",
    "gong",
    "zither",
    "telescope",
    "abacus",
    "trebuchet",
    "unicycle",
    "tandem",
    "sled",
    "catapult",
    "gondola",
    "barometer",
    "theremin",
    "accordion",
    "hovercraft",
    "windmill",
    "monocle",
    "bagpipe",
    "spyglass",
]
BETWEEN_S = 3600.0  # so that no server's limit of writes is reached
UNKNOWN = "submarine"
TRIED = 2  # secrets that the model is let to forget in each place
ASKED_OF = 6  # secrets in one question: all that fit are told at once


@dataclass(frozen=True, eq=False)
class Place:
    """A channel as Discord has it, as discord.py sees it, and the secret that was told there."""

    name: str
    fake: Channel
    real: Any
    secret: str

    @property
    def guild_id(self) -> int:
        return self.fake.guild.id if self.fake.guild else DIRECT_MESSAGES


class LeakTestServer:
    """Two servers and direct messages with channels of every kind; Alice tells each a secret."""

    def __init__(self, den: Den) -> None:
        self.den = den
        self.crew = den.guild.add_role("Crew")
        self.staff = den.guild.add_role("Staff", perms("manage_threads"))
        self.muted = den.guild.add_role("Muted")
        self.alice = den.alice
        self.alice.role_ids |= {self.crew.id, self.staff.id}
        den.guild.add_member("Cleo", roles=[self.crew])
        den.guild.add_member("Stan", roles=[self.staff])
        den.guild.add_member("Mute", roles=[self.muted])
        self.second = den.fake.add_guild("Second")
        for who in (den.alice, den.bob):
            self.second.add_member(who)
        self.places: list[Place] = []
        self.ids = iter(range(10**15, 10**16))

    async def furnish(self) -> None:
        """Make the channels, and find each as discord.py sees it."""
        made = self._channels() | {
            "elsewhere": self.second.add_text_channel("elsewhere"),
            "Alice's messages": self.den.dm(self.den.alice),
            "Bob's messages": self.den.dm(self.den.bob),
        }
        await self.den.calm()
        for (name, fake), secret in zip(made.items(), THINGS, strict=False):
            self.places.append(Place(name, fake, await self._real(fake), secret))
        assert len(self.places) == len(made)

    def _channels(self) -> dict[str, Channel]:
        guild, den = self.den.guild, self.den
        made = {
            "open": den.general,
            "for the crew": self._closed("crew", self.crew),
            "for the staff": self._closed("staff", self.staff),
            "for Alice": self._closed("alone", den.alice),
            "without Bob": guild.add_text_channel("no-bob"),
            "without history": guild.add_text_channel("no-history"),
            "without the muted": guild.add_text_channel("no-mute"),
            "voice": guild.add_channel("voice", VOICE),
            "a closed voice": self._closed("crew-voice", self.crew, VOICE),
            "a stage that few may join": guild.add_channel("stage", STAGE),
            "a voice that few may join": guild.add_channel("staff-voice", VOICE),
            "for adults": guild.add_text_channel("adults"),
            "forum": guild.add_channel("forum", FORUM),
            "a closed forum": self._closed("crew-forum", self.crew, FORUM),
            "closing": guild.add_text_channel("closing"),
            "opening": self._closed("opening", self.crew),
        }
        made["without Bob"].overwrite(den.bob, deny=VIEW)
        made["without history"].overwrite(den.bob, deny=HISTORY)
        made["without the muted"].overwrite(self.muted, deny=VIEW)
        for name in ("a stage that few may join", "a voice that few may join"):
            made[name].overwrite(guild.everyone, deny=CONNECT)
            for one in (self.staff, guild.bot_role):
                made[name].overwrite(one, allow=CONNECT)
        made["for adults"].restrict_age()
        for name in ("open", "for the crew", "without Bob", "forum", "a closed forum"):
            made[f"a thread of {name}"] = made[name].add_thread("thread", owner=den.alice)
        for name in ("open", "for the staff"):
            inside = (den.alice, den.fake.bot_user)
            made[f"a private thread of {name}"] = made[name].add_thread(
                "whisper", owner=den.alice, private=True, members=inside
            )
        del made["forum"], made["a closed forum"]  # nothing is said in a forum itself
        return made

    def _closed(self, name: str, to: object, type: int = 0) -> Channel:
        guild: Guild = self.den.guild
        made = guild.add_channel(name, type)
        made.overwrite(guild.everyone, deny=VIEW)
        for one in (to, guild.bot_role):
            made.overwrite(one, allow=VIEW)
        return made

    async def _real(self, fake: Channel) -> Any:
        if fake.recipient is not None:
            user = await self.den.client.fetch_user(fake.recipient.id)
            return await user.create_dm()
        guild = self.den.client.get_guild(fake.guild.id)
        return guild.get_channel_or_thread(fake.id)

    # --- telling and asking --------------------------------------------------------------------

    async def tell_all(self) -> None:
        """Let Alice tell each place its secret; Kith repeats it there."""
        for guild_id in {place.guild_id for place in self.places}:
            member = Member(guild_id, self.alice.id)
            await self.den.app.memory.editor.set_consent(member, Consent.LASTING)
        for place in self.places:
            self.den.clock.pass_time(BETWEEN_S)
            said = self._event(place, self.alice, f"I own a {place.secret}")
            audience = self.den.client.audiences.of(place.real)
            await self.den.app.memory.recorder.record(said, audience)
            await self.den.app.memory.recorder.settle()
            answer = self._event(place, self.den.guild.me, f"A {place.secret}!", said.message_id)
            await self.den.app.memory.recorder.record(answer, audience)

    def _event(self, place: Place, who: Person_, text: str, answers: int | None = None) -> Event:
        return Event(
            guild_id=place.guild_id,
            channel_id=place.fake.id,
            source_id=source_id_of(place.real),
            message_id=next(self.ids),
            author_id=who.id,
            author_name=who.name,
            role=Role.MEMBER if answers is None else Role.KITH,
            text=text,
            created_at=self.den.clock.now(),
            reply_to_id=answers,
            about_ids=() if answers is None else (self.alice.id,),
        )

    def turn(self, place: Place, who: Person_, text: str) -> Turn:
        """Somebody says something there, about Alice."""
        people = {who.id: who.name, self.alice.id: self.alice.name}
        return Turn(
            self._event(place, who, text),
            self.den.client.audiences.of(place.real),
            tuple(Person(*one) for one in people.items()),
            GuildSettings(place.guild_id),
        )

    def askers(self, place: Place) -> list[Person_]:
        return [who for who in (self.alice, self.den.bob) if who.id in viewers(place.fake)]


def viewers(channel: Channel) -> set[int]:
    """Whom Discord shows what is written in a channel now, bots aside."""
    if channel.recipient is not None:
        return {channel.recipient.id}
    members = channel.guild.members.values()
    return {m.id for m in members if not m.user.bot and channel.permissions_of(m) & VIEW}


class Oracle:
    """Says what may be told where, for the servers as they are now."""

    def __init__(self, house: LeakTestServer) -> None:
        guilds = (house.den.guild, house.second)
        self._judges = {guild.id: Judge(server_of(guild)) for guild in guilds}

    def may_be_told(self, told: Place, asked: Place) -> bool:
        """Whether what was told in one place may be recalled in the other."""
        is_direct = DIRECT_MESSAGES in (told.guild_id, asked.guild_id)
        if is_direct or told.guild_id != asked.guild_id:
            return told is asked
        judge = self._judges[told.guild_id]
        channels = judge.server.channels
        return not judge.leaks(channels[asked.fake.id], channels[told.fake.id])

    def reads(self, who: Person_, place: Place) -> bool:
        """Whether somebody can read what was said in a place."""
        if place.guild_id != who.guild.id:
            return False
        server = self._judges[place.guild_id].server
        return reads(server, server.people[who.id], server.channels[place.fake.id])


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[LeakTestServer]:
    """A house in which every secret has been told."""
    async with open_den(database_url) as den, den.awake():
        made = LeakTestServer(den)
        await made.furnish()
        await made.tell_all()
        yield made


async def doors_close_and_open(house: LeakTestServer) -> None:
    """One channel is closed that was open, and one is opened that was closed."""
    places, guild, fake = {one.name: one for one in house.places}, house.den.guild, house.den.fake
    for role in (guild.bot_role, house.crew):
        await fake.set_overwrite(places["closing"].fake, role, allow=VIEW)
    await fake.set_overwrite(places["closing"].fake, guild.everyone, deny=VIEW)
    await fake.set_overwrite(places["opening"].fake, guild.everyone)


async def a_role_goes(house: LeakTestServer) -> None:
    """The overwrites of a role that is deleted let nobody in any more."""
    await house.den.fake.delete_role(house.crew)


async def the_server_closes(house: LeakTestServer) -> None:
    """Everybody loses the right to read history, but for staff."""
    guild, fake = house.den.guild, house.den.fake
    await fake.set_role_permissions(guild.everyone, guild.everyone.permissions & ~HISTORY)
    await fake.set_role_permissions(house.staff, VIEW | HISTORY)


async def check_prompts(house, asked_in):
    """Whatever is in a prompt, rows, profile or what was said, everybody there could have read;
    the last turns of the place itself stand there anyway.

    Returns which place was told of in which.
    """
    oracle, leaks, told = Oracle(house), [], set()
    groups = [house.places[i : i + ASKED_OF] for i in range(0, len(house.places), ASKED_OF)]
    for asked, group in product(asked_in, groups):
        await house.den.client.audiences.learn_members(asked.real)
        for who in house.askers(asked):
            secrets = " and the ".join(source.secret for source in group)
            turn = house.turn(asked, who, f"What about the {secrets}?")
            prompt = await house.den.app.conversation.prepare(turn)
            *turns, last = (message.text for message in prompt.messages)
            recalled, turns = last.rpartition("\n")[0], "\n".join(turns)
            for source in house.places:
                if source.secret in recalled + turns:
                    told.add((source.name, asked.name))
                is_leak = source.secret in recalled and not oracle.may_be_told(source, asked)
                if is_leak or (source.secret in turns and source is not asked):
                    leaks.append((source.name, asked.name, who.name))
    assert leaks == []
    recalling = [place for place in asked_in if oracle.may_be_told(place, place)]
    assert {(place.name, place.name) for place in recalling if house.askers(place)} <= told
    return told


async def check_tools(house):
    """What the model may list is so, and what may not be told is as if there were no such thing."""
    tools = house.den.app.conversation._generator._tools

    async def run(call, turn):
        return await tools.of(turn).run(call)

    unheard_of = ToolCall("1", "forget", {"what": f"owns a {UNKNOWN}"})
    words = f"forget that I own a {UNKNOWN}"
    oracle = Oracle(house)
    for asked in house.places:
        refused = await run(unheard_of, house.turn(asked, house.alice, words))
        listed = await run(
            ToolCall("1", "list_memories", {}), house.turn(asked, house.alice, "What?")
        )
        secret = [place for place in house.places if not oracle.may_be_told(place, asked)]
        assert not [place.name for place in secret if place.secret in listed], asked.name
        refused = await run(unheard_of, house.turn(asked, house.alice, words))
        for source in secret[:TRIED]:
            asking = house.turn(asked, house.alice, f"forget that I own a {source.secret}")
            call = ToolCall("1", "forget", {"what": f"owns a {source.secret}"})
            assert await run(call, asking) == refused  # as if there were no such thing


async def check_looks(house):
    """A moderator who looks at a member sees no more than they can read."""
    guild = house.den.client.get_guild(house.den.guild.id)
    alice = Member(guild.id, house.alice.id)
    oracle, seen = Oracle(house), 0
    for person in house.den.guild.members.values():
        looking: discord.Member = await guild.fetch_member(person.id)
        shown = await house.den.app.memory.member_data.show(alice, readable_by(guild, looking))
        words = " ".join([shown.profile, *(row.text for row in shown.rows)])
        words += " ".join(row.text for row in shown.past.values())
        for place in house.places:
            if place.secret in words.lower():
                seen += 1
                assert person.user.bot or oracle.reads(person, place), place.name
    assert seen


def check_audiences(house):
    """So is what a review post or a summary made for an audience may hold."""
    oracle = Oracle(house)
    for source, asked in product(house.places, repeat=2):
        audience = house.den.client.audiences.of(asked.real)
        is_told = audience.guild_id == source.guild_id and (
            source_id_of(source.real) in audience.sources
        )
        assert not is_told or oracle.may_be_told(source, asked), (source.name, asked.name)


@pytest.mark.slow  # test_audience_walk.py takes a sample of this in the quick suite
async def test_nobody_is_told_what_they_cannot_read_before_or_after_permissions_change(house):
    check_audiences(house)
    told = await check_prompts(house, house.places)
    await check_tools(house)
    await check_looks(house)
    inside = [place for place in house.places if place.guild_id == house.den.guild.id]
    # and no silence beyond need
    assert {("open", place.name) for place in inside if house.askers(place)} <= told
    await check_after_changes(house)


async def check_after_changes(house):
    """So it stays when permissions change."""
    for change in (doors_close_and_open, a_role_goes, the_server_closes):
        await change(house)
        await house.den.calm()
        check_audiences(house)
        await check_looks(house)
        if change is a_role_goes:
            await check_prompts(house, house.places[::3])  # the audiences are right everywhere
    await check_tools(house)
