"""Fixtures for every test: a fresh migrated database, SQLite unless TEST_DATABASE_URL names one.

TEST_DATABASE_URL is a SQL Server URL whose login may create databases (tests/own_database.py). The
very same tests run on both; ``-m database`` selects those that are about the database. Without one,
every statement a test runs is at least compiled for SQL Server (tests/judged_statements.py). As on
a server, ids do not begin at 1 in a test's database.
"""

import asyncio
import gc
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests import (
    compiled_once,
    forked_workers,
    judged_statements,
    leak_watch,
    leftover_copies,
    open_results,
    own_database,
    started_once,
    t_sql_parser,
)
from utils.common.clock import Clock
from utils.common.errors import KithError
from utils.database.core.engine import Database
from utils.database.schema.memory_tables import metadata

POOL_SIZE = 4
MEMORY_FOLDER = Path("/dev/shm")
NEEDED_BYTES = 4 * 1024**3  # a run's files take a fraction of it, a container often gives 64 MB

# Property tests go the same way each time and look at no clock: what passes on one machine passes
# on another. HYPOTHESIS_PROFILE=search looks for what nobody has seen yet. Set here, since a
# module's tests have the settings that hold when it is imported.
settings.register_profile(
    "same",
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "search", settings.get_profile("same"), max_examples=1_000, derandomize=False
)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "same")
settings.load_profile(PROFILE)
if PROFILE != "search":
    # Values that stand in the code are examples, too: of the modules that this process happens to
    # have loaded, each of which each worker would parse for it, seconds of CPU in a fresh clone.
    providers._get_local_constants = lambda: providers._local_constants


class Server(NamedTuple):
    """A database on a server that the tests of a process share, and how it is emptied."""

    url: str
    empty: Callable[[], None]


def pytest_configure(config: pytest.Config) -> None:
    """Take in what holds for every test and has fixtures and hooks of its own.

    What is compiled is kept, whatever the environment says: each worker and each started process
    would compile everything again, ten seconds in a worker.
    """
    gc.disable()  # until everything is loaded (started_once.py), which takes a fifth less time so
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    _keep_files_in_memory()
    _let_programs_see_signals()
    plugins = (compiled_once, forked_workers, judged_statements, leak_watch, open_results)
    for plugin in (*plugins, started_once, t_sql_parser):
        config.pluginmanager.register(plugin)


def _keep_files_in_memory() -> None:
    """Make temporary files in a file system without a disk, which takes half the time for most of
    what tests do with files, unless there is little room or TMPDIR names a folder."""
    is_there = MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK)
    if "TMPDIR" in os.environ or not is_there:
        return
    if shutil.disk_usage(MEMORY_FOLDER).free >= NEEDED_BYTES:
        os.environ["TMPDIR"] = str(MEMORY_FOLDER)
        tempfile.tempdir = None  # which was found before


def _let_programs_see_signals() -> None:
    """Handle what this process ignores, as under ``nohup`` or behind a script's ``&``.

    Programs inherit an ignored signal and would never see it; a handled one has its default effect
    in them.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs on the server of TEST_DATABASE_URL and needs no Discord: ``-m database``."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "database_url" in fixtures and "den" not in fixtures:
            item.add_marker("database")


def pytest_xdist_auto_num_workers() -> int | None:
    """Run ``-n auto`` with three workers for two cores: tests wait for threads, processes and a
    browser. PYTEST_XDIST_AUTO_NUM_WORKERS says otherwise."""
    given = "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return None if given else max(1, 3 * (os.cpu_count() or 1) // 2)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Look once whether the server can be used, before the tests and their processes begin."""
    given = os.environ.get(own_database.ENVIRONMENT_NAME)
    if given and not hasattr(session.config, "workerinput"):
        try:
            own_database.begin_run(given)
        except (KithError, own_database.CannotMake) as error:
            raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop what the run has left on the server, interrupted or not."""
    given = os.environ.get(own_database.ENVIRONMENT_NAME)
    if given and not hasattr(session.config, "workerinput"):
        own_database.end_run(given)


@pytest.fixture(scope="session", autouse=True)
def the_whole_run(request: pytest.FixtureRequest) -> None:
    """Set up what holds for every test. pytest looks at each ``autouse`` fixture for every test,
    when it collects the test and when it runs it, so there is this one alone."""
    for name in (
        "all_output_is_watched",
        "bots_start_quickly",
        "copies_are_not_examined",
        "disks_are_not_waited_for",
        "results_are_watched",
        "routes_are_built_once",
        "statements_are_compiled_once",
        "statements_are_judged",
        "types_of_settings_are_examined_once",
    ):
        request.getfixturevalue(name)


@pytest.fixture(autouse=True)
def statements_suit_sql_server() -> Iterator[None]:
    """Fail a test that runs a statement which SQL Server would refuse, or too early there."""
    with judged_statements.complaints() as complaints:
        yield
    assert not complaints, complaints[0]


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty SQLite file, made once and copied for each test."""
    file = tmp_path_factory.mktemp("template") / "kith.db"
    if forked_workers.migrated is None:
        asyncio.run(own_database.migrate(f"sqlite:///{file}"))
    else:
        file.write_bytes(forked_workers.migrated)
    with closing(sqlite3.connect(file)) as raw:  # a test that counts on an id fails here, too
        tables = enumerate(metadata.sorted_tables, 1)
        begun = [(table.name, own_database.FIRST_ID * number) for number, table in tables]
        raw.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", begun)
        raw.commit()
    return file


@pytest.fixture(scope="session")
def sql_server() -> Iterator["Server | None"]:
    """This process's own database on the server of TEST_DATABASE_URL; None without one."""
    given = os.environ.get(own_database.ENVIRONMENT_NAME)
    if not given:
        yield None
        return
    try:
        with own_database.own_database(given) as url:
            asyncio.run(own_database.migrate(url))
            own_database.raise_ids(url)
            with own_database.emptier(url) as empty:
                yield Server(url, empty)
    except own_database.CannotMake as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The URL of a fresh migrated SQLite file, whatever TEST_DATABASE_URL says."""
    started_once.copy_database(sqlite_template, tmp_path / "kith.db")
    return f"sqlite:///{tmp_path / 'kith.db'}"


@pytest.fixture
def database_url(request: pytest.FixtureRequest, sql_server: "Server | None") -> Iterator[str]:
    """The URL of a fresh migrated database without rows."""
    if sql_server is None:
        url = request.getfixturevalue("sqlite_url")
        yield url
        assert not leftover_copies.of_file(Path(url.removeprefix("sqlite:///")))
        return
    yield sql_server.url
    sql_server.empty()


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A fresh migrated database, open."""
    opened = Database(database_url, pool_size=POOL_SIZE, clock=Clock())
    await opened.open(upgrade=False)  # it is migrated
    yield opened
    forget_scrubbing(opened)
    await opened.close()


def forget_scrubbing(database: Database) -> None:
    """Let a database close without rebuilding its file, which nobody looks at once a test is over.

    It takes 7 ms after every erasure.
    """

    async def leave(*, rebuild: bool) -> None:
        """Do not compact."""

    database._scrubber._compact = leave
