"""What happens is counted by server and day, and written now and then."""

from datetime import timedelta

from utils.models.operator import CounterName
from utils.runtime.counters import EventCounters


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
        (None, "fact", 3),
        (None, "secret", 8),
    ]
    assert await one.since(today, [CounterName.REFUSED], guild_id=2) == []
    assert await one.since(today + timedelta(days=1), list(CounterName)) == []
