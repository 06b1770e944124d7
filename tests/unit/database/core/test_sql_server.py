"""Messages to SQL Server, counted at a driver that only writes down what it is asked."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, insert, select, update
from sqlalchemy.exc import DBAPIError

from tests.fakes.odbc import OdbcServer, fault
from utils.database.core import drivers, migrations, sql_server
from utils.database.core.queries import run_all
from utils.database.memories import members, memory_rows, recall_policies
from utils.database.messages import events, open_loops, said
from utils.database.schema.memory_tables import guild_settings, memory_audit, user_state
from utils.models.memory import Member
from utils.models.operator import PolicyRole
from utils.models.recall_policy import PolicyUse

CHANGE = update(user_state).where(user_state.c.GuildId == 1).values(Ignored=True)

URL = "mssql+pyodbc://kith:secret@host/kith?driver=x"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def engine(server: OdbcServer) -> Iterator[Engine]:
    made = drivers.make_engine(drivers.parse_url(URL), 1, 1.0)
    made.connect().close()
    forget(server)
    yield made
    made.dispose()


@pytest.fixture
def reading(engine: Engine, server: OdbcServer) -> Iterator[Engine]:
    made = drivers.make_reading_engine(engine)
    made.connect().close()
    forget(server)
    yield made
    made.dispose()


def forget(server: OdbcServer) -> None:
    server.asked.clear()
    server.values.clear()
    server.messages = 0


def sent(server: OdbcServer) -> tuple[str, tuple[Any, ...]]:
    """Return the only statement, and its values, that was sent but for the end of a transaction."""
    (pair,) = [
        pair
        for pair in zip(server.asked, server.values, strict=True)
        if pair[0] not in ("COMMIT", "ROLLBACK")
    ]
    return pair


IDS_OF_GUILD = select(user_state.c.UserId).where(user_state.c.GuildId == 1)
NAMES_OF_GUILD = select(guild_settings.c.TimeZone).where(guild_settings.c.GuildId == 1)
AUDIT = {
    "GuildId": 1, "UserId": 2, "MemoryId": None, "At": NOON,
    "ActorId": 3, "Action": "learnt?", "Before": None, "After": "why? because",
}  # fmt: skip


def test_a_read_is_one_message_without_ping_begin_and_rollback(reading, server):
    for _ in range(2):
        with reading.connect() as connection:
            connection.execute(select(user_state.c.UserId)).all()
    assert [statement.split()[0] for statement in server.asked] == ["SELECT", "SELECT"]
    assert server.messages == 2


# --- the kept cursor ------------------------------------------------------------------------------


def test_a_kept_cursor_makes_each_statement_one_message_also_when_two_alternate(reading, server):
    server.answers.append(("FROM [UserState]", [(7,), (8,)]))
    for _ in range(3):
        with reading.connect() as connection:
            assert connection.scalars(IDS_OF_GUILD).all() == [7, 8]
            assert connection.execute(NAMES_OF_GUILD).first() is None
    assert server.messages == 6


def test_a_migration_takes_its_time_though_cursors_are_kept_that_have_a_time_limit(engine, server):
    """The driver reads the connection's timeout only when it makes a cursor."""
    server.answers.append(("sp_getapplock", [(0,)]))
    server.timeouts.clear()
    with engine.begin() as connection:
        connection.execute(CHANGE)
        connection.execute(CHANGE)
        with migrations.lease(connection):
            connection.execute(CHANGE)
        connection.execute(CHANGE)
    asked = zip(server.asked, server.timeouts, strict=True)
    timeouts = [timeout for statement, timeout in asked if statement.startswith("UPDATE")]
    assert timeouts == [30, 30, 0, 30]


# --- other messages that are not sent -------------------------------------------------------------


def test_the_reading_engine_refuses_to_write_as_nothing_would_undo_it(reading, server):
    with reading.connect() as connection, pytest.raises(RuntimeError, match="read"):
        connection.execute(update(user_state).values(Ignored=True))
    assert server.asked == []


def test_a_none_is_written_as_null_since_the_driver_would_ask_for_its_type(engine, server):
    with engine.begin() as connection:
        connection.execute(insert(memory_audit).values(AUDIT))
    statement, values = sent(server)
    assert None not in values
    assert values[0:2] == (1, 2)
    assert values[-1] == "why? because"
    assert statement.count("?") == len(values) == 6
    assert statement.count("NULL") == 2
    # A text is as long as its column: a plan serves all values. 0: NVARCHAR(MAX).
    assert [length for _, length, _ in server.sizes] == [None, None, None, None, 20, 0]


def test_rows_that_are_inserted_together_are_one_message_with_all_types_and_no_none(engine, server):
    with engine.begin() as connection:
        connection.execute(insert(memory_audit), [AUDIT, AUDIT, AUDIT | {"MemoryId": 4}])
    statement, values = sent(server)
    assert len(values) == statement.count("?") == 19
    assert None not in values
    assert server.messages == 2


# --- several SELECTs in one batch ----------------------------------------------------------------

SINCE = NOON.replace(tzinfo=None)
USES = [("active", 3, SINCE, None, True)]


def test_several_selects_are_one_message_and_read_as_on_sqlite(reading, server):
    server.answers += [("FROM [ReadPolicyUse]", USES), ("max(", [(41,)])]
    member = Member(1, 2)
    queries = [
        recall_policies.uses(),
        said.last_event_id(member),
        open_loops.all_of(member, NOON),
    ]
    with reading.connect() as connection:
        uses, last_id, loops = run_all(connection, queries)
    assert uses == {PolicyRole.ACTIVE: PolicyUse(3, SINCE.replace(tzinfo=UTC), None, True)}
    assert (last_id, loops) == (41, [])
    statement, parameters = sent(server)
    assert server.messages == 1
    assert statement.count(";\n") == 2
    assert parameters == (1, 2, 1, 2, NOON.replace(tzinfo=None))


@pytest.mark.parametrize(
    "query",
    [
        "header",
        "turns",
        "rows",
        "sources",
        "attached",
        "newer",
        "newest",
    ],
)
def test_each_query_of_a_recall_is_a_batch_on_sql_server(reading, server, query):
    member = Member(1, 2)
    made = {
        "header": members.header(member),
        "turns": events.last_turns(1, 9, 11, NOON),
        "rows": memory_rows.for_recall(member, NOON),
        "sources": said.sources_for_recall(member),
        "attached": said.attachments(member, NOON),
        "newer": said.since(member, after=5, now=NOON, gap_s=9.0),
        "newest": said.since(member, after=0, now=NOON, gap_s=9.0),
    }[query]
    server.answers.append(("FROM [ReadPolicyUse]", USES))
    with reading.connect() as connection:
        found, uses = run_all(connection, [made, recall_policies.uses()])
    if query in ("rows", "newer", "newest"):
        found = (found if query == "rows" else found[0]).ids
    assert not found or found in (members.NO_HEADER, ({}, {}, set()))
    assert uses[PolicyRole.ACTIVE].version == 3
    statement, parameters = sent(server)
    assert statement.count("?") == len(parameters)
    assert "POSTCOMPILE" not in statement
    assert all(getattr(value, "tzinfo", None) is None for value in parameters)


def test_a_result_that_outlives_its_unit_reads_nothing_of_the_next_one(reading, server):
    server.answers.append(("FROM [UserState]", [(7,)]))
    with reading.connect() as connection:
        outliving = connection.execute(IDS_OF_GUILD)
    with reading.connect() as connection:
        connection.execute(IDS_OF_GUILD)
        with pytest.raises(AttributeError):
            outliving.fetchall()


def test_a_result_that_is_read_only_after_the_next_statement_reads_its_own_rows(reading, server):
    """SQLAlchemy closes the cursor of a buffered result, and not that of one it still reads."""
    server.answers += [("FROM [UserState]", [(7,)]), ("FROM [GuildSettings]", [("UTC",)])]
    with reading.connect() as connection:
        numbers = connection.execute(IDS_OF_GUILD)
        assert numbers.fetchmany(2) == [(7,)]  # the driver has said that there is no other
        names = connection.execute(NAMES_OF_GUILD)
        assert numbers.fetchall() == []
        assert names.all() == [("UTC",)]
        assert connection.scalars(IDS_OF_GUILD).all() == [7]
    assert server.messages == 4  # the second cursor was not kept


def test_a_result_that_is_left_unread_costs_its_cursor_and_the_next_statement_runs(reading, server):
    server.answers.append(("FROM [UserState]", [(7,), (8,), (9,)]))
    with reading.connect() as connection:
        assert connection.scalar(IDS_OF_GUILD) == 7
        assert server.messages == 2
        assert connection.scalars(IDS_OF_GUILD).all() == [7, 8, 9]
    assert server.messages == 3


def test_a_statement_that_fails_costs_its_cursor(reading, server):
    server.answers.append(("FROM [UserState]", fault(1205)))
    with reading.connect() as connection:
        with pytest.raises(DBAPIError):
            connection.execute(IDS_OF_GUILD)
        assert server.messages == 2
        server.answers.pop()
        connection.execute(IDS_OF_GUILD).all()
    assert server.messages == 3


def test_a_connection_that_replaces_a_lost_one_does_not_get_its_cursor(reading, server):
    with reading.connect() as connection:
        cursor = connection.execute(IDS_OF_GUILD).cursor
        connection.invalidate()
    server.connections[-1].is_broken = True
    with reading.connect() as connection:
        cursor.close()
        assert connection.execute(IDS_OF_GUILD).all() == []


def test_the_servers_user_options_decide_nothing(server):
    engine = drivers.make_engine(drivers.parse_url(URL), 1, 1.0)
    for made in (engine, drivers.make_reading_engine(engine)):
        server.asked.clear()
        made.connect().close()
        assert "SET NOCOUNT OFF; SET XACT_ABORT OFF" in server.asked
        made.dispose()


def test_a_savepoint_is_one_message_and_leaves_one_commit_to_the_driver(engine, server):
    """With IMPLICIT_TRANSACTIONS, which some drivers use, BEGIN TRANSACTION counts twice."""
    with engine.begin() as connection, connection.begin_nested():
        connection.execute(CHANGE)
    saving, *others = [statement for statement in server.asked if "TRANSACTION" in statement]
    begin, _, save = saving.rpartition("; ")
    assert begin == (
        "IF @@TRANCOUNT = 0 BEGIN BEGIN TRANSACTION; IF @@TRANCOUNT > 1 COMMIT TRANSACTION; END"
    )
    assert save.startswith("SAVE TRANSACTION sa_savepoint_")
    assert others == []
    assert server.messages == 3


def test_a_connection_is_pinged_only_after_a_rest(reading, server, monkeypatch):
    monkeypatch.setattr(sql_server, "PING_AFTER_S", 0.0)
    with reading.connect():
        pass
    assert server.asked == ["SELECT 1"]


def test_a_connection_that_was_lost_while_it_rested_is_replaced(reading, server, monkeypatch):
    monkeypatch.setattr(sql_server, "PING_AFTER_S", 0.0)
    connections = len(server.connections)
    server.connections[-1].is_broken = True
    with reading.connect() as connection:
        connection.execute(select(user_state.c.UserId))
    assert len(server.connections) == connections + 1
