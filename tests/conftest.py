"""Fixtures for every test: a fresh migrated database, SQLite unless TEST_DATABASE_URL names one.

TEST_DATABASE_URL is a SQL Server URL whose login may create databases: each run makes its own
there, empties it between tests, and drops it at the end. The very same tests run on both. Without
one, every statement a test runs is at least compiled for SQL Server (tests/sql_server_rules.py).
"""

import asyncio
import os
import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import ClauseElement, Connection, Engine, event, text
from sqlalchemy.engine import make_url

from tests import sql_server_rules
from tests.compiled_once import statements_are_compiled_once  # noqa: F401 - a fixture for all
from tests.leak_watch import (  # noqa: F401 - a fixture and hooks for all
    all_output_is_watched,
    pytest_runtest_makereport,
    pytest_sessionfinish,
    pytest_warning_recorded,
)
from utils.clock import SystemClock
from utils.database import drivers
from utils.database.engine import Database, Session
from utils.database.tables import memory_audit, metadata

POOL_SIZE = 4


@pytest.fixture(autouse=True)
def statements_suit_sql_server() -> Iterator[None]:
    """Fail a test that runs a statement which SQL Server would refuse."""
    complaints: list[str] = []

    def ask(_connection: Connection, statement: ClauseElement, *_: object) -> None:
        if found := sql_server_rules.complaint(statement):
            complaints.append(found)

    event.listen(Engine, "before_execute", ask)
    yield
    event.remove(Engine, "before_execute", ask)
    assert not complaints, complaints[0]


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty SQLite file, made once and copied for each test."""
    file = tmp_path_factory.mktemp("template") / "kith.db"
    asyncio.run(_migrate(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def server_url() -> Iterator[str | None]:
    """The run's own database on the server of TEST_DATABASE_URL; None without one."""
    given = os.environ.get("TEST_DATABASE_URL")
    if not given:
        yield None
        return
    name = f"kith_test_{uuid.uuid4().hex[:12]}"
    url = make_url(given).set(database=name).render_as_string(hide_password=False)
    _on_server(given, f"CREATE DATABASE {name}")
    try:
        asyncio.run(_migrate(url))
        yield url
    finally:
        _on_server(given, f"DROP DATABASE {name}")


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The URL of a fresh migrated SQLite file, whatever TEST_DATABASE_URL says."""
    shutil.copyfile(sqlite_template, tmp_path / "kith.db")
    return f"sqlite:///{tmp_path / 'kith.db'}"


@pytest.fixture
def database_url(request: pytest.FixtureRequest, server_url: str | None) -> Iterator[str]:
    """The URL of a fresh migrated database without rows."""
    if server_url is None:
        yield request.getfixturevalue("sqlite_url")
        return
    yield server_url
    asyncio.run(_empty(server_url))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A fresh migrated database, open."""
    opened = Database(database_url, pool_size=POOL_SIZE, clock=SystemClock())
    await opened.open()
    yield opened
    await opened.close()


async def _migrate(url: str) -> None:
    database = Database(url, pool_size=1, clock=SystemClock())
    await database.open()
    await database.close()


async def _empty(url: str) -> None:
    def unit(session: Session) -> None:
        for table in reversed(metadata.sorted_tables):
            emptied = table.delete()
            if table is memory_audit:  # its trigger lets no row be deleted
                emptied = text(f"TRUNCATE TABLE {table.name}")
            session.execute(emptied)

    database = Database(url, pool_size=1, clock=SystemClock())
    await database.open(upgrade=False)
    await database.write(unit)
    await database.close()


def _on_server(url: str, statement: str) -> None:
    engine = drivers.make_engine(drivers.parse_url(url), 1, 1.0)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(statement))
    engine.dispose()
