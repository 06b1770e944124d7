"""How many messages to SQL Server a member's message waits for until it is recorded."""

import pytest

from tests.fakes.builders import FakeExtractor, audience, make_event, make_recorder
from tests.fakes.clock import ManualClock
from tests.fakes.odbc import OdbcServer
from utils.database.core import drivers
from utils.database.core.engine import Database

MAX_MESSAGES = 5


@pytest.mark.parametrize("is_answered", [False, True])
async def test_a_message_is_recorded_with_five_messages_to_the_server_at_most(
    monkeypatch, is_answered
):
    server, clock = OdbcServer(), ManualClock()
    monkeypatch.setattr(drivers, "_import_pyodbc", server.module)
    server.answers += [("OUTPUT", [(1,)]), ("ConsentDefault", [(None,) * 3])]
    database = Database("mssql+pyodbc://kith:x@host/kith?driver=x", pool_size=1, clock=clock)
    await database.open(upgrade=False)
    recorder = make_recorder(database, clock, FakeExtractor())
    server.messages = 0
    assert await recorder.record(make_event(), audience(), is_answered=is_answered)
    assert server.messages == MAX_MESSAGES - (not is_answered)
    assert server.asked[-1] == "COMMIT"
    await database.close()
