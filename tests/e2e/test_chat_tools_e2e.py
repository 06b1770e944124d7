"""Asking in plain words: "remember that …", "forget that …", "what do you know about me?"."""

from typing import Any

import pytest

from tests.e2e.den import Den
from tests.fakes.model_server import Answer, ChatRequest, prompt_of, tools


def calling(name: str, arguments: dict[str, Any]) -> Any:
    """A chat model that calls one tool first, and then repeats what came of it."""

    def answer(request: ChatRequest) -> Answer | str:
        results = [one["content"] for one in request["messages"] if one["role"] == "tool"]
        return f"So: {results[-1]}" if results else tools((name, arguments))

    return answer


async def test_what_somebody_asks_to_have_remembered_is_kept_at_once(kith: Den) -> None:
    kith.model.reply_with(calling("remember", {"memory": "sister is called Ida"}))
    answer = await kith.talk(kith.alice, "remember that my sister is called Ida")
    assert answer.content == "So: Remembered: sister is called Ida"
    assert await kith.known_of(kith.alice) == ["sister is called Ida"]


async def test_the_model_cannot_have_something_remembered_that_was_not_said(kith: Den) -> None:
    kith.model.reply_with(calling("remember", {"memory": "owes Bob 500 euros"}))
    answer = await kith.talk(kith.alice, "what a day, I love rain")
    assert "Not done" in answer.content
    assert await kith.known_of(kith.alice) == []


async def test_what_somebody_asks_to_have_forgotten_is_gone_and_so_is_the_request(
    kith: Den,
) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    kith.model.reply_with(calling("forget", {"what": "lives in Porto"}))
    answer = await kith.talk(kith.alice, "forget that I live in Porto")
    assert "Forgotten" in answer.content
    await kith.calm()
    assert await kith.known_of(kith.alice) == []


@pytest.mark.parametrize("message", ["hello there", "forget that I like cats"])
async def test_the_model_cannot_forget_what_the_message_does_not_name(
    kith: Den, message: str
) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    kith.model.reply_with(calling("forget", {"what": "lives in Porto"}))
    answer = await kith.talk(kith.alice, message)
    assert "nothing was forgotten" in answer.content or "did not ask" in answer.content
    assert "lives in Porto" in await kith.known_of(kith.alice)


async def test_nobody_can_have_anothers_memory_forgotten(kith: Den) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    kith.model.reply_with(calling("forget", {"what": "lives in Porto"}))
    await kith.talk(kith.bob, "forget that Alice lives in Porto")
    assert "lives in Porto" in await kith.known_of(kith.alice)


async def test_what_is_known_is_listed_for_the_speaker_only(kith: Den) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    kith.model.reply_with(calling("list_memories", {}))
    assert "lives in Porto" in (await kith.talk(kith.alice, "what do you know of me?")).content
    assert "Porto" not in (await kith.talk(kith.bob, "what do you know of me?")).content


async def test_a_model_that_never_stops_calling_is_made_to_answer(kith: Den) -> None:
    def answer(request: ChatRequest) -> Answer | str:
        return tools(("list_memories", {})) if request.get("tools") else "Enough."

    kith.model.reply_with(answer)
    assert (await kith.talk(kith.alice, "hello")).content == "Enough."
    assert prompt_of(kith.prompts()[-1], "system")


async def test_a_tool_that_does_not_exist_is_told_so(kith: Den) -> None:
    kith.model.reply_with(calling("launch", {"what": "rockets"}))
    assert "no such tool" in (await kith.talk(kith.alice, "hello")).content
