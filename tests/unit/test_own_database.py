"""A test run's own database on a server: made, emptied and dropped; nothing of it needs one."""

import os
import re
from contextlib import contextmanager, suppress
from unittest.mock import Mock

import pytest
from sqlalchemy import (
    Column,
    MetaData,
    String,
    Table,
    bindparam,
    delete,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, NoSuchTableError, OperationalError

from tests import own_database, sql_server_rules
from tests.fakes.odbc import OdbcServer
from tests.integration.small_units import NOON, add_hash, hashes, open_later
from utils.database.core import drivers
from utils.database.schema.memory_tables import memory_audit, metadata

AUDIT = {"GuildId": 1, "UserId": 2, "At": NOON, "ActorId": 2, "Action": "edit"}

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


def test_a_database_that_the_server_refuses_to_drop_fails_no_run(server, capsys):
    server.refused["DROP"] = refusal(3702)  # in use
    server.databases = ["kith_test_old_gw0"]
    own_database.begin_run(GIVEN)
    with own_database.own_database(GIVEN):
        pass
    own_database.end_run(GIVEN)
    dropped = [one for one in server.asked if one.startswith(("ALTER", "DROP"))]
    assert dropped[:2] == [
        "ALTER DATABASE kith_test_old_gw0 SET SINGLE_USER WITH ROLLBACK IMMEDIATE",
        "DROP DATABASE kith_test_old_gw0",
    ]
    assert "kith_test_old_gw0 is left on the server: SQLSTATE 42000, error 3702" in (
        capsys.readouterr().err
    )


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


def test_ids_begin_above_those_that_tests_make_up_where_the_server_lets_them(server):
    own_database.raise_ids(GIVEN)
    assert len(server.asked) == 18
    assert all(re.search(r"RESEED, \d+000\)", statement) for statement in server.asked)
    server.refused["DBCC"] = refusal(own_database.PERMISSION_DENIED)
    own_database.raise_ids(GIVEN)


async def test_a_folder_stands_in_for_a_server(tmp_path, monkeypatch):
    """One file for all tests of a process, emptied after each, and gone at the end."""
    given = f"sqlite:///{tmp_path / 'server'}"
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    own_database.begin_run(given)
    with own_database.own_database(given) as url, own_database.emptier(url) as empty:
        for _ in range(2):
            database = open_later(url)
            await database.open()
            assert await database.read(hashes) == []
            await database.write(add_hash, 1)
            await database.write(
                lambda connection: connection.execute(insert(memory_audit).values(AUDIT))
            )
            with pytest.raises(IntegrityError):  # the audit's trigger is there again
                await database.write(lambda connection: connection.execute(delete(memory_audit)))
            await database.close()
            empty()
    own_database.end_run(given)
    assert list((tmp_path / "server").iterdir()) == []


# --- the fixture that judges statements ---------------------------------------------------------

LOOKS = {
    "has_table": ("alembic_version",),
    "get_table_names": (),
    "get_columns": ("UserMemory",),
    "get_indexes": ("UserMemory",),
    "get_pk_constraint": ("UserMemory",),
    "get_view_names": (),
}


@pytest.mark.parametrize("look", LOOKS)
def test_what_sqlalchemy_itself_asks_the_catalogue_is_not_judged(monkeypatch, look):
    """On a server every test that opens a database would fail by it (statements_suit_...)."""
    odbc = OdbcServer()
    monkeypatch.setattr(drivers, "_import_pyodbc", odbc.module)
    engine = drivers.make_engine(drivers.parse_url(GIVEN), 1, 1.0)
    with engine.connect() as connection:
        odbc.asked.clear()
        with suppress(NoSuchTableError):
            getattr(inspect(connection), look)(*LOOKS[look])
    assert [one for one in odbc.asked if "sys" in one or "INFORMATION_SCHEMA" in one]


def test_the_programs_own_statements_are_judged_on_a_server_too():
    compared = select(memory_audit.c.Id).where(
        memory_audit.c.Action == bindparam("a", type_=String)
    )
    assert "VARCHAR" in sql_server_rules.complaint(compared)
    catalogue = Table("objects", MetaData(), Column("name", String), schema="sys")
    assert sql_server_rules.complaint(select(catalogue).where(catalogue.c.name == "x")) is None
