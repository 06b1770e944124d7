"""A test run's own database on a server: made, emptied and dropped; nothing of it needs one."""

from contextlib import contextmanager, suppress
from unittest.mock import Mock

import pytest
from sqlalchemy import (
    Column,
    MetaData,
    String,
    Table,
    bindparam,
    inspect,
    select,
)
from sqlalchemy.exc import DBAPIError, NoSuchTableError

from tests import own_database, sql_server_rules
from tests.fakes.odbc import OdbcServer
from utils.database.core import drivers
from utils.database.schema.memory_tables import memory_audit

GIVEN = "mssql+pyodbc://kith:p%40ss%2Fw%3A%25@host:1433/master?TrustServerCertificate=yes"


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
