"""Health is real: each thing that can be wrong is provoked, named, and gone when it is mended."""

import asyncio
import time
from datetime import timedelta

import pytest

import bot
from tests.fakes.builders import ADA, make_event
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer
from tests.integration.small_units import NOON
from utils import health
from utils.config import Settings
from utils.database import events
from utils.errors import BudgetSpent, DatabaseUnavailable, ModelRefused, ModelUnreachable
from utils.model.llm import Usage
from utils.stalls import EVERY_S, StallWatch


@pytest.fixture
def clock():
    clock = ManualClock()
    clock.jump(NOON - clock.now())
    return clock


@pytest.fixture
async def model():
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
async def core(database_url, clock, model):
    settings = Settings(_env_file=None, database_url=database_url, openai_base_url=model.base_url)
    made = bot.build(settings, clock)
    await made.database.open()  # nothing works in the background
    yield made
    await made.close()


async def reasons(core, clock):
    """What is wrong, by a check of now."""
    clock.advance(health.FRESH_S)
    return (await core.health.check()).reasons


async def test_all_is_well_and_nothing_was_asked_of_the_model(core, model):
    report = await core.health.check()
    assert (report.is_well, report.reasons) == (True, ())
    assert report.figures["model"] == 1
    assert report.figures["queue"] == report.figures["backlog"] == 0
    assert report.figures["database_s"] is not None
    assert [one.path for one in model.requests] == ["/v1/models"]
    sample = core.metrics.registry.get_sample_value
    assert sample("kith_healthy") == 1
    assert sample("kith_database_away", {"work": "reading"}) == 0


async def test_many_who_ask_at_once_share_one_check(core, clock, model):
    found = await asyncio.gather(*(core.health.check() for _ in range(50)))
    assert all(one is found[0] for one in found)
    clock.advance(health.FRESH_S - 1)
    assert await core.health.check() is found[0]
    clock.advance(1)
    assert await core.health.check() is not found[0]
    assert len(model.requests) == 1  # the model's door is knocked at once a minute


async def test_a_model_that_is_away_and_back(core, clock, model):
    await model.stop()
    assert await reasons(core, clock) == (health.MODEL_AWAY,)
    clock.advance(health.PROBE_EVERY_S)
    core.metrics.last_calls = type(core.metrics.last_calls)(clock.monotonic())  # one has answered
    assert await reasons(core, clock) == ()


async def test_a_model_that_fails_whoever_asks_is_away_though_its_door_opens(core, clock):
    def fail(error):
        with pytest.raises(type(error)), core.metrics.model_call("chat", Usage):
            raise error

    for _ in range(health.FAILURES - 1):
        fail(ModelUnreachable())
    assert await reasons(core, clock) == ()
    fail(ModelUnreachable())
    assert await reasons(core, clock) == (health.MODEL_AWAY,)
    fail(ModelRefused())
    assert await reasons(core, clock) == (health.MODEL_REFUSES,)
    clock.advance(health.FAILURES_HOLD_S)
    assert await reasons(core, clock) == ()


async def test_an_old_queue_and_not_that_of_somebody_whose_budget_is_spent(core, clock):
    event = make_event(created_at=clock.now())
    await core.database.write(
        lambda session: events.insert(session, event, clock.now() + timedelta(days=30))
    )
    clock.advance(health.QUEUE_LIMIT_S - health.FRESH_S)
    assert await reasons(core, clock) == ()
    (blamed,) = await reasons(core, clock)
    assert blamed == "messages have waited for 20 minutes to be read"
    with pytest.raises(BudgetSpent):
        async with core.conversation._budget.hold(ADA, "extraction", 10**9, 0):
            pass
    assert await reasons(core, clock) == ()
    clock.advance(minutes=20)  # a new day's budget, perhaps, and nobody has tried
    assert len(await reasons(core, clock)) == 1
    core.health._read_only = True
    assert await reasons(core, clock) == ()


async def test_a_database_that_is_away_and_back(core, clock, monkeypatch):
    read = core.database.read

    async def refuse(unit):
        raise DatabaseUnavailable

    monkeypatch.setattr(core.database, "read", refuse)
    report = await core.health.check()
    assert report.reasons == (health.DATABASE_AWAY,)
    assert report.figures.get("database_s") is None
    monkeypatch.setattr(core.database, "read", read)
    assert await reasons(core, clock) == ()


async def test_a_database_that_hangs_is_asked_once_and_takes_no_more_threads(
    core, clock, monkeypatch
):
    asked, hangs = [], asyncio.Event()

    async def hang(unit):
        asked.append(unit)
        await hangs.wait()
        return []

    monkeypatch.setattr(core.database, "read", hang)
    monkeypatch.setattr(health, "DATABASE_LIMIT_S", 0.01)
    for _ in range(3):
        assert await reasons(core, clock) == (health.DATABASE_AWAY,)
    assert len(asked) == 1
    hangs.set()
    assert await reasons(core, clock) == ()


async def test_what_waits_in_process_memory(core, clock, monkeypatch):
    monkeypatch.setattr(type(core.recorder.backlog), "lost", 7)
    assert await reasons(core, clock) == ("7 messages wait in process memory for the database",)


async def test_discord_and_jobs_where_there_are_any(core, clock):
    latency, late = None, []

    async def late_jobs():
        return late

    core.health.watch(gateway=lambda: latency, late_jobs=late_jobs)
    assert await reasons(core, clock) == (health.GATEWAY_AWAY,)
    latency = 0.1
    assert await reasons(core, clock) == ()
    latency, late = health.GATEWAY_LIMIT_S + 1, ["prune"]
    assert await reasons(core, clock) == (health.GATEWAY_SLOW, "the job prune is overdue")


async def test_a_loop_that_stood_still(core, clock, monkeypatch):
    monkeypatch.setattr(health, "STALL_LIMIT_S", 0.05)
    told = []
    watch = core.health._stalls = StallWatch(told.append)
    watch.start()
    time.sleep(EVERY_S + 0.1)  # noqa: ASYNC251 - that is what is to be noticed
    while not told:  # noqa: ASYNC110
        await asyncio.sleep(0)
    watch.close()
    assert 0.05 < told[0] < 2
    (blamed,) = await reasons(core, clock)
    assert blamed.startswith("the event loop stood still for 0.")
