"""What happens is counted by server and day, and written now and then."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from datetime import date, timedelta

import pytest
from sqlalchemy.sql.elements import (
    ReleaseSavepointClause,
    RollbackToSavepointClause,
    SavepointClause,
)

from tests.integration.database.core.test_migrations import file_of
from utils.common.errors import DatabaseUnavailable
from utils.database.admin import counters
from utils.models.operator import CounterName
from utils.runtime.counters import BATCH, LABEL_LIMIT, EventCounters

SAVEPOINTS = (SavepointClause, ReleaseSavepointClause, RollbackToSavepointClause)


async def test_counts_add_up_over_writes_and_processes(database, clock):
    one, other = EventCounters(database, clock), EventCounters(database, clock)
    for tally in (one, one, other):
        tally.add(1, CounterName.REFUSED, "secret")
    other.add(2, CounterName.LEARNT, "fact", 3)
    await one.write()
    await other.write()
    one.add(1, CounterName.REFUSED, "secret", 5)
    await one.write()
    today = clock.now().date()
    found = await one.since(today, [CounterName.REFUSED, CounterName.LEARNT])
    assert [(each.guild_id, each.label, each.count) for each in found] == [
        (1, "secret", 8),
        (2, "fact", 3),
    ]
    assert await one.since(today, [CounterName.REFUSED], guild_id=2) == []
    assert await one.since(today + timedelta(days=1), list(CounterName)) == []


async def test_a_day_is_that_on_which_it_happened(database, clock):
    tally = EventCounters(database, clock)
    tally.add(1, CounterName.REPLIES, "model")
    day = clock.now().date()
    clock.advance(days=1)
    tally.add(1, CounterName.REPLIES, "model")
    await tally.write()
    found = await tally.since(date(2000, 1, 1), [CounterName.REPLIES])
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
    tally = EventCounters(database, clock)
    tally.add(1, CounterName.REPLIES, "x" * 1_000)
    await tally.write()
    (found,) = await tally.since(clock.now().date(), [CounterName.REPLIES])
    assert found.label == "x" * LABEL_LIMIT


async def totals(tally, clock):
    found = await tally.since(clock.now().date(), [CounterName.REPLIES])
    return {one.guild_id: one.count for one in found}


async def test_many_servers_are_written_some_at_a_time_in_few_statements(
    database, clock, monkeypatch
):
    units, statements, write = [], [], database.write

    def listening(unit, *args, **kwargs):
        def run(connection):
            units.append(unit)
            execute = connection.execute

            def counting(statement, *rest, **more):
                if not isinstance(statement, SAVEPOINTS):  # T-SQL releases none
                    statements.append(statement)
                return execute(statement, *rest, **more)

            with monkeypatch.context() as patch:
                patch.setattr(connection, "execute", counting)
                return unit(connection, *args, **kwargs)

        return write(run)

    tally = EventCounters(database, clock)
    monkeypatch.setattr(database, "write", listening)
    for times in (1, 2):
        for guild_id in range(2 * BATCH + 1):
            tally.add(guild_id, CounterName.REPLIES, "model", times)
        await tally.write()
    assert len(units) == 6
    assert len(statements) == 6 * 2 + 3  # looking and adding; the first time, inserting too
    assert await totals(tally, clock) == dict.fromkeys(range(2 * BATCH + 1), 3)


async def test_a_row_that_another_process_makes_meanwhile_counts_both(database, clock, monkeypatch):
    tally = EventCounters(database, clock)
    tally.add(1, CounterName.REPLIES, "model", 5)
    await tally.write()
    monkeypatch.setattr(counters, "_existing_keys", lambda *_: set())
    tally.add(1, CounterName.REPLIES, "model", 2)
    tally.add(2, CounterName.REPLIES, "model", 3)
    await tally.write()
    assert await totals(tally, clock) == {1: 7, 2: 3}


async def test_what_could_not_be_written_is_written_later_and_nothing_twice(
    database, clock, monkeypatch
):
    tally, write, tries = EventCounters(database, clock), database.write, []
    for guild_id in range(3 * BATCH):
        tally.add(guild_id, CounterName.REPLIES)

    async def fail_the_second(unit, *args, **kwargs):
        tries.append(unit)
        if len(tries) == 2:
            raise DatabaseUnavailable
        return await write(unit, *args, **kwargs)

    monkeypatch.setattr(database, "write", fail_the_second)
    with pytest.raises(DatabaseUnavailable):
        await tally.write()
    assert len(tries) == 2  # one that is away is not asked for the rest
    assert len(await totals(tally, clock)) == BATCH
    tally.add(0, CounterName.REPLIES)
    await tally.write()
    assert await totals(tally, clock) == dict.fromkeys(range(3 * BATCH), 1) | {0: 2}


async def test_a_write_that_is_cancelled_counts_once(database, clock, monkeypatch):
    tally, write = EventCounters(database, clock), database.write
    has_begun, may_end = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def slow(unit, *args, **kwargs):
        def run(connection):
            loop.call_soon_threadsafe(has_begun.set)
            assert may_end.wait(10)
            return unit(connection, *args, **kwargs)

        return write(run)

    monkeypatch.setattr(database, "write", slow)
    tally.add(1, CounterName.REPLIES)
    writing = asyncio.create_task(tally.write())
    await has_begun.wait()
    writing.cancel()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await totals(tally, clock) == {1: 1}  # it was ended first
    await tally.write()
    assert await totals(tally, clock) == {1: 1}
