"""Lines in a row, made difficult: each question gets one answer that knows all its lines."""

import asyncio
from typing import Any

import pytest

from cogs.chat.question_queue import WAITING
from tests import attached_files as files
from tests.e2e.den import PATIENCE_S, Den, Held, broken_off, chat_of
from tests.e2e.test_attachments_e2e import seeing
from tests.e2e.test_broken_answers_e2e import taken_over
from tests.e2e.test_lines_e2e import PAUSE_S, line, stored, turns, waiting
from tests.fakes.discord import Message
from utils.memory.ingestion.pending_answers import HELD_FOR, PendingAnswers
from utils.models.memory import Consent
from utils.models.memory import Member as Known


async def put(den: Den, text: str, **options: Any) -> Message:
    """Let Alice write a line with a file, or as a reply, and return it once it waits."""
    said = await den.fake.say(den.alice, den.general, f"<@bot> {text}", **options)
    return await waiting(den, said)


def hers(den: Den) -> list[str]:
    """Alice's lines in the last prompt."""
    return [said.removeprefix("Alice: ") for said in turns(den) if said.startswith("Alice: ")]


async def gone(den: Den, said: Message) -> None:
    """Return when a message waits for no answer any more."""
    async with asyncio.timeout(PATIENCE_S):
        while said.id in chat_of(den.client).running:  # noqa: ASYNC110
            await asyncio.sleep(0)


async def one_answer(den: Den, to: Message, *lines: str) -> Message:
    """Let the time pass; Alice gets one answer, to a message, that knows exactly these lines."""
    before = len(den.answers(to.channel))
    den.clock.wake_after(PAUSE_S)
    answer = await den.answer_to(to)
    await den.calm()
    assert den.answers(to.channel)[before:] == [answer]
    assert hers(den)[-len(lines) :] == list(lines)
    return answer


async def test_what_others_say_in_between_displaces_no_line(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        await line(den, den.alice, "my cat is ill")
        for number in range(12):  # more than the last turns
            await line(den, den.bob, f"line {number}")
        last = await line(den, den.alice, "any idea")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(last)
        await den.calm()
        assert len(den.answers()) == 2
        prompts = [str(prompt["messages"]) for prompt in den.prompts()]
        (about_her,) = [one for one in prompts if one.rstrip("]}'").endswith("Alice: any idea")]
        assert "Alice: my cat is ill" in about_her
        (about_him,) = [one for one in prompts if one is not about_her]
        assert all(f"Bob: line {number}" in about_him for number in range(12))


async def test_a_line_that_is_edited_and_then_deleted_is_gone(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        first = await line(den, den.alice, "tea or coffee")
        second = await line(den, den.alice, "forget that")
        await den.fake.edit(second, "<@bot> never mind")
        await den.fake.delete(second)
        await gone(den, second)
        await one_answer(den, first, "tea or coffee")
        assert "never mind" not in str(den.prompts())


async def test_a_line_that_is_deleted_once_its_answer_begins_takes_no_other_with_it(
    den: Den,
) -> None:
    den.model.reply_with(Held())
    async with den.awake(line_pause_s=PAUSE_S):
        lines = [await line(den, den.alice, text) for text in ("tea or coffee", "now", "pls")]
        den.clock.wake_after(PAUSE_S)
        await den.model.wait_requests(1)
        following = await line(den, den.alice, "hello")
        den.model.reply_with("Tea.")
        await den.fake.delete(lines[2])
        await gone(den, lines[2])
        await stored(den, "tea or coffee", "now", "hello")
        await one_answer(den, following, "tea or coffee", "now", "hello")
        assert len(den.prompts()) == 2
        assert following.reactions == {}


async def test_what_is_left_is_answered_without_another_line(den: Den) -> None:
    den.model.reply_with(Held())
    async with den.awake(line_pause_s=PAUSE_S):
        first, last = [await line(den, den.alice, text) for text in ("tea or coffee", "pls")]
        den.clock.wake_after(PAUSE_S)
        await den.model.wait_requests(1)
        den.model.reply_with("Tea.")
        await den.fake.delete(last)
        await gone(den, last)
        await stored(den, "tea or coffee")
        await one_answer(den, first, "tea or coffee")


async def test_what_is_attached_to_an_earlier_line_is_looked_at(den: Den) -> None:
    den.model.extract_with(seeing)
    async with den.awake(line_pause_s=PAUSE_S, vision_model="sees"):
        await put(den, "", files=[("shot.png", files.jpeg_with_place())])
        last = await put(den, "what is wrong here")
        den.clock.wake_after(PAUSE_S)
        answer = await den.answer_to(last)
        await den.calm()
        assert den.answers() == [answer]
        attached = den.last_words().partition("</attachments>")[0]
        assert "A dark terminal window" in attached


async def test_an_earlier_line_that_replies_keeps_what_it_replies_to(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        said = [
            await den.fake.say(den.bob, den.general, text)
            for text in ("pineapple belongs on pizza", "olives do, too")
        ]
        await put(den, "is he right", reply_to=said[0])
        last = await put(den, "and here", reply_to=said[1])
        await one_answer(den, last, "is he right", "and here")
        assert "who wrote: olives do, too" in den.last_words()
        await put(den, "and what of this", reply_to=said[0])
        last = await put(den, "be honest")
        await one_answer(den, last, "and what of this", "be honest")
        assert "who wrote: pineapple belongs on pizza" in den.last_words()


async def test_a_command_in_between_changes_nothing(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        await line(den, den.alice, "tea")
        used = await den.fake.slash(den.alice, den.general, "memory show")
        await used.reply()
        last = await line(den, den.alice, "or coffee")
        await one_answer(den, last, "tea", "or coffee")


async def test_a_line_that_is_not_for_kith_is_not_read(den: Den) -> None:
    """Also right after one that is: what is not addressed to Kith is not kept."""
    async with den.awake(line_pause_s=PAUSE_S):
        first = await line(den, den.alice, "hey")
        seen = asyncio.ensure_future(
            den.client.wait_for("message", check=lambda m: "swimming" in m.content)
        )
        await asyncio.sleep(0)
        await den.fake.say(den.alice, den.general, "Bob and I went swimming")
        await asyncio.wait_for(seen, PATIENCE_S)
        await one_answer(den, first, "hey")
        assert "swimming" not in str(den.prompts())
        assert "swimming" not in str(await den.last_turns())


async def test_who_writes_on_as_an_answer_ends_is_waited_for(den: Den) -> None:
    den.model.reply_with(held := Held("Both."))
    async with den.awake(line_pause_s=PAUSE_S):
        first = await line(den, den.alice, "tell me a story")
        den.clock.wake_after(PAUSE_S)
        await den.model.wait_requests(1)
        second = await line(den, den.alice, "with a fox")
        den.clock.wake_after(PAUSE_S)
        await den.fake.wait_reaction(second, WAITING)
        third = await line(den, den.alice, "and a hare")
        held.release()
        await den.answer_to(first)
        assert len(den.prompts()) == 1, "she may write on"
        answer = await one_answer(den, third, "with a fox", "and a hare")
        assert answer.content == "Both."
        assert [one.reactions for one in (first, second, third)] == [{}, {}, {}]


async def test_lines_that_are_not_kept_are_known_all_the_same(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        await den.app.memory.editor.set_consent(Known(den.guild.id, den.alice.id), Consent.OFF)
        await line(den, den.alice, "tea")
        last = await line(den, den.alice, "or coffee")
        await one_answer(den, last, "tea", "or coffee")


async def test_lines_in_a_direct_message_are_one_question_too(den: Den) -> None:
    channel = den.dm(den.alice)
    async with den.awake(line_pause_s=PAUSE_S):
        await line(den, den.alice, "tea", channel)
        last = await line(den, den.alice, "or coffee", channel)
        await one_answer(den, last, "tea", "or coffee")


async def test_lines_are_answered_once_after_a_restart_and_no_mark_stays(den: Den) -> None:
    async with broken_off(den, den.bob) as busy:
        lines = [await line(den, den.alice, text) for text in ("with a fox", "and a hare")]
        await den.fake.wait_reaction(lines[0], WAITING)
        # As a kill leaves it: nothing is taken away.
        den.fake.fail("DELETE", "/channels/*/messages/*/reactions/*/*", times=9, status=403)
    assert WAITING in lines[0].reactions
    den.fake.rest.misfortunes.clear()
    den.model.reply_with("Both.")
    async with den.awake():
        await taken_over(den)
        assert [answer.reply_to for answer in den.answers()] == [busy, lines[1]]
        assert hers(den) == ["with a fox", "and a hare"]
        assert [one.reactions for one in lines] == [{}, {}]


async def test_lines_that_a_kill_left_are_one_question_also_if_one_is_due_before_the_other(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        """Leave the questions as a process that is killed leaves them."""

    monkeypatch.setattr("utils.runtime.stopping.ANSWERS_S", 0.01)
    async with den.awake(line_pause_s=PAUSE_S):
        first = await line(den, den.alice, "with a fox")
        await stored(den, "with a fox")
        den.clock.pass_time(PAUSE_S / 3)
        last = await line(den, den.alice, "and a hare")
        await stored(den, "with a fox", "and a hare")
        monkeypatch.setattr(PendingAnswers, "release", killed)
    monkeypatch.undo()
    async with den.awake(line_pause_s=PAUSE_S):
        den.clock.pass_time(HELD_FOR.total_seconds() - PAUSE_S / 3 + 1)
        await taken_over(den)
        assert den.answers() == [], f"{first.content} is due, the line after it is not"
        den.clock.pass_time(PAUSE_S / 3)
        await taken_over(den)
        (answer,) = den.answers()
        assert answer.reply_to is last
        assert hers(den) == ["with a fox", "and a hare"]
        den.clock.pass_time(HELD_FOR.total_seconds() + 1)
        await taken_over(den)
        assert den.answers() == [answer]


async def test_a_last_line_that_is_deleted_as_it_is_answered_again_takes_no_other_with_it(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utils.runtime.stopping.ANSWERS_S", 0.01)
    async with den.awake(line_pause_s=PAUSE_S):
        first, last = [await line(den, den.alice, text) for text in ("tea or coffee", "pls")]
        await stored(den, "tea or coffee", "pls")
    monkeypatch.undo()
    den.model.reply_with(Held())
    async with den.awake(line_pause_s=PAUSE_S):
        taking_over = asyncio.ensure_future(taken_over(den))
        await den.fake.wait_until(den.prompts, "the answer to begin", timeout=PATIENCE_S)
        den.model.reply_with("Tea.")
        await den.fake.delete(last)
        await taking_over
        await stored(den, "tea or coffee")
        await taken_over(den)
        (answer,) = den.answers()
        assert answer.reply_to is first
        assert hers(den) == ["tea or coffee"]
