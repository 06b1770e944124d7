"""A test run's own database on a server: made, emptied and dropped; nothing of it needs one."""

import os
from contextlib import contextmanager
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from tests import own_database
from utils.database.core import drivers
from utils.database.schema.memory_tables import metadata

GIVEN = "mssql+pyodbc://kith:p%40ss%2Fw%3A%25@host:1433/master?TrustServerCertificate=yes"


def refusal(number: int) -> DBAPIError:
    words = f"[42000] [Microsoft][SQL Server]No ({number}) (SQLExecDirectW)"
    return DBAPIError("", None, Exception("42000", words))


class FakeServer:
    """Notes what is asked of it, and refuses what it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.refused: dict[str, DBAPIError] = {}
        self.databases: list[str] = []

    def exec_driver_sql(self, statement: str) -> Mock:
        self.asked.append(statement)
        for beginning, error in self.refused.items():
            if statement.startswith(beginning):
                raise error
        return Mock()

    def scalars(self, statement: object, values: dict[str, object]) -> list[str]:
        self.asked.append(str(statement))
        return [name for name in self.databases if name.startswith(str(values["prefix"]))]


@pytest.fixture
def server(monkeypatch):
    fake = FakeServer()

    @contextmanager
    def connect(_url):
        yield fake

    monkeypatch.setattr(own_database, "_server", connect)
    monkeypatch.setenv("KITH_TEST_RUN", "run")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw3")
    return fake


def test_every_process_of_a_run_has_a_database_whose_url_keeps_the_password(server):
    with own_database.own_database(GIVEN) as url:
        assert drivers.parse_url(url).database == "kith_test_run_gw3"
        assert drivers.parse_url(url).password == "p@ss/w:%"
    assert server.asked[0] == "CREATE DATABASE kith_test_run_gw3"
    assert server.asked[-1] == "DROP DATABASE kith_test_run_gw3"


def test_processes_that_make_their_databases_at_once_wait_for_each_other(server, monkeypatch):
    server.refused["CREATE"] = refusal(own_database.MODEL_IS_LOCKED)
    monkeypatch.setattr(own_database.time, "sleep", lambda _s: server.refused.clear())
    with own_database.own_database(GIVEN):
        assert server.asked[:2] == ["CREATE DATABASE kith_test_run_gw3"] * 2


def test_a_database_is_dropped_whatever_happens_in_it(server):
    server.refused["ALTER DATABASE"] = refusal(5069)  # a server without that switch
    with pytest.raises(KeyboardInterrupt), own_database.own_database(GIVEN):
        raise KeyboardInterrupt
    assert server.asked[-1] == "DROP DATABASE kith_test_run_gw3"


def test_readers_and_writers_do_not_wait_for_each_other(server):
    server.databases = ["kith_test_run_gw3"]
    with own_database.own_database(GIVEN):
        pass
    assert "ALTER DATABASE kith_test_run_gw3 SET READ_COMMITTED_SNAPSHOT ON" in server.asked


def test_a_login_that_may_not_create_databases_gets_one_sentence(server):
    server.refused["CREATE"] = refusal(own_database.PERMISSION_DENIED)
    with pytest.raises(own_database.CannotMake, match="dbcreator"):
        own_database.begin_run(GIVEN)


def test_a_server_that_is_away_gets_one_sentence(server, monkeypatch):
    words = "[08001] [Microsoft]refused (10061) (SQLDriverConnect)"
    away = OperationalError("", None, Exception("08001", words))
    monkeypatch.setattr(own_database, "_server", Mock(side_effect=away))
    with pytest.raises(own_database.CannotMake, match="does not answer"):
        own_database.begin_run(GIVEN)


def test_a_url_that_names_no_database_by_itself_gets_one_sentence(server):
    with pytest.raises(own_database.CannotMake, match="odbc_connect"):
        own_database.begin_run("mssql+pyodbc://?odbc_connect=DSN%3Dkith")


def test_a_run_drops_what_it_left_and_what_a_killed_one_left_a_day_ago(server):
    server.databases = ["kith_test_old_gw0", "other"]
    own_database.begin_run(GIVEN)
    assert "DROP DATABASE kith_test_old_gw0" in server.asked
    assert "create_date < DATEADD(hour, -24" in server.asked[0]
    server.databases = ["kith_test_old_gw0", f"kith_test_{os.environ['KITH_TEST_RUN']}_gw1"]
    own_database.end_run(GIVEN)
    assert server.asked[-1] == f"DROP DATABASE {server.databases[1]}"
    assert server.asked.count("DROP DATABASE kith_test_old_gw0") == 1


def test_emptying_is_one_batch_that_names_every_table_once(server):
    with own_database.emptier(GIVEN) as empty:
        empty()
    (batch,) = server.asked
    for table in metadata.sorted_tables:
        assert batch.count(f"[{table.name}]") == 1
    assert "TRUNCATE TABLE [MemoryAudit]" in batch
    assert batch.index("[MemoryEmbedding]") < batch.index("[UserMemory]")
