"""Answers that a stop or a kill breaks off: what was sent of them goes, they are given again."""

import asyncio
import signal
from functools import partial

import pytest

from cogs.chat import reply_sender
from cogs.chat.broken_answers import BrokenAnswers
from cogs.chat.question_queue import MUTED
from tests.e2e.den import PATIENCE_S, Den, Held
from tests.fakes.discord import Message, perms
from tests.fakes.model_server import Writing
from utils.memory.ingestion import pending_answers
from utils.memory.ingestion.pending_answers import PendingAnswers

LONG = "".join(f"{n:04} " for n in range(450))  # more than one message


@pytest.fixture(autouse=True)
def answers_are_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show what the model writes without Kith's pauses between two edits: no test is about them."""
    monkeypatch.setattr(reply_sender, "FIRST_AFTER_S", 0.0)
    monkeypatch.setattr(reply_sender, "EDIT_EVERY_S", 0.0)


async def taken_over(den: Den, client: int = -1) -> None:
    """Return when what others left was looked at, and answered where it is to be."""
    cog = den.clients[client].get_cog("BrokenAnswers")
    assert isinstance(cog, BrokenAnswers)
    await cog.take_over()
    await den.calm()


def _shows(den: Den, word: str) -> bool:
    return any(word in answer.content for answer in den.answers())


async def show_beginning(den: Den, writing: Writing, begin: str, talk: int = 0) -> Message:
    """Have Alice ask; returns her question when the beginning of the answer is shown and noted.

    Bob says so many lines, ``talk``, before it is.
    """
    question = await den.say(den.alice, "tell me a story")
    await asyncio.wait_for(writing.begun.wait(), PATIENCE_S)
    for number in range(talk):
        await den.fake.say(den.bob, den.general, f"line {number}")
    for words in (begin, "and then "):  # once the second is shown, the first is noted
        writing.write(words + "... ")
        shows = partial(_shows, den, words.split()[-1])
        await den.fake.wait_until(shows, "the words to be shown", timeout=PATIENCE_S)
    den.clock.stop()  # the claim of who answers stands until the test lets time pass
    return question


async def half_answered(den: Den, begin: str = "Once upon a time there ", talk: int = 0) -> Message:
    """Have Alice ask, and end the bot amid its answer as a kill does: nothing is taken away."""

    async def killed(*_: object) -> None:
        pass

    writing = Writing()
    den.model.script(writing({}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("utils.runtime.stopping.ANSWERS_S", 0.01)
        patch.setattr(PendingAnswers, "release", killed)
        async with den.awake():
            question = await show_beginning(den, writing, begin, talk)
            for method, where in (("PATCH", "/*"), ("DELETE", "/*"), ("POST", "")):
                path = f"/channels/{den.general.id}/messages{where}"
                den.fake.fail(method, path, times=99, status=403)
    den.fake.rest.misfortunes.clear()
    assert den.answers()
    return question


async def test_an_answer_that_a_kill_broke_off_is_given_again_as_a_whole(den: Den) -> None:
    writing = Writing()
    den.model.script(writing({}))
    async with den.process() as process:
        await den.fake.wait_ready(timeout=PATIENCE_S)
        question = await show_beginning(den, writing, "Once upon a time there ")
        process.tell(signal.SIGKILL)
        await process.ends()
    assert den.answers()
    den.model.reply_with("Once upon a time there was a fox.")
    async with den.awake():
        await taken_over(den)
        assert [one.content for one in den.answers()][-1].startswith("Once"), "held for a minute"
        assert len(den.prompts()) == 1
        den.clock.pass_time(61)
        await taken_over(den)
        (answer,) = den.answers()
        assert answer.content == "Once upon a time there was a fox."
        assert answer.reply_to is question
        den.clock.pass_time(61)
        await taken_over(den)
        assert len(den.prompts()) == 2, "it is given once"
        history = await den.last_turns()
        assert [event.text for event in history] == ["tell me a story", answer.content]


async def test_an_answer_far_below_its_question_goes_though_the_kill_came_before_it_was_noted(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        pass

    monkeypatch.setattr(PendingAnswers, "add_parts", killed)
    await half_answered(den, talk=160)
    den.model.reply_with("Short.")
    async with den.awake():
        den.clock.pass_time(61)
        await taken_over(den)
        assert [one.content for one in den.answers()] == ["Short."]


async def test_a_question_that_was_deleted_meanwhile_is_not_answered_and_all_of_its_answer_goes(
    den: Den,
) -> None:
    question = await half_answered(den, LONG + "the end ")
    assert len(den.answers()) == 2
    await den.fake.delete(question)
    async with den.awake():
        await den.looked()
        den.clock.pass_time(61)
        await taken_over(den)
        assert den.answers() == []
        assert len(den.prompts()) == 1


@pytest.mark.parametrize("status", [503, 403])  # 403 without a code is Cloudflare's
async def test_an_answer_that_discord_refused_in_the_end_is_given_again(
    den: Den, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr("cogs.chat.reply_sender.RETRY_AFTER_S", (0, 0))
    writing = Writing()
    den.model.script(writing({}))
    async with den.awake():
        question = await den.say(den.alice, "tell me a story")
        writing.write("Once upon a ")
        await den.fake.wait_until(partial(_shows, den, "upon"), "the words to be shown")
        path = f"/channels/{den.general.id}/messages"
        second = den.fake.hold("POST", path)
        writing.finish(f"time. {LONG}{LONG}")
        await second.reached.wait()
        for method, where in (("POST", path), ("PATCH", f"{path}/*"), ("DELETE", f"{path}/*")):
            den.fake.fail(method, where, times=100, status=status)
        second.release()
        await den.calm()
        assert len(den.answers()) == 2
        den.fake.fail("GET", path, times=9, status=status)
        await taken_over(den)
        den.fake.rest.misfortunes.clear()
        den.model.reply_with("Once upon a time.")
        await taken_over(den)
        (answer,) = den.answers()
        assert (answer.content, answer.reply_to) == ("Once upon a time.", question)


async def test_a_process_keeps_what_it_answers_however_long_it_takes(den: Den) -> None:
    den.model.reply_with(held := Held())
    async with den.awake(clients=2):
        question = await den.say(den.alice, "tell me a story")
        await den.wait_prompts(1)
        registers = [core.memory.recorder.pending_answers for core in den.cores]
        holders = lambda: [one for one in registers if one._held]  # noqa: E731
        await den.fake.wait_until(holders, "the question to be stored", timeout=PATIENCE_S)
        for _ in range(4):
            await holders()[0].renew()
            den.clock.pass_time(40)
        assert [await one.due(lambda _: True) for one in registers] == [[], []]
        for client in range(2):
            cog = den.clients[client].get_cog("BrokenAnswers")
            assert isinstance(cog, BrokenAnswers)
            await cog.take_over()
        held.release()
        answer = await den.answer_to(question)
        await den.calm()
        assert den.answers() == [answer]


async def test_a_question_that_ends_the_process_is_answered_again_only_twice(den: Den) -> None:
    question = await half_answered(den)
    async with den.awake():
        answers = den.app.memory.recorder.pending_answers
        for attempt in range(pending_answers.MAX_ATTEMPTS):
            den.clock.pass_time(61)
            (left,) = await answers.due(lambda _: True)
            assert left.attempts == attempt
            assert answers.may_answer(left)
            assert await answers.claim(left)
            assert not await answers.claim(left), "another process was faster"
            answers._held.clear()  # as if it were killed
        den.clock.pass_time(61)
        await taken_over(den)
        assert den.answers() == []
        assert len(den.prompts()) == 1, question.content


async def test_questions_are_kept_while_another_one_is_answered_again(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.chat.broken_answers.RENEW_EVERY_S", 0.01)
    renew, renewed = PendingAnswers.renew, asyncio.Event()

    async def renew_and_say_so(answers: PendingAnswers) -> None:
        await renew(answers)
        renewed.set()

    monkeypatch.setattr(PendingAnswers, "renew", renew_and_say_so)
    await half_answered(den)
    den.model.reply_with(held := Held())
    async with den.awake():
        den.clock.pass_time(61)
        await den.wait_prompts(2)
        for _ in range(2):  # the first may have begun before
            renewed.clear()
            await asyncio.wait_for(renewed.wait(), PATIENCE_S)
        held.release()


async def test_a_question_is_taken_up_when_kith_may_write_again(den: Den) -> None:
    den.model.reply_with(held := Held("Once upon a time there was a fox."))
    async with den.awake():
        question = await den.say(den.alice, "tell me a story")
        await den.wait_prompts(1)
        heard = asyncio.ensure_future(den.client.wait_for("guild_channel_update"))
        await den.fake.set_overwrite(den.general, den.guild.bot_role, deny=perms("send_messages"))
        await heard  # calm would wait for the answer
        held.release()
        await den.fake.wait_reaction(question, MUTED)
        den.clock.pass_time(61)
        for _ in range(3):  # nothing is tried while it is not allowed
            await taken_over(den)
        assert len(den.prompts()) == 1
        assert den.answers() == []
        den.model.reply_with("Once upon a time there was a fox.")
        await den.fake.set_overwrite(den.general, den.guild.bot_role)
        await den.calm()
        await taken_over(den)
        (answer,) = den.answers()
        assert (answer.content, answer.reply_to) == ("Once upon a time there was a fox.", question)
        await den.calm()
        assert question.reactions == {}
