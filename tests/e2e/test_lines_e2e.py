"""People write in lines: what one person writes in a row is one question and gets one answer."""

import asyncio
from typing import Any

import pytest

from cogs.chat.question_queue import MAX_PAUSES, TYPING_PAUSES, WAITING
from tests.e2e.den import PATIENCE_S, Den, Held, broken_off, chat_of
from tests.e2e.test_broken_answers_e2e import taken_over
from tests.fakes.discord import Channel, Member, Message
from utils.memory.ingestion.pending_answers import HELD_FOR, PendingAnswers
from utils.models.guild import Purpose
from utils.models.memory import DIRECT_MESSAGES, Consent
from utils.models.memory import Member as Known

PAUSE_S = 30.0  # nobody waits so long for real: the tests let the time pass
QUESTION_PAUSE_S = PAUSE_S / 3
MARGIN_S = 10.0  # of real time: a busy machine takes seconds for a line
SHARED_KITH = {"line_pause_s": PAUSE_S}


@pytest.fixture
def kith(hasty_kith: Den) -> Den:
    return hasty_kith


async def put(den: Den, text: str, **options: Any) -> Message:
    """Let Alice write a line with a file, or as a reply, and return it once it waits."""
    said = await den.fake.say(den.alice, den.general, f"<@bot> {text}", **options)
    return await waiting(den, said)


async def line(den: Den, who: Member, text: str, channel: Channel | None = None) -> Message:
    """Let somebody write a line, and return it once it waits for its answer."""
    return await waiting(den, await den.say(who, text, channel))


async def waiting(den: Den, said: Message) -> Message:
    """Return a message once it waits for its answer."""
    running = chat_of(den.client).running
    async with asyncio.timeout(PATIENCE_S):
        while said.id not in running or running[said.id].line is None:  # noqa: ASYNC110
            await asyncio.sleep(0)
    return said


async def stored(den: Den, *texts: str) -> None:
    """Return when exactly these texts are stored of the channel, in any order."""
    async with asyncio.timeout(PATIENCE_S):
        while sorted(event.text for event in await den.last_turns()) != sorted(texts):  # noqa: ASYNC110
            await asyncio.sleep(0)


async def gone(den: Den, said: Message) -> None:
    """Return when a message waits for no answer any more."""
    async with asyncio.timeout(PATIENCE_S):
        while said.id in chat_of(den.client).running:  # noqa: ASYNC110
            await asyncio.sleep(0)


def hers(den: Den) -> list[str]:
    """Alice's lines in the last prompt; the last one has what is known before it."""
    messages = den.prompts()[-1]["messages"]
    said = [str(message["content"]).rpartition("\n")[2] for message in messages]
    return [one.removeprefix("Alice: ") for one in said if one.startswith("Alice: ")]


async def answer_after_pause(den: Den, last: Message) -> Message:
    """Let the pause after a line pass, and return the answer to it."""
    den.clock.wake_after(PAUSE_S)
    answer = await den.answer_to(last)
    await den.calm()
    return answer


async def one_answer(den: Den, to: Message, *lines: str) -> Message:
    """Let the time pass; Alice gets one answer, to a message, that knows exactly these lines."""
    before = len(den.answers(to.channel))
    answer = await answer_after_pause(den, to)
    assert den.answers(to.channel)[before:] == [answer]
    assert hers(den)[-len(lines) :] == list(lines)
    return answer


async def test_lines_in_a_row_are_one_question_and_the_answer_replies_to_the_last(
    kith: Den,
) -> None:
    elsewhere = kith.guild.add_text_channel("elsewhere")  # among whose last turns it is not
    boat = await line(kith, kith.bob, "I own a boat named Wanda", elsewhere)
    await answer_after_pause(kith, boat)
    await kith.app.memory.recorder.settle()
    await line(kith, kith.alice, "it is about the boat of Bob")
    kith.clock.wake_after(PAUSE_S - MARGIN_S)
    await line(kith, kith.alice, "I have a dog named Rex")
    kith.clock.wake_after(PAUSE_S - MARGIN_S)
    last = await line(kith, kith.alice, "any idea")
    assert len(kith.prompts()) == 1, "the third may not be the last"
    lines = ["it is about the boat of Bob", "I have a dog named Rex", "any idea"]
    answer = await one_answer(kith, last, *lines)
    assert len(kith.prompts()) == 2
    assert "Wanda" in kith.last_words(), "every line counts for what comes to mind"
    assert [event.text for event in await kith.last_turns()] == [*lines, answer.content]
    assert await kith.learnt_of(kith.alice) == ["has a dog named Rex"]


async def test_a_question_is_waited_for_less_and_somebody_who_types_more(kith: Den) -> None:
    asked = await line(kith, kith.alice, "do you know my dog?")
    kith.clock.wake_after(QUESTION_PAUSE_S)
    await kith.answer_to(asked)
    await line(kith, kith.alice, "do you know my cat?")
    seen = asyncio.ensure_future(kith.client.wait_for("raw_typing", timeout=PATIENCE_S))
    await asyncio.sleep(0)
    await kith.fake.type_in(kith.alice, kith.general)
    await seen
    kith.clock.wake_after(PAUSE_S * TYPING_PAUSES - MARGIN_S)
    await answer_after_pause(kith, await line(kith, kith.alice, "the black one"))
    assert len(kith.answers()) == 2


async def test_who_never_pauses_is_answered_all_the_same(kith: Den) -> None:
    for number in range(MAX_PAUSES):
        last = await line(kith, kith.alice, f"line {number}")
        kith.clock.wake_after(PAUSE_S - 0.1)
    kith.clock.wake_after(1)
    await kith.answer_to(last)


async def test_lines_of_two_people_and_of_two_channels_are_questions_of_their_own(
    kith: Den,
) -> None:
    elsewhere = kith.guild.add_text_channel("elsewhere")
    asked = [
        await line(kith, kith.alice, "one"),
        await line(kith, kith.bob, "two"),
        await line(kith, kith.alice, "three", elsewhere),
    ]
    kith.clock.wake_after(PAUSE_S)
    for said in asked:
        await kith.answer_to(said)
    await kith.calm()
    assert len(kith.prompts()) == 3


async def test_an_edited_line_is_answered_as_it_is_now_and_a_deleted_one_is_no_part(
    kith: Den,
) -> None:
    texts = ["I have a dog named Rex", "I like green tea", "what shall I cock"]
    first, deleted, last = [await line(kith, kith.alice, text) for text in texts]
    await stored(kith, *texts)
    await kith.fake.edit(first, "<@bot> I have a dog named Rexi")
    await kith.fake.delete(deleted)
    await kith.fake.edit(last, "<@bot> what shall I cook")
    await stored(kith, "I have a dog named Rexi", "what shall I cook")
    await one_answer(kith, last, "I have a dog named Rexi", "what shall I cook")
    assert "green tea" not in str(kith.prompts())


async def test_without_a_line_left_nothing_is_answered(kith: Den) -> None:
    lines = [await line(kith, kith.alice, text) for text in ("one", "two")]
    await kith.fake.bulk_delete(lines)
    await kith.calm()
    kith.clock.wake_after(PAUSE_S)
    await kith.calm()
    assert not kith.prompts()
    assert not chat_of(kith.client).questions._channels


async def test_what_others_say_in_between_displaces_no_line(kith: Den) -> None:
    await line(kith, kith.alice, "my cat is ill")
    for number in range(12):  # more than the last turns
        await line(kith, kith.bob, f"line {number}")
    await answer_after_pause(kith, await line(kith, kith.alice, "any idea"))
    assert len(kith.answers()) == 2
    prompts = [str(prompt["messages"]) for prompt in kith.prompts()]
    (about_her,) = [one for one in prompts if one.rstrip("]}'").endswith("Alice: any idea")]
    assert "Alice: my cat is ill" in about_her
    (about_him,) = [one for one in prompts if one is not about_her]
    assert all(f"Bob: line {number}" in about_him for number in range(12))


async def test_what_is_left_of_a_question_is_answered_when_its_last_line_is_deleted(
    kith: Den,
) -> None:
    kith.model.reply_with(Held())
    lines = [await line(kith, kith.alice, text) for text in ("tea or coffee", "now", "pls")]
    kith.clock.wake_after(PAUSE_S)
    await kith.wait_prompts(1)
    kith.model.reply_with("Tea.")
    await kith.fake.delete(lines[2])
    await gone(kith, lines[2])
    await stored(kith, "tea or coffee", "now")
    await one_answer(kith, lines[1], "tea or coffee", "now")
    assert len(kith.prompts()) == 2


async def test_what_is_attached_to_an_earlier_line_is_looked_at(kith: Den) -> None:
    await put(kith, "", files=[("notes.txt", b"Bring the zebra cable")])
    last = await put(kith, "what is wrong here")
    answer = await answer_after_pause(kith, last)
    assert kith.answers() == [answer]
    assert "zebra cable" in kith.last_words().partition("</attachments>")[0]


async def test_an_earlier_line_that_replies_keeps_what_it_replies_to(kith: Den) -> None:
    said = await kith.fake.say(kith.bob, kith.general, "pineapple belongs on pizza")
    await put(kith, "and what of this", reply_to=said)
    last = await put(kith, "be honest")
    await one_answer(kith, last, "and what of this", "be honest")
    assert "who wrote: pineapple belongs on pizza" in kith.last_words()


async def test_a_line_that_is_not_for_kith_is_not_read(kith: Den) -> None:
    """Also right after one that is: what is not addressed to Kith is not kept."""
    first = await line(kith, kith.alice, "hey")
    seen = asyncio.ensure_future(
        kith.client.wait_for("message", check=lambda m: "swimming" in m.content)
    )
    await asyncio.sleep(0)
    await kith.fake.say(kith.alice, kith.general, "Bob and I went swimming")
    await asyncio.wait_for(seen, PATIENCE_S)
    await one_answer(kith, first, "hey")
    assert "swimming" not in str(kith.prompts())
    assert "swimming" not in str(await kith.last_turns())


async def test_lines_written_while_an_answer_is_written_are_the_next_question_with_one_mark(
    kith: Den,
) -> None:
    kith.model.reply_with(held := Held("Both."))
    first = await line(kith, kith.alice, "tell me a story")
    kith.clock.wake_after(PAUSE_S)
    await kith.wait_prompts(1)
    second = await line(kith, kith.alice, "with a fox")
    kith.clock.wake_after(PAUSE_S)
    await kith.fake.wait_reaction(second, WAITING)
    third = await line(kith, kith.alice, "and a hare")
    held.release()
    await kith.answer_to(first)
    assert len(kith.prompts()) == 1, "she may write on"
    assert (await one_answer(kith, third, "with a fox", "and a hare")).content == "Both."
    assert [one.reactions for one in (first, second, third)] == [{}, {}, {}]
    marks = [request.method for request in kith.fake.requests if "/reactions/" in request.path]
    assert marks == ["PUT", "DELETE"]


async def test_lines_in_a_direct_message_that_are_not_kept_are_known_all_the_same(
    den: Den,
) -> None:
    member, channel = Known(DIRECT_MESSAGES, den.alice.id), den.dm(den.alice)
    async with den.awake(line_pause_s=PAUSE_S):
        await den.app.memory.editor.set_consent(member, Consent.OFF)
        await line(den, den.alice, "tea", channel)
        last = await line(den, den.alice, "or coffee", channel)
        await one_answer(den, last, "tea", "or coffee")


async def test_in_a_chat_channel_kith_keeps_out_of_what_people_say_to_each_other(
    kith: Den,
) -> None:
    """A reply to another person, a mention of another person, a role or everyone."""
    lounge, raiders = kith.guild.add_text_channel("lounge"), kith.guild.add_role("Raiders")
    raiders.mentionable = True
    await kith.app.guilds.settings.add_channel(kith.guild.id, lounge.id, Purpose.CHAT)

    async def answered(who: Member, text: str, reply_to: Message | None = None) -> Message:
        said = await kith.fake.say(who, lounge, text, reply_to=reply_to)
        return await answer_after_pause(kith, await waiting(kith, said))

    answer = await answered(kith.bob, "who likes tea")
    said = answer.reply_to
    for text, reply_to in (
        ("I do", said),
        (f"{kith.bob.mention} I do", None),
        (f"<@&{raiders.id}> tonight at eight", None),
        ("@everyone tonight at eight", None),
    ):
        who = kith.moderator if "@everyone" in text else kith.alice
        between = await kith.fake.say(who, lounge, text, reply_to=reply_to)
        await kith.calm()
        assert between.id not in chat_of(kith.client).running, text
    await answered(kith.alice, "really?", answer)
    asked = await answered(kith.alice, f"<@bot> what does {kith.bob.mention} like?")
    await answered(kith.alice, "I mean this", asked.reply_to)  # a reply to oneself is for Kith
    texts = [event.text for event in await kith.last_turns(lounge)]
    assert "I do" not in texts, "what is not for Kith is not kept"


async def test_a_wish_in_two_lines_is_carried_out_without_a_model(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None, line_pause_s=PAUSE_S):
        told = await line(den, den.alice, "I have a dog named Rex")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(told)
        assert await den.learnt_of(den.alice)
        wish = await line(den, den.alice, "forget that I have a dog named Rex")
        last = await line(den, den.alice, "thanks")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(last)
        assert await den.learnt_of(den.alice) == []
        assert wish.id not in [event.message_id for event in await den.last_turns()]


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
