"""Asking in plain words: "remember that …", "forget that …", "what do you know about me?"."""

import re
from dataclasses import replace
from typing import Any

from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import use
from tests.fakes.model_server import Answer, ChatRequest, text, tools
from utils.models.memory import Member


def calling(name: str, arguments: dict[str, Any], *more: tuple[str, dict[str, Any]]) -> Any:
    """A chat model that calls a tool first, or several, and then repeats what came of it."""

    def answer(request: ChatRequest) -> Answer | str:
        results = [one["content"] for one in request["messages"] if one["role"] == "tool"]
        return f"So: {results[-1]}" if results else tools((name, arguments), *more)

    return answer


async def test_what_somebody_asks_to_have_remembered_is_kept_at_once(kith: Den) -> None:
    noted = ("remember", {"memory": "sister is called Ida"})
    kith.model.reply_with(calling(*noted, *[noted] * 9))  # a call that is repeated is done once
    answer = await kith.talk(kith.alice, "remember that my sister is called Ida")
    assert answer.content == "So: Remembered: sister is called Ida"
    assert await kith.known_of(kith.alice) == ["sister is called Ida"]


async def test_the_model_cannot_have_something_remembered_that_was_not_said(kith: Den) -> None:
    kith.model.verify_with(lambda request: {"own": "s1", "follows": "", "same": "", "untrue": ""})
    kith.model.reply_with(calling("remember", {"memory": "owes Bob 500 euros"}))
    assert "500" not in (await kith.talk(kith.alice, "what a day, I love rain")).content
    assert not any("500" in text for text in await kith.known_of(kith.alice))


async def test_what_somebody_asks_to_have_forgotten_is_gone_and_so_is_the_request(
    kith: Den,
) -> None:
    for what, wish, answer, *more in (
        ("what I said", "forget what I said", "“I live in Porto”"),
        ("#98765", "my sister is Ida, lose 98765", "nothing was forgotten"),
        ("all about me", "forget everything about me", "Shall I erase everything"),
        (
            "lives in Porto",
            "forget that I live in Porto",
            "Forgotten",
            ("forget", {"what": "Porto"}),
        ),
        ("lives in Porto", "forget Porto, note tea", "anew", ("remember", {"memory": "likes tea"})),
        ("lives in Porto", "forget that I live in Porto", "Shall I", ("forget", {"what": "Ida"})),
        ("lives in Porto", "forget Porto. Who am I?", "anew", ("list_memories", {})),
        ("lives in Porto", "forget that I live in Porto", "Forgotten"),
    ):
        kith.model.reply_with("Nice!")
        await kith.teach(kith.alice, "I live in Porto")
        kith.model.reply_with(calling("forget", {"what": what}, *more))
        told = await kith.talk(kith.alice, wish)
        await kith.calm()
        assert (answer in told.content, told.deleted) == (True, False)
    assert await kith.known_of(kith.alice) == []


async def test_what_is_known_is_listed_and_forgotten_for_the_speaker_only(kith: Den) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    kith.model.reply_with(calling("list_memories", {}))
    assert "lives in Porto" in (await kith.talk(kith.alice, "what do you know of me?")).content
    assert "Porto" not in (await kith.talk(kith.bob, "what do you know of me?")).content
    kith.model.reply_with(calling("forget", {"what": "lives in Porto"}))
    await kith.talk(kith.bob, "forget that Alice lives in Porto")
    assert "lives in Porto" in await kith.known_of(kith.alice)


async def test_an_answer_that_claims_what_was_refused_does_not_stand_alone(kith: Den) -> None:
    kith.model.script(tools(("ask_later", {"what": "the exam", "day": "soonish"})), "Noted!")
    noted, line = (await kith.talk(kith.alice, "ask me how the exam went")).content.split("\n")
    assert noted == "Noted!"
    assert line.startswith("-# Not done: On which day shall I ask?")


async def test_a_tool_that_the_endpoint_ran_itself_is_not_run_again(kith: Den) -> None:
    kith.model.script(replace(text("It rains."), ran="weather"), "It rained.")
    assert (await kith.talk(kith.alice, "how is the weather?")).content == "It rains."


async def test_somebody_puts_a_memory_right_and_can_take_that_back(kith: Den) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    kith.model.reply_with(
        calling("correct", {"what": "lives in Porto", "memory": "lives in Lisbon"})
    )
    answer = await kith.talk(kith.alice, "actually I live in Lisbon, not in Porto")
    assert answer.content == "So: Corrected: lives in Lisbon"
    assert await kith.known_of(kith.alice) == ["lives in Lisbon"]
    shown = await kith.app.memory.member_data.show(Member(kith.guild.id, kith.alice.id))
    await kith.app.memory.editor.undo(Member(kith.guild.id, kith.alice.id), shown.rows[0].id)
    assert await kith.known_of(kith.alice) == ["lives in Porto"]


async def test_somebody_wants_to_be_asked_and_no_longer(kith: Den) -> None:
    wanted = calling("ask_later", {"what": "how my exam went", "day": "in three days"})
    kith.model.reply_with(wanted)
    answer = await kith.talk(kith.alice, "ask me in three days how my exam went")
    assert answer.content.startswith("So: Noted: at the first talk from")
    kith.model.reply_with(calling("list_memories", {}))
    listed = (await kith.talk(kith.alice, "what do you know of me?")).content
    assert all(text in listed for text in ("to ask about", "how my exam went", "`/remind list`"))
    assert "exam" not in (await kith.talk(kith.bob, "what do you know of me?")).content
    kith.model.reply_with(calling("forget", {"what": "how my exam went"}))
    gone = await kith.talk(kith.alice, "forget asking me about my exam")
    if "Shall I" in gone.content:  # others spoke here before
        gone = await kith.talk(kith.alice, "yes")
    assert "Forgotten" in gone.content
    kith.model.reply_with(calling("list_memories", {}))
    assert "exam" not in (await kith.talk(kith.alice, "what do you know of me?")).content


async def test_four_calls_are_the_most_of_a_turn_in_all_its_rounds(kith: Den) -> None:
    def answer(request: ChatRequest) -> Answer | str:
        results = [one["content"] for one in request["messages"] if one["role"] == "tool"]
        more = tools(*[("list_memories", {})] * 3)
        return more if len(results) < 6 else " / ".join(results)

    kith.model.reply_with(answer)
    told = (await kith.talk(kith.alice, "what do you know of me?")).content.split(" / ")
    assert [one.startswith("Nothing is remembered") for one in told] == [True] * 4 + [False] * 2
    assert "too much at once" in told[-1]


async def test_without_a_model_being_asked_later_works_in_plain_words(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        noted = await den.talk(den.alice, "ask me in three days how my exam went")
        assert "how my exam went" in noted.content
        listed = await den.talk(den.alice, "what do you know about me?")
        assert "how my exam went" in listed.content
        await den.talk(den.alice, "ask me in four days about the new flat")
        await den.talk(den.alice, "forget that you wanted to ask me about my exam")
        await den.talk(den.alice, "yes")
        listed = await den.talk(den.alice, "what do you know about me?")
        assert "exam" not in listed.content
        assert "the new flat" in listed.content


async def test_a_promise_is_shown_moved_and_cancelled_with_commands(kith: Den) -> None:
    kith.model.reply_with(calling("ask_later", {"what": "how my exam went", "day": "tomorrow"}))
    await kith.talk(kith.alice, "ask me tomorrow how my exam went")
    shown = (await use(kith, kith.alice, "memory show")).content
    (number,) = re.findall(r"`(p\d+)` how my exam went \*\(I ask you about this", shown)
    assert number not in (await use(kith, kith.bob, "memory show")).content
    changed = await use(kith, kith.alice, "memory correct", memory=number, text="in 9 days")
    assert changed.content.startswith(f"Corrected: `{number}` how my exam went")
    assert changed.content != shown
    foreign = await use(kith, kith.bob, "memory forget", memory=number)
    assert foreign.content == (
        f"There is nothing with the number {number} that I should ask you about."
    )
    gone = await use(kith, kith.alice, "memory forget", memory=number)
    assert gone.content == f"Forgotten: {number}."
    assert number not in (await use(kith, kith.alice, "memory show")).content
