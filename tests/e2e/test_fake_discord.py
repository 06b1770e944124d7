"""The loopback Discord against the real discord.py: what the other end-to-end tests stand on."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands
from discord.ext import commands

from tests.fakes.discord import CannotDo, FakeDiscord, FakeTimeout, perms
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
        self.events: list[str] = []

    async def setup_hook(self) -> None:
        if self.tree.get_commands():
            await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        if message.author != self.user:
            self.heard.append(message)

    async def on_member_remove(self, member: discord.Member) -> None:
        self.events.append(f"left {member.name}")


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


# -- logging in -------------------------------------------------------------------------------


async def test_a_privileged_intent_that_is_off_closes_with_4014() -> None:
    async with FakeDiscord(message_content=False) as fake:
        fake.add_guild()
        with pytest.raises(discord.PrivilegedIntentsRequired):
            async with fake.running(Recorder()):
                pass
        assert fake.gateway.closed_with == [4014]
        assert fake.gateway.identifies == 0


async def test_each_shard_gets_its_own_servers_and_the_first_the_direct_messages() -> None:
    async with FakeDiscord(advised_shards=2) as fake:
        guilds = [fake.add_guild(f"G{shard}", shard=(shard, 2)) for shard in (0, 1)]
        channels = [guild.add_text_channel("general") for guild in guilds]
        alice = guilds[0].add_member("Alice")
        guilds[1].add_member(alice)
        bot = Recorder()
        async with fake.running(bot):
            assert bot.shard_count == 2
            assert {guild.shard_id for guild in bot.guilds} == {0, 1}
            for place, text in (
                (channels[0], "zero"),
                (channels[1], "one"),
                (fake.dm(alice), "dm"),
            ):
                hearing = asyncio.ensure_future(bot.wait_for("message", timeout=PATIENCE_S))
                await fake.say(alice, place, text)
                assert (await hearing).content == text
        await fake.wait_until(lambda: not fake.gateway.sessions, "the end of both sessions")


# -- message content --------------------------------------------------------------------------


async def test_without_the_intent_content_is_hidden_but_not_mentions_and_dms() -> None:
    intents = discord.Intents.default()
    async with FakeDiscord(message_content=False, members=False) as fake:
        guild = fake.add_guild()
        general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
        bot = Recorder(intents)
        async with fake.running(bot):
            secret = await fake.say(alice, general, "secret", files=[("a.txt", b"x")])
            await fake.say(alice, general, "<@bot> hear this", reply_to=secret)
            await fake.say(alice, fake.dm(alice), "in private")
            await caught_up(fake, bot)
            hidden, mention, private = bot.heard
            assert (hidden.content, hidden.attachments, hidden.author.name) == ("", [], "alice")
            assert mention.content == f"<@{bot.user.id}> hear this"
            assert mention.reference is not None
            assert mention.reference.resolved.content == ""
            assert private.content == "in private"
            seen = bot.get_channel(general.id)
            mine = await seen.send("my own words")
            history = [m.content async for m in seen.history(limit=10)]
            assert history == ["my own words", f"<@{bot.user.id}> hear this", ""]
            assert (await seen.fetch_message(secret.id)).content == ""
            reply = await fake.say(alice, general, "thanks", reply_to=fake.messages(general)[-1])
            await caught_up(fake, bot)
            assert mine.id == reply.reply_to_id
            assert bot.heard[-1].content == "thanks"
            quiet = await fake.say(
                alice, general, "no ping", reply_to=fake.messages(general)[-2], ping_reply=False
            )
            await caught_up(fake, bot)
            assert bot.heard[-1].id == quiet.id
            assert bot.heard[-1].content == ""
            assert bot.heard[-1].reference.resolved.content == "my own words"


# -- what the bot says ------------------------------------------------------------------------


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
            with pytest.raises(discord.HTTPException) as refused:
                await channel.send(**kwargs)
            assert (refused.value.status, refused.value.code) == (400, code)
        assert [r.error for r in fake.requests[-4:]] == [50035, 50006, 50035, 50035]


async def test_a_rate_limit_is_waited_out(fake: FakeDiscord) -> None:
    general = fake.add_guild().add_text_channel("general")
    bot = Recorder()
    async with fake.running(bot):
        fake.rate_limit("POST", "/channels/*/messages", times=2)
        await bot.get_channel(general.id).send("patience")
        posted = fake.requests_to("POST", "/channels/{channel_id}/messages")
        assert [r.status for r in posted] == [429, 429, 200]
        fake.rate_limit("POST", "/channels/*/messages", via=False)
        with pytest.raises(discord.HTTPException) as refused:
            await bot.get_channel(general.id).send("banned by the proxy")
        assert refused.value.status == 429


async def test_a_bucket_is_counted_in_headers_and_its_end_is_waited_for(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, other = guild.add_text_channel("general"), guild.add_text_channel("other")
    bot = Recorder()
    async with fake.running(bot):
        fake.buckets.pace = 0.1
        for number in range(6):
            await bot.get_channel(general.id).send(str(number))
        await bot.get_channel(other.id).send("a channel of its own")
        posted = fake.requests_to("POST", "/channels/{channel_id}/messages")
        assert [r.status for r in posted] == [200] * 7  # discord.py waited; it was told in time
        assert posted[5].at_s - posted[0].at_s >= 0.5
        fake.buckets.exhaust("POST", "/channels/{channel_id}/messages", other.id)
        await bot.get_channel(other.id).send("late")
        posted = fake.requests_to("POST", "/channels/{channel_id}/messages")
        assert [r.status for r in posted[7:]] == [429, 200]
        assert [m.content for m in fake.messages(other)] == ["a channel of its own", "late"]


async def test_a_429_says_when_and_why(fake: FakeDiscord) -> None:
    general = fake.add_guild().add_text_channel("general")
    route = "/channels/{channel_id}/messages"
    fake.buckets.pace = 1.0
    fake.buckets.exhaust("POST", route, general.id)
    headers = {"Authorization": f"Bot {fake.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(
            f"{fake.api_url}/channels/{general.id}/messages", json={"content": "hi"}
        ) as answer,
    ):
        assert answer.status == 429
        assert answer.headers["X-RateLimit-Remaining"] == "0"
        assert answer.headers["X-RateLimit-Limit"] == "5"
        assert answer.headers["X-RateLimit-Scope"] == "user"
        assert 1 <= int(answer.headers["Retry-After"]) <= 5
        assert 0 < (await answer.json())["retry_after"] <= 5
    assert fake.messages(general) == []


async def test_old_messages_may_be_edited_so_often_an_hour(fake: FakeDiscord) -> None:
    general = fake.add_guild().add_text_channel("general")
    bot = Recorder(max_ratelimit_timeout=30.0)
    async with fake.running(bot):
        fake.buckets.old_edits_an_hour = 2
        sent = await bot.get_channel(general.id).send("0")
        for number in range(3):  # it is new
            await sent.edit(content=f"new {number}")
        fake.advance(3601)
        await sent.edit(content="old 1")
        await sent.edit(content="old 2")
        with pytest.raises(discord.RateLimited) as refused:
            await sent.edit(content="old 3")
        assert refused.value.retry_after == pytest.approx(3600, abs=60)
        assert fake.requests[-1].error == 30046
        fake.advance(3601)
        await sent.edit(content="old 4")
        assert fake.messages(general)[0].content == "old 4"


async def test_automod_blocks_words_of_everybody_who_does_not_manage_the_server(
    fake: FakeDiscord,
) -> None:
    guild = fake.add_guild()
    guild.blocked_words = {"banana"}
    general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
    bot = Recorder()
    async with fake.running(bot):
        channel = bot.get_channel(general.id)
        with pytest.raises(discord.HTTPException) as refused:
            await channel.send("one Banana")
        assert (refused.value.status, refused.value.code) == (400, 200000)
        sent = await channel.send("one apple")
        with pytest.raises(discord.HTTPException):
            await sent.edit(content="two bananas")
        with pytest.raises(CannotDo):
            await fake.say(alice, general, "three bananas")
        await fake.say(guild.owner, general, "four bananas")
        assert [m.content for m in fake.messages(general)] == ["one apple", "four bananas"]


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
        assert everything.users == {alice.id, bob.id}
        assert everything.roles == {role.id}
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
        with pytest.raises(discord.Forbidden) as refused:
            await theirs.delete()
        assert refused.value.code == 50013
        with pytest.raises(discord.Forbidden) as refused:
            await theirs.edit(content="yours")
        assert refused.value.code == 50005
        with pytest.raises(discord.Forbidden) as refused:
            await bot.get_channel(hidden.id).send("let me in")
        assert refused.value.code == 50001
        await fake.set_overwrite(general, me, deny=perms("read_message_history"))
        with pytest.raises(discord.Forbidden) as refused:
            await theirs.reply("?")
        assert refused.value.code == 160002
        assert [m async for m in channel.history()] == []
        await fake.set_overwrite(general, me, deny=perms("send_messages", "add_reactions"))
        typing = bot.http.send_typing(channel.id)
        for coroutine in (channel.send("?"), theirs.add_reaction("👍"), typing):
            with pytest.raises(discord.Forbidden) as refused:
                await coroutine
            assert refused.value.code == 50013
        await fake.set_overwrite(general, me, allow=perms("manage_messages"))
        await theirs.delete()
        assert said.deleted
        with pytest.raises(CannotDo):
            await fake.say(alice, hidden, "me neither")


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


async def test_timeouts_respect_rank_and_last_at_most_28_days(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
    bot = Recorder()
    async with fake.running(bot):
        member = bot.get_guild(guild.id).get_member(alice.id)
        with pytest.raises(discord.Forbidden):
            await member.timeout(dt.timedelta(minutes=5))
        more = guild.bot_role.permissions | perms("moderate_members")
        await fake.set_role_permissions(guild.bot_role, more)
        with pytest.raises(discord.HTTPException) as refused:
            await member.timeout(dt.timedelta(days=29))
        assert refused.value.code == 50035
        await member.timeout(dt.timedelta(minutes=5), reason="calm down")
        assert fake.requests[-1].reason == "calm down"
        said = await fake.say(guild.owner, general, "enough")
        with pytest.raises(CannotDo):
            await fake.say(alice, general, "but")
        with pytest.raises(CannotDo):
            await fake.react(alice, said, "😡")
        fake.advance(301)
        await fake.react(alice, said, "🙂")
        await fake.say(alice, general, "back")
        boss = guild.add_member("Boss", roles=[guild.add_role("boss")])
        await caught_up(fake, bot)
        for target in (boss, guild.owner):
            with pytest.raises(discord.Forbidden):
                await bot.get_guild(guild.id).get_member(target.id).timeout(dt.timedelta(1))


async def test_without_the_members_intent_leaving_is_unseen() -> None:
    async with FakeDiscord(members=False) as fake:
        alice = fake.add_guild().add_member("Alice")
        intents = discord.Intents.default()
        bot = Recorder(intents)
        async with fake.running(bot):
            await fake.leave(alice)
            await caught_up(fake, bot)
            assert bot.events == []


# -- waiting ----------------------------------------------------------------------------------


async def test_a_wait_that_fails_tells_what_happened(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
    await fake.say(alice, general, "anybody?")
    with pytest.raises(FakeTimeout, match="message in #general by alice: 'anybody\\?'"):
        await fake.wait_message(general, timeout=0.01)


# -- interactions -----------------------------------------------------------------------------


class Naming(discord.ui.Modal, title="A name"):
    word = discord.ui.TextInput[Any](label="Name", max_length=10)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"named {self.word.value}", ephemeral=True)


class Buttons(discord.ui.View):
    @discord.ui.button(label="Rename")
    async def rename(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.send_modal(Naming())

    @discord.ui.button(label="Done", custom_id="done")
    async def done(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.edit_message(content="all done", view=None)

    @discord.ui.select(placeholder="Pick", options=[discord.SelectOption(label="One", value="1")])
    async def pick(self, interaction: discord.Interaction, chosen: Any) -> None:
        await interaction.response.send_message(f"picked {chosen.values[0]}")

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Who")
    async def who(self, interaction: discord.Interaction, chosen: Any) -> None:
        await interaction.response.send_message(f"chose {chosen.values[0].name}")


class Late:
    """What the commands below need from their test."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.error: Exception | None = None


def speaking(late: Late) -> Recorder:
    bot = Recorder()
    memory = app_commands.Group(name="memory", description="What I remember")

    @memory.command(name="show", description="Show memories")
    async def show(
        interaction: discord.Interaction, topic: str, page: app_commands.Range[int, 1, 9] = 1
    ) -> None:
        text = f"{interaction.user.display_name}: {topic} p{page}"
        await interaction.response.send_message(text, ephemeral=True, view=Buttons())

    @show.autocomplete("topic")
    async def topics(
        interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        words = ["games", "gardens", "music"]
        return [app_commands.Choice(name=w, value=w) for w in words if w.startswith(typed)]

    @bot.tree.command(description="Think first")
    async def think(interaction: discord.Interaction, about: discord.Member) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send(f"thought about {about.mention}")
        await interaction.followup.send("and more", ephemeral=True)
        await interaction.edit_original_response(content="on second thought")

    @bot.tree.command(description="Too late")
    async def slow(interaction: discord.Interaction) -> None:
        await late.go.wait()
        try:
            await interaction.response.send_message("sorry")
        except discord.NotFound as error:
            late.error = error
            raise

    @bot.tree.command(description="For moderators")
    @app_commands.default_permissions(moderate_members=True)
    @app_commands.guild_only()
    async def mod(interaction: discord.Interaction) -> None:
        assert interaction.permissions.moderate_members
        await interaction.response.send_message("yes, moderator", view=Buttons())

    bot.tree.add_command(memory)

    async def on_error(interaction: discord.Interaction, error: Exception) -> None:
        pass

    bot.tree.on_error = on_error
    return bot


async def test_a_slash_command_with_group_autocomplete_and_ephemeral_answer(
    fake: FakeDiscord,
) -> None:
    guild = fake.add_guild()
    general, alice = guild.add_text_channel("general"), guild.add_member("Alice", nick="Ally")
    async with fake.running(speaking(Late())):
        assert fake.command_syncs == [None]
        choices = await fake.autocomplete(alice, general, "memory show", "topic", "ga")
        assert [choice["value"] for choice in choices] == ["games", "gardens"]
        used = await fake.slash(alice, general, "memory show", {"topic": "games", "page": 2})
        shown = await used.response()
        assert (shown.content, shown.ephemeral) == ("Ally: games p2", True)
        assert fake.messages(general) == []
        for words, options in (
            ("memory show", {"page": 1}),
            ("memory show", {"topic": "x", "page": 10}),
            ("memory show", {"topic": "x", "pages": 1}),
            ("memory", {}),
            ("mod", {}),
            ("nothing", {}),
        ):
            with pytest.raises(CannotDo):
                await fake.slash(alice, general, words, options)


async def test_buttons_selects_and_modals(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, owner = guild.add_text_channel("general"), guild.owner
    alice = guild.add_member("Alice")
    async with fake.running(speaking(Late())):
        used = await fake.slash(alice, general, "memory show", {"topic": "games"})
        private = await used.reply()
        with pytest.raises(CannotDo):
            await fake.click(owner, private, "Rename")
        form = await (await fake.click(alice, private, "Rename")).modal()
        assert form.title == "A name"
        with pytest.raises(CannotDo):
            await form.submit({"Name": "x" * 11})
        named = await (await form.submit({"Name": "Rex"})).reply()
        assert named.content == "named Rex"
        assert named.ephemeral
        done = await fake.click(alice, private, "done")
        assert (await done.edited()).content == "all done"
        assert private.components == []

        public = await (await fake.slash(owner, general, "mod")).reply()
        assert public in fake.messages(general)
        picked = await (await fake.select(alice, public, ["One"], "Pick")).reply()
        assert picked.content == "picked 1"
        chosen = await (await fake.select(alice, public, [owner], "Who")).reply()
        assert chosen.content == "chose den_owner"
        assert chosen.reply_to is public


async def test_a_deferred_answer_its_follow_ups_and_edits(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
    bot = speaking(Late())
    async with fake.running(bot):
        used = await fake.slash(alice, general, "think", {"about": alice})
        first = await used.response()
        assert first.deferred
        assert first.ephemeral
        assert (await used.followup()).content == "and more"
        edited = await used.edited()
        assert edited.content == "on second thought"
        assert edited.edits == [f"thought about {alice.mention}"]
        assert not fake.pings(edited)
        used.expire_token()
        webhook = discord.Webhook.partial(
            fake.application_id, used.token, session=bot.http._HTTPClient__session
        )
        with pytest.raises(discord.HTTPException) as refused:
            await webhook.send("too late")
        assert (refused.value.status, refused.value.code) == (401, 50027)


async def test_a_late_answer_and_a_second_one_are_refused(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
    late = Late()
    bot = speaking(late)
    async with fake.running(bot):
        used = await fake.slash(alice, general, "slow")
        fake.advance(3.5)
        late.go.set()
        await fake.wait_until(lambda: used.refused, "the refusal")
        assert used.refused == [10062]
        in_time = await fake.slash(alice, general, "slow")
        await in_time.response()
        adapter = discord.webhook.async_.async_context.get()
        with pytest.raises(discord.HTTPException) as refused:
            await adapter.create_interaction_response(
                in_time.id,
                in_time.token,
                session=bot.http._HTTPClient__session,
                params=discord.webhook.async_.interaction_response_params(5),
            )
        assert (refused.value.status, refused.value.code) == (400, 40060)


# -- edits ------------------------------------------------------------------------------------


async def test_an_edit_can_name_the_bot_but_pings_nobody() -> None:
    async with FakeDiscord(message_content=False, members=False) as fake:
        guild = fake.add_guild()
        general, alice = guild.add_text_channel("general"), guild.add_member("Alice")
        bot = Recorder(discord.Intents.default())
        async with fake.running(bot):
            said = await fake.say(alice, general, "nothing")
            edit = asyncio.ensure_future(bot.wait_for("raw_message_edit", timeout=PATIENCE_S))
            await fake.edit(said, "<@bot> look")
            assert (await edit).message.content == f"<@{fake.bot_user.id}> look"
            assert not fake.pings(said)


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
            with pytest.raises(discord.Forbidden):
                [message async for message in seen.history()]
            with pytest.raises(discord.Forbidden):
                await seen.send("hello")
            with pytest.raises(CannotDo):
                await fake.say(guild.add_member("Bob"), place, "I only see it")
            with pytest.raises(CannotDo):
                place.add_thread("there are none")


async def test_a_forum_holds_posts_and_has_no_chat(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    alice, bot = guild.add_member("Alice"), Recorder()
    async with fake.running(bot):
        forum = guild.add_channel("questions", FORUM)
        post, first = await fake.open_post(alice, forum, "Help", "How?")
        await caught_up(fake, bot)
        assert first.id == post.id
        assert [(message.content, message.channel.id) for message in bot.heard] == [
            ("How?", post.id)
        ]
        seen = bot.get_guild(guild.id).get_thread(post.id)
        assert isinstance(seen.parent, discord.ForumChannel)
        await seen.send("Thus.")
        with pytest.raises(CannotDo):
            await fake.say(alice, forum, "a forum has no chat")
        with pytest.raises(CannotDo):
            forum.add_thread("whisper", private=True)
        await fake.set_overwrite(forum, guild.everyone, deny=perms("send_messages"))
        with pytest.raises(CannotDo):
            await fake.open_post(alice, forum, "Help", "And now?")


async def test_a_categorys_permissions_go_to_the_channels_synced_with_it(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    crew = guild.add_role("Crew")
    category = guild.add_channel("club", CATEGORY)
    await fake.set_overwrite(category, guild.everyone, deny=perms("view_channel"))
    synced, own = (guild.add_text_channel(name, parent=category) for name in ("synced", "own"))
    elsewhere = guild.add_text_channel("elsewhere")
    bot = Recorder()
    async with fake.running(bot):
        await fake.set_overwrite(own, crew, allow=perms("view_channel"))
        await fake.set_overwrite(category, crew, allow=perms("add_reactions"))
        elsewhere.move(category)
        await caught_up(fake, bot)
        assert (synced.is_synced, own.is_synced, elsewhere.is_synced) == (True, False, False)
        seen = {channel.name: channel for channel in bot.get_guild(guild.id).text_channels}
        assert seen["synced"].permissions_synced
        assert not seen["own"].permissions_synced
        assert seen["elsewhere"].overwrites == {}
        elsewhere.move(category, sync=True)
        await caught_up(fake, bot)
        assert seen["elsewhere"].permissions_synced
        assert seen["elsewhere"].category.name == "club"


async def test_roles_of_bots_and_of_boosters_are_marked(fake: FakeDiscord) -> None:
    guild = fake.add_guild()
    music = guild.add_bot("Music", perms("view_channel"))
    boosters = guild.add_role("Booster")
    boosters.managed = boosters.is_booster = True
    guild.add_text_channel("adults").restrict_age()
    bot = Recorder()
    async with fake.running(bot):
        seen = bot.get_guild(guild.id)
        tags = {role.name: role.tags for role in seen.roles if role.tags is not None}
        assert tags["Music"].bot_id == music.id
        assert tags["Kith"].bot_id == bot.user.id
        assert tags["Booster"].is_premium_subscriber()
        assert not tags["Music"].is_premium_subscriber()
        assert [channel.is_nsfw() for channel in seen.text_channels] == [True]
