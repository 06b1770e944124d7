"""What the process remembers of itself: jobs, heartbeats, synced commands, tokens spent."""

import asyncio
from datetime import date, timedelta
from functools import partial

import pytest
from sqlalchemy import insert

from cogs.maintenance.scheduler import latest
from tests.fakes.builders import (
    make_infrastructure,
    make_rules,
)
from tests.fakes.clock import ManualClock
from tests.integration.small_units import NOON
from utils.admin.job_runs import (
    PRUNE,
    PRUNE_EVERY,
    STOPPED,
    JobRuns,
    append_shards,
    served,
    unserved,
)
from utils.database.admin import jobs, token_usage
from utils.database.core import queries
from utils.database.core.queries import upsert
from utils.database.schema.memory_tables import command_sync
from utils.memory.privacy.pruning import ClockJumped
from utils.models.llm import Usage
from utils.models.memory import Member

HOUR = timedelta(hours=1)
DAY = date(2026, 3, 1)


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
        assert not await each.is_due(PRUNE, four)
    assert await other.prune() is not None  # an operator's order is carried out all the same
    clock.jump(timedelta(hours=15, minutes=59))
    assert not await mine.is_due(PRUNE, latest(clock.now(), PRUNE_EVERY, 4))
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


async def test_each_process_that_runs_tells_its_shards_and_what_is_missing_is_named(home):
    clock, mine, other = home
    mine._process, other._process = "host:1", "host:2"
    await mine.record_heartbeat(append_shards("connected, latency 5 ms", (0, 1, 3), 6))
    await other.record_heartbeat(append_shards("not connected", (5,), 6))
    running, silent = await mine.heartbeats()
    assert {one.state for one in running} == {
        "connected, latency 5 ms, shards 0-1,3 of 6",
        "not connected, shards 5 of 6",
    }
    assert silent == []
    assert unserved(running) == {2, 4}
    await other.record_heartbeat(STOPPED)
    running, silent = await mine.heartbeats()
    assert [one.process for one in running] == ["host:1"]
    assert (served(running), unserved(running)) == ({0, 1, 3}, {2, 4, 5})
    clock.jump(timedelta(seconds=91))
    assert (await mine.heartbeats())[0] == []


async def test_tokens_add_up_for_a_server_and_for_a_member(database):
    for guild, user, purpose, prompt in (
        (1, 7, "chat", 100),
        (1, 7, "chat", 20),
        (1, 8, "triage", 3),
    ):
        await database.write(
            lambda s, g=guild, u=user, p=purpose, n=prompt: token_usage.add_use(
                s, g, DAY, u, p, Usage(n, 1)
            )
        )
    await database.write(token_usage.add_use, 2, DAY, 7, "chat", Usage(5000, 0))
    assert await database.read(token_usage.spent, Member(1, 7), DAY) == {
        "chat": (122, 122),
        "triage": (4, 0),
    }
    assert (await database.read(token_usage.spent, Member(1, 9), DAY))["chat"] == (122, 0)
    assert await database.read(token_usage.spent, Member(1, 7), date(2026, 3, 2)) == {}


async def test_upsert_survives_somebody_who_inserts_in_between(database, monkeypatch):
    """The second writer is played by a row that appears after the first UPDATE missed it."""

    def unit(connection):
        refusable = queries.refusable

        def somebody_is_faster(connection):
            monkeypatch.setattr(queries, "refusable", refusable)
            connection.execute(insert(command_sync).values(ApplicationId=1, PayloadHash="theirs"))
            return refusable(connection)

        monkeypatch.setattr(queries, "refusable", somebody_is_faster)
        return upsert(connection, command_sync, {"ApplicationId": 1}, {"PayloadHash": "ours"})

    assert await database.write(unit) is False
    assert await database.read(jobs.synced_hash, 1) == "ours"
