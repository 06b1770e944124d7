"""Backups of a SQLite file: copy it while it is in use, check a copy, lock the file.

Uses sqlite3 itself: SQLAlchemy knows nothing of online backups.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from utils.common.errors import DatabaseUnusable
from utils.database.core import migrations

PAGES_A_STEP = 2_048  # 8 MB: progress is told often, and nobody waits for it
LOCK_WAIT_S = 2.0
# The driver's message quotes a damaged schema, whatever its bytes are.
DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
SIDE_FILES = ("-wal", "-shm", "-journal")

DAMAGED = "{file} is damaged or is no SQLite database, so it cannot be used."

RAISE_IDS = (
    "INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master "
    "WHERE sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)",
    # Seconds since 2026: a backup may be restored twice.
    "UPDATE sqlite_sequence SET seq = max(seq, strftime('%s') - 1767225600) + 1000000",
)
"""What makes new rows of a restored database have none of the ids given since the backup: posts and
buttons on Discord, and people, still name rows by them."""


class InUse(Exception):
    """Another program has the database open."""


def copy(source: Path, target: Path, progress: Callable[[int, int], object]) -> None:
    """Copy one snapshot of a database that is in use; calls ``progress`` with pages done and total.

    One transaction reads the whole snapshot. Otherwise SQLite restarts a stepwise backup at every
    write of another process. Writers do not wait for it; their log grows.
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


def check_file(file: Path) -> str:
    """Check every page of a database that is not in use; returns its schema's revision.

    Raises DatabaseUnusable when it is damaged, not Kith's, or of an unknown schema.
    """
    uri = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            sound = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            named = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'alembic_version'"
            row = connection.execute(named).fetchone()
            if row is not None:
                row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except DAMAGE:
        raise DatabaseUnusable(DAMAGED, file=file) from None
    if sound != "ok":
        raise DatabaseUnusable(DAMAGED, file=file)
    if row is None:
        raise DatabaseUnusable(
            "{file} is no database of Kith's: it has no schema version.", file=file
        )
    revision = str(row[0])
    if revision not in migrations.known_revisions():
        raise migrations.unknown_schema(str(file), revision)
    return revision


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Lock a database exclusively, with its log merged into the file. Raises InUse.

    A damaged database needs no lock: no program can use it.
    """
    with closing(sqlite3.connect(file, timeout=LOCK_WAIT_S, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")  # refused while others have it open
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InUse from None
        except DAMAGE:
            pass
        yield
        with suppress(*DAMAGE):
            connection.execute("ROLLBACK")


def remove(file: Path) -> None:
    """Delete a database with what SQLite keeps beside it, if it is there."""
    for name in ("", *SIDE_FILES):
        with suppress(NotADirectoryError):  # its folder is a file
            file.with_name(f"{file.name}{name}").unlink(missing_ok=True)


def move_side_files(file: Path, aside: Path | None) -> None:
    """Rename SQLite's side files with their database; delete them if ``aside`` is None."""
    for name in SIDE_FILES:
        side = file.with_name(f"{file.name}{name}")
        if aside is None:
            side.unlink(missing_ok=True)
        elif side.exists():
            side.replace(aside.with_name(f"{aside.name}{name}"))


def sync(file: Path) -> None:
    """Flush a file and its folder entry to the disk."""
    for path in (file, file.parent):
        if path.is_dir() and os.name == "nt":  # Windows opens no folders
            continue
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
