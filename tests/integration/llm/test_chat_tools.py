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
    assert (completion.text, completion.calls) == ("Hello from the fake model.", ())
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
    assert await calls_of(server, model, fake.raw_tool_arguments("[1]", "fly")) == (
        ToolCall("call_0", "fly", {}, malformed=True),
    )
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
    assert (await model.reply([*turns, *ROUND_TRIP[2:]], tools=TOOLS)).text
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


@pytest.mark.parametrize("answers", [["In words."], [fake.cut_off(""), "In words."]])
async def test_a_failed_generation_costs_one_answer_its_tools_and_no_more(server, model, answers):
    failed = fake.error(400, message="Failed to call a function.", code="tool_use_failed")
    server.script(failed, *answers, fake.tools(("time", {})))
    assert (await model.reply(HELLO, tools=TOOLS)).text == "In words."
    assert (await model.reply(HELLO, tools=TOOLS)).calls
    assert ["tools" in sent for sent in server.chats] == [True, *(False for _ in answers), True]


# -- calls written as words -----------------------------------------------------------------

REX_WRITTEN = json.dumps({"name": "remember", "arguments": REX})
FORMS = {
    "python": "remember(fact='has a dog named Rex', topics=[\"pets\"])",
    "gemma": 'remember{fact:<|"|>has a dog named Rex<|"|>,topics:[<|"|>pets<|"|>]}',
    "tags": "<parameter=fact>\nhas a dog named Rex\n</parameter>\n"
    '<parameter=topics>\n["pets"]\n</parameter>\n',
    "named": '<param name="fact"><![CDATA[has a dog named Rex]]></param>'
    '<param name="topics">["pets"]</param>',
    "dsml": '<｜DSML｜parameter name="fact" string="true">has a dog named Rex</｜DSML｜parameter>\n'
    '<｜DSML｜parameter name="topics" string="false">["pets"]</｜DSML｜parameter>\n',
    "pairs": "<arg_key>fact</arg_key>\n<arg_value>has a dog named Rex</arg_value>\n"
    '<arg_key>topics</arg_key>\n<arg_value>["pets"]</arg_value>\n',
}
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
        f"<|python_tag|>{REX_WRITTEN}",  # Llama 3.2
        f"<function=remember>{json.dumps(REX)}</function>",  # Llama 3.1
        f"[{FORMS['python']}]",  # Llama 4
        f"<|tool_call_start|>[{FORMS['python']}]<|tool_call_end|>",  # LFM2
        f"{FENCE}tool_code\nprint(default_api.{FORMS['python']})\n{FENCE}",  # Gemma 3
        f"<|tool_call>call:{FORMS['gemma']}<tool_call|>",
        f"<tool_call>\n<function=remember>\n{FORMS['tags']}</function>\n</tool_call>",  # Qwen3
        f'<function name="remember">{FORMS["named"]}</function>',  # MiniCPM 5
        f'<minimax:tool_call><invoke name="remember">{FORMS["named"]}</invoke></minimax:tool_call>',
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="remember">\n'
        f"{FORMS['dsml']}</｜DSML｜invoke>\n</｜DSML｜function_calls>",  # DeepSeek V3.2
        f"<tool_call>remember\n{FORMS['pairs']}</tool_call>",  # GLM 4.5
        f"<tool_calls><tool_call>remember<tool_sep>\n{FORMS['pairs']}</tool_call></tool_calls>",
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>remember\n{FENCE}json\n"
        f"{json.dumps(REX)}\n{FENCE}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",  # DeepSeek V3
        f"<｜tool▁call▁begin｜>remember<｜tool▁sep｜>{json.dumps(REX)}<｜tool▁call▁end｜>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.remember:0"
        f"<|tool_call_argument_begin|>{json.dumps(REX)}<|tool_call_end|>",  # Kimi K2
        "<|channel|>analysis<|message|>A dog.<|end|><|start|>assistant<|channel|>commentary "
        f"to=functions.remember <|constrain|>json<|message|>{json.dumps(REX)}<|call|>",  # gpt-oss
        f"<|channel|>commentary to=functions.remember json<|message|>{json.dumps(REX)}",
        f"functions.remember:0{json.dumps(REX)}",  # without its special tokens
        f'<|START_ACTION|>[{{"tool_name": "remember", "parameters": {json.dumps(REX)}}}]',
        f'<|tools_prefix|>[{{"remember": {json.dumps(REX)}}}]<|tools_suffix|>',  # Apertus
        f"<|action_start|> <|plugin|>\n{REX_WRITTEN}<|action_end|>",  # InternLM
        json.dumps({"type": "function", "function": {"name": "remember", "parameters": REX}}),
        json.dumps({"name": "functions.remember", "arguments": json.dumps(REX)}),
        json.dumps({"tool": "remember", "args": REX}),
        json.dumps({"action": "remember", "action_input": REX}),
        f"<functioncall> {REX_WRITTEN}",
        f"<tools>\n{REX_WRITTEN}\n</tools>",
        f"Thought: A dog.\nAction: remember\nAction Input: {json.dumps(REX)}",
        f"assistantcommentary to=functions.remember json{json.dumps(REX)}",
        "<start_function_call>call:" + FORMS["gemma"].replace('<|"|>', "<escape>"),
    ],
)
async def test_a_call_that_is_written_as_words_is_a_call(server, model, words):
    server.script(words)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert (completion.text, completion.calls) == ("", (ToolCall("call00000", "remember", REX),))


@each_row(
    "words, text, calls",
    [
        (f"I will.\n<tool_call>{REX_WRITTEN}", "I will.", [("remember", REX)]),
        (f"I will.\n\n{REX_WRITTEN}", "I will.", [("remember", REX)]),  # llama3.2, by Ollama
        (f"So:\n\n{FENCE}json\n{REX_WRITTEN}\n{FENCE}", "So:", [("remember", REX)]),
        (f"I will.\n{TIME_WRITTEN}\n{REX_WRITTEN}", "I will.", [("time", {}), ("remember", REX)]),
        (f"[time(), {FORMS['python']}]", "", [("time", {}), ("remember", REX)]),
        (f"<|python_tag|>{TIME_WRITTEN}; {REX_WRITTEN}", "", [("time", {}), ("remember", REX)]),
        (f"<tool_call>time</tool_call>{REX_WRITTEN}", "", [("time", {}), ("remember", REX)]),
        (
            "<function=look_up>\n<parameter=about>null</parameter></function>",
            "",
            [("look_up", {"about": None})],
        ),
        (f"<tool_call>{TIME_WRITTEN}</tool_call>\nIt is five.", "", [("time", {})]),
        (f"<tool_call>{TIME_WRITTEN}\nOr:\n<tool_call>{TIME_WRITTEN}", "", [("time", {})] * 2),
        ("<function=time>\n", "", [None]),
        (
            REX_WRITTEN.replace("pets", "<tool_call>"),
            "",
            [("remember", {**REX, "topics": ["<tool_call>"]})],
        ),
        (f'I know "Rex"<tool_call>{TIME_WRITTEN}', 'I know "Rex"', [("time", {})]),
        (f"<function=fly>{FORMS['tags']}</function>", "", [None]),
        (f"Yes. <function=remember>{FORMS['tags']}", "Yes.", [None]),
        (f"<function=remember>{FORMS['tags'][:-20]}</function>", "", [None]),
        (f"<tool_call>remember{FORMS['pairs'] * 2}</tool_call>", "", [None]),
        ("[TOOL_CALLS]time('x')", "", [None]),
        ("<|open|>tools<|sep|><|open|>call", "", [None]),
    ],
)
async def test_nobody_reads_the_marks_of_a_call(server, model, words, text, calls):
    server.script(words)
    completion = await model.reply(HELLO, tools=TOOLS)
    read = [None if call.malformed else (call.name, call.arguments) for call in completion.calls]
    assert (completion.text, read) == (text, calls)


async def test_half_a_call_in_words_is_malformed_rather_than_shown(server, model):
    for end in range(REX_WRITTEN.index(":") + 14, len(REX_WRITTEN)):
        assert await calls_of(server, model, f"<tool_call>{REX_WRITTEN[:end]}") == (
            ToolCall("call00000", "remember", {}, malformed=True),
        )


@each_row(
    "words",
    [
        f"Here is the call:\n{REX_WRITTEN}\nShall I?",
        f"Here is the call: {REX_WRITTEN}",
        f"A call of another's tool:\n{REX_WRITTEN.replace('remember', 'weather')}",
        f"{FENCE}json\n{REX_WRITTEN}\n{FENCE}\nShall I?",
        f"Qwen writes `<tool_call>`, then\n{FENCE}xml\n<function=time>\n{FENCE}",
        "Qwen writes <tool_call> before a call, and </tool_call> after it.",
        "It ends with </tool_call>.",
        f"You wrote <tool_call>{REX_WRITTEN}</tool_call> just now.",
        f'**"<tool_call>{REX_WRITTEN}</tool_call>"** is what it says.',
        f"Die Seite sagt: „<tool_call>{REX_WRITTEN}</tool_call>“",
        f'It says "<tool_call>{REX_WRITTEN}\n<tool_call>{REX_WRITTEN}</tool_call>" twice.',
        f"> <tool_call>{REX_WRITTEN}</tool_call>\nThat is what you wrote.",
        f"{FENCE}python\n{FORMS['python']}\n{FENCE}",
        f"In ReAct:\nAction: remember\nAction Input: {json.dumps(REX)}",
        "My tool:\n"
        + json.dumps({"name": "remember", "description": "", "parameters": REMEMBER.parameters}),
        "<action_start>bows<action_end> Hello!",
        "</tool_call>\nIt is noon.",
        '["<tool_call>"]',
        json.dumps({"time": "noon"}),
        json.dumps({"time": {}, "day": {}}),
        f"[{TIME_WRITTEN}, {json.dumps({'name': 'fly', 'arguments': {}})}]",
        json.dumps({"name": ["remember"], "arguments": {}}),
        json.dumps(REX),
        f"fly{json.dumps(REX)}",
        "{}",
        "remember",
        "".join(f"[{n}]" for n in range(3000)),
    ],
)
async def test_everything_else_is_words(server, model, words):
    server.script(words)
    completion = await model.reply(HELLO, tools=TOOLS)
    assert (completion.text, completion.calls) == (words.strip(), ())


# -- the round trip in words, and the fake itself -------------------------------------------


def asked(*ids, **changes):
    function = {"name": "time", "arguments": "{}"}
    calls = [{"id": one, "type": "function", "function": function, **changes} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}
