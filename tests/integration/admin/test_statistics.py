"""What memory consists of is counted now and then, in short reads, by one process at a time."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, update

from tests.fakes.builders import ADA, BOB, GUILD, NOON
from tests.fakes.clock import ManualClock
from tests.integration.memory.member_data.test_search import remember
from utils.admin.statistics import CENSUS, PAUSE_S, StatisticsCollector
from utils.database.admin import statistics
from utils.database.memories import members
from utils.database.schema.memory_tables import user_memory, user_state
from utils.models.memory import Importance, Kind, Member, Status
from utils.runtime.leases import Leases

EVE = Member(2, 30)


@pytest.fixture
async def clock():
    return ManualClock()


@pytest.fixture
def taker(database, clock):
    return StatisticsCollector(database, clock, Leases(database, clock))


def _age(connection, row_id):
    hundred_days_ago = NOON - timedelta(days=100)
    this = user_memory.c.Id == row_id
    connection.execute(update(user_memory).where(this).values(CreatedAt=hundred_days_ago))


@pytest.fixture
async def shelf(database):
    """Six rows in two servers, one of them gone."""
    for member in (ADA, BOB, EVE, Member(GUILD, 0)):
        await database.write(lambda connection, one=member: members.lock(connection, one))
    await remember(database, "is permanent")
    await remember(database, "ends soon", kind=Kind.TASK, expires_at=NOON + timedelta(days=3))
    await remember(database, "ends later", expires_at=NOON + timedelta(days=365))
    old = await remember(database, "old", importance=Importance.LOW)
    await database.write(_age, row_id=old)
    await remember(database, "was forgotten", BOB, status=Status.FORGOTTEN)
    await remember(database, "elsewhere", EVE, expires_at=NOON + timedelta(days=8))


async def test_everything_is_counted_by_server_and_together(taker, shelf):
    assert await taker.latest() is None
    assert await taker.refresh() == "counted 5 memories of 3 members in 2 servers"
    here = await taker.latest(GUILD)
    assert (here.guild_id, here.at, here.members, here.rows) == (GUILD, NOON, 2, 4)
    assert here.by_status == {"active": 4, "forgotten": 1}
    assert here.by_kind == {"fact": 3, "task": 1}
    assert here.by_importance == {"medium": 3, "low": 1}
    assert here.by_age == {"day": 3, "year": 1}
    assert here.expiring == (1, *(0,) * 11)
    assert here.permanent == 2
    whole = await taker.latest()
    assert (whole.guild_id, whole.members, whole.rows) == (None, 3, 5)
    assert whole.expiring[:3] == (1, 1, 0)
    assert await taker.latest(77) is None


async def test_the_job_that_counts_keeps_the_lease_it_holds(shelf, database, clock):
    leases = Leases(database, clock)
    async with leases.hold("census") as fence:
        await StatisticsCollector(database, clock, leases).refresh()
        await leases.write("census", fence, lambda connection: None)


async def test_it_is_counted_a_stretch_at_a_time(taker, shelf, clock, monkeypatch):
    await taker.refresh()
    whole = await taker.latest()
    monkeypatch.setattr(statistics, "RANGE_SIZE", 2)
    monkeypatch.setattr(statistics, "GUILDS_AT_ONCE", 1)
    counting = asyncio.create_task(taker.refresh())
    while not counting.done():
        clock.advance(PAUSE_S)
        await asyncio.wait([counting], timeout=0.001)
    assert replace(await taker.latest(), at=NOON) == replace(whole, at=NOON)


async def test_a_server_of_which_nothing_is_known_any_more_is_counted_no_longer(
    taker, shelf, database, clock
):
    await taker.refresh()
    clock.advance(days=1)
    await database.write(_forget_two)
    await taker.refresh()
    assert await taker.latest(2) is None
    assert (await taker.latest()).rows == 4


def _forget_two(connection):
    for table in (user_memory, user_state):
        connection.execute(delete(table).where(table.c.GuildId == 2))


async def test_one_process_counts_at_a_time(taker, shelf, database, clock):
    other = Leases(database, clock)
    async with other.hold(CENSUS):
        assert await taker.refresh() is None
    assert await taker.latest() is None
