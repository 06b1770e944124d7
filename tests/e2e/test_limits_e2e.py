"""Limits and misfortunes: cooldowns, queues, budgets, the model away, duplicates, permissions."""

import logging
from datetime import timedelta

import pytest

from cogs.chat.question_queue import REFUSED, WAITING
from tests.e2e.den import DAY_S, Den, Held, open_den
from tests.fakes.discord import BOT_PERMISSIONS, perms
from tests.fakes.model_server import error, text

AWAY = (
    "I can't reach my language model right now. Your message is kept; please ask again "
    "in a few minutes."
)


async def test_a_member_who_hurries_waits_and_gets_one_answer_to_all_of_it(den: Den) -> None:
    async with den.awake(member_cooldown_s=60):
        await den.talk(den.alice, "one")
        second = await den.say(den.alice, "two, I have a cat named Tom")
        await den.fake.wait_reaction(second, WAITING)
        third = await den.say(den.alice, "three")
        await den.talk(den.bob, "I may speak")
        assert len(den.prompts()) == 2
        den.clock.wake_after(61)
        assert (await den.answer_to(third)).content == "Hello from the fake model."
        assert [second.reactions, third.reactions] == [{}, {}]
        assert "Alice: two, I have a cat named Tom" in str(den.prompts()[-1]["messages"])
        assert len(den.answers()) == 3, "one answer to both, and nobody is told off"
        assert await den.learnt_of(den.alice) == ["has a cat named Tom"]


async def test_one_answer_at_a_time_in_a_channel_and_what_is_too_much_is_said_once(
    den: Den,
) -> None:
    elsewhere = den.guild.add_text_channel("elsewhere")
    carol = den.guild.add_member("Carol")
    den.model.reply_with(held := Held())
    async with den.awake(channel_queue=3):
        first = await den.say(den.alice, "first")
        await den.wait_prompts(1)
        second = await den.say(den.bob, "second")
        await den.fake.wait_reaction(second, WAITING)
        third = await den.say(den.moderator, "third")
        await den.fake.wait_reaction(third, WAITING)
        notice = await den.talk(carol, "fourth")
        assert notice.content == (
            "I have 3 answers to give here already. Please ask again in a moment; what I mark with "
            "🚫 I can't answer now."
        )
        await den.fake.wait_reaction(await den.say(carol, "fifth"), REFUSED)
        more = await den.say(den.bob, "more of the second")
        other = await den.say(den.bob, "another place", elsewhere)
        await den.wait_prompts(2)
        assert den.model.in_flight == 2
        held.release()
        for asked in (first, more, third, other):
            assert (await den.answer_to(asked)).content == "At last."
        await den.calm()
        order = [answer.reply_to for answer in den.answers() if answer is not notice]
        assert order == [first, more, third], "in the order they came; Bob's lines are one question"
        assert len(den.prompts()) == 4
        assert [second.reactions, more.reactions] == [{}, {}]


async def test_without_the_permission_to_react_nothing_fails_and_no_question_is_lost(
    den: Den, caplog: pytest.LogCaptureFixture
) -> None:
    carol = den.guild.add_member("Carol")
    den.general.overwrite(den.guild.bot_role, deny=perms("add_reactions"))
    den.general.overwrite(den.guild.everyone, deny=perms("add_reactions"))
    den.model.reply_with(held := Held())
    async with den.awake(channel_queue=2):
        await den.say(den.alice, "first")
        await den.wait_prompts(1)
        second = await den.say(den.bob, "second")
        for line in ("third", "fourth"):
            notice = await den.answer_to(await den.say(carol, line))
            assert notice.content.startswith("I have 2 answers to give here already")
        held.release()
        assert (await den.answer_to(second)).content == "At last."
        await den.calm()
    assert den.fake.invalid_requests == 0
    assert "Traceback" not in caplog.text


async def test_a_spent_budget_is_said_once_in_each_channel_and_each_line_is_marked(
    den: Den,
) -> None:
    den.keep_off_midnight()
    elsewhere = den.guild.add_text_channel("elsewhere")
    async with den.awake(daily_token_budget=100, member_cooldown_s=60):
        for place in (den.general, elsewhere):
            notice = await den.talk(den.bob, "hello", place)
            assert notice.content.startswith("Today's budget for answers is used up here")
            den.clock.wake_after(61)
            lines = [await den.say(den.alice, line, place) for line in ("are", "you", "there?")]
            for line in lines:
                await den.fake.wait_reaction(line, REFUSED)
            assert await den.stays_silent(lines[0])
            den.clock.wake_after(61)


async def test_a_member_is_held_to_a_fifth_once_half_of_the_budget_is_spent(den: Den) -> None:
    den.keep_off_midnight()
    den.model.reply_with(text("Costly.").with_usage(9500, 500))
    async with den.awake(daily_token_budget=100_000):
        for number in range(5):  # half of it, although a fifth would be 12,000
            assert (await den.talk(den.alice, f"hello {number}")).content == "Costly."
        asked = await den.say(den.alice, "hello again")
        notice = await den.answer_to(asked)
        midnight = (den.clock.now() + timedelta(days=1)).replace(
            hour=0, minute=0, second=0, microsecond=0
        )
        assert notice.content == (
            "Your share of today's budget for answers is used up here; it starts again at "
            f"midnight UTC. That is at <t:{midnight.timestamp():.0f}:t> where you are."
        )
        await den.fake.wait_reaction(asked, REFUSED)
        assert (await den.talk(den.bob, "and I?")).content == "Costly."
        await den.app.memory.recorder.settle()
        assert len(den.extractions()) >= 2, "both are still read for memory"
        den.clock.pass_time(DAY_S)
        assert (await den.talk(den.alice, "a new day")).content == "Costly."


async def test_reading_for_memory_has_its_own_tokens(den: Den) -> None:
    den.keep_off_midnight()
    async with den.awake(daily_token_budget=100_000):
        den.model.reply_with(text("Costly.").with_usage(59_500, 500))
        await den.talk(den.alice, "I have a dog named Rex")
        notice = await den.talk(den.bob, "and I?")
        assert notice.content.startswith("Today's budget for answers is used up here")
        assert await den.learnt_of(den.alice) == ["has a dog named Rex"]


async def test_while_the_model_is_away_people_are_told_and_nothing_is_lost(den: Den) -> None:
    async with den.awake():
        den.model.on_chat = lambda request: error(503)
        assert (await den.talk(den.alice, "I have a dog named Rex")).content == AWAY
        await den.app.memory.recorder.settle()
        den.model.on_chat = None
        den.clock.pass_time(60)
        assert (await den.talk(den.alice, "are you back?")).content == "Hello from the fake model."
        assert "Alice: I have a dog named Rex" in str(den.prompts()[-1]["messages"])
        assert AWAY not in str(den.prompts()[-1]["messages"])
        assert await den.learnt_of(den.alice) == ["has a dog named Rex"]


# --- permissions and intents ------------------------------------------------------------------


async def test_where_it_may_not_write_it_stays_silent_and_the_operator_is_told(
    kith: Den, caplog: pytest.LogCaptureFixture
) -> None:
    thread = kith.general.add_thread("aside", owner=kith.alice)
    muted = perms("send_messages", "send_messages_in_threads")
    kith.general.overwrite(kith.guild.bot_role, deny=muted)
    with caplog.at_level(logging.WARNING):
        for place, permission in (
            (kith.general, "'Send Messages'"),
            (thread, "'Send Messages in Threads'"),
        ):
            assert await kith.stays_silent(await kith.say(kith.alice, "hello", place))
            assert f"give me the permission {permission} there" in caplog.text
    assert kith.fake.invalid_requests == 0
    assert not kith.prompts()


async def test_without_reading_history_it_answers_in_a_plain_message(den: Den) -> None:
    guild = den.fake.add_guild(
        "Strict", bot_permissions=BOT_PERMISSIONS & ~perms("read_message_history")
    )
    place = guild.add_text_channel("general")
    place.overwrite(guild.everyone, deny=perms("read_message_history"))
    alice = guild.add_member(den.alice)
    async with den.awake():
        asked = await den.say(alice, "hello", place)
        answer = await den.fake.wait_message(place, after=asked)
        await den.calm()
        assert answer.content == "Hello from the fake model."
        assert answer.reply_to_id is None


async def test_without_the_message_content_intent_it_still_talks(database_url: str) -> None:
    async with (
        open_den(database_url, message_content=False) as den,
        den.awake(message_content=False),
    ):
        lounge = den.guild.add_text_channel("lounge")
        used = await den.fake.slash(den.moderator, lounge, "config channel chat", {"action": "add"})
        said = (await used.reply()).content
        assert "I can't read messages that don't mention me" in said
        assert "*Message Content* intent" in said
        first = await den.talk(den.alice, "I have a dog named Rex")
        reply = await den.fake.say(den.alice, den.general, "really?", reply_to=first)
        await den.answer_to(reply)
        assert den.last_words().endswith("Alice: really?")
        quiet_reply = await den.fake.say(
            den.alice, den.general, "unreadable", reply_to=first, ping_reply=False
        )
        await den.talk(den.alice, "hello", den.dm(den.alice))
        assert await den.stays_silent(await den.fake.say(den.alice, lounge, "no mention"))
        assert await den.learnt_of(den.alice) == ["has a dog named Rex"]
        words = [m.content for m in den.answers() if m.reply_to is quiet_reply]
        assert words == ["Hello from the fake model."]
