"""Migrations: a database's schema revision, upgraded with Alembic.

Revisions are files in ``sql/versions`` that begin with their number; ``k0001`` is the one with the
number 0001. Development versions named theirs by the number alone, so none of them is taken for a
revision of today. Nothing here begins or commits a transaction.
"""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from sqlalchemy import Connection, column, inspect, select, table, update

from utils.common.errors import DatabaseUnusable
from utils.database.core import error_codes, outages
from utils.database.core.scrubber import owe
from utils.database.schema.memory_tables import metadata

if TYPE_CHECKING:  # a fifth of a second to load, and mostly there is nothing to migrate
    from alembic.config import Config

SCRIPTS = Path(__file__).resolve().parents[3] / "sql"

_versions = table("alembic_version", column("version_num"))
_REVISION = select(_versions.c.version_num)


LEASE_WAIT_MS = 60_000
# The lease ends with its transaction, however that ends, and needs no table: there is none yet.
TAKE_LEASE = f"""\
DECLARE @taken INT;
EXEC @taken = sp_getapplock @Resource = N'Kith: the schema', @LockMode = N'Exclusive',
    @LockOwner = N'Transaction', @LockTimeout = {LEASE_WAIT_MS};
SELECT @taken;"""
NOT_IN_TIME = (-1, -2, -3)  # timed out, cancelled, the victim of a deadlock

# Alembic's context and op are global proxies: one migration at a time in a process.
_alembic_lock = threading.Lock()


FOREIGN = (
    "The file named in DATABASE_URL is another program's database; Kith changed nothing in it. "
    "Name a new file, or restore a backup with `python bot.py restore`."
)


class LostRace(Exception):
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
    numbers = sorted((file.name.partition("_")[0] for file in files), reverse=True)
    return tuple(f"k{number}" for number in numbers)


def head() -> str:
    """Return the revision this program needs."""
    return known_revisions()[0]


def current(connection: Connection) -> str | None:
    """Return the database's revision; None when it has no schema yet."""
    if not inspect(connection).has_table(_versions.name):
        return None
    return connection.scalar(_REVISION)


def unknown_schema(database: str, revision: str) -> DatabaseUnusable:
    """Return the error for a database or backup whose schema this program does not know."""
    return DatabaseUnusable(
        "{database} has schema {found}, made by a newer Kith or by a development version; this one "
        "knows {oldest} to {newest}, so update Kith, or use the version that made it.",
        database=database,
        found=revision,
        oldest=known_revisions()[-1],
        newest=head(),
    )


def refuse_unknown(connection: Connection) -> str | None:
    """Return the database's revision as :func:`current` does.

    Raises DatabaseUnusable if the schema is unknown to this program or not Kith's at all.
    """
    tables = set(inspect(connection).get_table_names())
    revision = connection.scalar(_REVISION) if _versions.name in tables else None
    if revision is not None and revision not in known_revisions():
        raise unknown_schema("The database", revision)
    if revision is None and tables & set(metadata.tables):
        raise DatabaseUnusable(
            "The database has tables with the names of Kith's tables but no schema version; "
            "choose an empty database, or restore a backup."
        )
    is_foreign = revision is None and tables - {_versions.name}
    if is_foreign and connection.dialect.name == "sqlite":  # a server's may be shared
        raise DatabaseUnusable(FOREIGN)
    return revision


@contextmanager
def lease(connection: Connection) -> Iterator[None]:
    """Lock the schema against other migrations until the transaction ends; no query timeout.

    On SQLite, BEGIN IMMEDIATE did so already. Raises StillBusy when another process holds the lease
    for longer than a minute. A server without such locks answers -999; the process that loses the
    race then fails at the first CREATE TABLE and is rolled back.
    """
    if connection.dialect.name != "mssql":
        yield
        return
    inspect(connection).has_table(_versions.name)  # begins a transaction where the driver has not
    driver: Any = connection.connection.driver_connection
    driver.timeout = 0  # an index on a large table takes longer than any query may
    try:
        with closing(driver.cursor()) as cursor:
            cursor.execute(TAKE_LEASE)
            while cursor.description is None and cursor.nextset():
                pass
            if cursor.fetchone()[0] in NOT_IN_TIME:
                raise error_codes.StillBusy
        yield
    finally:
        driver.timeout = outages.QUERY_TIMEOUT_S


def upgrade_to_head(connection: Connection) -> tuple[str | None, str]:
    """Upgrade the schema to the newest revision; returns the revision before and after.

    Raises DatabaseUnusable when it is newer than this program or not Kith's, StillBusy or RaceLost
    when another process is at it.
    """
    with lease(connection):
        # Locks the row against other migrators, and proves that this process may write.
        if inspect(connection).has_table(_versions.name):
            connection.execute(update(_versions).values(version_num=_versions.c.version_num))
        before = refuse_unknown(connection)
        if before != head():
            upgrade(connection)
            if before is not None:
                owe(connection)  # a migration may clear words, too
        return before, head()


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Upgrade the schema inside the caller's transaction. Raises RaceLost."""
    from alembic import command
    from alembic.util import CommandError

    with _alembic_lock:
        config = make_config()
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            raise LostRace(str(error)) from error
