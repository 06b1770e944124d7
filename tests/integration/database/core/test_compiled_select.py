"""SELECTs that the driver executes return what SQLAlchemy's own execution does."""

import pytest

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    FakeExtractor,
    audience,
    make_event,
    make_recorder,
)
from tests.fakes.clock import NOON, ManualClock
from tests.integration.memory.member_data.test_search import remember
from utils.database.core.compiled_select import compiled_select
from utils.database.core.queries import run
from utils.database.memories import members, memory_rows
from utils.database.messages import events, said

QUERIES = [
    members.header(ADA),
    memory_rows.for_recall(ADA, NOON),
    events.last_turns(GUILD, CHANNEL, 10, NOON),
    said.since(ADA, after=0, now=NOON, gap_s=1.0),
    said.last_event_id(ADA),
]


@pytest.mark.parametrize("query", QUERIES)
async def test_rows_are_those_of_sqlalchemy(database, query):
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    await recorder.record(make_event("I have a dog named Rex"), audience())
    await remember(database, "has a dog named Rex")

    def unit(connection):
        of_driver = compiled_select(query.statement, connection.dialect)
        assert of_driver is compiled_select(query.statement, connection.dialect)
        expected = connection.execute(query.statement, query.parameters).all()
        assert expected
        rows = []
        run(connection, type(query)(query.statement, query.parameters, rows.extend))
        assert [tuple(row) for row in rows] == [tuple(row) for row in expected]
        for row, mapping in zip(rows, (row._mapping for row in expected), strict=True):
            named = {name: value for name, value in row._asdict().items() if name[0] != "_"}
            assert named.items() <= mapping.items()

    await database.read(unit)
