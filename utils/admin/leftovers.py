"""Files with people's words that a killed process left behind: found and removed at the start."""

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from utils.database.core import drivers

TEMPORARY = "kith-{purpose}-{process}-"
UNFINISHED = ("backups/*.part*", "*.restoring*", "*.new")  # beside the database
OLD_AFTER_S = 3600.0  # a younger one may still be written by another process

_log = logging.getLogger(__name__)


def make_temporary_folder(purpose: str) -> Path:
    """Return a new folder that only this user can read; the next start removes it after a crash."""
    return Path(tempfile.mkdtemp(prefix=TEMPORARY.format(purpose=purpose, process=os.getpid())))


def remove_leftovers(database_url: str) -> int:
    """Remove what killed processes of this user left behind; returns how many files or folders.

    These are temporary folders of processes that have ended, and unfinished backups and restores
    that nobody has written to for an hour. Never fails: what cannot be removed is logged.
    """
    removed = 0
    for path in (*_ended_folders(), *_unfinished_files(database_url)):
        try:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        except OSError as error:
            _log.warning("%s could not be removed: %s", path, error.strerror)
        else:
            removed += 1
    if removed:
        _log.info("removed %d files that a killed process had left behind", removed)
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


def _unfinished_files(database_url: str) -> Iterator[Path]:
    url = drivers.parse_url(database_url)
    if url.get_backend_name() != "sqlite":
        return
    file = drivers.sqlite_file(url)
    for pattern in UNFINISHED:
        beside = pattern if "/" in pattern else f"{file.name}{pattern}"
        for path in file.parent.glob(beside):
            if path.is_file() and time.time() - path.stat().st_mtime >= OLD_AFTER_S:
                yield path
