"""Lists of models: the next one answers, failures are remembered, and one call tries again."""

import asyncio
from contextlib import suppress

import pytest

from tests.fakes import model_server as fake
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer, Writing
from utils.common.errors import (
    ModelMalformed,
    ModelRefused,
    ModelUnreachable,
    RequestRefused,
)
from utils.llm.client import LanguageModel
from utils.llm.endpoint import Endpoint
from utils.models.llm import ChatMessage, ToolDefinition

pytestmark = pytest.mark.usefixtures("quick_client")

HELLO = [ChatMessage("user", "Say something.")]
CLOSED = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
NOTE = ToolDefinition("note", "Note it.", CLOSED)


@pytest.fixture
async def second():
    async with FakeModelServer() as running:
        running.reply_with("I am the second.")
        yield running


@pytest.fixture
def outcomes():
    return []


@pytest.fixture
async def build(server, second, outcomes):
    models = []

    def made(chat_model="one, two@spare", *, clock=None, concurrency=8, **given):
        given.setdefault("max_retries", 0)  # nobody advances the clock

        def at(place):
            return Endpoint(None, place.base_url, concurrency=concurrency)

        models.append(
            LanguageModel(
                at(server),
                chat_model=chat_model,
                others={"spare": at(second)},
                clock=clock or ManualClock(),
                observe=lambda *outcome: outcomes.append(outcome),
                **given,
            )
        )
        return models[-1]

    server.reply_with("I am the first.")
    yield made
    for model in models:
        await model.close()


async def answer_of(model):
    return (await model.reply(HELLO)).text


@pytest.mark.parametrize(
    "failure",
    [
        fake.rate_limited(60),
        fake.error(503),
        fake.drop_connection(),
        fake.error(402),
        fake.error(429, code="insufficient_quota"),
        fake.error(401),
        fake.error(404, code="model_not_found"),
    ],
)
async def test_the_next_model_answers_at_once(server, second, build, outcomes, failure):
    model = build()
    server.script(failure)
    assert await answer_of(model) == "I am the second."
    assert await answer_of(model) == "I am the second."
    assert len(server.chats) == 1, "it is neither asked again nor while it is paused"
    assert [request["model"] for request in second.chats] == ["two", "two"]
    assert [name for name, _ in outcomes] == ["", "spare", "spare"]
    assert [outcome for _, outcome in outcomes][1:] == ["done", "done"]


async def test_a_refusal_that_the_operator_can_mend_is_logged_once(server, build, caplog):
    model = build("one")
    key, name = fake.error(401, message="sk-secret"), fake.error(404, code="model_not_found")
    server.script(key, key, fake.text("I am the first."), key, name, fake.error(413))
    for _ in range(6):
        with suppress(ModelRefused):
            await model.reply(HELLO)
    starts = [
        record.getMessage()[:40] for record in caplog.records if record.levelname == "WARNING"
    ]
    no_key = "one: My language model does not accept my key"[:40]
    assert starts == [no_key, no_key, "one: My language model does not exist there"[:40]]
    assert "sk-secret" not in caplog.text


async def test_after_a_pause_one_call_tries_again_and_pauses_double(server, second, build):
    clock = ManualClock()
    model = build(clock=clock)
    server.script(fake.error(503), fake.error(503))
    for seconds, answer, asked in (
        (0, "I am the second.", 1),
        (4, "I am the second.", 1),
        (2, "I am the second.", 2),  # the probe fails: 10 seconds now
        (9, "I am the second.", 2),
        (2, "I am the first.", 3),
        (0, "I am the first.", 4),
    ):
        clock.advance(seconds)
        assert await answer_of(model) == answer
        assert len(server.chats) == asked


async def test_while_one_call_probes_the_others_go_elsewhere(server, build):
    clock, writing = ManualClock(), Writing()
    model = build(clock=clock)
    server.script(fake.error(503), writing(None))
    await model.reply(HELLO)
    clock.advance(6)
    probe = asyncio.create_task(model.reply(HELLO, stream=Heard()))
    await writing.begun.wait()
    assert await answer_of(model) == "I am the second."
    probe.cancel()
    await asyncio.wait([probe])
    assert await answer_of(model) == "I am the first.", "a probe broken off is no failure"


class Heard:
    """What of an answer was shown."""

    def __init__(self):
        self.texts = []

    def push(self, text):
        self.texts.append(text)


async def test_a_stream_that_breaks_is_written_anew_by_the_next(server, second, build):
    model, heard, writing = build(), Heard(), Writing()
    server.script(writing(None), fake.error(503))
    writing.write("I am the fi")
    writing.break_off()
    completion = await model.reply(HELLO, stream=heard)
    assert completion.text == "I am the second."
    assert heard.texts[0] == "I am the fi"
    assert heard.texts[-1] == "I am the second."
    assert list(completion.usage.models) == ["one", "two@spare"], "the broken call counts as well"
    assert sum(part.total for part in completion.usage.models.values()) == completion.usage.total


async def test_a_busy_endpoint_is_not_paused(server, build, monkeypatch):
    monkeypatch.setattr("utils.llm.client.MAX_WAIT_S", 0.01)
    model, writing = build(concurrency=1), Writing()
    server.script(writing(None))
    first = asyncio.create_task(model.reply(HELLO, stream=Heard()))
    await writing.begun.wait()
    assert await answer_of(model) == "I am the second."
    first.cancel()
    await asyncio.wait([first])
    assert await answer_of(model) == "I am the first."


async def test_a_limit_of_one_model_leaves_its_endpoint_open(server, second, build):
    model = build("one, three, two@spare")
    server.script(fake.rate_limited(60))
    assert await answer_of(model) == "I am the first."
    assert [request["model"] for request in server.chats] == ["one", "three"]
    server.script(fake.error(503))
    assert await answer_of(model) == "I am the second.", "a failing endpoint pauses both"
    assert await answer_of(model) == "I am the second."
    assert len(server.chats) == 3


async def test_a_preferred_model_is_asked_first_and_the_others_follow(server, second, build):
    model = build("one, three, two@spare")
    prefer = ("gone", "two@spare", "three")
    assert (await model.reply(HELLO, prefer=prefer)).text == "I am the second."
    second.script(fake.error(503))
    assert (await model.reply(HELLO, prefer=prefer)).text == "I am the first."
    assert (await model.reply(HELLO)).text == "I am the first."
    assert [request["model"] for request in server.chats] == ["three", "one"]


async def test_when_all_are_away_all_are_asked_all_the_same(server, second, build):
    model = build()
    second.reply_with(fake.error(503))
    server.reply_with(fake.error(503))
    for _ in range(2):
        with pytest.raises(ModelUnreachable):
            await model.reply(HELLO)
    server.reply_with("I am back.")
    assert await answer_of(model) == "I am back."


@pytest.mark.parametrize(
    ("answer", "raised"),
    [(fake.error(413), RequestRefused), (fake.reasoning_only(), ModelMalformed)],
)
async def test_what_is_no_outage_is_not_asked_elsewhere(server, second, build, answer, raised):
    server.script(answer)
    with pytest.raises(raised):
        await build().reply(HELLO)
    assert second.chats == []


async def test_tools_are_called_by_the_next_model_of_their_own_list(server, second, build):
    model = build("one", triage_model="one, two@spare", verify_model="two@spare")
    server.script(fake.error(503))
    second.extract_with(lambda request: {})
    answer = await model.call_tool(HELLO, NOTE)
    assert answer.model == "two", "evidence names who answered"
    assert answer.usage.by_model() == {"two@spare": answer.usage}
    await model.call_tool(HELLO, NOTE, model=model.verify_model)
    assert [request["model"] for request in second.chats] == ["two", "two"]


async def test_a_probe_asks_the_next_endpoint(server, second, build):
    model = build("one, two@spare")
    await server.stop()
    await model.probe(5.0)
    await second.stop()
    with pytest.raises(ModelUnreachable):
        await model.probe(5.0)
