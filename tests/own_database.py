"""A database of a test run's own on the server of TEST_DATABASE_URL: made, emptied, dropped.

With ``sqlite:///FOLDER`` the "server" is a folder of SQLite files: the same fixtures, one database
for all tests of a process, without a server.

Each process of a run (pytest-xdist starts several) has one. All are named after their run, which
drops them at its end; what a run that was killed left behind, a later one drops after a day.
"""

import os
import re
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from utils.common.clock import Clock
from utils.database.core import drivers, error_codes
from utils.database.core.engine import Database
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import AUDIT_TRIGGERS, memory_audit, metadata

ENVIRONMENT_NAME = "TEST_DATABASE_URL"
PREFIX = "kith_test_"
LEFT_BEHIND_HOURS = 24
FIRST_ID = 1_000  # of the first table; the next one's begin as much higher
PERMISSION_DENIED, MODEL_IS_LOCKED = 262, 1807
MAX_TRIES, RETRY_S = 60, 0.5
MAY_NOT_CREATE = (
    "TEST_DATABASE_URL: this login may not create databases; give it the server role dbcreator, "
    "or name one that may."
)
NO_ODBC_CONNECT = (
    "TEST_DATABASE_URL: write mssql+pyodbc://user:password@host/master instead of odbc_connect, "
    "so that each run can name a database of its own."
)
_RUN = "KITH_TEST_RUN"  # inherited by the processes that pytest-xdist starts


class CannotMake(Exception):
    """The run cannot have a database of its own; the text says why, in one sentence."""


def begin_run(given: str) -> None:
    """Name this run, see whether it can have databases, and drop what killed runs left a day ago.

    Raises CannotMake, or DatabaseUnusable for a URL or a driver that cannot be used.
    """
    if "odbc_connect" in drivers.parse_url(given).query:
        raise CannotMake(NO_ODBC_CONNECT)
    os.environ[_RUN] = uuid.uuid4().hex[:12]
    if _is_folder(given):
        return
    old = f"create_date < DATEADD(hour, -{LEFT_BEHIND_HOURS}, GETDATE())"
    try:
        with _server(given) as server:
            _drop(server, _named(server, PREFIX, old))
        with own_database(given, "_try"):
            pass
    except DBAPIError as error:
        raise CannotMake(f"{ENVIRONMENT_NAME}: {error_codes.translate(error)}") from None


def end_run(given: str) -> None:
    """Drop what this run has left, in whichever way its processes ended."""
    run = os.environ.pop(_RUN)
    if _is_folder(given):
        return
    with _server(given) as server:
        _drop(server, _named(server, f"{PREFIX}{run}"))


@contextmanager
def own_database(given: str, part: str = "") -> Iterator[str]:
    """Make an empty database of this process's and yield its URL. Raises CannotMake."""
    name = f"{PREFIX}{os.environ[_RUN]}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}{part}"
    if _is_folder(given):
        with _own_file(drivers.sqlite_file(make_url(given)) / f"{name}.db") as url:
            yield url
        return
    with _server(given) as server:
        _create(server, name)
    try:
        yield make_url(given).set(database=name).render_as_string(hide_password=False)
    finally:
        with _server(given) as server:
            _drop(server, [name])


async def migrate(url: str) -> None:
    """Make the tables of an empty database."""
    database = Database(url, pool_size=1, clock=Clock())
    await database.open()
    await database.close()


def raise_ids(url: str) -> None:
    """Let ids begin above those that tests make up, as in the template of SQLite.

    Else a test may pass or fail by what the process has run before.
    """
    if _is_folder(url):
        return
    with _server(url) as connection, suppress(DBAPIError):  # an older or another server may not
        for number, table in enumerate(metadata.sorted_tables, 1):
            if table.autoincrement_column is not None:
                connection.exec_driver_sql(
                    f"DBCC CHECKIDENT (N'[{table.name}]', RESEED, {FIRST_ID * number})"
                    " WITH NO_INFOMSGS"
                )


@contextmanager
def emptier(url: str) -> Iterator[Callable[[], None]]:
    """Yield a function that deletes every row; one batch on one connection that stays open."""
    tables = [table for table in reversed(metadata.sorted_tables) if table is not memory_audit]
    deletions = [f"DELETE FROM [{table.name}]" for table in tables]
    if _is_folder(url):
        yield partial(_empty_file, url, deletions)
        return
    # The audit's trigger lets no row be deleted, and after TRUNCATE its ids would begin at 1.
    # Without counts, the whole batch is one result.
    audit = f"[{memory_audit.name}]"
    statements = [
        "SET NOCOUNT ON",
        f"ALTER TABLE {audit} DISABLE TRIGGER ALL",
        f"DELETE FROM {audit}",
        f"ALTER TABLE {audit} ENABLE TRIGGER ALL",
        *deletions,
    ]
    with _server(url) as connection:
        yield lambda: connection.exec_driver_sql("; ".join(statements)).close()


@contextmanager
def _server(url: str) -> Iterator[Connection]:
    engine = drivers.make_engine(drivers.parse_url(url), 1, 1.0)
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection
    finally:
        engine.dispose()


def _create(server: Connection, name: str) -> None:
    for tries_left in reversed(range(MAX_TRIES)):
        try:
            server.exec_driver_sql(f"CREATE DATABASE {name}")
            break
        except DBAPIError as error:
            numbers = error_codes.native_numbers(error)
            if PERMISSION_DENIED in numbers:
                raise CannotMake(MAY_NOT_CREATE) from None
            if MODEL_IS_LOCKED not in numbers or not tries_left:
                raise
        time.sleep(RETRY_S)  # another process of this run makes its own just now
    if _named(server, name, "is_read_committed_snapshot_on = 0"):
        with suppress(DBAPIError):  # a server that knows nothing else need not know the switch
            server.exec_driver_sql(f"ALTER DATABASE {name} SET READ_COMMITTED_SNAPSHOT ON")


def _named(server: Connection, prefix: str, condition: str = "1 = 1") -> list[str]:
    query = text(
        f"SELECT name FROM sys.databases WHERE LEFT(name, :length) = :prefix AND {condition}"
    )
    return list(server.scalars(query, {"length": len(prefix), "prefix": prefix}))


def _drop(server: Connection, names: list[str]) -> None:
    """Drop databases; what the server refuses to drop is left to a later run, and named."""
    for name in names:
        with suppress(DBAPIError):  # throws out whoever a killed process left connected
            server.exec_driver_sql(f"ALTER DATABASE {name} SET SINGLE_USER WITH ROLLBACK IMMEDIATE")
        try:
            server.exec_driver_sql(f"DROP DATABASE {name}")
        except DBAPIError as error:
            words = f"{name} is left on the server: {error_codes.reason(error)}"
            print(words, file=sys.stderr)


def _is_folder(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


@contextmanager
def _own_file(file: Path) -> Iterator[str]:
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield f"sqlite:///{file}"
    finally:
        for part in file.parent.glob(f"{file.name}*"):
            part.unlink()


def _empty_file(url: str, deletions: list[str]) -> None:
    """Delete every row; the audit's trigger, which lets none go, is taken away meanwhile."""
    triggers = AUDIT_TRIGGERS["sqlite"]
    names = [re.search(r"TRIGGER (\S+)", trigger)[1] for trigger in triggers]
    with _server(url) as connection:
        for statement in (
            *(f"DROP TRIGGER {name}" for name in names),
            *(f"DELETE FROM [{memory_audit.name}]", *deletions),
            *triggers,
        ):
            connection.exec_driver_sql(statement)
        if not fts_index.exists(connection):  # a test has taken the full-text index away
            for statement in fts_index.STATEMENTS:
                connection.exec_driver_sql(statement)
