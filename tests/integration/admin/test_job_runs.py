"""What the process remembers of itself: jobs, heartbeats, synced commands, tokens spent."""

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from cogs.maintenance.scheduler import latest
from tests.fakes.builders import (
    make_infrastructure,
    make_rules,
)
from tests.fakes.clock import ManualClock
from tests.integration.small_units import NOON
from utils.admin.job_runs import (
    PRUNE_EVERY,
    JobRuns,
)
from utils.database.admin import jobs
from utils.memory.privacy.pruning import PRUNE_JOB, ClockJumped

HOUR = timedelta(hours=1)


async def test_the_last_success_of_a_job_is_kept(database):
    await database.write(jobs.record_success, "prune", NOON, "3 rows")
    await database.write(jobs.record_success, "prune", NOON + HOUR, "4 rows")
    await database.write(jobs.record_success, "digest", NOON, "")
    found = await database.read(jobs.last_success, "prune")
    assert found == jobs.JobSuccess(NOON + HOUR, "4 rows")


async def test_each_process_has_its_own_heartbeat_and_old_ones_can_be_removed(database):
    assert await database.read(jobs.heartbeats) == []
    await database.write(jobs.record_heartbeat, "one", NOON, "fine")
    await database.write(jobs.record_heartbeat, "two", NOON + HOUR, "busy")
    await database.write(jobs.record_heartbeat, "one", NOON + 2 * HOUR, "fine")
    newest, other = (
        jobs.Heartbeat("one", NOON + 2 * HOUR, "fine"),
        jobs.Heartbeat("two", NOON + HOUR, "busy"),
    )
    assert await database.read(jobs.heartbeats) == [newest, other]
    assert await database.write(jobs.remove_heartbeats, NOON + 2 * HOUR) == 1
    assert await database.read(jobs.heartbeats) == [newest]


@pytest.fixture
def home(database):
    """The clock at noon, and two processes that share a database."""
    clock = ManualClock()
    clock.jump(NOON - clock.now())
    return clock, *(JobRuns(make_infrastructure(database, clock), make_rules()) for _ in range(2))


async def test_the_daily_job_is_done_by_one_process_a_day(home):
    clock, mine, other = home
    four = latest(clock.now(), PRUNE_EVERY, 4)
    done = await asyncio.gather(mine.prune(four), other.prune(four))
    assert sum(report is not None for report in done) == 1
    for each in (mine, other):
        assert await each.prune(four) is None
        assert not await each.is_due(PRUNE_JOB, four)
    assert await other.prune() is not None  # an operator's order is carried out all the same
    clock.jump(timedelta(hours=15, minutes=59))
    assert not await mine.is_due(PRUNE_JOB, latest(clock.now(), PRUNE_EVERY, 4))
    clock.jump(timedelta(minutes=1))
    assert await mine.prune(latest(clock.now(), PRUNE_EVERY, 4)) is not None
    assert await other.prune(latest(clock.now(), PRUNE_EVERY, 4)) is None


async def test_after_a_jump_of_the_clock_nothing_is_pruned_until_an_operator_says_it_is_right(
    home, database
):
    clock, mine, other = home
    assert await mine.prune() is not None
    clock.jump(timedelta(days=44))
    assert await mine.prune() is not None
    clock.jump(timedelta(days=400))
    for order in (mine.prune, partial(other.prune, is_awaited=True)):
        with pytest.raises(ClockJumped, match=r"is 400 days older.*--clock-is-right"):
            await order()
    assert await other.prune(is_awaited=True, trusts_clock=True) is not None
    assert await mine.prune() is not None
