"""A database of a test run's own on the server of TEST_DATABASE_URL: made, emptied, dropped.

Each process of a run (pytest-xdist starts several) has one. All are named after their run, which
drops them at its end; what a run that was killed left behind, a later one drops after a day.
"""

import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from utils.database.core import drivers, error_codes
from utils.database.schema.memory_tables import memory_audit, metadata

ENVIRONMENT_NAME = "TEST_DATABASE_URL"
PREFIX = "kith_test_"
LEFT_BEHIND_HOURS = 24
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
    with _server(given) as server:
        _drop(server, _named(server, f"{PREFIX}{run}"))


@contextmanager
def own_database(given: str, part: str = "") -> Iterator[str]:
    """Make an empty database of this process's and yield its URL. Raises CannotMake."""
    name = f"{PREFIX}{os.environ[_RUN]}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}{part}"
    with _server(given) as server:
        _create(server, name)
    try:
        yield make_url(given).set(database=name).render_as_string(hide_password=False)
    finally:
        with _server(given) as server:
            _drop(server, [name])


@contextmanager
def emptier(url: str) -> Iterator[Callable[[], None]]:
    """Yield a function that deletes every row; one batch on one connection that stays open."""
    tables = [table for table in reversed(metadata.sorted_tables) if table is not memory_audit]
    # The audit's trigger lets no row be deleted. Without counts, the whole batch is one result.
    statements = ["SET NOCOUNT ON", f"TRUNCATE TABLE [{memory_audit.name}]"]
    statements += [f"DELETE FROM [{table.name}]" for table in tables]
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
    for name in names:
        with suppress(DBAPIError):  # throws out whoever a killed process left connected
            server.exec_driver_sql(f"ALTER DATABASE {name} SET SINGLE_USER WITH ROLLBACK IMMEDIATE")
        server.exec_driver_sql(f"DROP DATABASE {name}")
