"""Round trips to SQL Server, counted at a driver that only writes down what it is asked."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, insert, select, update
from sqlalchemy.exc import DBAPIError

from utils.database.core import drivers, error_codes, sql_server
from utils.database.core.error_codes import ErrorClass
from utils.database.core.queries import run_all
from utils.database.memories import members, memory_rows, recall_policies
from utils.database.messages import events, open_loops, said
from utils.database.schema.memory_tables import memory_audit, user_state
from utils.models.memory import Member
from utils.models.operator import PolicyRole
from utils.models.recall_policy import PolicyUse

URL = "mssql+pyodbc://kith:secret@host/kith?driver=x"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class DriverError(Exception):
    """What the driver raises."""


class FakeCursor:
    """Writes down what is executed; every answer is one row."""

    description = (("x", str, None, None, None, None, None),)
    rowcount = 1

    def __init__(self, trips: list[tuple[Any, ...]]) -> None:
        self.trips = trips
        self.sizes: list[Any] = []
        self.batches: list[list[tuple[Any, ...]]] = []
        self._rows: list[tuple[Any, ...]] = []

    def setinputsizes(self, sizes: list[Any]) -> None:
        self.sizes = sizes

    def execute(self, statement: str, parameters: tuple[Any, ...] = ()) -> "FakeCursor":
        if self.sizes:
            assert len(self.sizes) == len(parameters)
        self.trips.append((statement, tuple(parameters)))
        if self.batches:
            self._rows = self.batches.pop(0)
            return self
        self._rows = [("7",) if "scope_identity" in statement else ("16.0.1000.6",)]
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._rows.pop(0) if self._rows else None

    def fetchall(self) -> list[tuple[Any, ...]]:
        if self._rows == ["lost"]:
            raise DriverError("08S01", "gone")
        if self._rows == ["denied"]:  # in a language that Kith does not read
            raise DriverError("42000", "[42000] Keine Berechtigung (229) (SQLMoreResults)")
        rows, self._rows = self._rows, []
        return rows

    def nextset(self) -> bool:
        self._rows = self.batches.pop(0) if self.batches else [("7",)]
        return True

    def close(self) -> None:
        pass


class Driver:
    """A pyodbc whose connections share one list of round trips."""

    Error = DriverError
    paramstyle = "qmark"
    version = "5.5.0"
    SQL_VARCHAR, SQL_WVARCHAR, SQL_DECIMAL = 12, -9, 3
    NUMBER, DATETIME, STRING = float, datetime, str
    pooling = True
    Cursor = FakeCursor

    def __init__(self) -> None:
        self.trips: list[tuple[Any, ...]] = []
        self.batches: list[list[tuple[Any, ...]]] = []
        self.connects = 0
        self.lost = 0  # connections up to this one are gone

    def __getattr__(self, name: str) -> Any:
        if name.endswith("Error"):
            return DriverError
        raise AttributeError(name)

    def drivers(self) -> list[str]:
        return []

    def connect(self, *_: Any, **__: Any) -> "Driver.Connection":
        self.connects += 1
        return Driver.Connection(self)

    class Connection:
        timeout = 0
        autocommit = False

        def __init__(self, driver: "Driver") -> None:
            self.driver = driver
            self.number = driver.connects

        def cursor(self) -> FakeCursor:
            cursor = FakeCursor(self.driver.trips)
            cursor.batches = self.driver.batches
            return cursor

        def execute(self, statement: str) -> FakeCursor:
            if self.number <= self.driver.lost:
                raise DriverError("08S01", "gone")
            return self.cursor().execute(statement)

        def add_output_converter(self, *_: Any) -> None:
            pass

        def commit(self) -> None:
            self.driver.trips.append(("COMMIT",))

        def rollback(self) -> None:
            self.driver.trips.append(("ROLLBACK",))

        def close(self) -> None:
            pass


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    stand_in = Driver()
    monkeypatch.setattr(drivers, "_import_pyodbc", lambda: stand_in)
    return stand_in


@pytest.fixture
def engine(driver: Driver) -> Iterator[Engine]:
    made = drivers.make_engine(drivers.parse_url(URL), 1, 1.0)
    made.connect().close()
    driver.trips.clear()
    yield made
    made.dispose()


@pytest.fixture
def reading(engine: Engine, driver: Driver) -> Iterator[Engine]:
    made = drivers.make_reading_engine(engine)
    made.connect().close()
    driver.trips.clear()
    yield made
    made.dispose()


def test_a_read_is_one_round_trip_without_ping_begin_and_rollback(reading, driver):
    for _ in range(2):
        with reading.connect() as connection:
            connection.execute(select(user_state.c.UserId))
    assert [trip[0].split()[0] for trip in driver.trips] == ["SELECT", "SELECT"]


def test_the_reading_engine_refuses_to_write_as_nothing_would_undo_it(reading, driver):
    with reading.connect() as connection, pytest.raises(RuntimeError, match="read"):
        connection.execute(update(user_state).values(Ignored=True))
    assert driver.trips == []


def test_a_write_still_ends_with_a_commit_or_a_rollback(engine, driver):
    with engine.begin() as connection:
        connection.execute(update(user_state).values(Ignored=True))
    with pytest.raises(KeyError), engine.begin() as connection:
        connection.execute(update(user_state).values(Ignored=True))
        raise KeyError
    ends = [trip[0] for trip in driver.trips if len(trip) == 1]
    assert ends[0] == "COMMIT"
    assert ends[-1] == "ROLLBACK"


def test_a_savepoint_is_one_round_trip_and_leaves_one_commit_to_the_driver(engine, driver):
    """With IMPLICIT_TRANSACTIONS, which manual commit is, BEGIN TRANSACTION counts twice."""
    with engine.begin() as connection, connection.begin_nested():
        connection.execute(update(user_state).values(Ignored=True))
    saving, *others = [trip[0] for trip in driver.trips if "TRANSACTION" in trip[0]]
    begin, _, save = saving.rpartition("; ")
    assert begin == (
        "IF @@TRANCOUNT = 0 BEGIN BEGIN TRANSACTION; IF @@TRANCOUNT > 1 COMMIT TRANSACTION; END"
    )
    assert save.startswith("SAVE TRANSACTION sa_savepoint_")
    assert others == []


def test_the_servers_user_options_decide_nothing(driver):
    engine = drivers.make_engine(drivers.parse_url(URL), 1, 1.0)
    for made in (engine, drivers.make_reading_engine(engine)):
        driver.trips.clear()
        made.connect().close()
        assert ("SET NOCOUNT OFF; SET XACT_ABORT OFF", ()) in driver.trips
        made.dispose()


def test_a_connection_is_pinged_only_after_a_rest(reading, driver, monkeypatch):
    monkeypatch.setattr(sql_server, "PING_AFTER_S", 0.0)
    with reading.connect():
        pass
    assert [trip[0] for trip in driver.trips] == ["SELECT 1"]


def test_a_connection_that_was_lost_while_it_rested_is_replaced(reading, driver, monkeypatch):
    monkeypatch.setattr(sql_server, "PING_AFTER_S", 0.0)
    driver.lost = connects = driver.connects
    with reading.connect() as connection:
        connection.execute(select(user_state.c.UserId))
    assert driver.connects == connects + 1


def test_a_none_is_written_as_null_since_the_driver_would_ask_for_its_type(engine, driver):
    values = {
        "GuildId": 1, "UserId": 2, "MemoryId": None, "At": NOON,
        "ActorId": 3, "Action": "learnt?", "Before": None, "After": "why? because",
    }  # fmt: skip
    with engine.begin() as connection:
        connection.execute(insert(memory_audit).values(values))
    statement, parameters = next(trip for trip in driver.trips if len(trip) == 2)
    assert None not in parameters
    assert parameters[0:2] == (1, 2)
    assert parameters[-1] == "why? because"
    assert statement.count("?") == len(parameters) == 6
    assert statement.count("NULL") == 2


def test_a_text_with_a_question_mark_in_the_statement_keeps_its_parameters():
    cursor = FakeCursor([])
    sql_server.Dialect().do_execute(cursor, "SELECT '?', ?", (None,))
    assert cursor.trips == [("SELECT '?', ?", (None,))]


def test_rows_inserted_together_keep_their_nones_beside_their_types(engine, driver):
    row = {
        "GuildId": 1, "UserId": 2, "MemoryId": None, "At": NOON,
        "ActorId": 3, "Action": "learnt", "Before": None, "After": "x",
    }  # fmt: skip
    statement = insert(memory_audit).returning(memory_audit.c.GuildId)
    driver.batches.append([(1,), (1,)])
    with engine.begin() as connection:
        connection.execute(statement, [row, row])  # FakeCursor compares values with types
    sent, parameters = next(trip for trip in driver.trips if len(trip) == 2)
    assert len(parameters) == sent.count("?")
    assert parameters.count(None) == 4


# --- several SELECTs in one batch ----------------------------------------------------------------

SINCE = NOON.replace(tzinfo=None)
USES = [("active", 3, SINCE, None, True)]


def test_several_selects_are_one_round_trip_and_read_as_on_sqlite(reading, driver):
    driver.batches += [USES, [(41,)], []]
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
    ((statement, parameters),) = driver.trips
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
def test_each_query_of_a_recall_is_a_batch_on_sql_server(reading, driver, query):
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
    driver.batches += [[], USES]
    with reading.connect() as connection:
        found, uses = run_all(connection, [made, recall_policies.uses()])
    if query in ("rows", "newer", "newest"):
        found = (found if query == "rows" else found[0]).ids
    assert not found or found in (members.NO_HEADER, ({}, {}, set()))
    assert uses[PolicyRole.ACTIVE].version == 3
    ((statement, parameters),) = driver.trips
    assert statement.count("?") == len(parameters)
    assert "POSTCOMPILE" not in statement
    assert all(getattr(value, "tzinfo", None) is None for value in parameters)


def test_a_connection_that_is_lost_within_a_batch_is_given_up_and_the_error_recognised(
    reading, driver
):
    driver.batches += [USES, ["lost"]]
    connects = driver.connects
    queries = [recall_policies.uses(), said.last_event_id(Member(1, 2))]
    with reading.connect() as connection, pytest.raises(DBAPIError) as raised:
        run_all(connection, queries)
    assert error_codes.classify_error(raised.value) is ErrorClass.LOST
    with reading.connect():
        assert driver.connects == connects + 1


def test_a_right_that_a_later_select_of_a_batch_lacks_is_named(reading, driver):
    driver.batches += [USES, ["denied"]]
    queries = [recall_policies.uses(), said.last_event_id(Member(1, 2))]
    with reading.connect() as connection, pytest.raises(DBAPIError) as raised:
        run_all(connection, queries)
    advice = error_codes.translate(raised.value, "kith").for_operator
    assert "ALTER ROLE db_datareader ADD MEMBER [kith]" in advice
