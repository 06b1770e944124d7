"""Health is real: each thing that can be wrong is provoked, named, and gone when it is mended."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from tests.fakes.builders import ADA, make_event
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer
from tests.integration.small_units import NOON
from utils.admin import health
from utils.build import build
from utils.common.config import Settings
from utils.common.errors import BudgetSpent, ModelRefused, ModelUnreachable
from utils.database.messages import events
from utils.database.schema.memory_tables import memory_event
from utils.runtime.metrics import LastCalls


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
async def app(database_url, clock, model, until_end):
    settings = Settings(_env_file=None, database_url=database_url, openai_base_url=model.base_url)
    made = until_end(build(settings, clock))
    await made.database.open()  # nothing works in the background
    return made


async def reasons(app, clock):
    """What is wrong, by a check of now."""
    clock.advance(health.CACHE_S)
    return (await app.admin.health.check()).reasons


async def test_all_is_well_and_nothing_was_asked_of_the_model(app, model):
    report = await app.admin.health.check()
    assert (report.is_well, report.reasons) == (True, ())
    assert report.figures["model"] == 1
    assert report.figures["queue"] == report.figures["backlog"] == 0
    assert report.figures["database_s"] is not None
    assert [one.path for one in model.requests] == ["/v1/models"]
    sample = app.runtime.metrics.registry.get_sample_value
    assert sample("kith_healthy") == 1
    assert sample("kith_database_away", {"work": "reading"}) == 0


async def test_a_model_that_is_away_and_back(app, clock, model):
    await model.stop()
    assert await reasons(app, clock) == ()  # one failed probe may be chance
    clock.advance(health.PROBE_EVERY_S)
    assert await reasons(app, clock) == (health.MODEL_AWAY,)
    clock.advance(health.PROBE_EVERY_S)
    for failed, error, reason in (
        (0, "", ()),  # one has answered
        (health.FAILURES, ModelRefused.__name__, (health.MODEL_REFUSES,)),
        (health.FAILURES, ModelUnreachable.__name__, (health.MODEL_AWAY,)),
    ):
        app.runtime.metrics.last_calls = LastCalls(clock.monotonic(), failed, error)
        assert await reasons(app, clock) == reason


async def waits(app, clock, event, attempts=0):
    """Let a message wait to be read; returns when it is stored."""
    ends_at = clock.now() + timedelta(days=30)

    def unit(connection):
        events.insert(connection, event, ends_at)
        connection.execute(
            update(memory_event)
            .where(memory_event.c.MessageId == event.message_id)
            .values(Attempts=attempts)
        )

    await app.database.write(unit)


async def refuse(app, purpose):
    with pytest.raises(BudgetSpent):
        async with app.conversation._budget.hold(ADA, purpose, 10**9, 0):
            pass


async def test_an_old_queue_and_not_that_of_somebody_whose_budget_is_spent(app, clock):
    await waits(app, clock, make_event(created_at=clock.now()))
    clock.advance(health.QUEUE_LIMIT_S - health.CACHE_S)
    assert await reasons(app, clock) == ()
    blamed = ("messages have been waiting for 20 minutes to be read",)
    assert await reasons(app, clock) == blamed
    await refuse(app, "chat")  # their messages could be read for all that
    assert await reasons(app, clock) == blamed
    await refuse(app, "extraction")
    assert await reasons(app, clock) == ()
    async with app.conversation._budget.hold(ADA, "chat", 1, 1):  # smaller, and allowed
        pass
    assert await reasons(app, clock) == ()
    clock.advance(minutes=20)  # a new day's budget, perhaps, and nobody has tried
    assert len(await reasons(app, clock)) == 1


async def test_discord_and_jobs_where_there_are_any(app, clock):
    latency, late = None, []

    async def late_jobs():
        return late

    app.admin.health.watch(gateway=lambda: latency, late_jobs=late_jobs)
    assert await reasons(app, clock) == (health.GATEWAY_AWAY,)
    latency = 0.1
    assert await reasons(app, clock) == ()
    latency, late = health.GATEWAY_LIMIT_S + 1, ["prune"]
    assert await reasons(app, clock) == (health.GATEWAY_SLOW, "the job prune is overdue")


@pytest.mark.parametrize("part", ["_gateway", "_late_jobs", "_model"])
async def test_what_nobody_foresaw_is_a_reason_and_hides_no_other(app, clock, part, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    async def late_jobs():
        fail()

    app.admin.health.watch(
        gateway=fail if part == "_gateway" else lambda: 0.1,
        late_jobs=late_jobs if part == "_late_jobs" else no_jobs,
    )
    if part == "_model":
        monkeypatch.setattr(app.admin.health._model, "probe", fail)
    monkeypatch.setattr(type(app.memory.recorder.offline_writer), "lost", 7)
    report = await app.admin.health.check()
    assert report.reasons == (
        "7 messages wait in process memory for the database",
        health.CHECK_FAILED,
    )
    assert app.runtime.metrics.registry.get_sample_value("kith_healthy") == 0


async def no_jobs():
    return []
