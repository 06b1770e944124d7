"""Leases: one holder at a time, a fence that only rises, and late workers that write nothing."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, select

from utils.common.clock import Clock
from utils.common.errors import StaleFence
from utils.database.admin import leases
from utils.database.core.engine import Connection, Database
from utils.database.schema.memory_tables import job_run

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


async def claim(database, owner, now=NOON, name="prune"):
    return await database.write(leases.claim, name, owner, now, MINUTE)


async def test_a_lease_that_ran_out_goes_to_the_next_with_a_higher_fence(database):
    first = await claim(database, "ada")
    assert await claim(database, "bob", NOON + MINUTE - timedelta(microseconds=1)) is None
    assert await claim(database, "bob", NOON + MINUTE) > first


async def test_a_lease_that_was_taken_over_cannot_be_renewed_or_released(database):
    fence = await claim(database, "ada")
    newer = await claim(database, "bob", NOON + MINUTE)
    with pytest.raises(StaleFence):
        await database.write(leases.renew, "prune", "ada", fence, NOON + 9 * MINUTE)
    assert not await database.write(leases.release, "prune", "ada", fence, NOON)
    await database.write(leases.check_fence, "prune", "bob", newer)


async def test_a_released_lease_is_free_at_once_and_its_fence_never_comes_back(database):
    fence = await claim(database, "ada")
    assert await database.write(leases.release, "prune", "ada", fence, NOON)
    with pytest.raises(StaleFence):
        await database.write(leases.check_fence, "prune", "ada", fence)
    assert await claim(database, "bob") > fence


async def test_a_unit_with_a_stale_fence_writes_nothing(database):
    fence = await claim(database, "ada")
    await claim(database, "bob", NOON + MINUTE)

    def late(connection: Connection) -> None:
        connection.execute(insert(job_run).values(Name="x", SucceededAt=NOON, Report=""))
        leases.check_fence(connection, "prune", "ada", fence)

    with pytest.raises(StaleFence):
        await database.write(late)
    assert await database.read(lambda s: s.execute(select(job_run)).all()) == []


async def test_many_workers_claiming_at_once_never_share_a_lease(database, database_url):
    workers = [Database(database_url, pool_size=2, clock=Clock()) for _ in range(6)]
    for worker in workers:
        await worker.open()
    for number in range(20):
        claims = [
            claim(worker, f"w{index}", name=f"job{number}") for index, worker in enumerate(workers)
        ]
        fences = await asyncio.gather(*claims)
        assert len([fence for fence in fences if fence is not None]) == 1
    for worker in workers:
        await worker.close()
