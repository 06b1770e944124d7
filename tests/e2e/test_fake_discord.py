"""The loopback Discord against the real discord.py: what the other end-to-end tests stand on."""

from __future__ import annotations

import asyncio
import json
import logging
import zlib
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import aiohttp
import discord
import pytest
from discord.ext import commands

from tests.fakes.discord import CannotDo, FakeDiscord, perms
from tests.fakes.discord.journal import PATIENCE_S
from tests.fakes.discord.things import CATEGORY, FORUM, STAGE, VOICE

logging.getLogger("discord").setLevel(logging.CRITICAL)

INTENTS = discord.Intents.default()
INTENTS.message_content = True
INTENTS.members = True


class Recorder(commands.AutoShardedBot):
    """A bot that writes down what discord.py tells it."""

    def __init__(self, intents: discord.Intents = INTENTS, **options: Any) -> None:
        super().__init__("!", intents=intents, guild_ready_timeout=0.05, **options)
        self.heard: list[discord.Message] = []

    async def on_message(self, message: discord.Message) -> None:
        if message.author != self.user:
            self.heard.append(message)


@pytest.fixture
async def fake() -> AsyncIterator[FakeDiscord]:
    async with FakeDiscord() as made:
        yield made


async def caught_up(fake: FakeDiscord, bot: Recorder) -> None:
    """Return when the bot has seen everything dispatched so far (a DM is always readable)."""
    marker = f"caught up {len(fake.journal.lines)}"
    seen = asyncio.ensure_future(bot.wait_for("message", check=lambda m: m.content == marker))
    carol = fake.add_user("Carol")
    await fake.say(carol, fake.dm(carol), marker)
    bot.heard.remove(await asyncio.wait_for(seen, PATIENCE_S))


async def refusal(request: Awaitable[Any]) -> int:
    """Make a request that Discord refuses; returns the code of its error."""
    with pytest.raises(discord.HTTPException) as refused:
        await request
    return refused.value.code


# -- logging in -------------------------------------------------------------------------------


async def test_a_privileged_intent_that_is_off_closes_with_4014() -> None:
    async with FakeDiscord(message_content=False) as fake:
        fake.add_guild()
        with pytest.raises(discord.PrivilegedIntentsRequired):
            async with fake.running(Recorder()):
                pass
        assert fake.gateway.closed_with == [4014]
        assert fake.gateway.identifies == 0


# -- what the bot says ------------------------------------------------------------------------


@pytest.mark.parametrize("compression", ["", "&compress=zlib-stream"])
async def test_the_gateway_compresses_if_asked_and_reads_text_and_bytes(
    fake: FakeDiscord, compression: str
) -> None:
    """Found with hikari 2.7.0, which takes only what it asked for and sends JSON as bytes."""
    stream = zlib.decompressobj()
    fake.add_guild("Den")
    identify = {"token": fake.token, "intents": INTENTS.value}
    async with aiohttp.ClientSession() as session:
        url = f"{fake.gateway_url}?v=10&encoding=json{compression}"
        async with session.ws_connect(url) as socket:
            steps = ((None, ""), ({"op": 2, "d": identify}, "READY"), ({"op": 1}, ""))
            for asked, event in steps:
                if asked is not None:
                    await socket.send_bytes(json.dumps(asked).encode())
                frame = await socket.receive(PATIENCE_S)
                assert frame.type is (
                    aiohttp.WSMsgType.BINARY if compression else aiohttp.WSMsgType.TEXT
                )
                text = stream.decompress(frame.data) if compression else frame.data
                assert event in ("", json.loads(text)["t"])


async def test_limits_on_messages(fake: FakeDiscord) -> None:
    general = fake.add_guild().add_text_channel("general")
    bot = Recorder()
    async with fake.running(bot):
        channel = bot.get_channel(general.id)
        await channel.send("x" * 2000)
        for kwargs, code in (
            ({"content": "x" * 2001}, 50035),
            ({"content": "  "}, 50006),
            ({"embed": discord.Embed(description="x" * 4097)}, 50035),
            ({"content": "x", "reference": discord.PartialMessage(channel=channel, id=1)}, 50035),
        ):
            assert await refusal(channel.send(**kwargs)) == code
        assert [r.error for r in fake.requests[-4:]] == [50035, 50006, 50035, 50035]


def button(**fields: Any) -> list[dict[str, Any]]:
    made = {"type": 2, "style": 2, "label": "Go", "custom_id": "go", **fields}
    return [{"type": 1, "components": [made]}]


def select(**fields: Any) -> list[dict[str, Any]]:
    made = {"type": 3, "custom_id": "s", "options": [{"label": "A", "value": "a"}], **fields}
    return [{"type": 1, "components": [made]}]


REFUSED = (
    {"content": "\N{BUTTERFLY}" * 1001},
    {"components": button(custom_id=None)},
    {"components": button(style=5, url="https://kith.example")},
    {"components": button(style=5, custom_id=None, url="ftp://kith.example")},
    {"components": button(label="\N{BUTTERFLY}" * 41)},
    {"components": select(max_values=2)},
    {"components": select(min_values=2)},
    {"components": select(options=[{"label": "\N{BUTTERFLY}" * 51, "value": "a"}])},
    {"components": select(type=8, options=None, default_values=[{"id": "1"}, {"id": "2"}])},
)


async def test_what_discord_refuses_is_refused(fake: FakeDiscord) -> None:
    general = fake.add_guild().add_text_channel("general")
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=general.id)
    bot = Recorder()
    async with fake.running(bot):
        await bot.http.request(route, json={"content": "x", "components": button()})
        for body in REFUSED:
            request = bot.http.request(route, json={"content": "x", **body})
            assert await refusal(request) == 50035, body


async def test_pings_are_what_allowed_mentions_and_permissions_let_through(
    fake: FakeDiscord,
) -> None:
    guild = fake.add_guild()
    general, alice, bob = guild.add_text_channel("general"), *map(guild.add_member, ("A", "B"))
    role = guild.add_role("loud", mentionable=True)
    stranger = fake.add_user("Nobody")
    text = f"@everyone {alice.mention} {bob.mention} {role.mention} {stranger.mention} `<@1>`"
    bot = Recorder()
    async with fake.running(bot):
        channel = bot.get_channel(general.id)

        async def pings(**kwargs: Any) -> Any:
            sent = await channel.send(text, **kwargs)
            return fake.pings(general.messages[sent.id])

        everything = await pings()
        assert everything.everyone
        assert (everything.users, everything.roles) == ({alice.id, bob.id}, {role.id})
        assert not await pings(allowed_mentions=discord.AllowedMentions.none())
        only = discord.AllowedMentions(
            users=[discord.Object(bob.id)], everyone=False, roles=False, replied_user=False
        )
        assert (await pings(allowed_mentions=only)).users == {bob.id}
        await fake.set_overwrite(general, guild.everyone, deny=perms("mention_everyone"))
        role.mentionable = False
        quiet = await pings()
        assert not quiet.everyone
        assert not quiet.roles


async def test_permissions_are_enforced_where_discord_enforces_them(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
    hidden = guild.add_text_channel("hidden", private=True)
    bot = Recorder()
    async with fake.running(bot):
        said = await fake.say(alice, general, "mine")
        channel, me = bot.get_channel(general.id), guild.me
        theirs = await channel.fetch_message(said.id)
        assert await refusal(theirs.delete()) == 50013
        assert await refusal(theirs.edit(content="yours")) == 50005
        assert await refusal(bot.get_channel(hidden.id).send("let me in")) == 50001
        await fake.set_overwrite(general, me, deny=perms("read_message_history"))
        assert await refusal(theirs.reply("?")) == 160002
        assert [m async for m in channel.history()] == []
        await fake.set_overwrite(general, me, deny=perms("send_messages", "add_reactions"))
        typing = bot.http.send_typing(channel.id)
        for request in (channel.send("?"), theirs.add_reaction("👍"), typing):
            assert await refusal(request) == 50013
        await fake.set_overwrite(general, me, allow=perms("manage_messages"))
        await theirs.delete()
        assert said.deleted
        with pytest.raises(CannotDo):
            await fake.say(alice, hidden, "me neither")


async def test_a_channel_that_the_bot_cannot_view_is_obfuscated(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    category = guild.add_channel("staff", CATEGORY)
    hidden = guild.add_channel("club", parent=category)
    category.overwrite(guild.everyone, deny=perms("view_channel"))
    bot = Recorder()
    async with fake.running(bot):
        seen = bot.get_guild(guild.id)

        def names() -> list[str]:
            return [channel.name for channel in seen.channels]

        assert names() == ["___hidden___"] * 2
        shown = seen.get_channel(hidden.id)
        assert [entry.id for entry in shown._overwrites] == [guild.id]
        assert await seen.fetch_channels() == []
        hidden.overwrite(guild.bot_role, allow=perms("view_channel"))
        await caught_up(fake, bot)
        assert names() == ["staff", "club"]
        hidden.overwrite(guild.bot_role)
        await caught_up(fake, bot)
        assert names() == ["___hidden___"] * 2
        await fake.set_role_permissions(guild.bot_role, perms("administrator"))
        await caught_up(fake, bot)
        assert names() == ["staff", "club"]


async def test_in_a_locked_thread_only_moderators_write_and_edit(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    thread = guild.add_text_channel("general").add_thread("talk")
    bot = Recorder()
    async with fake.running(bot):
        said = await bot.get_guild(guild.id).get_thread(thread.id).send("mine")
        await fake.archive_thread(thread, archived=False, locked=True)
        for request in (said.channel.send("more"), said.edit(content="other")):
            assert await refusal(request) == 160005
        await said.add_reaction("\N{EYES}")
        await said.delete()


async def test_a_system_message_is_not_replied_to_and_a_forum_may_want_a_tag(
    fake: FakeDiscord,
) -> None:
    guild = fake.add_guild()
    general, forum = guild.add_text_channel("general"), guild.add_channel("forum", FORUM)
    forum.tags, forum.requires_tag = {11: "news"}, True
    bot = Recorder()
    async with fake.running(bot):
        joined = await fake.say(guild.owner, general, shown={"type": 7})
        message = await bot.get_channel(general.id).fetch_message(joined.id)
        assert await refusal(message.reply("welcome")) == 50035
        seen = bot.get_channel(forum.id)
        assert seen.flags.require_tag
        assert await refusal(seen.create_thread(name="news", content="hello")) == 40067
        await seen.create_thread(name="news", content="hello", applied_tags=seen.available_tags)
        (post,) = guild.threads
        assert post.tags == {11: "news"}


async def test_a_private_thread_is_closed_to_those_outside(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, alice, bob = guild.add_text_channel("general"), *map(guild.add_member, ("A", "B"))
    thread = general.add_thread("club", owner=alice, private=True)
    bot = Recorder()
    async with fake.running(bot):
        await fake.say(alice, thread, "<@bot> can you see this?")
        await caught_up(fake, bot)
        assert bot.heard == []
        with pytest.raises(CannotDo):
            await fake.say(bob, thread, "nor I")


# -- channels of every kind -------------------------------------------------------------------


async def test_without_connect_the_chat_of_a_voice_channel_is_closed(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    alice = guild.add_member("Alice")
    bot = Recorder()
    async with fake.running(bot):
        for kind in (VOICE, STAGE):
            place = guild.add_channel("talk", kind)
            await fake.say(alice, place, "heard")
            await caught_up(fake, bot)
            assert bot.heard.pop().content == "heard"
            seen = bot.get_guild(guild.id).get_channel(place.id)
            assert [message.content async for message in seen.history()] == ["heard"]
            place.overwrite(guild.everyone, deny=perms("connect"))
            place.overwrite(alice, allow=perms("connect"))
            await fake.say(alice, place, "unheard")
            await caught_up(fake, bot)
            assert not bot.heard
            assert (
                await refusal(anext(seen.history())) == await refusal(seen.send("hello")) == 50001
            )
            with pytest.raises(CannotDo):
                await fake.say(guild.add_member("Bob"), place, "I only see it")
            with pytest.raises(CannotDo):
                place.add_thread("there are none")
