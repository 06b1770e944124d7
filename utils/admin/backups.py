"""Back up and restore a SQLite database; each backup has a manifest.

A backup is made while the bot runs. A restore first copies the backup, upgrades its schema and
replays all erasures made since. Only then does the copy replace the database, in one step, so an
interrupted restore changes nothing.
"""

import asyncio
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Error as SqliteError
from typing import Any
from urllib.parse import quote

from utils.admin import leftovers
from utils.common.clock import Clock
from utils.common.errors import BadInput, DatabaseError, DatabaseUnavailable, KithError
from utils.database.core import drivers, sqlite_backup
from utils.database.core.engine import Connection, Database, DatabaseService
from utils.database.sentiment import waiting_messages
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.memory.privacy.erasure_replay import preview_replay, replay_all
from utils.models.operator import ReplayResult
from utils.runtime.stopping import closed_after

FORMAT, VERSION = "kith-backup", 1
MAX_MANIFEST = 10_000


CANNOT_WRITE = "{file} cannot be written ({reason})."
RUNNING = (
    "Kith is running on this database ({who}). Stop it first; if it was killed, wait 40 seconds."
)
NO_LEDGER = (
    "There is no erasure ledger {file}, so what was erased since the backup is unknown. Nothing "
    "was changed. Set ERASURE_LEDGER to the ledger's file."
)


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup as its manifest describes it; ``sha256`` is empty if there is no manifest."""

    file: Path
    schema: str
    size: int
    sha256: str = ""
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What a restore did.

    Args:
        replay: what was erased again.
        aside: where the replaced database is; None: there was none.
        is_ledger_read: whether the replaced database's ledger could be read.
    """

    replay: ReplayResult
    aside: Path | None
    is_ledger_read: bool


class Backups(DatabaseService):
    """Makes and restores backups of one SQLite database; ``ledger`` is its erasure ledger.

    For a database on a server (``is_file`` is False), it only replays erasures.
    """

    def __init__(self, url: str, database: Database, clock: Clock, ledger: ErasureLedger) -> None:
        super().__init__(database, clock)
        self._ledger = ledger
        self.url = drivers.parse_url(url)
        self.file = drivers.sqlite_file(self.url)
        self.is_file = self.url.get_backend_name() == "sqlite"

    def default_file(self) -> Path:
        """Return the default path of a new backup: in a folder beside the database."""
        name = f"{self.file.stem}-{self._clock.now():%Y%m%d-%H%M%S}.db"
        return self.file.parent / "backups" / name

    async def make(self, file: Path, progress: Callable[[int, int], object]) -> Backup:
        """Copy the database, check the copy, and write its manifest; returns the backup.

        ``progress`` is called with the pages copied and their total. Raises KithError, which says
        what to do, after deleting the unfinished copy.
        """
        part = leftovers.part_of(file)
        async with leftovers.recorded(self._database, self._clock, file):
            try:
                return await asyncio.to_thread(self._make, file, part, progress)
            except OSError as error:
                raise KithError(CANNOT_WRITE, file=file, reason=error.strerror) from None
            except SqliteError as error:
                raise KithError(CANNOT_WRITE, file=file, reason=str(error)) from None
            finally:
                sqlite_backup.remove(part)

    def _make(self, file: Path, part: Path, progress: Callable[[int, int], object]) -> Backup:
        if file.exists() or manifest_of(file).exists():
            raise BadInput(
                "{file} already exists. Name another file: a backup is never overwritten.",
                file=file,
            )
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        needed, free = self.file.stat().st_size, shutil.disk_usage(file.parent).free
        if free < needed:
            kilobytes = {"free": free >> 10, "needed": (needed >> 10) + 1}
            raise KithError(
                "There are {free:,} KB free in {folder}, and a backup needs {needed:,} KB.",
                folder=file.parent,
                **kilobytes,
            )
        sqlite_backup.remove(part)  # left by a killed process
        part.touch(mode=0o600)
        made_at = self._clock.now()
        sqlite_backup.copy(self.file, part, progress)
        schema = sqlite_backup.check_file(part)
        sqlite_backup.sync(part)
        backup = Backup(file, schema, part.stat().st_size, sha256_of(part), made_at)
        values = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": made_at.isoformat(),
            "schema": schema,
            "bytes": backup.size,
            "sha256": backup.sha256,
        }
        manifest = manifest_of(file)
        staged = manifest.with_name(f"{manifest.name}.part")
        staged.write_text(f"{json.dumps(values, indent=1)}\n", encoding="utf-8")
        sqlite_backup.sync(staged)
        staged.replace(manifest)
        part.rename(file)
        sqlite_backup.sync(file)
        return backup

    async def check(self, file: Path) -> Backup:
        """Check a backup against its manifest and page by page, and return it.

        Raises BadInput or DatabaseUnusable, which say what is wrong.
        """
        return await asyncio.to_thread(self._check, file)

    def _check(self, file: Path) -> Backup:
        if not file.is_file():
            raise BadInput("There is no file {file}.", file=file)
        if self.file.exists() and file.samefile(self.file):
            raise BadInput("{file} is the database itself. Name a backup of it.", file=file)
        return _checked(file, file)

    async def restore(self, file: Path, *, without_ledger: bool = False) -> RestoreResult:
        """Replace the database by a backup; returns what was done.

        An existing database must be open; this closes it. Raises KithError, which says what to do,
        before anything changed: also if there is no ledger, unless ``without_ledger``.
        """
        staging = self.file.with_name(f"{self.file.name}.restoring")
        is_ledger_read = False
        if self.file.exists():
            with suppress(DatabaseError):
                await self._ledger.mirror()
                is_ledger_read = True
        if not (is_ledger_read or without_ledger):
            await self._require_ledger(
                NO_LEDGER + " Only if there never was one, add --without-ledger."
            )
        await self._database.close()
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            if not self.file.exists():
                replay = await self._stage(file, staging)
                await asyncio.to_thread(self._replace, staging, None)
                return RestoreResult(replay, None, is_ledger_read)
            with sqlite_backup.locked(self.file):
                replay = await self._stage(file, staging)
                aside = self.file.with_name(
                    f"{self.file.name}.replaced-{self._clock.now():%Y%m%d-%H%M%S}"
                )
                await asyncio.to_thread(self._replace, staging, aside)
            return RestoreResult(replay, aside, is_ledger_read)
        except sqlite_backup.InUse:
            raise DatabaseUnavailable(
                "Another program has the database open; stop it first."
            ) from None
        except OSError as error:
            raise KithError(CANNOT_WRITE, file=staging, reason=error.strerror) from None
        finally:
            sqlite_backup.remove(staging)

    async def replay(self) -> ReplayResult:
        """Replay the ledger on a database that was restored with another tool; returns the result.

        Raises KithError if there is no ledger.
        """
        await self._require_ledger()
        return await replay_all(self._database, self._ledger.file)

    async def preview_replay(self) -> ReplayResult:
        """Return what :meth:`replay` would do; changes nothing."""
        await self._require_ledger()
        return await preview_replay(self._database, self._ledger.file)

    async def _require_ledger(self, message: str = NO_LEDGER) -> None:
        if not await asyncio.to_thread(self._ledger.file.exists):
            raise KithError(message, file=self._ledger.file)

    async def _stage(self, file: Path, staging: Path) -> ReplayResult:
        """Prepare the new database: copy, check, upgrade, replay erasures."""
        await asyncio.to_thread(_copy, file, staging)
        url = f"sqlite:///{quote(str(staging))}"  # a name such as my%20data is read as it stands
        staged = Database(url, pool_size=1, clock=self._clock)
        async with closed_after(staged) as database:
            await database.open()
            await database.write(waiting_messages.delete_all)
            for statement in sqlite_backup.RAISE_IDS:
                await database.write(Connection.exec_driver_sql, statement=statement)
            replay = await replay_all(database, self._ledger.file, scrubs=False)
            await database.compact()
        await asyncio.to_thread(sqlite_backup.sync, staging)
        return replay

    def _replace(self, staging: Path, aside: Path | None) -> None:
        """Rename the new database to its final name in one step; the old one keeps ``aside``.

        SQLite's side files of the old database move with it: replayed into the new one, they would
        corrupt it.
        """
        if aside is not None:
            try:
                os.link(self.file, aside)
            except OSError:  # a file system without links: the name is missing for a moment
                self.file.rename(aside)
        sqlite_backup.move_side_files(self.file, aside)
        staging.replace(self.file)
        sqlite_backup.sync(self.file)


def manifest_of(file: Path) -> Path:
    """Return the path of a backup's manifest."""
    return file.with_name(f"{file.name}.manifest.json")


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _copy(file: Path, staging: Path) -> None:
    """Copy a backup, readable by its owner only, and check the copy."""
    sqlite_backup.remove(staging)
    staging.touch(mode=0o600)
    shutil.copyfile(file, staging)
    _checked(staging, file)


def _checked(copied: Path, original: Path) -> Backup:
    """Check a copy against the manifest of ``original``; returns the backup."""
    manifest = _manifest(original)
    size = copied.stat().st_size
    if manifest is None:
        return Backup(original, sqlite_backup.check_file(copied), size)
    sha256 = sha256_of(copied)
    if sha256 != manifest["sha256"]:
        raise BadInput(
            "{file} does not match its manifest (its SHA-256 differs): it was damaged or changed. "
            "Nothing was restored.",
            file=original,
        )
    made_at = datetime.fromisoformat(manifest["made_at"])
    return Backup(original, sqlite_backup.check_file(copied), size, sha256, made_at)


def _manifest(file: Path) -> dict[str, Any] | None:
    """Return the values of a backup's manifest; None if there is none."""
    try:
        with manifest_of(file).open("rb") as stream:
            values = json.loads(stream.read(MAX_MANIFEST))
        if values["format"] == FORMAT and values["version"] == VERSION:
            datetime.fromisoformat(values["made_at"])
            return {"sha256": str(values["sha256"]), "made_at": values["made_at"]}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    raise BadInput(
        "The manifest of {file} cannot be read. Remove it to rely on SQLite's own check.", file=file
    )
