"""Files with people's words that a killed process left behind: found and removed at the start."""

import asyncio
import logging
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from glob import escape
from pathlib import Path

from utils.common.clock import Clock
from utils.common.errors import DatabaseError, Logged
from utils.database.admin import jobs
from utils.database.core import drivers, sqlite_backup
from utils.database.core.engine import Database

TEMPORARY = "kith-{purpose}-{process}-"
UNFINISHED = ("backups/*.part*", "*.restoring*", "*.new")  # beside the database
OLD_AFTER_S = 3600.0  # a younger one may still be written by another process
PART = ".part"
KEEP_RECORD = timedelta(days=30)  # of a file on a disk that this process does not see

_log = logging.getLogger(__name__)


def make_temporary_folder(purpose: str) -> Path:
    """Return a new folder that only this user can read; the next start removes it after a crash."""
    return Path(tempfile.mkdtemp(prefix=TEMPORARY.format(purpose=purpose, process=os.getpid())))


def part_of(target: Path) -> Path:
    """Return under which path a file or folder is written until it is complete."""
    return target.with_name(f"{target.name}{PART}")


@asynccontextmanager
async def recorded(database: Database, clock: Clock, target: Path) -> AsyncIterator[None]:
    """Record where a file is written, so that a start removes what a killed process left of it.

    It is written all the same if that cannot be recorded, as a name that is not UTF-8.
    """
    path, errors = str(part_of(target).absolute()), (DatabaseError, ValueError)
    logged = Logged(_log.warning, "an unfinished file could not be recorded", *errors)
    with logged:
        await database.write(jobs.begin_file, path=path, at=clock.now())
    try:
        yield
    finally:
        with logged:
            await database.write(jobs.finish_file, path=path)


async def remove_all(database: Database, clock: Clock, database_url: str) -> None:
    """Remove what killed processes left behind, wherever they wrote it. Raises DatabaseError."""
    records = await database.read(jobs.unfinished_files)
    parts = [Path(path) for path, _ in records]
    removed = await asyncio.to_thread(remove_leftovers, database_url, parts)
    for path, began_at in records:
        if Path(path) in removed or began_at < clock.now() - KEEP_RECORD:
            await database.write(jobs.finish_file, path=path)


def remove_leftovers(database_url: str, parts: Sequence[Path] = ()) -> list[Path]:
    """Remove what killed processes of this user left behind; returns these files and folders.

    These are temporary folders of processes that have ended, and unfinished backups, exports and
    restores that nobody has written to for an hour. Never fails: what cannot be removed is logged.

    Args:
        database_url: beside this database's file, unfinished files are found by their names.
        parts: where else unfinished files and folders may be.
    """
    removed: list[Path] = []
    for path in (*_ended_folders(), *_unfinished(database_url, parts)):
        try:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("%s could not be removed: %s", path, error.strerror)
        else:
            removed.append(path)
    if removed:
        _log.info("removed %d files that a killed process had left behind", len(removed))
    return removed


def _ended_folders() -> Iterator[Path]:
    own = os.getuid() if hasattr(os, "getuid") else None
    for folder in Path(tempfile.gettempdir()).glob(
        TEMPORARY.format(purpose="*", process="*") + "*"
    ):
        process = folder.name.split("-")[2]
        try:
            is_own = own is None or folder.lstat().st_uid == own
        except OSError:  # its process has just removed it
            continue
        if is_own and process.isdecimal() and not _is_running(int(process)):
            yield folder


def _is_running(process: int) -> bool:
    """Whether another process has that id; this one has only just started."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _unfinished(database_url: str, parts: Sequence[Path]) -> Iterator[Path]:
    """Yield the unfinished files that nobody writes any more, and what SQLite keeps beside them."""
    paths = [
        part.with_name(f"{part.name}{name}")
        for part in parts
        if part.name.endswith(PART) and not part.is_symlink()
        for name in (*sqlite_backup.SIDE_FILES, "")
    ]
    url = drivers.parse_url(database_url)
    if url.get_backend_name() == "sqlite":
        file = drivers.sqlite_file(url)
        for pattern in UNFINISHED:
            beside = pattern if "/" in pattern else f"{escape(file.name)}{pattern}"
            paths += [path for path in file.parent.glob(beside) if path.is_file()]
    for path in dict.fromkeys(paths):
        if path.exists():
            files = [path, *path.iterdir()] if path.is_dir() else [path]
            if time.time() - max(file.lstat().st_mtime for file in files) >= OLD_AFTER_S:
                yield path
