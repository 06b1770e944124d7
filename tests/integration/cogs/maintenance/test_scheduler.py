"""Jobs run on time, one at a time, and are counted."""

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace

import pytest

from cogs.bot.login import latency_s as measured_latency_s
from cogs.maintenance.scheduler import DAY, HOUR, JobScheduler, latest
from tests.fakes.builders import make_infrastructure, make_rules
from tests.fakes.clock import ManualClock
from tests.integration.small_units import NOON
from tests.rows import each_row
from utils.admin.job_runs import JobRuns
from utils.common.errors import DatabaseUnavailable, KithError
from utils.runtime.metrics import Metrics


class Work:
    """A job that does as it is told, and counts how often."""

    def __init__(self):
        self.times = 0
        self.error = None
        self.has_begun, self.may_end = asyncio.Event(), asyncio.Event()
        self.may_end.set()

    async def __call__(self):
        self.has_begun.set()
        await self.may_end.wait()
        self.times += 1
        if self.error is not None:
            raise self.error
        return f"{self.times} done"


@pytest.fixture
def clock():
    clock = ManualClock()
    clock.jump(NOON - clock.now())
    return clock


@pytest.fixture
async def make(database, clock):
    """Make a process's timetable, with the jobs ``census`` (shared, hourly) and ``beat`` (own).

    Nothing of it runs by itself: a test may meet a full hour.
    """
    made = []

    def timetable(work):
        upkeep = JobRuns(make_infrastructure(database, clock), make_rules())
        jobs = JobScheduler(clock, upkeep, Metrics(clock))
        jobs.shared("census", HOUR, partial(upkeep.run_once, "census", work))
        jobs.each("beat", timedelta(seconds=30), work)
        jobs.start()
        jobs._scheduler.pause()
        made.append(jobs)
        return jobs

    yield timetable
    for one in made:
        one.close()


async def test_one_process_does_what_is_shared_and_each_knows_of_it(make, clock):
    mine, others = Work(), Work()
    one, other = make(mine), make(others)
    await one.run_if_due("census")
    await other.run_if_due("census")
    assert (mine.times, others.times) == (1, 0)
    clock.advance(hours=1)
    await other.run_if_due("census")
    await one.run_if_due("census")
    assert (mine.times, others.times) == (1, 1)


async def test_what_is_noticed_is_called_once_each_time_it_is_due(make, clock):
    work, calls = Work(), []
    jobs, other = make(Work()), make(work)

    async def note(due_at):
        calls.append(due_at)

    jobs.shared("census", HOUR, note, is_noticed=True)
    await other.run_if_due("census")
    for _ in range(2):
        await jobs.run_if_due("census")
    assert calls == []  # at the start another process had done it
    clock.advance(hours=1)
    await other.run_if_due("census")
    for _ in range(2):
        await jobs.run_if_due("census")
    assert len(calls) == 1


async def test_a_job_that_runs_is_not_started_again(make):
    work, others = Work(), Work()
    jobs, elsewhere = make(work), make(others)
    work.may_end.clear()
    running = asyncio.create_task(jobs.run_if_due("census"))
    await work.has_begun.wait()
    await jobs.run_if_due("census")
    await elsewhere.run_if_due("census")
    assert await jobs._job_runs.run_once("census", others) is None
    work.may_end.set()
    await running
    assert (work.times, others.times) == (1, 0)


async def test_a_job_that_fails_is_counted_and_tried_again(make, caplog):
    work = Work()
    jobs = make(work)
    work.error = KithError("The disk is full.")
    await jobs.run_if_due("census")
    assert "the job census failed, and is tried again: The disk is full." in caplog.text
    work.error = ZeroDivisionError("of nobody's business")
    await jobs.run_if_due("census")
    assert "ZeroDivisionError" in caplog.text
    work.error = None
    for _ in range(2):
        await jobs.run_if_due("census")
    assert work.times == 3
    sample = jobs._metrics.registry.get_sample_value
    assert sample("kith_job_runs_total", {"name": "census", "outcome": "failed"}) == 2
    assert sample("kith_job_runs_total", {"name": "census", "outcome": "done"}) == 1
    assert sample("kith_job_runs_total", {"name": "beat", "outcome": "failed"}) == 0


async def test_at_the_start_everything_is_tried_once_the_processes_own_first(make, monkeypatch):
    work, began = Work(), []
    jobs = make(work)
    run_if_due = jobs.run_if_due

    async def noted(name):
        began.append(name)
        await run_if_due(name)

    monkeypatch.setattr(jobs, "run_if_due", noted)
    await jobs.catch_up()
    assert began == ["beat", "census"]
    await jobs.catch_up()
    assert work.times == 3  # the census was taken already


async def test_a_job_is_overdue_once_three_tries_were_in_vain(make, clock):
    jobs = make(Work())
    await jobs.run_if_due("census")
    await jobs.run_if_due("beat")
    clock.advance(seconds=120)
    assert await jobs.late() == []
    clock.advance(seconds=1)
    assert await jobs.late() == ["beat"]
    clock.advance(hours=4, seconds=-121)
    assert await jobs.late() == ["beat"]
    clock.advance(seconds=1)
    assert await jobs.late() == ["census", "beat"]
    await jobs.run_if_due("census")
    assert await jobs.late() == ["beat"]


async def test_after_a_downtime_a_job_has_its_three_tries_before_it_is_overdue(make, clock):
    await make(Work()).run_if_due("census")
    clock.advance(days=3)
    jobs = make(Work())
    clock.advance(seconds=90)
    assert await jobs.late() == []
    clock.advance(hours=3, seconds=-90)
    assert await jobs.late() == ["beat"]
    clock.advance(seconds=1)
    assert await jobs.late() == ["census", "beat"]


async def test_a_job_under_way_is_not_overdue(make, clock):
    work = Work()
    jobs = make(work)
    work.may_end.clear()
    running = asyncio.create_task(jobs.run_if_due("census"))
    await work.has_begun.wait()
    clock.advance(days=1)
    assert await jobs.late() == ["beat"]
    work.may_end.set()
    await running


async def test_that_nobody_knows_whether_a_job_is_due_is_a_failure_too(make, monkeypatch):
    jobs = make(Work())

    async def fail(name):
        raise DatabaseUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(jobs._job_runs, "last_success", fail)
        await jobs.run_if_due("census")
    sample = jobs._metrics.registry.get_sample_value
    assert sample("kith_job_runs_total", {"name": "census", "outcome": "failed"}) == 1


def test_what_is_due_is_reckoned_alike_everywhere():
    now = datetime(2026, 11, 21, 12, 34, 56, 789, UTC)
    assert latest(now, HOUR) == datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert latest(now, DAY, 4) == datetime(2026, 11, 21, 4, tzinfo=UTC)
    assert latest(now, DAY, 13) == datetime(2026, 11, 20, 13, tzinfo=UTC)
    assert latest(datetime(2026, 11, 21, 4, tzinfo=UTC), DAY, 4).day == 21


@each_row(
    ("shards", "is_ready", "latency_s"),
    [
        ([(0.1, False), (0.3, False)], True, 0.3),  # the slowest
        ([(0.1, False), (0.1, True)], True, None),  # cut off: its last latency is still there
        ([(float("inf"), False)], True, None),  # connected, and nothing was answered yet
        ([(0.1, False)], False, None),
        ([], True, None),
    ],
)
def test_discord_is_connected_while_every_shard_is(shards, is_ready, latency_s):
    def shard(latency, closed):
        return SimpleNamespace(latency=latency, is_closed=lambda: closed)

    client = SimpleNamespace(
        shards={number: shard(*one) for number, one in enumerate(shards)},
        is_ready=lambda: is_ready,
    )
    assert measured_latency_s(client) == latency_s


async def test_the_schedule_itself_does_what_is_registered(make):
    work = Work()
    jobs = make(Work())
    soon = JobScheduler(jobs._clock, jobs._job_runs, jobs._metrics)
    soon.each("often", timedelta(seconds=1), work)
    soon.start()
    try:
        await asyncio.wait_for(work.has_begun.wait(), 10)
    finally:
        soon.close()


async def test_a_stop_cancels_the_job_under_way_and_logs_no_error(make, caplog):
    work = Work()
    work.may_end.clear()
    jobs = make(work)
    jobs._scheduler.modify_job("beat", next_run_time=datetime.now(UTC))
    jobs._scheduler.resume()
    await work.has_begun.wait()
    (running,) = jobs._scheduler._executors["default"]._pending_futures
    jobs.close()
    await asyncio.wait([running])
    assert work.times == 0
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []
