"""The model client against a loopback endpoint, through the real openai library."""

import asyncio
import json
import logging
from contextlib import AsyncExitStack

import pytest
from openai import AsyncOpenAI
from pydantic import SecretStr

from tests.fakes import model_server as fake
from tests.fakes.builders import make_language_model
from utils.common.config import Settings
from utils.common.errors import (
    ModelError,
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
    SettingsError,
)
from utils.common.text import estimate_tokens
from utils.llm import routes
from utils.llm.client import LanguageModel
from utils.models.llm import ChatMessage, ToolDefinition, Usage

pytestmark = pytest.mark.usefixtures("quick_client")

KEY = "sk-very-secret-key-42"
SECRET = "the-purple-otter-sings-at-dawn"
HELLO = [ChatMessage("system", "You are Kith."), ChatMessage("user", SECRET)]
MEMORY = {
    "type": "object",
    "properties": {"memory": {"type": "string"}, "replaces": {"type": ["string", "null"]}},
    "required": ["memory", "replaces"],
    "additionalProperties": False,
}
EXTRACT = ToolDefinition(
    name="extract_memories",
    description="Note what was learnt.",
    parameters={
        "type": "object",
        "properties": {
            "memories": {"type": "array", "items": MEMORY},
            "profile_update": {"type": ["string", "null"]},
        },
        "required": ["memories", "profile_update"],
        "additionalProperties": False,
    },
)
REX = {"memories": [{"memory": "has a dog named Rex", "replaces": None}], "profile_update": None}
REX_CALL = fake.tool("extract_memories", REX)


@pytest.fixture
async def build(server):
    built = []

    def make(**changes):
        arguments = {
            "chat_model": "chatty",
            "triage_model": "sorter",
            "api_key": KEY,
            "base_url": server.base_url,
            "chat_timeout_s": 5.0,
            "triage_timeout_s": 5.0,
            "max_retries": 0,
        }
        built.append(make_language_model(**{**arguments, **changes}))
        return built[-1]

    yield make
    for model in built:
        await model.close()


@pytest.fixture
def model(build):
    return build()


# -- replies --------------------------------------------------------------------------------


async def test_a_reply_carries_the_words_and_the_usage_that_the_server_counted(server, model):
    server.script(fake.text("  Hi there!\n").with_usage(11, 3))
    completion = await model.reply(HELLO, max_tokens=77, temperature=0.5)
    assert completion.text == "Hi there!"
    assert completion.usage == Usage(11, 3)
    assert completion.usage.total == 14
    assert not completion.truncated
    assert server.chats == [
        {
            "model": "chatty",
            "messages": [
                {"role": "system", "content": "You are Kith."},
                {"role": "user", "content": SECRET},
            ],
            "max_tokens": 77,
            "temperature": 0.5,
        }
    ]
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("usage", "expected_prompt", "expected_completion"),
    [
        (None, None, None),
        ({}, None, None),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None, None),
        ({"prompt_tokens": "12", "completion_tokens": 4}, None, 4),
        ({"prompt_tokens": 12, "completion_tokens": None}, 12, None),
        ({"prompt_tokens": True, "completion_tokens": -1}, None, None),
    ],
)
async def test_what_the_server_does_not_count_is_estimated(
    server, model, usage, expected_prompt, expected_completion
):
    server.script(fake.Answer(content="Hi there!", usage=usage))
    spent = (await model.reply(HELLO)).usage
    least = sum(estimate_tokens(message.text) for message in HELLO)
    if expected_prompt is None:
        assert least < spent.prompt_tokens < least + 20
    else:
        assert spent.prompt_tokens == expected_prompt
    assert spent.completion_tokens == (expected_completion or estimate_tokens("Hi there!"))


async def test_broken_characters_travel_neither_way(server, model):
    server.script(fake.raw_body('{"choices": [{"message": {"content": "half \\ud83d"}}]}'))
    completion = await model.reply([ChatMessage("user", "half \ud83d")])
    assert completion.text == "half \ufffd"
    assert server.chats[0]["messages"][0]["content"] == "half \ufffd"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (fake.parts("Hel", "lo"), "Hello"),
        (fake.text("<think>secret\nplan</think>\n\nHello"), "Hello"),
        (fake.text("<think>a</think><thinking>b</thinking> Hello"), "Hello"),
        (fake.text("a plan without its opening tag\n</think>\n\nHello"), "Hello"),
        (fake.text("the tag `</think>` ends it"), "the tag `</think>` ends it"),
        (fake.refused("I can't help with that."), "I can't help with that."),
        (fake.Answer(content=[None, {"type": "image"}, "He", {"text": "llo"}]), "Hello"),
    ],
)
async def test_words_are_found_in_every_form_of_content(server, model, answer, words):
    server.script(answer)
    completion = await model.reply(HELLO)
    assert completion.text == words
    assert not completion.truncated


@pytest.mark.parametrize("answer", [fake.cut_off("Once upon a"), fake.filtered("Once upon a")])
async def test_an_answer_that_was_stopped_early_is_marked_as_truncated(server, model, answer):
    server.script(answer)
    completion = await model.reply(HELLO)
    assert completion.text == "Once upon a"
    assert completion.truncated


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (fake.empty_choices(None), "no usable answer"),
        (fake.empty_choices([]), "no usable answer"),
        (fake.empty_choices([None]), "no usable answer"),
        (fake.empty_choices("what"), "no usable answer"),
        (fake.empty_choices([{"index": 0}]), "no usable answer"),
        (fake.text(None), "no usable answer"),
        (fake.text(" \n"), "no usable answer"),
        (fake.Answer(content=7), "no usable answer"),
        (fake.reasoning_only(), "no usable answer"),
        (fake.filtered(), "content filter"),
        (REX_CALL, "no usable answer"),
    ],
)
async def test_an_answer_without_words_is_malformed_and_says_what_it_cost(
    server, model, answer, sentence
):
    server.script(answer.with_usage(20, 5))
    with pytest.raises(ModelMalformed, match=sentence) as caught:
        await model.reply(HELLO)
    assert caught.value.usage == Usage(20, 5)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Welcome to the router</html>", "text/html"),
        ("{not json", "application/json"),
        ("[]", "application/json"),
        ("null", "application/json"),
        ('{"message": "ok"}', "application/json"),
        ("[" * 100_000, "application/json"),
    ],
)
async def test_something_else_at_the_address_is_named_as_such(server, model, body, content_type):
    server.script(fake.raw_body(body, content_type))
    with pytest.raises(ModelRefused, match="OPENAI_BASE_URL"):
        await model.reply(HELLO)


@pytest.mark.parametrize(
    ("reported", "expected"),
    [
        ({"code": 429, "message": "slow down"}, ModelUnreachable),
        ({"code": 401, "message": "no"}, ModelRefused),
        ({"code": "odd", "message": "upstream"}, ModelUnreachable),
        ("broken", ModelUnreachable),
    ],
)
async def test_an_error_that_comes_with_status_200_is_an_error(server, model, reported, expected):
    server.script(fake.raw_body(json.dumps({"error": reported, "choices": None})))
    with pytest.raises(expected):
        await model.reply(HELLO)


# -- refusals and outages -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected", "sentence"),
    [
        (fake.error(401, message=f"Incorrect API key: {KEY}"), ModelRefused, "OPENAI_API_KEY"),
        (fake.error(403, message="region"), ModelRefused, "may not use"),
        (fake.error(403, message="Key limit", code="insufficient_quota"), ModelRefused, "quota"),
        (fake.error(404, code="model_not_found"), ModelRefused, "CHAT_MODEL"),
        (fake.error(404, body="<html>nothing</html>"), ModelRefused, "OPENAI_BASE_URL"),
        (fake.error(402, message="credits"), ModelRefused, "quota"),
        (fake.error(429, code="insufficient_quota"), ModelRefused, "quota"),
        (fake.error(400, code="context_length_exceeded"), ModelRefused, "less text"),
        (fake.error(413, body="too big"), ModelRefused, "less text"),
        (fake.error(400, message="nonsense"), ModelRefused, "doctor"),
        (fake.error(418, message="teapot"), ModelRefused, "doctor"),
        (fake.error(429, message="Rate limit reached"), ModelUnreachable, "too many requests"),
        (fake.error(408), ModelUnreachable, "can't reach"),
        (fake.error(500), ModelUnreachable, "can't reach"),
        (fake.error(503, body="<html>busy</html>"), ModelUnreachable, "can't reach"),
        (fake.drop_connection(), ModelUnreachable, "can't reach"),
        (fake.truncated_stream(), ModelUnreachable, "can't reach"),
    ],
)
async def test_every_failure_becomes_a_typed_error_with_its_sentence(
    server, model, answer, expected, sentence
):
    server.script(answer)
    with pytest.raises(expected, match=sentence) as caught:
        await model.reply(HELLO)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1
    server.script(answer)
    with pytest.raises(expected):
        await model.call_tool(HELLO, EXTRACT)


async def test_a_wrong_key_is_refused_and_never_shown(server, build):
    server.api_key = "sk-another-one"
    with pytest.raises(ModelRefused) as caught:
        await build().reply(HELLO)
    assert KEY[:4] not in str(caught.value)
    assert caught.value.__cause__ is None
    server.api_key = KEY
    assert (await build().reply(HELLO)).text


async def test_an_endpoint_without_keys_is_asked_without_one(server, build):
    assert (await build(api_key=None).reply(HELLO)).text


@pytest.mark.parametrize("answer", [fake.error(503), fake.error(429), fake.drop_connection()])
async def test_passing_trouble_is_retried_by_the_client_and_by_nobody_else(server, build, answer):
    patient = build(max_retries=2)
    server.script(answer, answer, "third time lucky")
    assert (await patient.reply(HELLO)).text == "third time lucky"
    server.script(*[answer] * 9)
    with pytest.raises(ModelUnreachable):
        await patient.reply(HELLO)
    assert len(server.requests) == 6


async def test_a_429_is_waited_out_for_as_long_as_its_headers_say(server, build):
    asked_at = []

    async def answer(request):
        asked_at.append(asyncio.get_running_loop().time())
        return fake.rate_limited(0.3) if len(asked_at) == 1 else "now I can"

    server.on_chat = answer
    assert (await build(max_retries=2).reply(HELLO)).text == "now I can"
    assert asked_at[1] - asked_at[0] >= 0.3


async def test_nobody_waits_for_a_limit_that_holds_for_minutes(server, build):
    server.on_chat = lambda request: fake.rate_limited(600.0)
    with pytest.raises(ModelUnreachable, match="too many requests"):
        await build(max_retries=2).reply(HELLO)
    assert len(server.requests) == 1


async def test_a_model_that_never_answers_is_given_up_after_the_kinds_timeout(server, build):
    model = build(chat_timeout_s=0.05, triage_timeout_s=0.05, max_retries=2)
    server.on_chat = lambda request: fake.hang()
    with pytest.raises(ModelUnreachable, match="too long"):
        await model.reply(HELLO)
    with pytest.raises(ModelUnreachable, match="too long"):
        await model.call_tool(HELLO, EXTRACT)


async def test_waiting_for_a_free_place_counts_against_the_timeout(server, build):
    model = build(concurrency=1, chat_timeout_s=0.2, triage_timeout_s=30.0)
    release = asyncio.Event()

    async def hold(request):
        await release.wait()
        return REX_CALL

    server.on_chat = hold
    holding = asyncio.create_task(model.call_tool(HELLO, EXTRACT))
    await server.wait_requests(1)
    with pytest.raises(ModelUnreachable, match="too many people"):
        await model.reply(HELLO)
    assert len(server.requests) == 1
    release.set()
    assert (await holding).arguments == REX
    server.on_chat = None
    assert (await model.reply(HELLO)).text


async def admit():
    """Whoever waits for a place is welcome."""


async def test_few_more_prompts_are_held_than_calls_may_run(build, monkeypatch):
    model = build(concurrency=1)
    async with AsyncExitStack() as held:
        for _ in range(routes.SLOTS_PER_CALL):
            await held.enter_async_context(model.slot(admit))
        waiting = asyncio.create_task(held.enter_async_context(model.slot(admit)))
        await asyncio.wait([waiting], timeout=0)
        assert not waiting.done()
        monkeypatch.setattr(routes, "MAX_WAIT_S", 0.01)
        with pytest.raises(ModelUnreachable, match="too many people"):
            await held.enter_async_context(model.slot(admit))
        await held.pop_all().aclose()
        await waiting


async def test_a_place_that_is_given_up_early_lets_the_next_prompt_in(build, monkeypatch):
    monkeypatch.setattr(routes, "SLOTS_PER_CALL", 1)
    monkeypatch.setattr(routes, "MAX_WAIT_S", 0.01)
    model = build(concurrency=1)
    async with model.slot(admit) as release:
        release()
        async with model.slot(admit):
            with pytest.raises(ModelUnreachable):
                await AsyncExitStack().enter_async_context(model.slot(admit))
    async with model.slot(admit):  # the first one was given up once, not twice
        with pytest.raises(ModelUnreachable):
            await AsyncExitStack().enter_async_context(model.slot(admit))


async def test_no_more_requests_are_under_way_than_allowed(server, build):
    model = build(concurrency=3)
    release = asyncio.Event()

    async def hold(request):
        await release.wait()
        return "done"

    server.on_chat = hold
    replies = [asyncio.create_task(model.reply(HELLO)) for _ in range(10)]
    await server.wait_requests(3)
    release.set()
    assert [reply.text for reply in await asyncio.gather(*replies)] == ["done"] * 10
    assert server.peak_in_flight == 3


async def test_a_cancelled_request_gives_its_place_back(server, build):
    model = build(concurrency=1)
    server.script(fake.hang())
    waiting = asyncio.create_task(model.reply(HELLO))
    await server.wait_requests(1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await model.reply(HELLO)).text


async def test_an_outage_ends_when_the_endpoint_is_back(server, model):
    assert (await model.reply(HELLO)).text
    await server.stop()
    with pytest.raises(ModelUnreachable):
        await model.reply(HELLO)
    await server.start()
    assert (await model.reply(HELLO)).text


async def test_a_closed_client_is_unreachable_rather_than_broken(model):
    await model.close()
    await model.close()
    with pytest.raises(ModelUnreachable):
        await model.reply(HELLO)


async def test_closing_ends_what_is_waiting_with_a_typed_error(server, build):
    model = build(concurrency=1, max_retries=2)
    server.on_chat = lambda request: fake.hang()
    waiting = [asyncio.create_task(model.reply(HELLO)) for _ in range(3)]
    await server.wait_requests(1)
    await model.close()
    for outcome in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(outcome, ModelUnreachable)


async def test_neither_messages_nor_keys_nor_what_the_server_says_reach_the_log(
    server, build, caplog
):
    caplog.set_level(logging.DEBUG)
    model = build(max_retries=1)
    server.script(
        fake.error(400, message=f"strict? {SECRET} {KEY}"),
        fake.error(500, message=f"{SECRET} {KEY}"),
    )
    await model.call_tool(HELLO, EXTRACT)
    server.on_chat = lambda request: fake.error(400, message=f"{SECRET} {KEY}")
    with pytest.raises(ModelRefused):
        await model.reply(HELLO)
    assert "strict" in caplog.text
    assert SECRET not in caplog.text
    assert "secret" not in caplog.text


# -- tool calls -----------------------------------------------------------------------------


async def test_a_tool_call_is_strict_forced_and_single(server, model):
    server.script(REX_CALL.with_usage(100, 20))
    result = await model.call_tool(HELLO, EXTRACT, max_tokens=500)
    assert result.arguments == REX
    assert result.usage == Usage(100, 20)
    (sent,) = server.chats
    assert sent["model"] == "sorter"
    assert sent["temperature"] == 0.2
    assert sent["max_tokens"] == 500
    assert sent["tools"][0]["function"]["strict"] is True
    assert sent["tools"][0]["function"]["parameters"] == EXTRACT.parameters
    assert sent["tool_choice"] == {"type": "function", "function": {"name": "extract_memories"}}
    assert sent["parallel_tool_calls"] is False


REFUSALS = [
    ({"strict"}, 1),
    ({"parallel_tool_calls"}, 1),
    ({"named_tool"}, 1),
    ({"tool_choice"}, 2),
    ({"tools"}, 1),
    ({"temperature"}, 1),
    ({"max_tokens"}, 1),
    ({"repeated_roles"}, 1),
    ({"strict", "tool_choice", "parallel_tool_calls", "temperature", "max_tokens"}, 6),
    (set(fake.REFUSABLE), 4),
]


@pytest.mark.parametrize(("refuse", "refusals"), REFUSALS)
async def test_a_refused_feature_is_left_out_once_and_for_all(server, model, refuse, refusals):
    server.refuse = refuse
    server.extract_with(lambda request: REX)
    messages = [*HELLO, ChatMessage("user", "hi")]
    for _ in range(2):
        assert (await model.call_tool(messages, EXTRACT)).arguments == REX
    assert len(server.chats) == refusals + 2
    last = server.chats[-1]
    assert ("tools" in last) is ("tools" not in refuse)
    assert ("max_completion_tokens" in last) is ("max_tokens" in refuse)


async def test_a_named_tool_that_is_refused_is_still_required(server, model):
    server.refuse = {"named_tool"}
    await model.call_tool(HELLO, EXTRACT)
    assert server.chats[-1]["tool_choice"] == "required"


async def test_without_tools_the_schema_is_in_the_first_system_message(server, model):
    server.refuse = {"tools"}
    server.extract_with(lambda request: fake.in_code_fence(REX))
    assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX
    first, *rest = server.chats[-1]["messages"]
    assert first["role"] == "system"
    assert first["content"].startswith("You are Kith.")
    assert json.dumps(EXTRACT.parameters) in first["content"]
    assert [message["role"] for message in rest] == ["user"]
    await model.call_tool(HELLO[1:], EXTRACT)
    assert [m["role"] for m in server.chats[-1]["messages"]] == ["system", "user"]


async def test_what_one_model_refuses_the_other_is_still_asked_for(server, model):
    server.refuse = {"temperature"}
    await model.reply(HELLO)
    server.refuse = set()
    await model.reply(HELLO)
    await model.call_tool(HELLO, EXTRACT)
    assert ["temperature" in sent for sent in server.chats] == [True, False, False, True]


@pytest.mark.parametrize(
    "answer",
    [
        fake.error(400, body={"error": "Invalid tool_choice type: 'object'."}),
        fake.error(422, body={"detail": [{"loc": ["body", "tool_choice"], "msg": "extra"}]}),
        fake.error(501, body="tool_choice is not implemented"),
        fake.error(500, body={"error": {"message": "tools param requires --jinja flag"}}),
        fake.error(404, message="No endpoints found that support tool use."),
        fake.error(400, message="This model can't call functions."),
    ],
)
async def test_refusals_are_understood_in_the_words_of_many_servers(server, model, answer):
    server.script(answer, REX_CALL)
    assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX
    assert len(server.chats) == 2


@pytest.mark.parametrize(
    "answer",
    [
        fake.error(400, message="max_tokens is too large: the context length is 4096"),
        fake.error(404, message="The model `tool-user` does not exist"),
        fake.error(401, message="temperature"),
        fake.error(429, message="tool_choice"),
        fake.error(503, message="strict"),
    ],
)
async def test_other_refusals_take_no_feature_away(server, model, answer):
    server.script(answer)
    with pytest.raises(ModelError):
        await model.call_tool(HELLO, EXTRACT)
    assert len(server.chats) == 1
    await model.call_tool(HELLO, EXTRACT)
    assert server.chats[0] == server.chats[1]


async def test_a_server_that_refuses_everything_is_asked_a_bounded_number_of_times(server, model):
    server.on_chat = lambda request: fake.error(400, message="tool temperature max_tokens unknown")
    with pytest.raises(ModelRefused):
        await model.call_tool(HELLO, EXTRACT)
    assert len(server.chats) <= 9
    server.on_chat = None
    await model.call_tool(HELLO, EXTRACT)
    assert server.chats[-1]["tools"][0]["function"]["strict"] is True


async def test_a_model_that_ignores_tools_is_asked_for_plain_json_from_then_on(server, model):
    server.script(
        fake.text("Sure, noted!").with_usage(10, 1),
        fake.in_code_fence(REX).with_usage(20, 2),
    )
    result = await model.call_tool(HELLO, EXTRACT)
    assert result.arguments == REX
    assert result.usage == Usage(30, 3)
    server.extract_with(lambda request: REX)
    assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX
    assert ["tools" in sent for sent in server.chats] == [True, False, False]


async def test_json_in_words_counts_as_a_call_and_changes_nothing(server, model):
    server.script(fake.in_code_fence(REX), REX_CALL)
    for _ in range(2):
        assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX
    assert ["tools" in sent for sent in server.chats] == [True, True]


@pytest.mark.parametrize(
    "answer", [fake.refused("I won't."), fake.filtered("no"), fake.cut_off("Let me see")]
)
async def test_a_refusal_or_a_cut_does_not_cost_the_model_its_tools(server, model, answer):
    server.script(REX_CALL, answer, REX_CALL)
    for _ in range(2):
        assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX
    assert ["tools" in sent for sent in server.chats] == [True, True, True]


async def test_useless_arguments_are_asked_for_once_more_with_a_remark(server, model):
    server.script(
        fake.raw_tool_arguments("oh dear").with_usage(10, 1),
        REX_CALL.with_usage(20, 2),
    )
    result = await model.call_tool(HELLO, EXTRACT)
    assert result.arguments == REX
    assert result.usage == Usage(30, 3)
    *same, remark = server.chats[1]["messages"]
    assert same == server.chats[0]["messages"]
    assert remark["role"] == "user"
    assert "extract_memories" in remark["content"]
    assert "oh dear" not in remark["content"]


@pytest.mark.parametrize(
    "answer",
    [
        fake.raw_tool_arguments(""),
        fake.raw_tool_arguments("[" * 5000),
        fake.tool("extract_memories", {"weather": "fine"}),
        fake.empty_choices([]),
        fake.filtered(),
    ],
)
async def test_after_two_useless_answers_it_is_malformed_and_the_cost_is_known(
    server, model, answer
):
    server.script(answer.with_usage(10, 1), answer.with_usage(20, 2), REX_CALL)
    with pytest.raises(ModelMalformed) as caught:
        await model.call_tool(HELLO, EXTRACT)
    assert caught.value.usage == Usage(30, 3)
    assert len(server.chats) == 2


async def test_an_outage_after_a_useless_answer_still_tells_the_cost(server, model):
    server.script(fake.raw_tool_arguments("{").with_usage(10, 1), fake.error(503))
    with pytest.raises(ModelUnreachable) as caught:
        await model.call_tool(HELLO, EXTRACT)
    assert caught.value.usage == Usage(10, 1)


async def test_an_outage_after_mere_words_still_tells_the_cost(server, model):
    server.script(fake.text("Sure, noted!").with_usage(10, 1), fake.error(503))
    with pytest.raises(ModelUnreachable) as caught:
        await model.call_tool(HELLO, EXTRACT)
    assert caught.value.usage == Usage(10, 1)
    await model.call_tool(HELLO, EXTRACT)
    assert "tools" in server.chats[-1]


async def test_cut_off_arguments_keep_what_is_complete(server, model):
    two = {"memories": [REX["memories"][0], {"memory": "plays late", "replaces": None}]}
    written = json.dumps({**two, "profile_update": None})
    server.script(fake.raw_tool_arguments(written[:-40], finish_reason="length"))
    assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX
    assert len(server.chats) == 1


async def test_several_calls_of_one_tool_become_one(server, model):
    cat = {"memories": [{"memory": "has a cat", "replaces": None}], "profile_update": "Has pets."}
    server.script(fake.tools(("extract_memories", REX), ("extract_memories", cat)))
    assert (await model.call_tool(HELLO, EXTRACT)).arguments == {
        "memories": [*REX["memories"], *cat["memories"]],
        "profile_update": "Has pets.",
    }


@pytest.mark.parametrize(
    "message",
    [
        {"tool_calls": [{"function": {"name": "extract_memories", "arguments": REX}}]},
        {"function_call": {"name": "extract_memories", "arguments": json.dumps(REX)}},
        {"tool_calls": None, "content": [{"type": "text", "text": json.dumps(REX)}]},
    ],
)
async def test_arguments_are_found_where_older_servers_put_them(server, model, message):
    server.script(fake.raw_body(json.dumps({"choices": [{"message": message}]})))
    assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX


async def test_a_schema_that_is_not_strict_is_sent_without_strict(server, model):
    loose = ToolDefinition("note", "Note it.", {"type": "object", "properties": {"a": {}}})
    server.extract_with(lambda request: {"a": 1})
    assert (await model.call_tool(HELLO, loose)).arguments == {"a": 1}
    assert "strict" not in server.chats[-1]["tools"][0]["function"]


# -- building and checking ------------------------------------------------------------------


@pytest.mark.parametrize(("status", "raised"), [(401, ModelRefused), (503, ModelUnreachable)])
async def test_a_knock_asks_no_model_and_tells_a_closed_door_from_a_wrong_key(
    server, model, monkeypatch, status, raised
):
    await model.probe(5.0)
    assert server.chats == []
    monkeypatch.setattr(server, "_unauthorised", lambda _: fake.error(status))
    with pytest.raises(raised):
        await model.probe(5.0)
    for other in (
        403,
        404,
    ):  # an endpoint without such a list, or not for us, is there all the same
        monkeypatch.setattr(server, "_unauthorised", lambda _, other=other: fake.error(other))
        await model.probe(5.0)


async def test_the_settings_say_which_model_is_asked_and_where(server):
    settings = Settings(
        _env_file=None,
        openai_api_key=SecretStr(KEY),
        openai_base_url=server.base_url,
        chat_model="big",
        triage_model="small",
    )
    model = LanguageModel.from_settings(settings)
    await model.reply(HELLO)
    await model.call_tool(HELLO, EXTRACT)
    await model.close()
    assert [sent["model"] for sent in server.chats] == ["big", "small"]


@pytest.mark.parametrize(
    "changes",
    [
        {"api_key": "sk-\u00e9"},
        {"api_key": "sk-a\nb"},
        {"base_url": "http://"},
        {"base_url": "http://[::1"},
        {"base_url": "ftp://x"},
        {"base_url": "http://host:99999/v1"},
    ],
)
async def test_an_impossible_key_or_address_is_refused_at_the_start(build, changes):
    with pytest.raises(SettingsError) as caught:
        build(**changes)
    assert next(iter(changes.values())) not in str(caught.value)


# -- the fake itself, where the client does not go ------------------------------------------


@pytest.fixture
async def openai_client(server):
    async with AsyncOpenAI(api_key="none", base_url=server.base_url, max_retries=0) as client:
        yield client


async def test_the_fake_streams_words_and_usage(server, openai_client):
    server.reply_with("one two three")
    stream = await openai_client.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": "go"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]
    words = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
    assert "".join(word or "" for word in words) == "one two three"
    assert len(words) > 3
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage.completion_tokens > 0


async def test_the_fake_streams_tool_calls_in_pieces(server, openai_client):
    server.script(REX_CALL)
    stream = await openai_client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "go"}], stream=True
    )
    deltas = [chunk.choices[0].delta async for chunk in stream if chunk.choices]
    calls = [call for delta in deltas for call in delta.tool_calls or ()]
    assert calls[0].function.name == "extract_memories"
    assert json.loads("".join(call.function.arguments for call in calls)) == REX


async def test_the_fakes_embeddings_are_the_same_every_time_and_near_for_near_texts(openai_client):
    async def vectors(*texts, **options):
        answer = await openai_client.embeddings.create(model="e", input=list(texts), **options)
        return [item.embedding for item in answer.data]

    dog, cat, far = await vectors("my dog Rex", "my cat Rex", "quarterly tax report")
    (again,) = await vectors("my dog Rex", encoding_format="float")
    assert dog == pytest.approx(again, abs=1e-6)

    def closeness(left, right):
        return sum(a * b for a, b in zip(left, right, strict=True))

    assert closeness(dog, dog) == pytest.approx(1, abs=1e-5)
    assert closeness(dog, cat) > closeness(dog, far)


async def test_the_fake_lists_its_models(server, openai_client):
    server.models = ["a", "b"]
    assert [listed.id async for listed in openai_client.models.list()] == ["a", "b"]


@pytest.mark.parametrize(
    "change",
    [
        {"messages": []},
        {"messages": [{"role": "narrator", "content": "x"}]},
        {"messages": [{"role": "user", "content": None}]},
        {"messages": [{"role": "user", "content": "x", "name": "two words"}]},
        {"max_tokens": 0},
        {"temperature": 3},
        {"max_tokens": 5, "max_completion_tokens": 5},
        {"tool_choice": "auto"},
        {"parallel_tool_calls": False},
        {"tools": []},
        {"banana": 1},
        {"model": ""},
    ],
)
async def test_the_fake_is_as_strict_as_the_real_endpoint(openai_client, change):
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}], **change}
    with pytest.raises(Exception, match="400"):
        await openai_client.post("/chat/completions", cast_to=object, body=body)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
        {
            "type": "object",
            "properties": {"a": {"type": "array", "items": {"type": "object"}}},
            "required": ["a"],
            "additionalProperties": False,
        },
    ],
)
async def test_the_fake_refuses_strict_tools_with_loose_schemas(openai_client, schema):
    function = {"name": "f", "strict": True, "parameters": schema}
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "x"}],
        "tools": [{"type": "function", "function": function}],
    }
    with pytest.raises(Exception, match="Invalid schema"):
        await openai_client.post("/chat/completions", cast_to=object, body=body)
