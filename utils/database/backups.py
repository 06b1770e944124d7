"""Copies of a SQLite file: made while it is in use, examined, and kept from everybody else.

Uses sqlite3 itself: SQLAlchemy knows nothing of online backups.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from utils.database import migrations
from utils.errors import DatabaseUnusable

PAGES_A_STEP = 2_048  # 8 MB: progress is told often, and nobody waits for it
LOCK_WAIT_S = 2.0
SIDE_FILES = ("-wal", "-shm", "-journal")

DAMAGED = "{file} is damaged or is no SQLite database, so it cannot be used."
NOT_KITHS = "{file} is no database of Kith's: it has no schema version."
NEWER = (
    "{file} has schema {found}, made by a newer Kith than this one (which knows {known}); update "
    "Kith first."
)


class InUse(Exception):
    """Another program has the database open."""


def copy(source: Path, target: Path, progress: Callable[[int, int], object]) -> None:
    """Copy a database as it is at one moment, while others read and write it; ``progress`` is told
    the pages done and all of them.

    One snapshot is read throughout: a backup in steps would otherwise begin anew at every write of
    another process, and on a busy server never end. Writers do not wait for it; their log grows.
    """

    def tell(_status: int, remaining: int, total: int) -> None:
        progress(total - remaining, total)

    uri = f"{source.absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as reading,
        closing(sqlite3.connect(target, isolation_level=None)) as writing,
    ):
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_master").fetchone()  # takes the snapshot
        reading.backup(writing, pages=PAGES_A_STEP, progress=tell)
        writing.execute("PRAGMA journal_mode=DELETE")  # one file, which needs no other beside it


def examine(file: Path) -> str:
    """Check every page of a database that nobody uses; returns its schema's revision.

    Raises DatabaseUnusable when it is damaged, not Kith's, or newer than this program.
    """
    uri = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            sound = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            versions = connection.execute(
                "SELECT name FROM sqlite_master WHERE name = 'alembic_version'"
            ).fetchone()
            row = None
            if versions is not None:
                row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError:
        raise DatabaseUnusable(DAMAGED, file=file) from None
    if sound != "ok":
        raise DatabaseUnusable(DAMAGED, file=file)
    if row is None:
        raise DatabaseUnusable(NOT_KITHS, file=file)
    revision = str(row[0])
    if revision not in migrations.known_revisions():
        raise DatabaseUnusable(NEWER, file=file, found=revision, known=migrations.head())
    return revision


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keep everybody else out of a database, all of it in its one file. Raises InUse.

    One that is damaged needs no lock: nobody can use it.
    """
    with closing(sqlite3.connect(file, timeout=LOCK_WAIT_S, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")  # refused while others have it open
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InUse from None
        except sqlite3.DatabaseError:
            pass
        yield
        with suppress(sqlite3.DatabaseError):
            connection.execute("ROLLBACK")


def remove(file: Path) -> None:
    """Delete a database with what SQLite keeps beside it, if it is there."""
    for name in ("", *SIDE_FILES):
        file.with_name(f"{file.name}{name}").unlink(missing_ok=True)


def set_sides_aside(file: Path, aside: Path | None) -> None:
    """Let what SQLite keeps beside a database follow it to another name; delete it where there is
    none."""
    for name in SIDE_FILES:
        side = file.with_name(f"{file.name}{name}")
        if aside is None:
            side.unlink(missing_ok=True)
        elif side.exists():
            side.replace(aside.with_name(f"{aside.name}{name}"))


def sync(file: Path) -> None:
    """Have a file, and its name in its folder, on the disk."""
    for one in (file, file.parent):
        if one.is_dir() and os.name == "nt":  # Windows opens no folders
            continue
        descriptor = os.open(one, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
