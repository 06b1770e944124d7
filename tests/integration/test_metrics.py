"""What happens is counted where it happens: exact numbers, for Prometheus and for the charts."""

from contextlib import suppress
from datetime import timedelta
from types import SimpleNamespace

import pytest

import bot
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
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer, error, text
from utils.config import Settings
from utils.database.tables import shadow_recall
from utils.errors import BadInput, BudgetSpent, ModelRefused
from utils.metrics import Metrics, Stage, size_of
from utils.model.llm import Usage
from utils.model.memory import Recorded
from utils.model.operator import Counted
from utils.tally import Tally


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
async def model():
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
async def core(database_url, clock, model):
    settings = Settings(_env_file=None, database_url=database_url, openai_base_url=model.base_url)
    made = bot.build(settings, clock)
    await made.start()
    yield made
    await made.close()


def count(core, name, **labels):
    """The value of a sample; 0 where nothing was counted yet."""
    return core.metrics.registry.get_sample_value(f"kith_{name}", labels) or 0


async def charted(core):
    """What the tally has written, without the days."""
    await core.tally.write()
    day = core.clock.now().date()
    found = await core.tally.since(day, list(Counted))
    return {(one.guild_id, one.name, one.label): one.count for one in found}


async def test_one_message_and_its_answer(core, model):
    model.script(text("Hello!").with_usage(120, 5))
    answer = await core.conversation.answer(make_turn(make_event("Hi")), on_text=[].append)
    assert answer.text == "Hello!"
    assert count(core, "messages_total", how="chat") == 1
    assert count(core, "model_calls_total", purpose="chat") == 1
    assert count(core, "model_tokens_total", purpose="chat", direction="prompt") == 120
    assert count(core, "model_tokens_total", purpose="chat", direction="completion") == 5
    for stage in (Stage.RECALL, Stage.FIRST_WORDS, Stage.MODEL):
        assert count(core, "reply_stage_seconds_count", stage=stage) == 1
    assert count(core, "model_call_seconds_count", purpose="chat") == 1
    assert (count(core, "recall_rows_count"), count(core, "recall_rows_sum")) == (1, 0)
    assert await charted(core) == {
        (GUILD, Counted.MESSAGES, "chat"): 1,
        (GUILD, Counted.RECALLED, "0"): 1,
    }


async def test_a_message_that_another_process_answers_is_not_counted_here(core):
    event = make_event("Hi")
    assert await core.recorder.record(event, audience()) is Recorded.STORED
    assert await core.conversation.answer(make_turn(event)) is None
    assert count(core, "messages_total", how="chat") == 0
    assert await charted(core) == {}


async def test_a_call_that_failed_is_counted_by_its_error(core, model):
    model.script(error(401), error(401))
    for _ in range(2):
        with pytest.raises(ModelRefused):
            await core.conversation.answer(make_turn(make_event("Hi")))
    assert count(core, "model_errors_total", purpose="chat", error="ModelRefused") == 2
    assert core.metrics.last_calls.failed == 2
    model.script(text("Hello!"))
    await core.conversation.answer(make_turn(make_event("Hi")))
    assert core.metrics.last_calls.failed == 0


async def test_a_call_that_was_not_allowed_is_no_call(database_url, clock, model):
    settings = Settings(
        _env_file=None,
        database_url=database_url,
        openai_base_url=model.base_url,
        daily_token_budget=1,
    )
    poor = bot.build(settings, clock)
    await poor.start()
    with pytest.raises(BudgetSpent):
        await poor.conversation.answer(make_turn(make_event("Hi")))
    assert count(poor, "model_calls_total", purpose="chat") == 0
    assert count(poor, "model_errors_total", purpose="chat", error="BudgetSpent") == 1
    await poor.close()


async def test_what_was_learnt_and_refused_is_counted_by_kind_and_reason(database, clock):
    tally = Tally(database, clock)
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
    found = await tally.since(clock.now().date(), list(Counted))
    assert {(one.name, one.label, one.count) for one in found} == {
        (Counted.LEARNT, "fact", 1),
        (Counted.REFUSED, "quote", 1),
    }


async def test_what_is_remembered_by_command_and_recalled_is_counted(core, model):
    event = make_event("I have a dog named Rex", channel_id=200)
    await core.keeper.remember(ADA, event, "has a dog named Rex", audience(channel_id=200))
    assert count(core, "memories_learnt_total", kind="fact") == 1
    await core.conversation.answer(make_turn(make_event("How is my dog Rex?"), 200))
    found = count(core, "recall_rows_sum") + count(core, "recall_messages_sum")
    assert found == 1  # beside the profile
    assert count(core, "recall_tokens_sum") > 5
    assert (await charted(core))[GUILD, Counted.RECALLED, "1-3"] == 1


async def test_what_a_command_may_not_keep_is_counted_once_however_often_it_is_tried(
    core, monkeypatch
):
    write, tries = core.database.write, []

    async def twice(unit):
        def run(session):
            with suppress(BadInput):  # what a passing fault undoes, and the engine tries again
                unit(session)
            tries.append(1)
            return unit(session)

        return await write(run)

    monkeypatch.setattr(core.database, "write", twice)
    event = make_event("I have a dog named Rex", channel_id=200)
    with pytest.raises(BadInput, match="own words"):
        await core.keeper.remember(ADA, event, "has a cat named Tom", audience(channel_id=200))
    assert tries
    assert count(core, "memories_refused_total", reason="unsupported") == 1
    monkeypatch.undo()
    assert (await charted(core))[GUILD, Counted.REFUSED, "unsupported"] == 1


async def test_pruning_is_counted_by_reason(core, clock):
    event = make_event("I have a dog named Rex")
    await core.keeper.remember(ADA, event, "has a dog named Rex", audience())
    clock.advance(days=31)
    await core.upkeep.prune()
    assert count(core, "pruned_rows_total", reason="expired") == 1
    assert (await charted(core))[GUILD, Counted.PRUNED, "expired"] == 1


async def test_counts_of_long_ago_are_pruned_and_the_rest_stays(core, clock):
    core.tally.add(GUILD, Counted.REPLIES, "model")
    await core.tally.write()
    long_ago = clock.now().date()
    clock.advance(days=400)
    await core.upkeep.prune()
    assert await core.tally.since(long_ago, [Counted.REPLIES])
    clock.advance(days=1)
    await core.upkeep.prune()
    assert not await core.tally.since(long_ago, [Counted.REPLIES])


async def test_what_the_shadow_recalled_is_kept_for_thirty_days(core, clock):
    row = dict.fromkeys(shadow_recall.c.keys()[1:], 1) | {"ActiveIds": "", "ShadowIds": "7"}
    for days in (31, 30):
        said = row | {"At": clock.now() - timedelta(days=days), "GuildId": days}
        await core.database.write(
            lambda session, said=said: session.execute(shadow_recall.insert().values(said))
        )
    await core.upkeep.prune()
    left = await core.database.read(
        lambda session: session.scalars(
            shadow_recall.select().with_only_columns(shadow_recall.c.GuildId)
        ).all()
    )
    assert left == [30]


async def test_what_is_known_beforehand_begins_at_zero_so_that_the_first_is_a_rise(core):
    sample = core.metrics.registry.get_sample_value
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
    metrics.pruned({"servers": {GUILD: 1}, "expired": {GUILD: 5, 2: 3}})
    assert noted == [(2, Counted.PRUNED, "expired", 3)]
    assert metrics.registry.get_sample_value("kith_pruned_rows_total", {"reason": "expired"}) == 8


async def test_a_call_that_breaks_off_or_fails_unforeseen_says_nothing_of_the_model(clock):
    metrics = Metrics(clock)
    with pytest.raises(ZeroDivisionError), metrics.model_call("chat", Usage):
        clock.advance(2)
        raise ZeroDivisionError
    sample = metrics.registry.get_sample_value
    assert sample("kith_model_errors_total", {"purpose": "chat", "error": "unforeseen"}) == 1
    assert sample("kith_model_call_seconds_sum", {"purpose": "chat"}) == 2
    assert metrics.last_calls.failed == 0
    with pytest.raises(ModelRefused), metrics.model_call("embedding", Usage):
        raise ModelRefused  # by an endpoint of its own, perhaps
    assert metrics.last_calls.failed == 0


def test_sizes_have_few_labels():
    assert [size_of(one) for one in (0, 1, 3, 4, 8, 9, 15, 16, 99)] == [
        "0", "1-3", "1-3", "4-8", "4-8", "9-15", "9-15", "16+", "16+",
    ]  # fmt: skip
