"""What happens is counted by server and day, and written now and then."""

from datetime import timedelta

import pytest

from utils.common.errors import DatabaseUnavailable
from utils.models.operator import CounterName
from utils.runtime.counters import BATCH, EventCounters


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


async def totals(tally, clock):
    found = await tally.since(clock.now().date(), [CounterName.REPLIES])
    return {one.guild_id: one.count for one in found}


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
