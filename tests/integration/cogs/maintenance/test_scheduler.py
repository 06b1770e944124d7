"""Jobs run on time, one at a time, and are counted."""

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from cogs.maintenance.scheduler import HOUR, Job, JobScheduler
from tests.fakes.builders import make_infrastructure, make_rules
from tests.fakes.clock import ManualClock
from tests.integration.small_units import NOON
from utils.admin.job_runs import JobRuns
from utils.common.errors import KithError
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
        census = Job(HOUR, partial(upkeep.run_once, "census", work), is_shared=True)
        own = {"census": census, "beat": Job(timedelta(seconds=30), work)}
        jobs = JobScheduler(clock, upkeep, Metrics(clock), own)
        jobs.start()
        jobs._scheduler.pause()
        made.append(jobs)
        return jobs

    yield timetable
    for one in made:
        one.close()


async def test_one_process_does_what_is_shared_and_each_knows_of_it(make, clock):
    one, other = make(mine := Work()), make(others := Work())
    await one.run_if_due("census")
    await other.run_if_due("census")
    assert (mine.times, others.times) == (1, 0)
    clock.advance(hours=1)
    await other.run_if_due("census")
    await one.run_if_due("census")
    assert (mine.times, others.times) == (1, 1)


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
    assert [
        sample("kith_job_runs_total", {"name": name, "outcome": outcome})
        for name, outcome in (("census", "failed"), ("census", "done"), ("beat", "failed"))
    ] == [2, 1, 0]


async def test_a_job_is_overdue_once_three_tries_were_in_vain(make, clock):
    jobs = make(Work())
    # As a clock that was nine days ahead has planned it.
    jobs._scheduler.modify_job("census", next_run_time=datetime.now(UTC) + timedelta(days=9))
    await jobs.catch_up()
    assert jobs._scheduler.get_job("census").next_run_time <= datetime.now(UTC) + HOUR
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


async def test_a_stop_cancels_the_job_under_way_and_logs_no_error(make, caplog):
    work = Work()
    work.may_end.clear()
    jobs = make(work)
    # A clock that is set back would stop the jobs of each process as well.
    assert [job.id for job in jobs._scheduler.get_jobs()] == ["census"]
    jobs._scheduler.modify_job("census", next_run_time=datetime.now(UTC))
    jobs._scheduler.resume()
    await work.has_begun.wait()
    (running,) = jobs._scheduler._executors["default"]._pending_futures
    jobs.close()
    await asyncio.wait([running])
    assert work.times == 0
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []
