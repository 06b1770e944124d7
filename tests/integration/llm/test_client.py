"""The model client against a loopback endpoint, through the real openai library."""

import asyncio
import json
import logging

import pytest

from tests.fakes import model_server as fake
from tests.fakes.builders import make_language_model
from utils.common.errors import (
    ModelError,
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
    SettingsError,
)
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
def build(server, until_end):
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
        return until_end(make_language_model(**{**arguments, **changes}))

    return make


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


async def test_headers_that_a_gateway_wants_come_from_the_variable_of_openais_package(
    server, build, monkeypatch
):
    # Portkey's gateway 1.15.2 refuses a request without x-portkey-provider: openai's package helps.
    headers = "x-portkey-provider: openai\nx-portkey-custom-host: http://127.0.0.1:1/v1"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", headers)
    await build().reply(HELLO)
    sent = server.requests[0].headers
    assert sent["x-portkey-provider"] == "openai"
    assert sent["x-portkey-custom-host"] == "http://127.0.0.1:1/v1"
    assert sent["Authorization"] == f"Bearer {KEY}"


async def test_broken_characters_travel_neither_way(server, model):
    server.script(fake.raw_body('{"choices": [{"message": {"content": "half \\ud83d"}}]}'))
    completion = await model.reply([ChatMessage("user", "half \ud83d")])
    sent = server.chats[0]["messages"][0]["content"]
    assert (completion.text, sent) == ("half \ufffd", "half \ufffd")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (fake.parts("Hel", "lo"), "Hello"),
        (fake.Answer([{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "Hi"}]), "Hi"),
        (
            fake.Answer([{"type": "reasoning_text", "text": "hm"}, {"type": "text", "text": "Hi"}]),
            "Hi",
        ),
        (fake.Answer([{"type": "text", "text": "hm", "thought": True}, {"text": "Hi"}]), "Hi"),
        (fake.text("<think>secret\nplan</think>\n\nHello"), "Hello"),
        (fake.text("the tag `</think>` ends it"), "the tag `</think>` ends it"),
        (fake.refused("I can't help with that."), "I can't help with that."),
    ],
)
async def test_words_are_found_in_every_form_of_content(server, model, answer, words):
    server.script(answer)
    completion = await model.reply(HELLO)
    assert (completion.text, completion.truncated) == (words, False)


@pytest.mark.parametrize(
    "answer",
    [
        *(fake.cut_off("Once upon a"), fake.filtered("Once upon a")),
        *(fake.text("Once upon a", end) for end in ("MAX_TOKENS", "model_length", "error")),
    ],
)
async def test_an_answer_that_was_stopped_early_is_marked_as_truncated(server, model, answer):
    server.script(answer)
    completion = await model.reply(HELLO)
    assert (completion.text, completion.truncated) == ("Once upon a", True)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (fake.empty_choices(None), "no usable answer"),
        (fake.text(None), "no usable answer"),
        (fake.reasoning_only(), "no usable answer"),
        (fake.text("<tool_call>\n<function=time>\n</function>"), "no usable answer"),
        (fake.filtered(), "content filter"),
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
        ("[]", "application/json"),
        ("[" * 100_000, "application/json"),
    ],
)
async def test_something_else_at_the_address_is_named_as_such(server, model, body, content_type):
    server.script(fake.raw_body(body, content_type))
    with pytest.raises(ModelRefused, match="OPENAI_BASE_URL"):
        await model.reply(HELLO)


# -- refusals and outages -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected", "sentence"),
    [
        (fake.error(401, message=f"Incorrect API key: {KEY}"), ModelRefused, "OPENAI_API_KEY"),
        (fake.error(403, message="region"), ModelRefused, "may not use"),
        (fake.error(404, code="model_not_found"), ModelRefused, "CHAT_MODEL"),
        (fake.error(404, body="<html>nothing</html>"), ModelRefused, "OPENAI_BASE_URL"),
        (fake.error(429, code="insufficient_quota"), ModelRefused, "quota"),
        (fake.error(400, code="context_length_exceeded"), ModelRefused, "less text"),
        (fake.error(429, message="Rate limit reached"), ModelUnreachable, "too many requests"),
        (fake.error(500), ModelUnreachable, "can't reach"),
        (fake.drop_connection(), ModelUnreachable, "can't reach"),
    ],
)
async def test_every_failure_becomes_a_typed_error_with_its_sentence_and_is_logged_once(
    server, model, answer, expected, sentence, caplog
):
    server.script(answer, "Hi.", answer)
    with pytest.raises(expected, match=sentence) as caught:
        await model.reply(HELLO)
    assert (KEY in str(caught.value), len(server.requests)) == (False, 1)
    assert (await model.reply(HELLO)).text == "Hi."
    with pytest.raises(expected):
        await model.call_tool(HELLO, EXTRACT, model=model.chat_model)
    # What one request is refused for comes again with the next such request.
    assert caplog.text.count("WARNING") == 1 + (sentence != "less text")


async def test_a_wrong_key_is_refused_and_never_shown(server, build):
    server.api_key = "sk-another-one"
    with pytest.raises(ModelRefused) as caught:
        await build().reply(HELLO)
    assert KEY[:4] not in str(caught.value)
    assert caught.value.__cause__ is None
    server.api_key = KEY
    assert (await build().reply(HELLO)).text


@pytest.mark.parametrize(
    "answer",
    [
        fake.error(503),
    ],
)
async def test_passing_trouble_is_retried_by_the_client_and_by_nobody_else(server, build, answer):
    patient = build(max_retries=2)
    server.script(answer, answer, "third time lucky")
    assert (await patient.reply(HELLO)).text == "third time lucky"
    server.script(*[answer] * 9)
    with pytest.raises(ModelUnreachable):
        await patient.reply(HELLO)
    assert len(server.requests) == 6


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


@pytest.mark.parametrize(
    "answer",
    [
        REX_CALL,
        # Of servers without a parser for their model's calls.
        fake.text(f"<tool_call>{json.dumps({'name': EXTRACT.name, 'arguments': REX})}</tool_call>"),
        fake.text(f"[extract_memories(memories={REX['memories']!r}, profile_update=None)]"),
    ],
)
async def test_a_tool_call_is_strict_forced_and_single(server, model, answer):
    server.script(answer.with_usage(100, 20))
    result = await model.call_tool(HELLO, EXTRACT, max_tokens=500)
    assert result.arguments == REX
    assert result.usage == Usage(100, 20)
    (sent,) = server.chats
    assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("sorter", 0.2, 500)
    assert sent["tools"][0]["function"]["strict"] is True
    assert sent["tools"][0]["function"]["parameters"] == EXTRACT.parameters
    assert sent["tool_choice"] == {"type": "function", "function": {"name": "extract_memories"}}
    assert sent["parallel_tool_calls"] is False


REFUSALS = [
    ({"strict"}, 1),
    ({"tool_choice"}, 2),
    ({"tools"}, 1),
    ({"temperature"}, 1),
    ({"max_tokens"}, 1),
    ({"max_tokens", "max_completion_tokens"}, 2),  # langgraph-openai-serve 0.31.0
    (set(fake.REFUSABLE), 6),
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
    assert {"max_tokens", "max_completion_tokens"} & last.keys() == (
        {"max_completion_tokens" if "max_tokens" in refuse else "max_tokens"} - refuse
    )


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


@pytest.mark.parametrize(
    "answer",
    [
        fake.error(400, body={"error": "Invalid tool_choice type: 'object'."}),
        fake.error(500, body={"error": {"message": "tools param requires --jinja flag"}}),
        fake.error(400, message="This model can't call functions."),
        fake.raw_body(  # earcon 0.2.0
            '{"error": {"upstream_status": 400, "upstream_body": "{\\"error\\": {\\"message\\": '
            'Invalid tool_choice type.\\"}}"}}'
        ),
        fake.raw_body(  # tokenmizer 0.6.1
            '{"error": {"type": "provider_error", "message": '
            '"[openai] api_error: Error code: 400 - Invalid tool_choice type."}}'
        ),
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
        fake.error(429, message="tool_choice"),
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
        fake.tool("extract_memories", {"weather": "fine"}),
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


async def test_cut_off_arguments_keep_what_is_complete(server, model):
    two = {"memories": [REX["memories"][0], {"memory": "plays late", "replaces": None}]}
    written = json.dumps({**two, "profile_update": None})
    server.script(fake.raw_tool_arguments(written[:-40], finish_reason="length"))
    assert (await model.call_tool(HELLO, EXTRACT)).arguments == REX
    assert len(server.chats) == 1


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
