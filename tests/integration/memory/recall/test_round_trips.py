"""How often a recall asks the database, one question after the other."""

import re

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
from tests.fakes.statements import watched_statements
from tests.integration.memory.member_data.test_search import remember
from tests.integration.memory.recall.test_changed_memories import learn
from utils.models.guild import GuildSettings
from utils.models.recall import Person

WARM, COLD = 1, 2
STATE_AS_PARAMETER = re.compile(r"\b(MemoryEvent|UserMemory)\W+(State|Status)\W* (=|!=|<>) \?")


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


async def test_no_query_of_a_recall_is_planned_again_each_time(database, clock):
    """A filtered index may depend on a state, so a parameter would have SQLite plan again."""
    reader, executed = make_reader(database, clock), []

    with watched_statements(engines(database), lambda _, text, values: executed.append(text)):
        for fact in ("has a cat named Mia", "has a horse"):
            await reader.recall(
                audience(), [Person(ADA.user_id, "Ada")], "my dog", settings=GuildSettings(GUILD)
            )
            await learn(database, fact)
    queries = [statement for statement in executed if statement.startswith("SELECT")]
    assert len([query for query in queries if "SearchStems" in query]) == 2
    assert [query for query in queries if STATE_AS_PARAMETER.search(query)] == []
