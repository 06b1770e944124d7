"""Lists of models: the next one answers, failures are remembered, and one call tries again."""

import pytest

from tests.fakes import model_server as fake
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer, Writing
from utils.common.errors import (
    ModelMalformed,
    RequestRefused,
)
from utils.llm.client import LanguageModel
from utils.llm.endpoint import Endpoint
from utils.models.llm import ChatMessage

pytestmark = pytest.mark.usefixtures("quick_client")

HELLO = [ChatMessage("user", "Say something.")]


@pytest.fixture
async def second():
    async with FakeModelServer() as running:
        running.reply_with("I am the second.")
        yield running


@pytest.fixture
def outcomes():
    return []


@pytest.fixture
def build(server, second, outcomes, until_end):
    def made(chat_model="one, two@spare", *, clock=None, concurrency=8, **given):
        given.setdefault("max_retries", 0)  # nobody advances the clock

        def at(place):
            return Endpoint(None, place.base_url, concurrency=concurrency)

        return until_end(
            LanguageModel(
                at(server),
                chat_model=chat_model,
                others={"spare": at(second)},
                clock=clock or ManualClock(),
                observe=lambda *outcome: outcomes.append(outcome),
                **given,
            )
        )

    server.reply_with("I am the first.")
    return made


async def answer_of(model):
    return (await model.reply(HELLO)).text


@pytest.mark.parametrize(
    "failure",
    [
        fake.rate_limited(60),
        fake.error(402),
        fake.text("", "insufficient_system_resource"),  # DeepSeek
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


@pytest.mark.parametrize(
    ("failures", "steps"),
    [
        (
            [fake.error(503), fake.error(503)],
            [
                (0, "I am the second.", 1),
                (4, "I am the second.", 1),
                (2, "I am the second.", 2),  # the probe fails: 10 seconds now
                (9, "I am the second.", 2),
                (2, "I am the first.", 3),
                (0, "I am the first.", 4),
            ],
        ),
        (
            [fake.rate_limited(60)],
            [(0, "I am the second.", 1), (58, "I am the second.", 1), (20, "I am the first.", 2)],
        ),
    ],
)
async def test_after_a_pause_or_the_rest_that_an_endpoint_names_one_call_tries_again(
    server, second, build, failures, steps
):
    clock = ManualClock()
    model = build(clock=clock)
    server.script(*failures)
    for seconds, answer, asked in steps:
        clock.advance(seconds)
        assert await answer_of(model) == answer
        assert len(server.chats) == asked


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


@pytest.mark.parametrize(
    ("answer", "raised"),
    [(fake.error(413), RequestRefused), (fake.reasoning_only(), ModelMalformed)],
)
async def test_what_is_no_outage_is_not_asked_elsewhere(server, second, build, answer, raised):
    server.script(answer)
    with pytest.raises(raised):
        await build().reply(HELLO)
    assert second.chats == []
