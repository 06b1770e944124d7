"""How often a recall asks the database, one question after the other."""

import pytest

from tests.fakes.builders import (
    ADA,
    GUILD,
    FakeExtractor,
    audience,
    make_event,
    make_reader,
    make_recorder,
)
from tests.fakes.clock import ManualClock
from tests.fakes.faulty import engines
from tests.fakes.round_trips import counted_round_trips
from tests.integration.memory.member_data.test_search import remember
from utils.models.guild import GuildSettings
from utils.models.recall import Person

WARM, COLD = 1, 2


@pytest.fixture
async def clock(database):
    clock = ManualClock()
    recorder = make_recorder(database, clock, FakeExtractor())
    await recorder.record(make_event("I have a dog named Rex"), audience())
    await remember(database, "has a dog named Rex")
    return clock


async def test_a_recall_asks_once_warm_and_twice_cold_at_most(database, clock):
    reader = make_reader(database, clock)

    async def recall():
        return await reader.recall(
            audience(), [Person(ADA.user_id, "Ada")], "my dog", settings=GuildSettings(GUILD)
        )

    with counted_round_trips(engines(database)) as cold:
        assert "Rex" in (await recall()).block
    with counted_round_trips(engines(database)) as warm:
        await recall()
    assert 0 < warm.trips <= WARM
    assert 0 < cold.trips <= COLD
    assert warm.statements <= 6
