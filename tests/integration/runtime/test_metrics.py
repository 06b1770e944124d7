"""What happens is counted where it happens: exact numbers, for Prometheus and for the charts."""

import pytest

from tests.fakes.builders import (
    GUILD,
    FakeExtractor,
    audience,
    make_candidate,
    make_event,
    make_extraction,
    make_recorder,
    make_turn,
)
from tests.fakes.model_server import FakeModelServer, error, text
from utils.build import build
from utils.common.config import Settings
from utils.common.errors import ModelRefused
from utils.conversation.answer_stream import AnswerStream
from utils.models.operator import CounterName
from utils.runtime.counters import EventCounters
from utils.runtime.metrics import Metrics, Stage


@pytest.fixture
async def model():
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
async def app(database_url, clock, model, until_end):
    settings = Settings(_env_file=None, database_url=database_url, openai_base_url=model.base_url)
    made = until_end(build(settings, clock))
    await made.start()
    return made


def count(app, name, **labels):
    """The value of a sample; 0 where nothing was counted yet."""
    return app.runtime.metrics.registry.get_sample_value(f"kith_{name}", labels) or 0


async def charted(app):
    """What the tally has written, without the days."""
    await app.runtime.counters.write()
    day = app.clock.now().date()
    found = await app.runtime.counters.since(day, list(CounterName), GUILD)
    return {(one.guild_id, one.name, one.label): one.count for one in found}


async def test_one_message_and_its_answer(app, model):
    model.script(text("Hello!").with_usage(120, 5))
    answer = await app.conversation.answer(make_turn(make_event("Hi")), stream=AnswerStream())
    assert answer.text == "Hello!"
    assert count(app, "messages_total", how="chat") == 1
    assert count(app, "model_calls_total", purpose="chat") == 1
    assert count(app, "model_tokens_total", purpose="chat", direction="prompt") == 120
    assert count(app, "model_tokens_total", purpose="chat", direction="completion") == 5
    assert count(app, "model_tokens_total", purpose="chat", direction="thought") == 0
    for stage in (Stage.RECALL, Stage.FIRST_WORDS, Stage.MODEL):
        assert count(app, "reply_stage_seconds_count", stage=stage) == 1
    assert count(app, "model_call_seconds_count", purpose="chat") == 1
    assert (count(app, "recall_rows_count"), count(app, "recall_rows_sum")) == (1, 0)
    assert await charted(app) == {
        (GUILD, CounterName.MESSAGES, "chat"): 1,
        (GUILD, CounterName.RECALLED, "0"): 1,
    }


async def test_a_call_that_failed_is_counted_by_its_error(app, model):
    model.script(error(401), error(401))
    for _ in range(2):
        with pytest.raises(ModelRefused):
            await app.conversation.answer(make_turn(make_event("Hi")))
    assert count(app, "model_errors_total", purpose="chat", error="ModelRefused") == 2
    assert app.runtime.metrics.last_calls.failed == 2
    model.script(text("Hello!"))
    await app.conversation.answer(make_turn(make_event("Hi")))
    assert app.runtime.metrics.last_calls.failed == 0


async def test_what_was_learnt_and_refused_is_counted_by_kind_and_reason(database, clock):
    tally = EventCounters(database, clock)
    metrics = Metrics(clock, tally)
    read = make_extraction(
        make_candidate("has a dog named Rex", quote="I have a dog named Rex"),
        make_candidate("has a cat", quote="I have a cat"),
    )
    extractor = FakeExtractor(lambda _: read)
    recorder = make_recorder(database, clock, extractor, metrics=metrics)
    await recorder.start()
    await recorder.record(make_event("I have a dog named Rex"), audience())
    await recorder.settle()
    await recorder.close()
    sample = metrics.registry.get_sample_value
    assert sample("kith_memories_learnt_total", {"kind": "fact"}) == 1
    assert sample("kith_memories_refused_total", {"reason": "quote"}) == 1
    await tally.write()
    found = await tally.since(clock.now().date(), list(CounterName))
    assert {(one.name, one.label, one.count) for one in found} == {
        (CounterName.LEARNT, "fact", 1),
        (CounterName.REFUSED, "quote", 1),
    }
