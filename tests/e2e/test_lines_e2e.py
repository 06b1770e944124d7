"""People write in lines: what one person writes in a row is one question and gets one answer."""

import asyncio

from cogs.chat.question_queue import MAX_PAUSES, TYPING_PAUSES, WAITING
from tests.e2e.den import PATIENCE_S, Den, Held, chat_of
from tests.fakes.discord import Channel, Member, Message
from utils.models.guild import Purpose

PAUSE_S = 30.0  # nobody waits so long for real: the tests let the time pass
QUESTION_PAUSE_S = PAUSE_S / 3
MARGIN_S = 10.0  # of real time: a busy machine takes seconds for a line


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


async def typed(den: Den, who: Member) -> None:
    """Let somebody be seen typing, and return once Kith has seen it."""
    seen = den.client.wait_for("raw_typing", timeout=PATIENCE_S)
    waiting = asyncio.ensure_future(seen)
    await asyncio.sleep(0)
    await den.fake.type_in(who, den.general)
    await waiting


def turns(den: Den) -> list[str]:
    """What the members said in the last prompt; the last one has what is known before it."""
    messages = den.prompts()[-1]["messages"]
    return [
        str(message["content"]).rpartition("\n")[2]
        for message in messages
        if message["role"] == "user"
    ]


async def test_lines_in_a_row_are_one_question_and_the_answer_replies_to_the_last(
    den: Den,
) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        await line(den, den.alice, "hey")
        den.clock.wake_after(PAUSE_S - MARGIN_S)
        await line(den, den.alice, "I have a dog named Rex")
        den.clock.wake_after(PAUSE_S - MARGIN_S)
        last = await line(den, den.alice, "what shall I cook")
        assert not den.prompts(), "the third may not be the last"
        den.clock.wake_after(PAUSE_S)
        answer = await den.answer_to(last)
        await den.calm()
        assert den.answers() == [answer]
        assert len(den.prompts()) == 1
        assert turns(den) == [
            "Alice: hey",
            "Alice: I have a dog named Rex",
            "Alice: what shall I cook",
        ]
        texts = [event.text for event in await den.last_turns()]
        assert texts == ["hey", "I have a dog named Rex", "what shall I cook", answer.content]
        await den.app.memory.recorder.settle()
        assert await den.known_of(den.alice) == ["has a dog named Rex"]


async def test_every_line_counts_for_what_comes_to_mind(den: Den) -> None:
    elsewhere = den.guild.add_text_channel("elsewhere")  # among whose last turns it is not
    async with den.awake():
        await den.teach(den.bob, "I own a boat named Wanda", elsewhere)
    async with den.awake(line_pause_s=PAUSE_S):
        await line(den, den.alice, "it is about the boat of Bob")
        last = await line(den, den.alice, "any idea")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(last)
        assert "Wanda" in den.last_words()


async def test_a_question_is_waited_for_less_and_somebody_who_types_more(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        asked = await line(den, den.alice, "do you know my dog?")
        den.clock.wake_after(QUESTION_PAUSE_S)
        await den.answer_to(asked)
        await line(den, den.alice, "do you know my cat?")
        await typed(den, den.alice)
        den.clock.wake_after(PAUSE_S * TYPING_PAUSES - MARGIN_S)
        last = await line(den, den.alice, "the black one")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(last)
        await den.calm()
        assert len(den.answers()) == 2


async def test_who_never_pauses_is_answered_all_the_same(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        for number in range(MAX_PAUSES):
            last = await line(den, den.alice, f"line {number}")
            den.clock.wake_after(PAUSE_S - 0.1)
        den.clock.wake_after(1)
        await den.answer_to(last)


async def test_lines_of_two_people_and_of_two_channels_are_questions_of_their_own(
    den: Den,
) -> None:
    elsewhere = den.guild.add_text_channel("elsewhere")
    async with den.awake(line_pause_s=PAUSE_S):
        asked = [
            await line(den, den.alice, "one"),
            await line(den, den.bob, "two"),
            await line(den, den.alice, "three", elsewhere),
        ]
        den.clock.wake_after(PAUSE_S)
        for said in asked:
            await den.answer_to(said)
        await den.calm()
        assert len(den.prompts()) == 3


async def test_lines_written_while_an_answer_is_written_are_the_next_question_together(
    den: Den,
) -> None:
    den.model.reply_with(held := Held())
    async with den.awake():
        first = await den.say(den.alice, "first")
        await den.model.wait_requests(1)
        lines = [await line(den, den.alice, text) for text in ("second", "third")]
        await den.fake.wait_reaction(lines[0], WAITING)
        held.release()
        await den.answer_to(first)
        answer = await den.answer_to(lines[-1])
        await den.calm()
        assert len(den.answers()) == 2
        assert turns(den)[-2:] == ["Alice: second", "Alice: third"]
        assert [waiting.reactions for waiting in lines] == [{}, {}]
        assert answer.content == "At last."


async def test_an_edited_line_is_answered_as_it_is_now(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        first = await line(den, den.alice, "I have a dog named Rex")
        last = await line(den, den.alice, "what shall I cock")
        await stored(den, "I have a dog named Rex", "what shall I cock")
        await den.fake.edit(first, "<@bot> I have a dog named Rexi")
        await den.fake.edit(last, "<@bot> what shall I cook")
        await stored(den, "I have a dog named Rexi", "what shall I cook")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(last)
        assert turns(den) == ["Alice: I have a dog named Rexi", "Alice: what shall I cook"]


async def test_a_deleted_line_is_no_part_of_the_question(den: Den) -> None:
    texts = ["I like green tea", "I like black tea"]
    async with den.awake(line_pause_s=PAUSE_S):
        lines = [await line(den, den.alice, text) for text in texts]
        await stored(den, *texts)
        await den.fake.delete(lines[0])
        await stored(den, texts[1])
        den.clock.wake_after(PAUSE_S)
        answer = await den.answer_to(lines[1])
        await den.calm()
        assert turns(den) == [f"Alice: {texts[1]}"]
        assert den.answers() == [answer]


async def test_without_a_line_left_nothing_is_answered(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S):
        lines = [await line(den, den.alice, text) for text in ("one", "two")]
        await den.fake.bulk_delete(lines)
        await den.calm()
        den.clock.wake_after(PAUSE_S)
        await den.calm()
        assert not den.prompts()
        assert not chat_of(den.client).questions._channels


async def test_a_wish_in_two_lines_is_carried_out_without_a_model(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None, line_pause_s=PAUSE_S):
        told = await line(den, den.alice, "I have a dog named Rex")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(told)
        await den.app.memory.recorder.settle()
        assert await den.known_of(den.alice)
        wish = await line(den, den.alice, "forget that I have a dog named Rex")
        last = await line(den, den.alice, "thanks")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(last)
        await den.app.memory.recorder.settle()
        assert await den.known_of(den.alice) == []
        assert wish.id not in [event.message_id for event in await den.last_turns()]


# --- chat channels ------------------------------------------------------------------------------


async def test_in_a_chat_channel_kith_keeps_out_of_what_people_say_to_each_other(
    kith: Den,
) -> None:
    """A reply to another person, a mention of another person, a role or everyone."""
    lounge, raiders = kith.guild.add_text_channel("lounge"), kith.guild.add_role("Raiders")
    raiders.mentionable = True
    await kith.app.guilds.settings.add_channel(kith.guild.id, lounge.id, Purpose.CHAT)
    said = await kith.fake.say(kith.bob, lounge, "who likes tea")
    answer = await kith.answer_to(said)
    for text, reply_to in (
        ("I do", said),
        (f"{kith.bob.mention} I do", None),
        (f"<@&{raiders.id}> tonight at eight", None),
        ("@everyone tonight at eight", None),
    ):
        who = kith.moderator if "@everyone" in text else kith.alice
        between = await kith.fake.say(who, lounge, text, reply_to=reply_to)
        assert await kith.stays_silent(between), text
    for text, reply_to in (
        ("and I like coffee", None),
        ("really?", answer),
        (f"<@bot> what does {kith.bob.mention} like?", None),
    ):
        asked = await kith.fake.say(kith.alice, lounge, text, reply_to=reply_to)
        own = await kith.answer_to(asked)
        assert own.reply_to is asked, text
    more = await kith.fake.say(kith.alice, lounge, "I mean this", reply_to=asked)
    assert (await kith.answer_to(more)).reply_to is more, "a reply to oneself is for Kith"
    texts = [event.text for event in await kith.last_turns(lounge)]
    assert "I do" not in texts, "what is not for Kith is not kept"


async def test_thirty_lines_in_a_row_cost_one_mark(den: Den) -> None:
    den.model.reply_with(held := Held())
    async with den.awake():
        await den.say(den.bob, "a long story, please")
        await den.model.wait_requests(1)
        lines = [await line(den, den.alice, f"line {number}") for number in range(30)]
        await den.fake.wait_reaction(lines[0], WAITING)
        held.release()
        await den.answer_to(lines[-1])
        await den.calm()
        marks = [request for request in den.fake.requests if "/reactions/" in request.path]
        assert [request.method for request in marks] == ["PUT", "DELETE"]
        assert not any(waiting.reactions for waiting in lines)


async def test_a_cooldown_that_ends_before_the_pause_is_no_reason_for_a_mark(den: Den) -> None:
    async with den.awake(line_pause_s=PAUSE_S, member_cooldown_s=PAUSE_S / 4):
        first = await line(den, den.alice, "tea")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(first)
        second = await line(den, den.alice, "or coffee")
        den.clock.wake_after(PAUSE_S)
        await den.answer_to(second)
        await den.calm()
        assert not any("/reactions/" in request.path for request in den.fake.requests)
