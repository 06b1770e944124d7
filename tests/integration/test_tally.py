"""What happens is counted by server and day, and written now and then."""

import sqlite3
from contextlib import closing
from datetime import date, timedelta

import pytest

from tests.fakes.clock import ManualClock
from tests.integration.test_migrations import file_of
from utils.model.operator import Counted
from utils.tally import LABEL_LIMIT, Tally


@pytest.fixture
def clock():
    return ManualClock()


async def test_counts_add_up_over_writes_and_processes(database, clock):
    one, other = Tally(database, clock), Tally(database, clock)
    for tally in (one, one, other):
        tally.add(1, Counted.REFUSED, "secret")
    other.add(2, Counted.LEARNT, "fact", 3)
    await one.write()
    await other.write()
    one.add(1, Counted.REFUSED, "secret", 5)
    await one.write()
    today = clock.now().date()
    found = await one.since(today, [Counted.REFUSED, Counted.LEARNT])
    assert [(each.guild_id, each.label, each.count) for each in found] == [
        (1, "secret", 8),
        (2, "fact", 3),
    ]
    assert await one.since(today, [Counted.REFUSED], guild_id=2) == []
    assert await one.since(today + timedelta(days=1), list(Counted)) == []


async def test_a_day_is_that_on_which_it_happened(database, clock):
    tally = Tally(database, clock)
    tally.add(1, Counted.REPLIES, "model")
    day = clock.now().date()
    clock.advance(days=1)
    tally.add(1, Counted.REPLIES, "model")
    await tally.write()
    found = await tally.since(date(2000, 1, 1), [Counted.REPLIES])
    assert [each.day for each in found] == [day, day + timedelta(days=1)]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT Day, Name, Label, SUM(Count) FROM DailyCount WHERE Day >= '2026-01-01' "
        "GROUP BY Day, Name, Label",
        "DELETE FROM DailyCount WHERE Day < '2026-01-01'",
    ],
)
async def test_the_days_of_all_servers_together_are_found_by_an_index(sqlite_url, statement):
    with closing(sqlite3.connect(file_of(sqlite_url))) as raw:
        (plan,) = [row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert plan.startswith("SEARCH DailyCount USING")
    assert "INDEX IX_DailyCount_Day (Day" in plan


async def test_labels_are_clipped(database, clock):
    tally = Tally(database, clock)
    tally.add(1, Counted.REPLIES, "x" * 1_000)
    await tally.write()
    (found,) = await tally.since(clock.now().date(), [Counted.REPLIES])
    assert found.label == "x" * LABEL_LIMIT
