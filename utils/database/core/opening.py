"""Checks of a database when it is opened or diagnosed, in sentences that help the operator."""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, delete, insert, text

from utils.common.errors import (
    DatabaseError,
    DatabaseUnavailable,
    DatabaseUnusable,
    MissingRight,
)
from utils.database.core import drivers, error_codes, migrations
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import heartbeat

EMPTY = (
    "The database file {file} is empty: perhaps a copy of it was cut off. Restore a backup with "
    "`python bot.py restore`, or delete the file to begin with an empty memory."
)
FULL = "The disk of {file} is full; make room on it, then try again. Nothing stored is lost."
LOCKED = (
    "Another program has locked the database file {file}; wait until it is done, or end it, and "
    "try again."
)
READ_ONLY = "The {what} is read-only; let Kith's user write to it (and to its folder)."
MIN_FREE_BYTES = 256 * 1024
"""What SQLite needs to open a file: its index of the write-ahead log, and a few pages."""


def prepare_file(file: Path) -> int:
    """Create a SQLite file if there is none; return its size.

    Raises DatabaseUnusable, and makes nothing then.
    """
    try:
        drivers.create_sqlite_file(file)
        size = file.stat().st_size
        for ending in ("", "-wal", "-shm"):  # the write-ahead log, and its index
            name = file.with_name(f"{file.name}{ending}")
            # SQLite would open it, and leave a log that nobody may write.
            if os.access(name, os.R_OK) and not os.access(name, os.W_OK):
                raise DatabaseUnusable(READ_ONLY.format(what=f"database file {name}"))
    except OSError as error:
        raise DatabaseUnusable(
            f"The database file {file} cannot be made: {error.strerror}; mend the folder or "
            "name another file in DATABASE_URL."
        ) from None
    if not size:
        raise DatabaseUnusable(EMPTY.format(file=file))
    return size


def prepare_sqlite(connection: Connection, file: Path) -> None:
    """Turn on the write-ahead log. Raises DatabaseUnusable, before anything is written."""
    migrations.refuse_unknown(connection)
    if connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar_one() != "wal":
        raise DatabaseUnusable(
            f"The folder of {file} cannot hold SQLite's write-ahead log (a network "
            "drive?); move the file to a local disk and name it in DATABASE_URL."
        )
    fts_index.refuse_unusable(connection)


def explained(error: DatabaseUnavailable, url: URL) -> DatabaseError:
    """Return the error that tells the operator what to fix before the start."""
    if isinstance(error, MissingRight):
        return DatabaseUnusable(error.for_operator)
    is_sqlite, file = url.get_backend_name() == "sqlite", drivers.sqlite_file(url)
    if str(error) == error_codes.READ_ONLY:
        return DatabaseUnusable(
            READ_ONLY.format(what=f"database file {file}" if is_sqlite else "database")
        )
    if is_sqlite and (str(error) == error_codes.FULL or _is_disk_full(file)):
        return DatabaseUnusable(FULL.format(file=file))
    if is_sqlite and str(error) == error_codes.LOCKED:
        return DatabaseUnavailable(LOCKED.format(file=file))
    if is_sqlite and str(error) == error_codes.AWAY:
        return DatabaseUnusable(
            f"The database file {file} cannot be opened; check that it is a file and that "
            "Kith's user may read and write it and its folder."
        )
    if not is_sqlite and str(error) == error_codes.AWAY:
        return DatabaseUnavailable(
            f"The database server {url.host} does not answer; check the address in "
            "DATABASE_URL, the network and the server."
        )
    return error


def _is_disk_full(file: Path) -> bool:
    """Whether the disk has too little room to open a SQLite file; SQLite does not say so."""
    try:
        return shutil.disk_usage(file.parent).free < MIN_FREE_BYTES
    except OSError:  # no such folder
        return False


TEST_ROW = "doctor:0"


def describe(connection: Connection) -> str:
    """Describe a database in one line.

    Raises DatabaseUnusable when it is damaged, or newer than this program.
    """
    if connection.dialect.name == "sqlite":
        quick_check(connection)
        version = connection.exec_driver_sql("SELECT sqlite_version()").scalar_one()
        journal = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        search = fts_index.describe(connection)
        return f"SQLite {version}, {_schema_words(connection)}, journal {journal}, {search}"
    version = ".".join(str(part) for part in connection.dialect.server_version_info or ())
    snapshot = connection.execute(
        text("SELECT is_read_committed_snapshot_on FROM sys.databases WHERE database_id = DB_ID()")
    ).scalar()
    advice = "on" if snapshot else "OFF (turn it on: see sql/schema.sql)"
    driver: Any = connection.connection.driver_connection
    return (
        f"SQL Server {version}, {_schema_words(connection)}, read committed snapshot {advice}, "
        f"{drivers.describe(connection.engine.url, driver.getinfo)}"
    )


def quick_check(connection: Connection) -> None:
    """Raise DatabaseUnusable if a SQLite file is damaged."""
    if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
        raise DatabaseUnusable(error_codes.CORRUPT)


def write_test_row(connection: Connection) -> None:
    """Write a row and remove it again: proves that the disk has room and the login may write."""
    row = {"Process": TEST_ROW, "At": datetime.now(UTC), "State": "doctor"}
    connection.execute(delete(heartbeat).where(heartbeat.c.Process == TEST_ROW))
    connection.execute(insert(heartbeat), row)
    connection.execute(delete(heartbeat).where(heartbeat.c.Process == TEST_ROW))


def _schema_words(connection: Connection) -> str:
    revision = migrations.refuse_unknown(connection)
    if revision == migrations.head():
        return f"schema {revision} (current)"
    return f"schema {revision or 'none'} (needs {migrations.head()}: run `python bot.py migrate`)"
