"""What memory consists of is counted now and then, in short reads, by one process at a time."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from tests.fakes.builders import ADA, BOB, GUILD, NOON
from tests.fakes.clock import ManualClock
from tests.integration.memory.member_data.test_search import remember
from utils.admin.statistics import StatisticsCollector
from utils.database.memories import members
from utils.database.schema.memory_tables import user_memory
from utils.models.memory import Importance, Kind, Member, Status

EVE = Member(2, 30)


@pytest.fixture
async def clock():
    return ManualClock()


@pytest.fixture
def taker(database, clock):
    return StatisticsCollector(database, clock)


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
    assert await taker.latest(None) is None
    assert await taker.refresh() == "counted 5 memories"
    here = await taker.latest(GUILD)
    assert (here.guild_id, here.at, here.members) == (GUILD, NOON, 2)
    assert (here.by_status, here.by_kind) == ({"active": 4, "forgotten": 1}, {"fact": 3, "task": 1})
    assert here.by_age == {"day": 3, "year": 1}
    assert here.expiring == (1, *(0,) * 11)
    assert here.permanent == 2
    whole = await taker.latest(None)
    assert (whole.guild_id, whole.members, sum(whole.by_kind.values())) == (None, 3, 5)
    assert whole.expiring[:3] == (1, 1, 0)
    assert await taker.latest(77) is None


async def test_a_count_takes_the_place_of_that_of_the_day_before(taker, shelf, database, clock):
    await taker.refresh()
    clock.advance(days=1)
    await taker.refresh()
    assert sum((await taker.latest(None)).by_kind.values()) == 5
    assert (await taker.latest(GUILD)).by_kind == {"fact": 3, "task": 1}
    assert set(await taker.censuses([GUILD, 2, 77])) == {GUILD, 2}
    assert (await taker.censuses([2]))[2].expiring[:2] == (1, 0)
    clock.advance(days=3)
    assert await taker.latest(None) is None  # nobody counts any more
