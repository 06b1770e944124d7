"""Tools in a reply: calls, the round trip, endpoints that refuse tools, calls written as words."""

import json

import pytest

from tests.fakes import model_server as fake
from tests.fakes.builders import make_language_model
from tests.rows import each_row
from utils.common.errors import ModelMalformed
from utils.llm.json_reader import MAX_DEPTH
from utils.models.llm import ChatMessage, ToolCall, ToolDefinition

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
def build(server, until_end):
    def make(**changes):
        arguments = {"chat_model": "chatty", "base_url": server.base_url, "max_retries": 0}
        return until_end(make_language_model(**{**arguments, **changes}))

    return make


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


@pytest.mark.parametrize(
    "written",
    [
        "oh dear",
        '{"weather": "fine"}',
        "[" * 5000,
        '{"fact": "a", "topics": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}",
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


# -- endpoints that refuse ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refuse", "refusals"),
    [
        ({"tools"}, 1),
        ({"offered_tools"}, 2),
        (set(fake.REFUSABLE), 6),
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


async def test_instructions_are_the_first_turn_where_no_system_message_is_taken(server, model):
    server.refuse = {"system", "repeated_roles", "tools", "offered_tools"}  # Gemma 3, at Google's
    turns = [ChatMessage("system", "You are Kith."), ChatMessage("user", "Ada: hi")]
    for _ in range(2):
        assert (await model.reply(turns, tools=TOOLS)).text
        assert server.chats[-1]["messages"] == [
            {"role": "user", "content": "You are Kith.\nAda: hi"}
        ]
    assert len(server.chats) == 5
    assert "system messages" in model.omitted(model.entries(model.chat_model)[0])


async def test_turns_of_one_role_are_joined_for_one_call_after_an_error_without_a_reason(
    server, model
):
    # As `transformers serve` 5.24.0 answers where a model's template wants roles to alternate.
    no_reason = fake.Answer(content_type="text/plain", status=500, body="Internal Server Error")
    turns = [ChatMessage("user", "Ada: hi"), ChatMessage("user", "Bob: hello")]
    for _ in range(2):
        server.script(no_reason)
        assert (await model.reply(turns)).text
        apart, joined = (request["messages"] for request in server.chats[-2:])
        assert len(apart) == 2
        assert joined == [{"role": "user", "content": "Ada: hi\nBob: hello"}]


@pytest.mark.parametrize("tools", [TOOLS, ()])
async def test_an_endpoint_that_takes_no_tool_messages_keeps_its_tools(server, model, tools):
    server.refuse = {"tool_messages"}
    for _ in range(2):
        assert (await model.reply(ROUND_TRIP, tools=tools)).text
    assert len(server.chats) == 3
    assert server.chats[-1]["messages"] == IN_WORDS
    assert ("tools" in server.chats[-1]) is bool(tools)


async def test_a_failed_generation_costs_one_answer_its_tools_and_no_more(server, model):
    failed = fake.error(400, message="Failed to call a function.", code="tool_use_failed")
    server.script(failed, "In words.", fake.tools(("time", {})))
    assert (await model.reply(HELLO, tools=TOOLS)).text == "In words."
    assert (await model.reply(HELLO, tools=TOOLS)).calls
    assert ["tools" in sent for sent in server.chats] == [True, False, True]


# -- calls written as words -----------------------------------------------------------------

REX_WRITTEN = json.dumps({"name": "remember", "arguments": REX})
TIME_WRITTEN = json.dumps({"name": "time", "arguments": {}})


@pytest.mark.parametrize(
    "words",
    [
        REX_WRITTEN,
        f"<tool_call>\n{REX_WRITTEN}\n</tool_call>",
        f"[TOOL_CALLS] [{REX_WRITTEN}]",
        f"[TOOL_CALLS]remember[CALL_ID]abcDEF123[ARGS]{json.dumps(REX)}",  # Mistral Small 3.2
        f"<|tool_call|>[{REX_WRITTEN}]<|/tool_call|>",  # Phi-4 mini
        f"<TOOLCALL>[{REX_WRITTEN}]</TOOLCALL>",  # Nemotron 2
        json.dumps({"type": "function", "function": {"name": "remember", "parameters": REX}}),
    ],
)
async def test_a_call_that_is_written_as_words_is_a_call(server, model, words):
    server.script(words)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert completion.calls == (ToolCall("call00000", "remember", REX),)
    assert completion.text == ""


async def test_half_a_call_in_words_is_malformed_rather_than_shown(server, model):
    for end in range(REX_WRITTEN.index(":") + 14, len(REX_WRITTEN)):
        (call,) = await calls_of(server, model, f"<tool_call>{REX_WRITTEN[:end]}")
        assert call == ToolCall("call00000", "remember", {}, malformed=True)


@each_row(
    "words",
    [
        f"Here is the call:\n{REX_WRITTEN}",
        f"{FENCE}json\n{REX_WRITTEN}\n{FENCE}\nShall I?",
        f"<tool_call>{TIME_WRITTEN}</tool_call><tool_call>oops</tool_call>",
        f"[{TIME_WRITTEN}, {json.dumps({'name': 'fly', 'arguments': {}})}]",
        json.dumps({"name": ["remember"], "arguments": {}}),
        json.dumps(REX),
        f"fly{json.dumps(REX)}",
        "{}",
        "remember",
        "<tool_call></tool_call>",
        "".join(f"[{n}]" for n in range(3000)),
    ],
)
async def test_everything_else_is_words(server, model, words):
    server.script(words)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert completion.text == words.strip()
    assert completion.calls == ()


# -- the round trip in words, and the fake itself -------------------------------------------


def asked(*ids, **changes):
    function = {"name": "time", "arguments": "{}"}
    calls = [{"id": one, "type": "function", "function": function, **changes} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}
