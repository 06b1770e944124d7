"""Models that think: room for it, effort, and what is said when there is none."""

import pytest

from tests.fakes import model_server as fake
from tests.fakes.builders import make_language_model
from utils.common.errors import OutOfRoom
from utils.models.llm import ChatMessage, ToolDefinition, object_schema

pytestmark = pytest.mark.usefixtures("quick_client")

HELLO = [ChatMessage("user", "Say something.")]
NOTE = ToolDefinition("note", "Note it.", object_schema(text={"type": "string"}))


@pytest.fixture
def build(server, until_end):
    return lambda **given: until_end(make_language_model(base_url=server.base_url, **given))


def limits(server):
    return [request["max_tokens"] for request in server.chats]


@pytest.mark.parametrize(
    "thoughts",
    [
        150,
        1100,
    ],
)
async def test_a_model_that_thinks_gets_more_room_and_keeps_it(server, build, thoughts):
    server.thought_tokens = thoughts
    server.extract_with(lambda request: {"text": "tea"})
    model = build()
    assert (await model.call_tool(HELLO, NOTE, max_tokens=120)).arguments == {"text": "tea"}
    answer = await model.reply(HELLO, max_tokens=100)
    assert answer.text == "Hello from the fake model."
    assert answer.usage.thought_tokens >= thoughts
    asked = len(server.chats)
    await model.reply(HELLO, max_tokens=100)
    assert len(server.chats) == asked + 1, "the room is remembered"
    assert limits(server)[0] == 120


async def test_without_room_the_next_model_is_asked_and_nothing_is_paused(server, build):
    server.on_chat = lambda request: fake.cut_off("") if request["model"] == "one" else "Tea."
    model = build(chat_model="one, two")
    for _ in range(2):
        assert (await model.reply(HELLO)).text == "Tea."
    assert [request["model"] for request in server.chats] == ["one", "one", "two"] * 2


async def test_a_model_that_never_has_room_says_so_and_what_it_cost(server, build):
    server.thought_tokens = 10**6
    model = build()
    with pytest.raises(OutOfRoom, match="ran out of room") as caught:
        await model.call_tool(HELLO, NOTE, max_tokens=100)
    assert "REASONING_EFFORT" in caught.value.for_operator
    assert caught.value.usage.completion_tokens == sum(limits(server))
    assert limits(server) == [100, 4196]


async def test_room_that_a_context_does_not_have_is_given_back(server, build):
    server.max_model_len = 8192
    model = build()
    server.thought_tokens = 6000
    for _ in range(2):  # the second thinks again for longer than it has room
        with pytest.raises(OutOfRoom):
            await model.reply(HELLO, max_tokens=100)
    server.thought_tokens = 1000
    assert (await model.reply(HELLO, max_tokens=100)).text == "Hello from the fake model."
    assert limits(server) == [100, 4196, 4196, 16484, 4196, 4196]


async def test_the_effort_is_sent_by_model_until_it_is_refused(server, build):
    model = build(chat_model="one", triage_model="two", efforts={"": "low", "two": "none"})
    await model.reply(HELLO)
    await model.call_tool(HELLO, NOTE)
    assert [request.get("reasoning_effort") for request in server.chats] == ["low", "none"]
    server.script(fake.error(400, message="Unrecognized request argument: reasoning_effort"))
    await model.reply(HELLO)
    await model.reply(HELLO)
    assert [request.get("reasoning_effort") for request in server.chats[2:]] == ["low", None, None]


@pytest.mark.parametrize("prose", ["I like turtles.", fake.cut_off("a line of " * 500)])
async def test_where_tools_are_dropped_in_silence_the_server_is_given_the_schema(
    server, build, prose
):
    server.on_chat = lambda request: '{"text": "tea"}' if "response_format" in request else prose
    model = build()
    for _ in range(2):
        assert (await model.call_tool(HELLO, NOTE)).arguments == {"text": "tea"}
    formats = [request.get("response_format") for request in server.chats]
    wanted = {"type": "json_schema", "json_schema": {"name": "note", "schema": NOTE.parameters}}
    assert formats == [None, wanted, wanted]


async def test_a_server_that_takes_no_schema_is_asked_for_json_in_words(server, build):
    def answer(request):
        if "response_format" in request:
            return fake.error(400, message="response_format.type must be 'text'")
        return "I like turtles." if "tools" in request else '{"text": "tea"}'

    server.on_chat = answer
    model = build()
    for _ in range(2):
        assert (await model.call_tool(HELLO, NOTE)).arguments == {"text": "tea"}
    assert ["response_format" in request for request in server.chats] == [False, True, False, False]
