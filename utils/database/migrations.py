"""Alembic without an alembic.ini: which schema a database has, and bringing it forward.

The revisions lie in ``sql/versions``, one after the other, each in a file that begins with its
number. Nothing here begins or commits a transaction.
"""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from sqlalchemy import Connection, column, inspect, select, table, update

from utils.database import drivers, faults
from utils.database.tables import metadata
from utils.errors import DatabaseUnusable

if TYPE_CHECKING:  # a fifth of a second to load, and mostly there is nothing to migrate
    from alembic.config import Config

SCRIPTS = Path(__file__).resolve().parents[2] / "sql"

_versions = table("alembic_version", column("version_num"))

LEASE_WAIT_MS = 60_000
# The lease ends with its transaction, however that ends, and needs no table: there is none yet.
TAKE_LEASE = f"""\
DECLARE @taken INT;
EXEC @taken = sp_getapplock @Resource = N'Kith: the schema', @LockMode = N'Exclusive',
    @LockOwner = N'Transaction', @LockTimeout = {LEASE_WAIT_MS};
SELECT @taken;"""
NOT_IN_TIME = (-1, -2, -3)  # timed out, cancelled, the victim of a deadlock

# Alembic's context and op are global proxies: one migration at a time in a process.
_one_at_a_time = threading.Lock()


class RaceLost(Exception):
    """The schema is no longer what this migration began with: another process has changed it."""


def make_config(output: TextIO | None = None) -> "Config":
    """Build what alembic.ini would say."""
    from alembic.config import Config

    config = Config(output_buffer=output) if output else Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def known_revisions() -> tuple[str, ...]:
    """Return every revision this program knows, the newest first."""
    files = (SCRIPTS / "versions").glob("[0-9]*.py")
    return tuple(sorted((file.name.partition("_")[0] for file in files), reverse=True))


def head() -> str:
    """Return the revision this program needs."""
    return known_revisions()[0]


def current(connection: Connection) -> str | None:
    """Return the database's revision; None when it has no schema yet."""
    if not inspect(connection).has_table(_versions.name):
        return None
    revision: str | None = connection.scalar(select(_versions.c.version_num))
    return revision


def touch(connection: Connection) -> None:
    """Write the version row unchanged: locks it against other migrators, proves we may write."""
    if inspect(connection).has_table(_versions.name):
        connection.execute(update(_versions).values(version_num=_versions.c.version_num))


def refuse_foreign(connection: Connection) -> None:
    """Raise DatabaseUnusable when the schema is newer than this program or not Kith's at all."""
    revision = current(connection)
    if revision is not None and revision not in known_revisions():
        raise DatabaseUnusable(
            f"The database has schema {revision}, made by a newer Kith than this one (which "
            f"knows {head()}); update Kith, or restore a backup from before the update."
        )
    if revision is None and set(inspect(connection).get_table_names()) & set(metadata.tables):
        raise DatabaseUnusable(
            "The database holds tables of Kith's names but no schema version; choose an empty "
            "database, or restore a backup."
        )


@contextmanager
def lease(connection: Connection) -> Iterator[None]:
    """Keep other processes from migrating until the caller's transaction ends; take your time.

    On SQLite, BEGIN IMMEDIATE has done so already. Raises StillBusy when another process holds the
    lease for longer than a minute. A server without such locks answers -999: there, whoever loses
    the race fails at the first CREATE TABLE and is rolled back whole.
    """
    if connection.dialect.name != "mssql":
        yield
        return
    inspect(connection).has_table(_versions.name)  # a look at a table begins the transaction
    driver: Any = connection.connection.driver_connection
    driver.timeout = 0  # an index on a large table takes longer than any query may
    try:
        with closing(driver.cursor()) as cursor:
            cursor.execute(TAKE_LEASE)
            while cursor.description is None and cursor.nextset():
                pass
            if cursor.fetchone()[0] in NOT_IN_TIME:
                raise faults.StillBusy
        yield
    finally:
        driver.timeout = drivers.QUERY_TIMEOUT_S


def bring_forward(connection: Connection) -> tuple[str | None, str]:
    """Bring the schema to what this program needs; returns the revision before and after.

    Raises DatabaseUnusable when it is newer than this program or not Kith's, StillBusy or RaceLost
    when another process is at it.
    """
    with lease(connection):
        touch(connection)
        refuse_foreign(connection)
        before = current(connection)
        if before != head():
            upgrade(connection)
        return before, head()


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the schema forward inside the caller's transaction. Raises RaceLost."""
    from alembic import command
    from alembic.util import CommandError

    with _one_at_a_time:
        try:
            command.upgrade(_config_with(connection), revision)
        except CommandError as error:
            raise RaceLost(str(error)) from error


def downgrade(connection: Connection) -> None:
    """Take the schema back by one revision; what only the later one had is gone.

    Raises NotImplementedError where there is no way back.
    """
    from alembic import command

    with _one_at_a_time:
        command.downgrade(_config_with(connection), "-1")


def _config_with(connection: Connection) -> "Config":
    config = make_config()
    config.attributes["connection"] = connection
    return config


def render_upgrade(output: TextIO) -> None:
    """Write the upgrade from nothing as T-SQL, without a server (Alembic's offline mode)."""
    from alembic import command

    with _one_at_a_time:
        command.upgrade(make_config(output), "head", sql=True)
