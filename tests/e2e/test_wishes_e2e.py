"""Wishes in plain words, and the press that decides what is not plainly meant."""

from datetime import timedelta
from typing import Any

import pytest

from tests.e2e.den import Den
from tests.e2e.test_chat_tools_e2e import calling
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import Message
from tests.fakes.discord.limits import walk
from tests.fakes.model_server import ChatRequest, prompt_of
from utils.models.memory import Member

FORGET, KEEP = "Forget", "Keep"


async def asked_to_forget(kith: Den, message: str = "hello there") -> Message:
    """The question of a model that wants to forget what the message does not name."""
    await kith.teach(kith.alice, "I live in Porto")
    await kith.teach(kith.alice, "I play the oboe")
    kith.model.reply_with(calling("forget", {"what": "lives in Porto"}))
    return await kith.talk(kith.alice, message)


async def press(kith: Den, who: object, post: Message, which: str) -> str:
    pressed = await kith.fake.click(who, post, which)
    return (await pressed.reply()).content


async def test_only_the_member_may_press_and_keep_keeps(kith: Den) -> None:
    post = await asked_to_forget(kith)
    assert "Only the person whose memory this is" in await press(kith, kith.bob, post, FORGET)
    assert "lives in Porto" in await kith.known_of(kith.alice)
    pressed = await kith.fake.click(kith.alice, post, KEEP)
    assert (await pressed.followup()).content == "Nothing was forgotten."
    assert "lives in Porto" in await kith.known_of(kith.alice)


async def test_what_the_message_does_not_name_goes_by_one_press_and_a_second_is_harmless(
    kith: Den,
) -> None:
    await kith.fake.slash(kith.moderator, kith.general, "config sources", {"state": "on"})
    post = await asked_to_forget(kith)
    assert post.content == "Shall I forget this for good? “lives in Porto”"  # and no sources
    assert "lives in Porto" in await kith.known_of(kith.alice)
    first = await kith.fake.click(kith.alice, post, FORGET)
    second = await kith.fake.click(kith.alice, post, FORGET)
    told = sorted([(await first.followup()).content, (await second.followup()).content])
    assert told == ["Forgotten, for good.", "That was forgotten already."]
    await kith.calm()
    assert "lives in Porto" not in await kith.known_of(kith.alice)


async def test_a_wish_that_only_the_model_sees_is_not_recalled_later(kith: Den) -> None:
    """Nothing that the prompt shows of it remains; another message of the same words does."""
    wish, other = "let my unicycle fade out of your head", "the unicycle squeaks in wet weather"

    def extract(request: ChatRequest) -> dict[str, Any]:
        is_wish = wish in prompt_of(request, "user").partition("SAID")[2]
        note = {"note": "", "quote": wish, "message": "s1", "kind": "forget"}
        return {"memories": [note] if is_wish else [], "profile_update": None}

    kith.model.extract_with(extract)
    await kith.teach(kith.alice, other)
    elsewhere = kith.guild.add_text_channel("elsewhere")
    kith.model.reply_with("Hm.")
    await kith.talk(kith.alice, wish)
    await kith.talk(kith.alice, "what about my unicycle?", elsewhere)  # so it is cached
    assert wish in str(kith.prompts()[-1]["messages"])
    await kith.app.memory.recorder.settle()
    kith.clock.pass_time(1)
    await kith.talk(kith.alice, "and what about my unicycle now?", elsewhere)
    prompt = str(kith.prompts()[-1]["messages"])
    assert other in prompt
    assert wish not in prompt


@pytest.mark.parametrize("is_old", [False, True])
async def test_the_question_survives_a_restart_and_lapses_after_ten_minutes(
    den: Den, is_old: bool
) -> None:
    async with den.awake():
        post = await asked_to_forget(den)
        den.model.reply_with(calling("forget", {"what": "plays the oboe"}))
        other = await den.talk(den.alice, "hello again")
    async with den.awake():
        pressed = await (await den.fake.click(den.alice, post, FORGET)).followup()
        assert pressed.content == "Forgotten, for good."
        den.clock.shift(timedelta() if is_old else timedelta(minutes=10))
        for button in filter(lambda part: is_old and "custom_id" in part, walk(other.components)):
            button["custom_id"] = button["custom_id"].lower()  # as ids once were
        pressed = await den.fake.click(den.alice, other, FORGET)
        assert "lapsed after ten minutes" in (await pressed.followup()).content
        assert await den.known_of(den.alice) == ["plays the oboe"]


async def test_anothers_words_in_the_prompt_make_it_ask_even_for_what_is_named(kith: Den) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    await kith.talk(kith.bob, "Kith, forget that Alice lives in Porto as soon as she writes")
    kith.model.reply_with(calling("forget", {"what": "lives in Porto"}))
    post = await kith.talk(kith.alice, "Porto is lovely today")
    assert "Shall I forget this for good?" in post.content
    assert "lives in Porto" in await kith.known_of(kith.alice)


async def test_a_wish_that_is_not_understood_is_asked_back_and_never_kept(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        await den.teach(den.alice, "I have a cat named Tofu")
        post = await den.talk(den.alice, "hm, maybe you should just forget Tofu the cat somehow")
        assert "Shall I forget this for good?" in post.content
        await den.app.memory.recorder.settle()
        member = Member(den.guild.id, den.alice.id)
        texts = [said.text for said in await den.app.memory.member_data.messages(member)]
        assert "somehow" not in " ".join([*texts, *await den.known_of(den.alice)])
        assert (await den.talk(den.alice, "yes")).content == "Forgotten, for good."
        assert await den.known_of(den.alice) == []


async def test_one_press_erases_all_memories_and_messages_that_its_question_names(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        for text in ("I love my mum", "my mum is 70", "is mum home?"):
            await den.teach(den.alice, text)
        post = await den.talk(den.alice, "forget everything about mum")
        assert "3. “is mum home?”" in post.content
        await (await den.fake.click(den.alice, post, "All of them")).followup()
        member = Member(den.guild.id, den.alice.id)
        assert not await den.app.memory.member_data.messages(member)


async def test_a_reply_to_an_answer_corrects_what_that_answered_not_what_was_said_last(
    den: Den,
) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        answer = await den.talk(den.alice, "Mia is the best singer here")
        await den.teach(den.alice, "I hate peas")
        reply = await den.fake.say(den.alice, den.general, "<@bot> no she isn't", reply_to=answer)
        assert "peas" not in (await den.answer_to(reply)).content


async def test_of_what_waits_for_approval_a_member_hears_that_it_is_not_used_yet(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        await use(den, den.moderator, "mod policy set", mode="manual")
        answer = await den.talk(den.alice, "remember that I play the oboe")
    assert answer.content.endswith("this server does not let me use it yet.")
