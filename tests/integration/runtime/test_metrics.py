"""What happens is counted where it happens: exact numbers, for Prometheus and for the charts."""

from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from types import SimpleNamespace

import pytest

from tests.fakes.builders import (
    ADA,
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
from utils.common.errors import BadInput, BudgetSpent, ModelRefused
from utils.conversation.answer_stream import AnswerStream
from utils.database.schema.memory_tables import shadow_recall
from utils.models.llm import Usage
from utils.models.memory import RecordOutcome
from utils.models.operator import CounterName
from utils.runtime.counters import EventCounters
from utils.runtime.metrics import Metrics, Stage, size_label


@pytest.fixture
async def model():
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
async def app(database_url, clock, model):
    settings = Settings(_env_file=None, database_url=database_url, openai_base_url=model.base_url)
    made = build(settings, clock)
    await made.start()
    yield made
    await made.close()


def count(app, name, **labels):
    """The value of a sample; 0 where nothing was counted yet."""
    return app.runtime.metrics.registry.get_sample_value(f"kith_{name}", labels) or 0


async def charted(app):
    """What the tally has written, without the days."""
    await app.runtime.counters.write()
    day = app.clock.now().date()
    found = await app.runtime.counters.since(day, list(CounterName))
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


async def test_the_wait_for_the_model_is_part_of_its_stages(app, model, clock, monkeypatch):
    @asynccontextmanager
    async def slot(_before_waiting):
        clock.advance(9)
        yield lambda: None

    monkeypatch.setattr(app.conversation._model, "slot", slot)
    model.script(text("Hello!"))
    await app.conversation.answer(make_turn(make_event("Hi")), stream=AnswerStream())
    for stage in (Stage.FIRST_WORDS, Stage.MODEL):
        assert count(app, "reply_stage_seconds_sum", stage=stage) == 9


async def test_a_message_that_another_process_answers_is_not_counted_here(app):
    event = make_event("Hi")
    assert await app.memory.recorder.record(event, audience()) is RecordOutcome.STORED
    assert await app.conversation.answer(make_turn(event)) is None
    assert count(app, "messages_total", how="chat") == 0
    assert await charted(app) == {}


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


async def test_a_call_that_was_not_allowed_is_no_call(database_url, clock, model):
    settings = Settings(
        _env_file=None,
        database_url=database_url,
        openai_base_url=model.base_url,
        daily_token_budget=1,
    )
    poor = build(settings, clock)
    await poor.start()
    with pytest.raises(BudgetSpent):
        await poor.conversation.answer(make_turn(make_event("Hi")))
    assert count(poor, "model_calls_total", purpose="chat") == 0
    assert count(poor, "model_errors_total", purpose="chat", error="BudgetSpent") == 1
    await poor.close()


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


async def test_what_is_remembered_by_command_and_recalled_is_counted(app, model):
    event = make_event("I have a dog named Rex", channel_id=200)
    await app.memory.editor.remember(ADA, event, "has a dog named Rex", audience(channel_id=200))
    assert count(app, "memories_learnt_total", kind="fact") == 1
    told = make_event("Rex chased a squirrel today", message_id=2, channel_id=200)
    await app.memory.recorder.record(told, audience(channel_id=200))
    await app.conversation.answer(make_turn(make_event("How is my dog Rex?"), 200))
    found = count(app, "recall_rows_sum") + count(app, "recall_messages_sum")
    assert found == 1  # beside the profile
    assert count(app, "recall_tokens_sum") > 5
    assert (await charted(app))[GUILD, CounterName.RECALLED, "1-3"] == 1


async def test_what_a_command_may_not_keep_is_counted_once_however_often_it_is_tried(
    app, monkeypatch
):
    write, tries = app.database.write, []

    async def twice(unit, *args, **kwargs):
        def run(connection):
            with suppress(BadInput):  # what a passing fault undoes, and the engine tries again
                unit(connection, *args, **kwargs)
            tries.append(1)
            return unit(connection, *args, **kwargs)

        return await write(run)

    monkeypatch.setattr(app.database, "write", twice)
    event = make_event("I have a dog named Rex", channel_id=200)
    with pytest.raises(BadInput):
        await app.memory.editor.remember(
            ADA, event, "the password is hunter2", audience(channel_id=200)
        )
    assert tries
    assert count(app, "memories_refused_total", reason="secret") == 1
    monkeypatch.undo()
    assert (await charted(app))[GUILD, CounterName.REFUSED, "secret"] == 1


async def test_pruning_is_counted_by_reason(app, clock):
    event = make_event("I have a dog named Rex")
    await app.memory.editor.remember(ADA, event, "has a dog named Rex", audience())
    clock.advance(days=31)
    await app.admin.job_runs.prune()
    assert count(app, "pruned_rows_total", reason="expired") == 1
    assert (await charted(app))[GUILD, CounterName.PRUNED, "expired"] == 1


async def test_counts_of_long_ago_are_pruned_and_the_rest_stays(app, clock):
    app.runtime.counters.add(GUILD, CounterName.REPLIES, "model")
    await app.runtime.counters.write()
    long_ago = clock.now().date()
    clock.advance(days=400)
    await app.admin.job_runs.prune()
    assert await app.runtime.counters.since(long_ago, [CounterName.REPLIES])
    clock.advance(days=1)
    await app.admin.job_runs.prune()
    assert not await app.runtime.counters.since(long_ago, [CounterName.REPLIES])


async def test_what_the_shadow_recalled_is_kept_for_thirty_days(app, clock):
    row = dict.fromkeys(shadow_recall.c.keys()[1:], 1) | {"ActiveIds": "", "ShadowIds": "7"}
    for days in (31, 30):
        said = row | {"At": clock.now() - timedelta(days=days), "GuildId": days}
        await app.database.write(
            lambda connection, said=said: connection.execute(shadow_recall.insert().values(said))
        )
    await app.admin.job_runs.prune()
    left = await app.database.read(
        lambda connection: connection.scalars(
            shadow_recall.select().with_only_columns(shadow_recall.c.GuildId)
        ).all()
    )
    assert left == [30]


async def test_what_is_known_beforehand_begins_at_zero_so_that_the_first_is_a_rise(app):
    sample = app.runtime.metrics.registry.get_sample_value
    for name, labels in (
        ("memories_learnt", {"kind": "lore"}),
        ("pruned_rows", {"reason": "over_cap"}),
        ("messages", {"how": "passive"}),
        ("replies", {"outcome": "model"}),
        ("replies", {"outcome": "ModelUnreachable"}),
        ("model_errors", {"purpose": "chat", "error": "ModelUnreachable"}),
    ):
        assert sample(f"kith_{name}_total", labels) == 0, name


def test_a_server_that_was_erased_is_begun_no_count_anew(clock):
    noted = []
    tally = SimpleNamespace(add=lambda *what: noted.append(what))
    metrics = Metrics(clock, tally)
    metrics.count_pruned({"servers": {GUILD: 1}, "expired": {GUILD: 5, 2: 3}})
    assert noted == [(2, CounterName.PRUNED, "expired", 3)]
    assert metrics.registry.get_sample_value("kith_pruned_rows_total", {"reason": "expired"}) == 8


async def test_a_call_that_breaks_off_or_fails_unforeseen_says_nothing_of_the_model(clock):
    metrics = Metrics(clock)
    with pytest.raises(ZeroDivisionError), metrics.measure_model_call("chat", Usage):
        clock.advance(2)
        raise ZeroDivisionError
    sample = metrics.registry.get_sample_value
    assert sample("kith_model_errors_total", {"purpose": "chat", "error": "unforeseen"}) == 1
    assert sample("kith_model_call_seconds_sum", {"purpose": "chat"}) == 2
    assert metrics.last_calls.failed == 0
    with pytest.raises(ModelRefused), metrics.measure_model_call("embedding", Usage):
        raise ModelRefused  # by an endpoint of its own, perhaps
    assert metrics.last_calls.failed == 0


def test_sizes_have_few_labels():
    assert [size_label(one) for one in (0, 1, 3, 4, 8, 9, 15, 16, 99)] == [
        "0", "1-3", "1-3", "4-8", "4-8", "9-15", "9-15", "16+", "16+",
    ]  # fmt: skip
