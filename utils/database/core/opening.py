"""Opening a database: what a SQLite file must be like, and what the operator has to do about it."""

from pathlib import Path

from sqlalchemy import URL, Connection

from utils.common.errors import (
    DatabaseError,
    DatabaseUnavailable,
    DatabaseUnusable,
    MissingRight,
)
from utils.database.core import drivers, error_codes, migrations
from utils.database.schema import fts_index

EMPTY = (
    "The database file {file} is empty: perhaps a copy of it was cut off. Restore a backup with "
    "`python bot.py restore`, or delete the file to begin with an empty memory."
)


def prepare_file(file: Path) -> tuple[int, bool]:
    """Create a SQLite file if there is none; return its size, and whether it was left open.

    Raises DatabaseUnusable.
    """
    try:
        drivers.create_sqlite_file(file)
        size = file.stat().st_size
        log = drivers.write_ahead_log(file)
        was_interrupted = log.exists() and log.stat().st_size > 0
    except OSError as error:
        raise DatabaseUnusable(
            f"The database file {file} cannot be made: {error.strerror}; mend the folder or "
            "name another file in DATABASE_URL."
        ) from None
    if not size:
        raise DatabaseUnusable(EMPTY.format(file=file))
    return size, was_interrupted


def prepare_sqlite(connection: Connection, file: Path) -> None:
    """Turn on the write-ahead log. Raises DatabaseUnusable, before anything is written."""
    migrations.refuse_unknown(connection)
    mode = connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar_one()
    if mode != "wal":
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
        place = f"database file {file}" if is_sqlite else "database"
        return DatabaseUnusable(
            f"The {place} is read-only; let Kith's user write to it (and to its folder)."
        )
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
