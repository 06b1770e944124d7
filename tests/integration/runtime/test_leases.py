"""Holding a lease while a piece of work runs."""

import asyncio
from threading import Event

import pytest
from sqlalchemy import select

from tests.fakes.clock import ManualClock
from utils.common.errors import StaleFence
from utils.database.schema.memory_tables import lease
from utils.runtime.leases import DURATION, Leases


async def test_a_lease_is_kept_alive_while_its_work_goes_on(database, clock):
    other = ManualClock()
    async with Leases(database, clock).hold("x") as fence:
        for _ in range(9):
            await clock.until_asleep()
            clock.advance(DURATION.total_seconds() / 3)
            await _renewed(database, clock)
        other.advance(DURATION.total_seconds() * 2)
        async with Leases(database, other).hold("x") as taken:
            assert taken is None
        assert fence is not None


async def _renewed(database, clock):
    while True:
        until = await database.read(lambda connection: connection.scalar(select(lease.c.Until)))
        if until >= clock.now() + DURATION:
            return


async def test_whoever_was_overtaken_writes_nothing(database, clock):
    slow = Leases(database, clock)
    done = []
    async with slow.hold("x") as fence:
        assert await slow.write("x", fence, lambda _: done.append("in time") or "kept") == "kept"
        later = ManualClock(clock.now() + 2 * DURATION)
        async with Leases(database, later).hold("x") as taken:
            assert taken is not None
            with pytest.raises(StaleFence):
                await slow.write("x", fence, lambda _: done.append("too late"))
    assert done == ["in time"]


async def _lose_lease(database, clock):
    """Let another worker take the lease "x" over, then let the first one try to renew it."""
    later = ManualClock(clock.now() + 2 * DURATION)
    async with Leases(database, later).hold("x") as taken:
        assert taken is not None
        clock.advance(DURATION.total_seconds() / 3)
        for _ in range(200):
            await asyncio.sleep(0.01)
            yield


async def test_a_lease_that_is_taken_away_stops_the_work_under_it(database, clock):
    is_cancelled = False

    async def work():
        nonlocal is_cancelled
        async with Leases(database, clock).hold("x"):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                is_cancelled = True
                raise

    task = asyncio.create_task(work())
    await clock.until_asleep()
    async for _ in _lose_lease(database, clock):
        if task.done():
            break
    with pytest.raises(StaleFence):
        await task
    assert is_cancelled
    assert not task.cancelling()


async def test_the_first_unit_runs_with_the_claim_or_not_at_all(database, clock):
    began = []

    def begin(connection):
        began.append(connection.scalar(select(lease.c.Owner).where(lease.c.Name == "x")))
        return len(began)

    mine, other = Leases(database, clock), Leases(database, clock)
    async with mine.hold_with("x", begin) as held:
        assert held is not None
        fence, result = held
        assert result == 1
        await mine.write("x", fence, lambda _: None)
        async with other.hold_with("x", begin) as refused:
            assert refused is None
    assert began == [mine.owner]


async def test_a_first_unit_that_fails_leaves_the_lease_free(database, clock):
    def fail(_):
        raise ValueError

    with pytest.raises(ValueError):
        async with Leases(database, clock).hold_with("x", fail):
            pass
    async with Leases(database, clock).hold("x") as fence:
        assert fence is not None


async def test_who_is_cancelled_while_the_first_unit_fails_ends_as_cancelled(database, clock):
    began, is_cancelled = Event(), Event()

    def fail(_):
        began.set()
        is_cancelled.wait(10)
        raise ValueError

    async def work():
        async with Leases(database, clock).hold_with("x", fail):
            pass

    task = asyncio.create_task(work())
    await asyncio.to_thread(began.wait, 10)
    task.cancel()
    await asyncio.sleep(0)
    is_cancelled.set()
    with pytest.raises(asyncio.CancelledError):
        await task
