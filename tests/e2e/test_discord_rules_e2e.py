"""What Discord refuses, hides or leaves out: people are told, or Kith does it in another way."""

import logging
from datetime import timedelta

import pytest

from cogs.bot.client import _names_of
from cogs.chat.question_queue import MUTED
from cogs.chat.reply_sender import MAX_RETRY_AFTER_S
from tests.e2e.den import Den
from tests.e2e.test_broken_answers_e2e import taken_over
from tests.e2e.test_commands_e2e import choices, use
from tests.e2e.test_reminders_e2e import delivered, reminders
from tests.fakes.discord import Channel, Member, perms
from tests.fakes.discord.things import FORUM, STAGE, VOICE
from utils.database.erasure import confidences

VIEW = perms("view_channel")
MESSAGES = "/channels/*/messages"


async def watch(den: Den, channel: Channel) -> str:
    return (await use(den, den.moderator, "mod watch add", channel=channel)).content


# --- channels that Kith cannot view -------------------------------------------------------------


async def hidden_club(kith: Den) -> tuple[Channel, Member]:
    """Return a channel that Alice and administrators view, and Kith does not; and such a person.

    Kith knows something from a channel that only moderators read.
    """
    (steers,) = kith.moderator.roles
    ruth = kith.guild.add_member(
        "Ruth", roles=[kith.guild.add_role("Boss", perms("administrator"))]
    )
    staff = kith.guild.add_text_channel("staff", private=True)
    for role in (kith.guild.bot_role, steers):
        await kith.fake.set_overwrite(staff, role, allow=VIEW)
    club = kith.guild.add_text_channel("chess club", private=True)
    await kith.fake.set_overwrite(club, kith.alice, allow=VIEW)
    await kith.teach(kith.moderator, "I own a yacht called Nemesis", staff)
    return club, ruth


async def test_where_kith_cannot_view_who_reads_it_answers_nothing_for_all_to_read(
    kith: Den,
) -> None:
    club, ruth = await hidden_club(kith)
    asked = {"question": "what does Mia own?", "public": True}
    for who in (ruth, kith.alice):
        told = await (await kith.fake.slash(who, club, "ask", asked)).reply()
        assert told.ephemeral
        assert told.content.startswith("I can't view this channel")
    channel = kith.client.get_channel(club.id)
    settings = await kith.app.guilds.settings.get(kith.guild.id)
    assert kith.client.audiences.of(channel, settings).sources == frozenset()
    answered = await kith.fake.slash(ruth, club, "ask", {"question": "what does Mia own?"})
    assert (await answered.reply()).ephemeral
    assert "yacht called Nemesis" in kith.last_words()  # only an administrator reads it


async def test_a_channel_that_kith_comes_to_view_is_known_from_then_on(kith: Den) -> None:
    club, _ = await hidden_club(kith)
    link = f"what is <#{club.id}> about?"
    await kith.talk(kith.alice, link)
    assert "what is #unknown channel about?" in kith.last_words()
    await kith.fake.set_role_permissions(kith.guild.bot_role, perms("administrator"))
    await kith.calm()
    await kith.talk(kith.alice, link)
    assert "what is #chess club about?" in kith.last_words()
    await kith.talk(kith.alice, "what does Mia own?", club)
    assert "Nemesis" not in kith.last_words()


# --- threads and kinds of channels --------------------------------------------------------------


async def test_in_a_locked_thread_kith_marks_what_it_may_not_answer(kith: Den) -> None:
    thread = kith.general.add_thread("t", owner=kith.moderator)
    said = await kith.teach(kith.guild.owner, "I own a yacht")
    prompts = kith.prompts()
    await kith.fake.archive_thread(thread, archived=False, locked=True)
    asked = await kith.say(kith.guild.owner, "don't tell anyone about my yacht", thread)
    await kith.fake.wait_reaction(asked, MUTED)
    assert await kith.stays_silent(asked)
    assert kith.prompts() == prompts
    assert await kith.app.database.read(confidences.marked, kith.guild.id, [said.id]) == [said.id]
    assert (await use(kith, kith.alice, "ask", question="hello?")).ephemeral
    command = await kith.fake.slash(kith.alice, thread, "ask", {"question": "?", "public": True})
    assert "where you can write" in (await command.reply()).content
    await kith.fake.archive_thread(thread, archived=False, locked=False)
    await kith.calm()
    assert (await kith.talk(kith.moderator, "and now?", thread)).content


@pytest.mark.parametrize(("code", "status"), [(160005, 400), (50083, 403)])
async def test_nothing_is_said_after_an_answer_that_a_closed_thread_refused(
    kith: Den, code: int, status: int
) -> None:
    thread = kith.general.add_thread("t", owner=kith.alice)
    await kith.calm()
    kith.fake.fail("POST", MESSAGES, code=code, status=status)
    asked = await kith.say(kith.alice, "hello?", thread)
    await kith.calm()
    assert kith.fake.messages(thread, author=kith.fake.bot_user) == []
    assert asked.reactions == {}


async def test_a_forum_that_wants_a_tag_of_every_post_can_be_watched(kith: Den) -> None:
    forum = kith.guild.add_channel("questions", FORUM)
    forum.tags, forum.requires_tag = {11: "for moderators", 12: "news"}, True
    forum.moderated_tags = {11}
    kith.fake.world.announce("CHANNEL_UPDATE", forum)
    await kith.calm()
    assert "are now watched" in await watch(kith, forum)
    (post,) = [thread for thread in kith.guild.threads if thread.parent is forum]
    assert post.tags == {12: "news"}


async def test_a_stage_is_watched_and_has_reports_as_other_channels(kith: Den) -> None:
    stage = kith.guild.add_channel("stage", STAGE)
    await kith.calm()
    assert "are now watched" in await watch(kith, stage)
    (notice,) = kith.fake.messages(stage)
    assert "This channel is watched" in notice.content
    told = await use(kith, kith.moderator, "mod tension show", channel=stage)
    assert "No message was scored" in told.content


@pytest.mark.parametrize("kind", [VOICE, STAGE])
async def test_that_connect_is_missing_in_a_voice_channel_is_said(kith: Den, kind: int) -> None:
    chat = kith.guild.add_channel("talk", kind)
    await kith.fake.set_overwrite(chat, kith.guild.everyone, deny=perms("connect"))
    await kith.calm()
    assert "in a voice channel *Connect* too" in await watch(kith, chat)
    assert kith.fake.messages(chat) == []


# --- refused requests ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "words"), [(240000, "Discord blocks a link"), (50035, "Something went wrong")]
)
async def test_a_text_that_discord_refuses_is_replaced_by_a_sentence_for_good(
    kith: Den, code: int, words: str
) -> None:
    times = 2 if code == 50035 else 1  # a reply is sent again as a message of its own
    kith.fake.fail("POST", MESSAGES, code=code, status=400, times=times)
    asked = await kith.say(kith.alice, "where can I read more?")
    assert (await kith.answer_to(asked)).content.startswith(words)
    await taken_over(kith)
    texts = [prompt["messages"][-1]["content"] for prompt in kith.prompts()]
    assert len([text for text in texts if "where can I read more?" in text]) == 1


async def test_a_limit_that_is_not_discords_own_is_waited_for(kith: Den) -> None:
    kith.fake.rate_limit("POST", MESSAGES, via=False, retry_after=0.01)
    assert (await kith.talk(kith.alice, "hello?")).content
    assert len(kith.prompts()) == 1
    kith.fake.rate_limit("POST", MESSAGES, times=9, via=False, retry_after=MAX_RETRY_AFTER_S + 1)
    assert await kith.stays_silent(await kith.say(kith.alice, "and now?"))
    refused = kith.fake.requests_to("POST", "/channels/{channel_id}/messages")
    assert [request.status for request in refused].count(429) == 2


async def test_a_command_says_that_discord_limits_it(kith: Den) -> None:
    kith.fake.rate_limit("PATCH", "/webhooks/*", via=False, retry_after=0.01)
    kith.fake.rate_limit("POST", "/webhooks/*", via=False, retry_after=0.01)
    told = await use(kith, kith.alice, "memory consent")
    assert told.content.startswith("Discord did not answer me just now")


async def test_a_reminder_that_automod_blocks_here_comes_by_direct_message(own_kith: Den) -> None:
    wish = {"when": "in 20 minutes", "text": "buy a banana", "where": "here"}
    await use(own_kith, own_kith.alice, "remind me", **wish)
    own_kith.guild.blocked_words = {"banana"}
    own_kith.clock.pass_time(21 * 60)
    await delivered(own_kith)
    assert reminders(own_kith, own_kith.general) == []
    (sent,) = reminders(own_kith, own_kith.dm(own_kith.alice))
    assert "buy a banana" in sent.content


# --- what Discord leaves out --------------------------------------------------------------------


async def test_an_answer_is_deleted_even_if_discord_leaves_out_whose_message_got_the_reaction(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = kith.guild.bot_role.permissions | perms("manage_messages")
    await kith.fake.set_role_permissions(kith.guild.bot_role, everything)
    answer = await kith.talk(kith.alice, "hello")
    own = await kith.fake.say(kith.alice, kith.general, "mine")
    monkeypatch.setattr(kith.fake.world, "sends_least", True)
    for message in (own, answer):
        await kith.fake.react(kith.moderator, message, "❌")
    await kith.fake.wait_deleted(answer)
    await kith.calm()
    assert not own.deleted


async def test_a_command_works_in_a_known_server_though_discord_names_no_installation(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kith.teach(kith.alice, "I have a cat")
    monkeypatch.setattr(kith.fake.world, "sends_least", True)
    used = await kith.fake.slash(kith.alice, kith.general, "memory show")
    shown = await used.reply()
    assert "has a cat" in str(shown.embeds[0]["description"])


async def test_what_discord_calls_optional_is_not_needed(den: Den, caplog) -> None:
    den.fake.world.sends_least = True
    rooms = [den.general, den.guild.add_channel("voice", VOICE), den.general.add_thread("plans")]
    async with den.awake():
        rooms.append(den.general.add_thread("later"))
        den.client.get_guild(den.guild.id)._threads.pop(rooms[2].id)
        for room in rooms:
            await den.talk(den.alice, f"hi {den.bob.mention}", room)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_machine_whose_clock_is_wrong_is_named_once(own_kith: Den, caplog) -> None:
    own_kith.clock.pass_time(timedelta(hours=36).total_seconds())
    with caplog.at_level(logging.WARNING, "cogs.bot.client"):
        for text in ("hello", "hello again"):
            await own_kith.talk(own_kith.alice, text)
        await own_kith.calm()
    (warning,) = [record.getMessage() for record in caplog.records if "clock" in record.msg]
    assert warning.startswith("this machine's clock is 36.0 hours ahead of Discord's")


async def test_an_edit_of_which_discord_sends_a_part_is_read(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await kith.teach(kith.alice, "I have a cat")
    monkeypatch.setattr(kith.fake.world, "updates_in_part", True)
    await kith.fake.edit(asked, "<@bot> I have a dog")
    one = "/channels/{channel_id}/messages/{message_id}"
    await kith.fake.wait_request("GET", one, status=200)
    await kith.calm()
    assert await kith.learnt_of(kith.alice) == ["has a dog"]
    preview = {"id": str(asked.id), "channel_id": str(kith.general.id), "embeds": []}
    kith.client._on_message_update(preview)
    assert kith.client._fetching == set()


async def test_commands_that_are_gone_from_discord_are_sent_again(den: Den) -> None:
    async with den.awake():
        pass
    den.fake.commands.by_scope.clear()
    for _ in range(2):
        async with den.awake():
            offered = await choices(den, den.alice, "kith timezone", "name", "Berlin")
            assert "Europe/Berlin" in str(offered)
    assert den.fake.command_syncs == [None, None]
    assert _names_of([{"name": "ask"}]) == {(1, "ask")}  # Discord may leave out this type


async def test_a_server_that_is_unavailable_at_the_start_is_looked_at_once_it_is_back(
    den: Den,
) -> None:
    forum = den.guild.add_channel("questions", FORUM)
    async with den.awake():
        await watch(den, forum)
        asked = await den.teach(den.alice, "I have a cat")
        before = den.app.sentiment.channels.watched(den.guild.id, forum.id)
    await den.fake.outage(den.guild)
    await den.fake.delete(asked)
    async with den.awake():
        await den.looked()
        assert den.app.sentiment.channels.watched(den.guild.id, forum.id) == before
        assert await den.last_turns() != []
        await den.fake.outage_over(den.guild)
        await den.calm()
        await den.looked()
        assert await den.last_turns() == []
        assert den.app.sentiment.channels.watched(den.guild.id, forum.id) == before
    assert len([thread for thread in den.guild.threads if thread.parent is forum]) == 1
