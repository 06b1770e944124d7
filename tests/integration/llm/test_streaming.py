"""Answers heard while they are written, against a loopback endpoint."""

import asyncio
from contextlib import suppress

import pytest

from tests.fakes import model_server as fake
from tests.fakes.builders import make_language_model
from tests.fakes.model_server import Writing
from utils.common.errors import ModelError, ModelMalformed, ModelRefused, ModelUnreachable
from utils.models.llm import ChatMessage, ToolDefinition

HELLO = [ChatMessage("system", "You are Kith."), ChatMessage("user", "Say something.")]
CLOSED = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
TIME = ToolDefinition("time", "Tell the time.", CLOSED)


pytestmark = pytest.mark.usefixtures("quick_client")


@pytest.fixture
def model(server, until_end):
    return until_end(
        make_language_model(chat_model="chatty", base_url=server.base_url, max_retries=1)
    )


def as_tokenmizer(words):
    """Return a refusal as tokenmizer 0.6.1 streams it: the status is in the words alone."""
    body = {"error": {"message": f"[openai] api_error: {words}", "type": "provider_error"}}
    return fake.error(502, body=body)


class Pushed:
    """Collects the texts of a streamed answer."""

    def __init__(self, texts):
        self.push = texts.append


async def ask(model, **more):
    heard = []
    return await model.reply(HELLO, stream=Pushed(heard), **more), heard


async def test_an_answer_is_heard_as_it_grows_and_returned_whole(server, model):
    server.script(fake.text("One two three."))
    completion, heard = await ask(model)
    assert heard == ["One ", "One two ", "One two three."]
    assert completion.text == "One two three."
    assert completion.usage.is_reported
    assert server.chats[0]["stream"] is True
    assert server.chats[0]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(("refused", "kept"), [("stream", False), ("stream_options", True)])
async def test_what_is_refused_of_it_is_left_out_from_then_on(server, model, refused, kept):
    server.refuse = {refused}
    completion, heard = await ask(model)
    assert completion.text == "Hello from the fake model."
    assert bool(heard) is kept
    await ask(model)
    assert [one.get("stream", False) for one in server.chats] == [True, kept, kept]
    assert ["stream_options" in one for one in server.chats] == [True, False, False]


async def test_tools_are_called_from_a_stream(server, model):
    server.script(fake.tools(("time", {}), ("time", {}), words="Let me see."))
    completion, heard = await ask(model, tools=[TIME])
    assert [call.name for call in completion.calls] == ["time", "time"]
    assert heard[-1] == "Let me see."


async def test_calls_that_a_gateway_drops_from_streams_are_asked_for_without_one(server, model):
    server.streams_texts_only = True
    server.reply_with(fake.tools(("time", {})))
    for _ in range(3):
        completion, _ = await ask(model, tools=[TIME])
        assert [call.name for call in completion.calls] == ["time"]
    assert [one.get("stream", False) for one in server.chats] == [True, False, True, False, False]
    assert model.omitted(model.entries("chatty")[0]) == ["stream"]


@pytest.mark.parametrize("lost", [fake.text(""), fake.text("On", "error")])
async def test_a_stream_without_an_answer_is_asked_for_once_more_and_streams_go_on(
    server, model, lost
):
    server.script(lost, "One.", lost, "Two.", "Three.")
    answers = [(await ask(model, tools=[TIME]))[0].text for _ in range(3)]
    assert answers == ["One.", "Two.", "Three."]
    assert [one.get("stream", False) for one in server.chats] == [True, False, True, False, True]


@pytest.mark.parametrize("between", [fake.tools(("time", {})), [fake.text(""), fake.text("No.")]])
async def test_an_empty_stream_before_a_call_ends_streams_only_twice_in_a_row(
    server, model, between
):
    lost = [fake.text(""), fake.tools(("time", {}))]
    between = between if isinstance(between, list) else [between]
    server.script(*lost, *between, *lost, fake.text("Two."))
    for _ in range(4):
        await ask(model, tools=[TIME])
    assert server.chats[-1]["stream"] is True
    assert model.omitted(model.entries("chatty")[0]) == []


async def test_a_gateway_that_drops_the_ends_of_streams_is_asked_for_none_after_two(server, model):
    server.streams_no_ends = True
    for _ in range(3):
        completion, heard = await ask(model)
        assert completion.text == "Hello from the fake model."
    assert [one.get("stream", False) for one in server.chats] == [True, False, True, False, False]
    assert heard == []


async def test_ends_that_streams_lose_at_once_count_once(server, model):
    server.streams_no_ends, server.latency_s = True, 0.2
    await asyncio.gather(ask(model), ask(model))
    await ask(model)
    assert [one.get("stream", False) for one in server.chats] == [
        True,
        True,
        False,
        False,
        True,
        False,
    ]


async def test_a_lost_end_counts_no_more_after_a_stream_with_its_end(server, model):
    for server.streams_no_ends in (True, False, True, False):
        await ask(model)
    assert server.chats[-1]["stream"] is True


@pytest.mark.parametrize("place", [0, 1])
async def test_a_stream_with_a_damaged_chunk_is_asked_for_once_more_whole(server, model, place):
    chunks = (
        '{"choices": [{"index": 0, "delta": {"content": "I am not "}}]}',
        '{"choices": [{"index": 0, "delta": {"content": "at ho',
        '{"choices": [{"index": 0, "delta": {"content": "home."}, "finish_reason": "stop"}]}',
        "[DONE]",
    )
    damaged = "".join(f"data: {chunk}\n\n" for chunk in chunks[1 - place :])
    server.script(fake.raw_body(damaged, "text/event-stream"), fake.text("I am not at home."))
    completion, _ = await ask(model)
    assert completion.text == "I am not at home."
    assert [one.get("stream", False) for one in server.chats] == [True, False]


async def test_what_is_damaged_after_the_end_of_a_stream_asks_for_nothing_more(server, model):
    chunks = (
        '{"choices": [{"index": 0, "delta": {"content": "Home."}, "finish_reason": "stop"}]}',
        "{cost: 0.001}",
        "[DONE]",
    )
    body = "".join(f"data: {chunk}\n\n" for chunk in chunks)
    server.script(fake.raw_body(body, "text/event-stream"))
    completion, _ = await ask(model)
    assert completion.text == "Home."
    assert len(server.chats) == 1


async def test_calls_written_as_words_are_not_heard(server, model):
    server.script(fake.text('{"name": "time", "arguments": {}}'))
    completion, heard = await ask(model, tools=[TIME])
    assert [call.name for call in completion.calls] == ["time"]
    assert heard == []


async def test_an_error_after_the_first_words_is_no_complete_answer(server, model):
    """As litellm's proxy 1.108 reports an upstream that fails."""
    chunk = '{"choices": [{"index": 0, "delta": {"content": "This is half "}}]}'
    failure = '{"error": {"message": "litellm.APIConnectionError", "code": "500"}}'
    broken = fake.raw_body(f"data: {chunk}\n\ndata: {failure}\n\n", "text/event-stream")
    server.script(broken, fake.text("Finished."))
    completion, heard = await ask(model)
    assert completion.text == "Finished."
    assert heard == ["This is half "]


@pytest.mark.parametrize(
    "answers",
    [
        [fake.error(503), fake.error(503)],
        [fake.raw_body('{"error": "The model is gone."}')],
        [fake.cut_off(""), fake.error(503), fake.error(503)],  # it thinks, and is asked once more
    ],
)
async def test_what_was_shown_stays_when_the_model_refuses_to_write_it_again(
    server, model, answers
):
    chunk = '{"choices": [{"index": 0, "delta": {"content": "This is half "}}]}'
    half = fake.raw_body(f"data: {chunk}\n\n", "text/event-stream")
    server.script(half, *answers)
    completion, heard = await ask(model)
    assert (completion.text, completion.truncated) == ("This is half", True)
    assert heard == ["This is half "]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (fake.error(401, message="no", code="invalid_api_key"), "does not accept my key"),
        (fake.error(404, message="no", code="model_not_found"), "does not exist there"),
        (fake.error(400, message="The maximum context is 4096 tokens."), "That is too long"),
        (fake.rate_limited(9), "has too many requests"),
        (fake.error(503), "I can't reach my language model"),
        (as_tokenmizer("Error code: 401 - Incorrect API key provided"), "does not accept my key"),
        (as_tokenmizer("Error code: 429 - Rate limit reached"), "too many requests"),
    ],
)
async def test_an_error_that_is_streamed_with_status_200_says_what_is_wrong(
    server, model, answer, sentence
):
    server.streams_errors = True
    server.reply_with(answer)
    with pytest.raises(ModelError, match=sentence):
        await ask(model)


async def test_what_a_server_refuses_is_left_out_also_if_the_refusal_is_streamed(server, model):
    server.streams_errors = True
    server.refuse = {"stream_options", "temperature"}
    server.reply_with("It is nine.")
    for count in (3, 4):
        assert ((await ask(model))[0].text, len(server.chats)) == ("It is nine.", count)
    # As anymodel 0.7.0 answers each stream, and Portkey's gateway 1.15.2 in words like these.
    failed = fake.Answer(content_type="text/plain", status=500, body="Internal Server Error")
    server.start_over()
    server.on_chat = lambda asked: failed if "stream" in asked else "It is ten."
    assert (await ask(model))[0].text == "It is ten."


async def test_a_stream_that_stands_still_ends_with_what_was_shown(server):
    heard, patience_s = [], 0.15
    while not heard:  # on a busy machine the first word takes its time
        patience_s *= 2
        name = f"chatty for {patience_s} s"
        model = make_language_model(
            chat_model=name, base_url=server.base_url, chat_timeout_s=patience_s, max_retries=0
        )
        writing = Writing()
        writing.write("And then … ")
        server.script(writing(None))
        with suppress(ModelUnreachable):
            completion = await model.reply(HELLO, stream=Pushed(heard))
        await model.close()
    assert (completion.text, completion.truncated) == ("And then …", True)
    assert completion.usage.completion_tokens > 0
    assert [one["model"] for one in server.chats].count(name) == 1


async def test_a_model_that_goes_round_in_circles_is_stopped(server, model, caplog):
    # As SmolLM2-135M (Q4_1, llama.cpp of xllamacpp 2026.10.11549) did for 1,024 tokens.
    sentence = "You're here to help. I'm here to help and support.\n\n"
    writing = Writing()
    for _ in range(16):
        writing.write(sentence)
    server.script(writing(None), fake.text(f"Hello. {sentence * 16}"))
    completion, _ = await ask(model)
    assert (completion.text, completion.truncated) == (sentence.strip(), True)
    completion = await model.reply(HELLO)
    assert (completion.text, completion.truncated) == (f"Hello. {sentence.strip()}", True)
    assert caplog.text.count("chatty repeated itself") == 2


async def test_who_stops_listening_gives_the_place_back(server):
    model = make_language_model(chat_model="chatty", base_url=server.base_url, concurrency=1)
    writing = Writing()
    server.script(writing(None))
    asking = asyncio.create_task(ask(model))
    await writing.begun.wait()
    asking.cancel()
    await asyncio.wait([asking])
    assert (await ask(model))[0].text == "Hello from the fake model."
    await model.close()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (fake.empty_choices(), ModelMalformed),
        (fake.text(""), ModelMalformed),
        (fake.raw_body("<html>not here</html>", "text/html"), ModelRefused),
    ],
)
async def test_what_is_no_answer_is_an_error_streamed_or_not(server, model, answer, error):
    server.reply_with(answer)
    with pytest.raises(error):
        await ask(model)
    with pytest.raises(error):
        await model.reply(HELLO)
