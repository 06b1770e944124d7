"""Backups of a SQLite database, each with a manifest, and putting one back.

A backup is made beside the running bot. One that is put back is first copied, brought forward and
rid of everything that was erased since, and only then takes the database's place, in one step:
whoever breaks it off before has lost nothing, and begins again.
"""

import asyncio
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Error as SqliteError
from typing import Any

from utils.clock import Clock
from utils.database import backups, drivers, watching
from utils.database.engine import Database
from utils.errors import BadInput, DatabaseError, DatabaseUnavailable, KithError
from utils.ledger import Ledger
from utils.memory.redoing import redo_all, unknown
from utils.model.operator import Redone

FORMAT, VERSION = "kith-backup", 1
MOST_MANIFEST = 10_000
READ_AT_ONCE = 1 << 20

EXISTS = "{file} is there already; name another file, for no backup is overwritten."
NO_ROOM = "There are {free} MB free in {folder}, and a backup needs {needed} MB."
CANNOT_WRITE = "{file} cannot be written ({reason})."
NO_FILE = "There is no file {file}."
CHANGED = (
    "{file} is not what its manifest says it is (its SHA-256 differs): it was damaged or changed, "
    "so nothing was restored."
)
NO_MANIFEST = "The manifest of {file} cannot be read; take it away to go by SQLite's own check."
ITSELF = "{file} is the database itself; name a backup of it."
RUNNING = (
    "Kith is running on this database ({who}). Stop it first; if it was killed, wait for a minute "
    "and a half."
)
NO_LEDGER = (
    "There is no erasure ledger {file}, so nothing tells what was erased since the backup was "
    "made, and nothing was changed. Name its file in ERASURE_LEDGER."
)
UNLESS = " Only if there never was one, add --without-ledger."
IN_USE = "Another program has the database open; stop it first."


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup as its manifest tells of it; ``sha256`` is empty where there is no manifest."""

    file: Path
    schema: str
    size: int
    sha256: str = ""
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: from which schema, what was erased again, where the replaced database is
    (None: there was none), and whether its ledger could be read."""

    schema: str
    redone: Redone
    aside: Path | None
    is_ledger_read: bool


class Backups:
    """Makes and puts back backups of one SQLite database, which ``ledger`` belongs to.

    Of one on a server (``is_file`` is False), it only does erasures again.
    """

    def __init__(self, url: str, database: Database, clock: Clock, ledger: Ledger) -> None:
        self._database = database
        self._clock = clock
        self._ledger = ledger
        parsed = drivers.parse_url(url)
        self.file = drivers.sqlite_file(parsed)
        self.is_file = parsed.get_backend_name() == "sqlite"
        self.server, self.name = parsed.host or "localhost", parsed.database or ""

    def default_file(self) -> Path:
        """Return where a backup goes that nobody named: into a folder beside the database."""
        name = f"{self.file.stem}-{self._clock.now():%Y%m%d-%H%M%S}.db"
        return self.file.parent / "backups" / name

    async def make(self, file: Path, progress: Callable[[int, int], object]) -> Backup:
        """Copy the database, check the copy, and give it its name with a manifest beside it.

        Raises KithError with what to do; what was begun is taken away then.
        """
        part = file.with_name(f"{file.name}.part")
        try:
            return await asyncio.to_thread(self._make, file, part, progress)
        except OSError as error:
            raise KithError(CANNOT_WRITE, file=file, reason=error.strerror) from None
        except SqliteError as error:
            raise KithError(CANNOT_WRITE, file=file, reason=str(error)) from None
        finally:
            backups.remove(part)

    def _make(self, file: Path, part: Path, progress: Callable[[int, int], object]) -> Backup:
        if file.exists() or manifest_of(file).exists():
            raise BadInput(EXISTS, file=file)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        needed, free = self.file.stat().st_size, shutil.disk_usage(file.parent).free
        if free < needed:
            megabytes = {"free": free >> 20, "needed": needed >> 20}
            raise KithError(NO_ROOM, folder=file.parent, **megabytes)
        backups.remove(part)  # of one that was killed
        part.touch(mode=0o600)
        made_at = self._clock.now()
        backups.copy(self.file, part, progress)
        schema = backups.examine(part)
        backups.sync(part)
        made = Backup(file, schema, part.stat().st_size, sha256_of(part), made_at)
        _write_manifest(made)
        part.rename(file)
        backups.sync(file)
        return made

    async def check(self, file: Path) -> Backup:
        """Return what a backup is, checked by its manifest and page by page.

        Raises BadInput or DatabaseUnusable with what is wrong with it.
        """
        return await asyncio.to_thread(self._check, file)

    def _check(self, file: Path) -> Backup:
        if not file.is_file():
            raise BadInput(NO_FILE, file=file)
        if self.file.exists() and file.samefile(self.file):
            raise BadInput(ITSELF, file=file)
        return _checked(file, file)

    async def restore(self, file: Path, *, without_ledger: bool = False) -> Restored:
        """Put a backup in the database's place; returns what that came to.

        The database, if there is one, must be open, and is closed. Raises KithError with what to
        do, and nothing has changed then: also where nothing tells what was erased, unless
        ``without_ledger``.
        """
        staging = self.file.with_name(f"{self.file.name}.restoring")
        is_ledger_read = await self._read_ledger()
        if not (is_ledger_read or without_ledger):
            await self._refuse_without_ledger(NO_LEDGER + UNLESS)
        await self._database.close()
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            if not self.file.exists():
                schema, redone = await self._stage(file, staging)
                await asyncio.to_thread(self._take_place, staging, None)
                return Restored(schema, redone, None, is_ledger_read)
            with backups.locked(self.file):
                schema, redone = await self._stage(file, staging)
                aside = self.file.with_name(
                    f"{self.file.name}.replaced-{self._clock.now():%Y%m%d-%H%M%S}"
                )
                await asyncio.to_thread(self._take_place, staging, aside)
            return Restored(schema, redone, aside, is_ledger_read)
        except backups.InUse:
            raise DatabaseUnavailable(IN_USE) from None
        except OSError as error:
            raise KithError(CANNOT_WRITE, file=staging, reason=error.strerror) from None
        finally:
            backups.remove(staging)

    async def redo(self) -> Redone:
        """Erase again what was erased since a backup that somebody else has put back. Raises
        KithError where there is no ledger to tell."""
        await self._refuse_without_ledger()
        return await redo_all(self._database, self._ledger.file)

    async def to_redo(self) -> Redone:
        """Return what :meth:`redo` would do, and change nothing."""
        await self._refuse_without_ledger()
        return await unknown(self._database, self._ledger.file)

    async def _refuse_without_ledger(self, words: str = NO_LEDGER) -> None:
        if not await asyncio.to_thread(self._ledger.file.exists):
            raise KithError(words, file=self._ledger.file)

    async def _read_ledger(self) -> bool:
        """Take what the database's own ledger has that its file has not; False if it cannot be
        read."""
        if not self.file.exists():
            return False
        try:
            await self._ledger.mirror()
        except DatabaseError:
            return False
        return True

    async def _stage(self, file: Path, staging: Path) -> tuple[str, Redone]:
        """Make the new database: copied, checked, brought forward, and without what was erased."""
        schema = await asyncio.to_thread(_copied, file, staging)
        database = Database(f"sqlite:///{staging}", pool_size=1, clock=self._clock)
        await database.open()
        try:
            await database.write(watching.drop_all)
            redone = await redo_all(database, self._ledger.file, scrubs=False)
            await database.compact()
        finally:
            await database.close()
        await asyncio.to_thread(backups.sync, staging)
        return schema, redone

    def _take_place(self, staging: Path, aside: Path | None) -> None:
        """Let the new database have the name, while the old one keeps another, in one step.

        What SQLite kept beside the old one goes with it: replayed into the new, it would spoil it.
        """
        if aside is not None:
            try:
                os.link(self.file, aside)
            except OSError:  # a file system without links: for a moment, nothing has the name
                self.file.rename(aside)
        backups.set_sides_aside(self.file, aside)
        staging.replace(self.file)
        backups.sync(self.file)


def manifest_of(file: Path) -> Path:
    """Return where the manifest of a backup stands."""
    return file.with_name(f"{file.name}.manifest.json")


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    found = hashlib.sha256()
    with file.open("rb") as stream:
        while some := stream.read(READ_AT_ONCE):
            found.update(some)
    return found.hexdigest()


def _write_manifest(made: Backup) -> None:
    words = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": made.made_at.isoformat() if made.made_at else None,
        "schema": made.schema,
        "bytes": made.size,
        "sha256": made.sha256,
    }
    file = manifest_of(made.file)
    part = file.with_name(f"{file.name}.part")
    part.write_text(f"{json.dumps(words, indent=1)}\n", encoding="utf-8")
    backups.sync(part)
    part.replace(file)


def _copied(file: Path, staging: Path) -> str:
    """Copy a backup, for its owner only, and check the copy; returns its schema."""
    backups.remove(staging)
    staging.touch(mode=0o600)
    shutil.copyfile(file, staging)
    return _checked(staging, file).schema


def _checked(copied: Path, original: Path) -> Backup:
    """Check a file as the backup whose manifest stands beside ``original``."""
    manifest = _manifest(original)
    size = copied.stat().st_size
    if manifest is None:
        return Backup(original, backups.examine(copied), size)
    found = sha256_of(copied)
    if found != manifest["sha256"]:
        raise BadInput(CHANGED, file=original)
    made_at = datetime.fromisoformat(manifest["made_at"])
    return Backup(original, backups.examine(copied), size, found, made_at)


def _manifest(file: Path) -> dict[str, Any] | None:
    """Return what a backup's manifest says; None where there is none."""
    try:
        with manifest_of(file).open("rb") as stream:
            words = json.loads(stream.read(MOST_MANIFEST))
        if words["format"] == FORMAT and words["version"] == VERSION:
            datetime.fromisoformat(words["made_at"])
            return {"sha256": str(words["sha256"]), "made_at": words["made_at"]}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    raise BadInput(NO_MANIFEST, file=file)
