"""Worker: woken, at its interval, after a failure, and when it is closed."""

import asyncio
import logging

import pytest

from tests.fakes.clock import ManualClock
from utils.common.errors import DatabaseError, DatabaseUnavailable
from utils.runtime.backoff import Backoff
from utils.runtime.metrics import Metrics
from utils.runtime.worker import FIRST_PAUSE_S as LEAST_PAUSE_S
from utils.runtime.worker import MAX_PAUSE_S, Infrastructure, Worker

INTERVAL_S = 30.0


class Step:
    """Counts its runs; ``failures`` are raised first, ``requested`` are returned after them."""

    def __init__(self) -> None:
        self.runs = 0
        self.failures: list[Exception] = []
        self.requested: list[float | None] = []

    async def __call__(self) -> float | None:
        self.runs += 1
        if self.failures:
            raise self.failures.pop(0)
        return self.requested.pop(0) if self.requested else None


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def metrics(clock):
    return Metrics(clock)


@pytest.fixture
def infrastructure(clock, metrics):
    return Infrastructure(AwayDatabase(is_away=False), clock, None, metrics)


@pytest.fixture
def step():
    return Step()


@pytest.fixture
async def start(clock, metrics, step):
    workers = []

    def start_worker(**given):
        given.setdefault("interval_s", INTERVAL_S)
        database = given.pop("database", None) or AwayDatabase(is_away=False)
        worker = Worker(Infrastructure(database, clock, None, metrics), "test", step, **given)
        workers.append(worker)
        worker.start()
        return worker

    yield start_worker
    for worker in workers:
        await worker.close()


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


async def test_it_runs_at_the_start_and_at_its_interval(start, step, clock):
    start()
    await clock.until_asleep()
    assert step.runs == 1
    clock.advance(INTERVAL_S)
    await clock.until_asleep()
    assert step.runs == 2


async def test_a_wake_during_a_step_runs_it_again(infrastructure):
    may_end, runs = asyncio.Event(), 0

    async def step():
        nonlocal runs
        runs += 1
        await may_end.wait()

    worker = Worker(infrastructure, "slow", step, interval_s=None)
    worker.start()
    await settle()
    worker.wake()
    may_end.set()
    await settle()
    assert runs == 2
    await worker.close()


async def test_an_outage_is_logged_once_and_counted_at_its_end(start, step, clock, caplog):
    caplog.set_level(logging.INFO, "utils.runtime.worker")
    away = [DatabaseError("away") for _ in range(48)]
    step.failures = [*away, DatabaseUnavailable("gone"), DatabaseUnavailable("gone")]
    step.requested = [INTERVAL_S]
    start(interval_s=0.0)
    for _ in range(50):
        await clock.until_asleep()
        clock.advance(MAX_PAUSE_S)
    await clock.until_asleep()
    assert step.runs == 51
    assert [record.getMessage() for record in caplog.records] == [
        "test failed and is tried again after 1 s: DatabaseError",
        "test failed and is tried again after 60 s: DatabaseUnavailable",
        "test works again after 50 failures",
    ]
    caplog.clear()
    step.failures, step.requested = [DatabaseError("away")], [INTERVAL_S]
    clock.advance(INTERVAL_S)
    await clock.until_asleep()
    assert [record.getMessage() for record in caplog.records] == [
        "test failed and is tried again after 1 s: DatabaseError"
    ]


class AwayDatabase:
    """Says that it is away until ``back`` is set."""

    def __init__(self, *, is_away: bool = True) -> None:
        self.back = asyncio.Event()
        if not is_away:
            self.back.set()

    @property
    def away(self):
        return {"reading": False, "writing": not self.back.is_set()}

    async def wait_until_back(self):
        await self.back.wait()


@pytest.mark.parametrize("interval_s", [0.0, INTERVAL_S, None])
async def test_it_runs_as_soon_as_the_database_is_back(start, step, clock, interval_s):
    database = AwayDatabase()
    step.failures, step.requested = [DatabaseUnavailable("gone")], [INTERVAL_S]
    start(interval_s=interval_s, database=database, backoff=Backoff(clock))
    await clock.until_asleep()
    clock.advance(LEAST_PAUSE_S)
    await settle()
    assert step.runs == 1
    database.back.set()
    await settle()
    assert step.runs == 2


async def test_closing_cancels_the_step_that_is_running(infrastructure):
    is_cancelled = False

    async def step():
        nonlocal is_cancelled
        try:
            await asyncio.Event().wait()
        finally:
            is_cancelled = True

    worker = Worker(infrastructure, "endless", step, interval_s=None)
    worker.start()
    await settle()
    await worker.close()
    assert is_cancelled
    assert not worker.is_running
