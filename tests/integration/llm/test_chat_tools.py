"""Tools in a reply: calls, the round trip, endpoints that refuse tools, calls written as words."""

import asyncio
import json
import re

import pytest

from tests.fakes import model_server as fake
from tests.fakes.builders import make_language_model
from tests.rows import each_row
from utils.common.errors import ModelMalformed, ModelRefused, ModelUnreachable
from utils.llm.json_reader import MAX_DEPTH
from utils.llm.json_repair import MAX_CHARS
from utils.models.llm import ChatMessage, Completion, ToolCall, ToolDefinition, Usage, in_words

pytestmark = pytest.mark.usefixtures("quick_client")

HELLO = [ChatMessage("system", "You are Kith."), ChatMessage("user", "I have a dog, Rex.")]


def closed(**properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


REMEMBER = ToolDefinition(
    "remember",
    "Keep a fact.",
    closed(fact={"type": "string"}, topics={"type": "array", "items": {"type": "string"}}),
)
LOOK_UP = ToolDefinition("look_up", "Find facts.", closed(about={"type": ["string", "null"]}))
TIME = ToolDefinition("time", "Tell the time.", closed())
TOOLS = (REMEMBER, LOOK_UP, TIME)
REX = {"fact": "has a dog named Rex", "topics": ["pets"]}
REX_CALL = ToolCall("call_0", "remember", REX)
ROUND_TRIP = [
    *HELLO,
    ChatMessage("assistant", "", calls=(REX_CALL, ToolCall("call_1", "time", {}))),
    ChatMessage("tool", "kept", call_id="call_0"),
    ChatMessage("tool", "noon", call_id="call_1"),
]
IN_WORDS = [
    {"role": "system", "content": "You are Kith."},
    {"role": "user", "content": "I have a dog, Rex."},
    {
        "role": "assistant",
        "content": f"(used the tool remember: {json.dumps(REX)})\n(used the tool time: {{}})",
    },
    {"role": "user", "content": "(result of remember: kept)\n(result of time: noon)"},
]
FENCE = "```"


@pytest.fixture
async def build(server):
    built = []

    def make(**changes):
        arguments = {"chat_model": "chatty", "base_url": server.base_url, "max_retries": 0}
        built.append(make_language_model(**{**arguments, **changes}))
        return built[-1]

    yield make
    for model in built:
        await model.close()


@pytest.fixture
def model(build):
    return build()


async def calls_of(server, model, answer, tools=TOOLS):
    server.script(answer)
    return (await model.reply(HELLO, tools=tools)).calls


# -- calls ----------------------------------------------------------------------------------


async def test_offered_tools_are_sent_strictly_and_left_to_the_model(server, model):
    completion = await model.reply(HELLO, tools=TOOLS, max_tokens=77, temperature=0.5)
    assert completion.text == "Hello from the fake model."
    assert completion.calls == ()
    (sent,) = server.chats
    assert sent["tool_choice"] == "auto"
    assert [offer["function"]["name"] for offer in sent["tools"]] == ["remember", "look_up", "time"]
    assert sent["tools"][0]["function"] == {
        "name": "remember",
        "description": "Keep a fact.",
        "parameters": REMEMBER.parameters,
        "strict": True,
    }
    assert set(sent) == {*("model", "messages", "max_tokens", "temperature", "tools")} | {
        "tool_choice"
    }


async def test_without_tools_nothing_about_tools_is_sent(server, model):
    await model.reply(HELLO)
    assert set(server.chats[0]) == {"model", "messages", "max_tokens", "temperature"}


async def test_an_answer_may_be_calls_alone(server, model):
    server.script(fake.tools(("remember", REX), ("time", {})).with_usage(30, 7))
    assert await model.reply(HELLO, tools=TOOLS) == Completion(
        "", Usage(30, 7), False, (REX_CALL, ToolCall("call_1", "time", {}))
    )


async def test_an_answer_may_be_words_and_calls(server, model):
    server.script(fake.tools(("remember", REX), words="<think>hm</think>Let me note that."))
    completion = await model.reply(HELLO, tools=TOOLS)
    assert completion.text == "Let me note that."
    assert completion.calls == (REX_CALL,)


async def test_a_call_without_usage_is_estimated(server, model):
    server.script(fake.tools(("remember", REX)).without_usage(), fake.text("ok").without_usage())
    first = (await model.reply(HELLO, tools=TOOLS)).usage
    assert first.prompt_tokens > 100
    assert first.completion_tokens > 5
    assert (await model.reply(ROUND_TRIP)).usage.prompt_tokens > 30


@pytest.mark.parametrize(
    "written",
    [
        f"{FENCE}json\n{json.dumps(REX)}\n{FENCE}",
        "{'fact': 'has a dog named Rex', 'topics': ['pets',],}",
        '{"fact": "has a dog named Rex", "topics": "pets"}',
        json.dumps(json.dumps(REX)),
        json.dumps({**REX, "mood": "glad"}),
    ],
)
async def test_arguments_are_repaired_and_shaped_like_their_schema(server, model, written):
    answer = fake.raw_tool_arguments(written, "remember")
    assert await calls_of(server, model, answer) == (REX_CALL,)


@pytest.mark.parametrize("written", ["", "{}", " { } ", "null"])
async def test_no_arguments_are_enough_where_none_are_needed(server, model, written):
    (call,) = await calls_of(server, model, fake.raw_tool_arguments(written, "look_up"))
    assert call == ToolCall("call_0", "look_up", {"about": None})
    (call,) = await calls_of(server, model, fake.raw_tool_arguments(written, "time"))
    assert call == ToolCall("call_0", "time", {})
    (call,) = await calls_of(server, model, fake.raw_tool_arguments(written, "remember"))
    assert call == ToolCall("call_0", "remember", {}, malformed=True)


@pytest.mark.parametrize(
    "written",
    [
        "oh dear",
        "[1, 2]",
        '{"weather": "fine"}',
        '{"fact": "has a dog"}',
        "[" * 5000,
        '{"fact": ' * 5000,
        '{"fact": "a", "topics": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}",
        '{"fact": "a", "topics": ["' + "x" * MAX_CHARS + '"]}',
    ],
)
async def test_arguments_beyond_repair_make_the_call_malformed(server, model, written):
    answer = fake.raw_tool_arguments(written, "remember")
    assert await calls_of(server, model, answer) == (
        ToolCall("call_0", "remember", {}, malformed=True),
    )


@each_row("end", range(1, len('{"about": "dogs", "more": {"about": "c"}}')))
async def test_half_a_call_is_never_acted_on(server, model, end):
    written = '{"about": "dogs", "more": {"about": "c"}}'[:end]
    answer = fake.raw_tool_arguments(written, "look_up", finish_reason="length")
    server.script(answer)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert completion.truncated
    assert completion.calls == (ToolCall("call_0", "look_up", {}, malformed=True),)


async def test_one_malformed_call_does_not_spoil_the_others(server, model):
    answer = fake.Answer(calls=(("remember", "?"), ("remember", json.dumps(REX))))
    first, second = await calls_of(server, model, answer)
    assert first.malformed
    assert second == ToolCall("call_1", "remember", REX)


async def test_a_tool_that_is_not_there_is_still_reported(server, model):
    answer = fake.tools(("fly", {"to": "\ud83d", "by": [1, {"a": None}]}), ("", {}))
    fly, _ = await calls_of(server, model, answer)
    assert fly == ToolCall("call_0", "fly", {"to": "\ufffd", "by": [1, {"a": None}]})
    (fly,) = await calls_of(server, model, fake.raw_tool_arguments("[1]", "fly"))
    assert fly == ToolCall("call_0", "fly", {}, malformed=True)
    messages = [
        *HELLO,
        ChatMessage("assistant", "", calls=(ToolCall("c", "func.fly!\ud83d", {"to": "\ud83d"}),)),
        ChatMessage("tool", "There is no such tool.", call_id="c"),
    ]
    assert (await model.reply(messages, tools=TOOLS)).text
    sent = server.chats[-1]["messages"][2]["tool_calls"][0]["function"]
    assert sent == {"name": "func_fly", "arguments": '{"to": "\ufffd"}'}


@pytest.mark.parametrize("given", [None, "", 7])
async def test_calls_without_an_id_get_one_of_their_own(server, model, given):
    function = {"name": "remember", "arguments": REX}
    message = {"content": None, "tool_calls": [{"id": given, "function": function}] * 2}
    calls = await calls_of(
        server, model, fake.raw_body(json.dumps({"choices": [{"message": message}]}))
    )
    assert [call.id for call in calls] == ["call00000", "call00001"]
    assert [call.arguments for call in calls] == [REX, REX]


async def test_an_id_that_was_used_before_is_replaced(server, model):
    function = {"name": "time", "arguments": "{}"}
    message = {"tool_calls": [{"id": "call_1", "function": function}]}
    server.script(fake.raw_body(json.dumps({"choices": [{"message": message}]})))
    (call,) = (await model.reply(ROUND_TRIP, tools=TOOLS)).calls
    assert call.id == "call00002"


async def test_a_call_in_the_old_form_is_a_call(server, model):
    message = {"function_call": {"name": "remember", "arguments": json.dumps(REX)}}
    answer = fake.raw_body(json.dumps({"choices": [{"message": message}]}))
    assert await calls_of(server, model, answer) == (ToolCall("call00000", "remember", REX),)


async def test_an_answer_with_neither_words_nor_calls_is_malformed(server, model):
    server.script(fake.reasoning_only().with_usage(9, 1))
    with pytest.raises(ModelMalformed) as caught:
        await model.reply(HELLO, tools=TOOLS)
    assert caught.value.usage == Usage(9, 1)


async def test_a_call_that_nobody_offered_is_no_answer(server, model):
    server.script(fake.tools(("remember", REX)))
    with pytest.raises(ModelMalformed):
        await model.reply(HELLO)


# -- the round trip -------------------------------------------------------------------------


async def test_calls_and_their_results_go_back_as_they_came(server, model):
    server.script(fake.tools(("remember", REX), ("time", {})), "Noted, at noon.")
    first = await model.reply(HELLO, tools=TOOLS)
    messages = [
        *HELLO,
        ChatMessage("assistant", first.text, calls=first.calls),
        *(ChatMessage("tool", "done", call_id=call.id) for call in first.calls),
    ]
    assert (await model.reply(messages, tools=TOOLS)).text == "Noted, at noon."
    asked, *results = server.chats[1]["messages"][2:]
    assert asked == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_0",
                "type": "function",
                "function": {"name": "remember", "arguments": json.dumps(REX)},
            },
            {"id": "call_1", "type": "function", "function": {"name": "time", "arguments": "{}"}},
        ],
    }
    assert results == [
        {"role": "tool", "content": "done", "tool_call_id": "call_0"},
        {"role": "tool", "content": "done", "tool_call_id": "call_1"},
    ]


async def test_words_beside_calls_go_back_too_and_the_last_round_needs_no_tools(server, model):
    messages = [*HELLO, ChatMessage("assistant", "Let me see.", calls=(REX_CALL,))]
    messages.append(ChatMessage("tool", "", call_id="call_0"))
    assert (await model.reply(messages)).text
    assert server.chats[0]["messages"][2]["content"] == "Let me see."
    assert "tools" not in server.chats[0]


async def test_a_malformed_call_can_go_back(server, model):
    broken = ToolCall("call_0", "remember", {}, malformed=True)
    messages = [
        *HELLO,
        ChatMessage("assistant", "", calls=(broken,)),
        ChatMessage("tool", "I could not read the arguments.", call_id="call_0"),
    ]
    assert (await model.reply(messages, tools=TOOLS)).text
    assert len(server.chats) == 1


# -- endpoints that refuse ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refuse", "refusals"),
    [
        ({"tools"}, 1),
        ({"offered_tools"}, 2),
        ({"strict"}, 1),
        ({"tool_choice"}, 1),
        ({"parallel_tool_calls"}, 0),
        ({"named_tool"}, 0),
        ({"strict", "tool_choice", "temperature", "max_tokens"}, 4),
        (set(fake.REFUSABLE), 4),
    ],
)
async def test_what_is_refused_is_left_out_once_and_for_all(server, model, refuse, refusals):
    server.refuse = refuse
    for _ in range(2):
        assert (await model.reply(HELLO, tools=TOOLS)).text == "Hello from the fake model."
    assert len(server.chats) == refusals + 2
    last = server.chats[-1]
    assert ("tools" in last) is not bool(refuse & {"tools", "offered_tools"})


@pytest.mark.parametrize("refused", ["tools", "offered_tools"])
async def test_a_model_without_tools_is_told_of_the_round_trip_in_words(server, model, refused):
    server.refuse = {refused}
    assert (await model.reply(ROUND_TRIP, tools=TOOLS)).text
    assert server.chats[-1]["messages"] == IN_WORDS
    assert "tools" not in server.chats[-1]
    seen = len(server.chats)
    assert (await model.reply(ROUND_TRIP)).text
    assert server.chats[-1]["messages"] == IN_WORDS
    assert len(server.chats) == seen + 1


async def test_turns_of_one_role_are_joined_where_roles_must_alternate(server, model):
    server.refuse = {"repeated_roles"}
    turns = [
        ChatMessage("system", "You are Kith."),
        ChatMessage("assistant", "Anybody here?"),
        *(ChatMessage("user", text) for text in ("Ada: hi", "Bob: hello")),
        ChatMessage("assistant", "Hi both."),
        ChatMessage("user", "Ada: what now?"),
    ]
    for _ in range(2):
        assert (await model.reply(turns, tools=TOOLS)).text
    assert len(server.chats) == 3
    assert server.chats[-1]["messages"] == [
        {"role": "system", "content": "You are Kith."},
        {"role": "user", "content": "(you said: Anybody here?)\nAda: hi\nBob: hello"},
        {"role": "assistant", "content": "Hi both."},
        {"role": "user", "content": "Ada: what now?"},
    ]
    assert server.chats[-1]["tools"]
    round_trip = [*turns, *ROUND_TRIP[2:]]
    assert (await model.reply(round_trip, tools=TOOLS)).text
    assert [message["role"] for message in server.chats[-1]["messages"]][-3:] == [
        "assistant", "tool", "tool",
    ]  # fmt: skip


@pytest.mark.parametrize("tools", [TOOLS, ()])
async def test_an_endpoint_that_takes_no_tool_messages_keeps_its_tools(server, model, tools):
    server.refuse = {"tool_messages"}
    for _ in range(2):
        assert (await model.reply(ROUND_TRIP, tools=tools)).text
    assert len(server.chats) == 3
    assert server.chats[-1]["messages"] == IN_WORDS
    assert ("tools" in server.chats[-1]) is bool(tools)


@pytest.mark.parametrize(
    "answer",
    [
        fake.error(
            400, body={"error": "registry.ollama.ai/library/gemma:2b does not support tools"}
        ),
        fake.error(404, message="No endpoints found that support tool use."),
        fake.error(501, body="tools are not implemented"),
        fake.error(500, body={"error": {"message": "tools param requires --jinja flag"}}),
        fake.error(422, body={"detail": [{"loc": ["body", "tools"], "msg": "extra"}]}),
        fake.error(400, message="Invalid tool_choice: 'auto'."),
        fake.error(400, message="This model can't call functions."),
    ],
)
async def test_refusals_are_understood_in_the_words_of_many_servers(server, model, answer):
    server.on_chat = lambda request: answer if "tools" in request else "In words, then."
    assert (await model.reply(HELLO, tools=TOOLS)).text == "In words, then."
    assert len(server.chats) <= 4
    seen = len(server.chats)
    await model.reply(HELLO, tools=TOOLS)
    assert len(server.chats) == seen + 1


@pytest.mark.parametrize(
    "said",
    [
        "messages[3].role: 'tool' is not one of system, user, assistant",
        "After the optional system message, conversation roles must alternate user/assistant",
        "This model only supports single tool-calls at once!",
        "Missing `reasoning_content` field in the assistant message at message index 2",
        "Function call is missing a thought_signature in functionCall parts.",
        "Tool call id was call_0 but must be a-z, A-Z, 0-9, with a length of 9.",
    ],
)
async def test_trouble_with_tool_messages_costs_no_tools(server, model, said):
    def answer(request):
        told = any(message["role"] == "tool" for message in request["messages"])
        return fake.error(400, message=said) if told else "Well."

    server.on_chat = answer
    assert (await model.reply(ROUND_TRIP, tools=TOOLS)).text == "Well."
    assert len(server.chats) == 2
    assert server.chats[-1]["tools"] == server.chats[0]["tools"]


async def test_a_failed_generation_costs_one_answer_its_tools_and_no_more(server, model):
    failed = fake.error(400, message="Failed to call a function.", code="tool_use_failed")
    server.script(failed, "In words.", fake.tools(("time", {})))
    assert (await model.reply(HELLO, tools=TOOLS)).text == "In words."
    assert (await model.reply(HELLO, tools=TOOLS)).calls
    assert ["tools" in sent for sent in server.chats] == [True, False, True]


async def test_a_broken_round_trip_is_told_in_words_and_costs_no_feature(server, model):
    assert (await model.reply(ROUND_TRIP[:-1], tools=TOOLS)).text
    assert (await model.reply([*HELLO, ROUND_TRIP[-1]], tools=TOOLS)).text
    assert server.chats[-1]["messages"][-1]["content"] == "(result of a tool: noon)"
    assert (await model.reply(ROUND_TRIP, tools=TOOLS)).text
    assert len(server.chats) == 5
    assert server.chats[-1]["messages"][-1]["role"] == "tool"


async def test_tools_refused_in_chat_are_still_asked_for_by_name_and_the_other_way_round(
    server, model
):
    server.refuse = {"offered_tools"}
    await model.reply(HELLO, tools=TOOLS)
    await model.call_tool(HELLO, REMEMBER)
    assert server.chats[-1]["tool_choice"]["function"]["name"] == "remember"
    assert server.chats[-1]["tools"][0]["function"]["strict"] is True
    assert server.chats[-1]["parallel_tool_calls"] is False


async def test_a_model_that_ignores_a_named_tool_is_still_offered_tools(server, model):
    server.script("Sure, noted!", fake.in_code_fence(REX), fake.tools(("time", {})))
    assert (await model.call_tool(HELLO, REMEMBER)).arguments == REX
    assert (await model.reply(HELLO, tools=TOOLS)).calls
    assert ["tools" in sent for sent in server.chats] == [True, False, True]


async def test_a_server_that_refuses_everything_is_asked_a_bounded_number_of_times(server, model):
    server.on_chat = lambda request: fake.error(400, message="tool temperature max_tokens role")
    with pytest.raises(ModelRefused):
        await model.reply(ROUND_TRIP, tools=TOOLS)
    assert len(server.chats) <= 7
    server.on_chat = None
    await model.reply(ROUND_TRIP, tools=TOOLS)
    assert server.chats[-1]["tool_choice"] == "auto"


@pytest.mark.parametrize(
    "answer",
    [
        fake.error(404, message="The model `tool-user` does not exist"),
        fake.error(400, message="tools: the context length is 4096"),
        fake.error(429, message="tools"),
        fake.error(401, message="tools"),
    ],
)
async def test_other_refusals_take_no_tools_away(server, model, answer):
    server.script(answer)
    with pytest.raises((ModelRefused, ModelUnreachable)):
        await model.reply(HELLO, tools=TOOLS)
    await model.reply(HELLO, tools=TOOLS)
    assert server.chats[0] == server.chats[1]


async def test_the_timeout_and_the_places_hold_with_tools_too(server, build):
    model = build(chat_timeout_s=0.2, concurrency=1)
    server.on_chat = lambda request: fake.hang()
    asking = [model.reply(HELLO, tools=TOOLS) for _ in range(2)]
    first, second = await asyncio.gather(*asking, return_exceptions=True)
    assert type(first) is type(second) is ModelUnreachable
    assert "too long" in str(first)
    assert re.search(r"too many people|too long", str(second))


# -- calls written as words -----------------------------------------------------------------

REX_WRITTEN = json.dumps({"name": "remember", "arguments": REX})
TIME_WRITTEN = json.dumps({"name": "time", "arguments": {}})


@pytest.mark.parametrize(
    "words",
    [
        REX_WRITTEN,
        f"{FENCE}json\n{REX_WRITTEN}\n{FENCE}",
        f"{FENCE}\n{REX_WRITTEN}{FENCE}",
        f"<tool_call>\n{REX_WRITTEN}\n</tool_call>",
        f"<tool_call>{REX_WRITTEN}",
        f"<think>let me</think>\n<tool_call>{REX_WRITTEN}</tool_call>\n",
        f"[TOOL_CALLS] [{REX_WRITTEN}]",
        "<|python_tag|>" + json.dumps({"name": "remember", "parameters": REX}),
        json.dumps({"name": "remember", "arguments": json.dumps(REX)}),
        json.dumps({"type": "function", "function": {"name": "remember", "parameters": REX}}),
        f"{{'name': 'remember', 'arguments': {REX},}}",
    ],
)
async def test_a_call_that_is_written_as_words_is_a_call(server, model, words):
    server.script(words)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert completion.calls == (ToolCall("call00000", "remember", REX),)
    assert completion.text == ""


@pytest.mark.parametrize(
    "words",
    [
        f"<tool_call>{REX_WRITTEN}</tool_call>\n<tool_call>{TIME_WRITTEN}</tool_call>",
        f"{FENCE}json\n{REX_WRITTEN}\n{FENCE}\n{FENCE}json\n{TIME_WRITTEN}\n{FENCE}",
        f"[{REX_WRITTEN}, {TIME_WRITTEN}]",
    ],
)
async def test_several_calls_may_be_written_as_words(server, model, words):
    calls = await calls_of(server, model, words)
    assert calls == (ToolCall("call00000", "remember", REX), ToolCall("call00001", "time", {}))


async def test_half_a_call_in_words_is_malformed_rather_than_shown(server, model):
    for end in range(REX_WRITTEN.index(":") + 14, len(REX_WRITTEN)):
        (call,) = await calls_of(server, model, f"<tool_call>{REX_WRITTEN[:end]}")
        assert call == ToolCall("call00000", "remember", {}, malformed=True)


@each_row(
    "words",
    [
        f"Here is the call:\n{REX_WRITTEN}",
        f"{REX_WRITTEN}\nDone!",
        f"{FENCE}json\n{REX_WRITTEN}\n{FENCE}\nShall I?",
        f"{REX_WRITTEN} and {TIME_WRITTEN}",
        f"<tool_call>{TIME_WRITTEN}</tool_call><tool_call>oops</tool_call>",
        json.dumps({"name": "fly", "arguments": {}}),
        f"[{TIME_WRITTEN}, {json.dumps({'name': 'fly', 'arguments': {}})}]",
        json.dumps({"name": "remember"}),
        json.dumps({"name": ["remember"], "arguments": {}}),
        json.dumps({"name": "Rex", "kind": "dog"}),
        json.dumps(REX),
        "[]",
        "{}",
        "{",
        "remember",
        FENCE,
        "<tool_call></tool_call>",
        "[" * 5000,
        "[1]" * 3000,
        " " + TIME_WRITTEN + " " * MAX_CHARS + ".",
    ],
)
async def test_everything_else_is_words(server, model, words):
    server.script(words)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert completion.text == words.strip()
    assert completion.calls == ()


async def test_a_written_call_is_words_where_no_tools_were_offered(server, model):
    server.script(REX_WRITTEN)
    assert (await model.reply(HELLO)).text == REX_WRITTEN
    server.refuse = {"tools"}
    server.script(REX_WRITTEN)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert (completion.text, completion.calls) == (REX_WRITTEN, ())


async def test_real_calls_leave_the_words_alone(server, model):
    server.script(fake.tools(("time", {}), words=REX_WRITTEN))
    completion = await model.reply(HELLO, tools=TOOLS)
    assert completion.text == REX_WRITTEN
    assert completion.calls == (ToolCall("call_0", "time", {}),)


# -- the round trip in words, and the fake itself -------------------------------------------


def test_messages_without_tools_stay_as_they_are_in_words():
    assert in_words(HELLO) == HELLO
    assert in_words([]) == []


def test_each_result_in_words_belongs_to_the_nearest_call_of_its_id():
    again = ToolCall("call_0", "time", {})
    told = in_words(
        [
            *ROUND_TRIP[2:4],
            ChatMessage("assistant", "And now?", calls=(again,)),
            ChatMessage("tool", "noon", call_id="call_0"),
            ChatMessage("user", "Thanks"),
        ]
    )
    assert [message.role for message in told] == ["assistant", "user", "assistant", "user", "user"]
    assert told[1].text == "(result of remember: kept)"
    assert told[2].text == "And now?\n(used the tool time: {})"
    assert told[3].text == "(result of time: noon)"
    assert not any(message.calls or message.call_id for message in told)


def asked(*ids, **changes):
    function = {"name": "time", "arguments": "{}"}
    calls = [{"id": one, "type": "function", "function": function, **changes} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def told(call_id):
    return {"role": "tool", "tool_call_id": call_id, "content": "noon"}


USER = {"role": "user", "content": "x"}


@each_row(
    "messages",
    [
        [USER, told("a")],
        [USER, asked("a")],
        [USER, asked("a"), USER, told("a")],
        [USER, asked("a", "b"), told("a")],
        [USER, asked("a"), told("b")],
        [USER, asked("a"), told("a"), told("a")],
        [USER, asked("a", "a"), told("a"), told("a")],
        [USER, asked("a"), {**told("a"), "content": None}],
        [USER, asked("a"), {"role": "tool", "content": "noon"}],
        [USER, {**asked("a"), "role": "user"}, told("a")],
        [USER, {**asked(), "content": "x"}],
        [USER, asked("a" * 41), told("a" * 41)],
        [USER, asked("a", type=None), told("a")],
        [USER, asked("a", function={"name": "a b", "arguments": "{}"}), told("a")],
        [USER, asked("a", function={"name": "time", "arguments": {}}), told("a")],
    ],
)
async def test_the_fake_refuses_a_round_trip_that_is_out_of_order(server, model, messages):
    body = {"model": "m", "messages": messages}
    with pytest.raises(Exception, match="400"):
        await (await model._routes.endpoints[""].open()).post(
            "/chat/completions", cast_to=object, body=body
        )


async def test_the_fake_takes_a_round_trip_that_is_in_order(model):
    messages = [USER, asked("a", "b"), told("b"), told("a"), asked("a"), told("a"), USER]
    body = {"model": "m", "messages": messages}
    assert await (await model._routes.endpoints[""].open()).post(
        "/chat/completions", cast_to=object, body=body
    )
