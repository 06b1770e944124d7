"""Mirror the database's erasure ledger into a file that is not part of backups.

The file has JSON Lines and only grows. Ids are strings. A line that a crash cut off is skipped; the
next entry starts a new line. Entries are compared by content, because a restored database reuses
ids. An entry that is mirrored twice, by two processes or after a restore, does no harm.
"""

import asyncio
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from utils.common.errors import KithError
from utils.database.core.engine import Database
from utils.database.privacy import erasure_ledger
from utils.models.operator import Erasure, ErasureKind

MAX_LINE_LENGTH = 1_000
UNWRITABLE = (
    "The erasure ledger {file} cannot be written ({reason}); give Kith's user "
    "write permission, or set ERASURE_LEDGER to another file. Until then, a restored backup may "
    "bring back what was erased."
)
UNREADABLE = "The erasure ledger {file} cannot be read ({reason})."
PAGE = 500
LATE_WINDOW = timedelta(hours=1)
MAX_LATE_PAGES = 20
"""On SQL Server an entry may become visible after entries with higher ids. So the entries of the
last hour, at most 10,000, are checked again."""


def line_of(erasure: Erasure) -> str:
    """Return an erasure as a line, without its line break."""
    values: dict[str, Any] = {"at": erasure.at.isoformat(), "kind": erasure.kind.value}
    for column in fields(erasure)[2:]:
        value = getattr(erasure, column.name)
        if value is not None:
            values[column.name] = value if isinstance(value, str) else str(value)
    return json.dumps(values)


def erasure_of(line: bytes) -> Erasure | None:
    """Return the erasure of a line; None if the line is cut off or damaged."""
    try:
        values = json.loads(line)
        texts = {name: value for name, value in values.items() if isinstance(value, str)}
        if len(texts) != len(values):
            return None
        at, kind, uid = texts.pop("at"), texts.pop("kind"), texts.pop("uid", None)
        numbers = {name: int(value) for name, value in texts.items()}
        erasure = Erasure(datetime.fromisoformat(at), ErasureKind(kind), uid=uid, **numbers)
        return None if erasure.at.tzinfo is None else erasure
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def read(file: Path, start: int = 0) -> Iterator[tuple[Erasure | None, int]]:
    """Yield the erasure of each complete line after byte ``start``, and where the next line begins.

    A line without a line break may still be being written, so it is left for the next call. A
    missing file yields nothing. Raises KithError if the file cannot be read.
    """
    try:
        with file.open("rb") as stream:
            offset = stream.seek(start)
            while line := stream.readline(MAX_LINE_LENGTH):
                if not line.endswith(b"\n") and len(line) < MAX_LINE_LENGTH:
                    return
                offset += len(line)
                yield erasure_of(line), offset
    except FileNotFoundError:
        return
    except OSError as error:
        raise KithError(UNREADABLE, file=file, reason=error.strerror) from None


def identity(file: Path) -> tuple[tuple[int, int] | None, int]:
    """Return a file's identity (None if it is missing) and its size.

    Raises KithError if the file cannot be accessed.
    """
    try:
        status = file.stat()
    except FileNotFoundError:
        return None, 0
    except OSError as error:
        raise KithError(UNREADABLE, file=file, reason=error.strerror) from None
    return (status.st_dev, status.st_ino), status.st_size


def append(file: Path, erasures: Sequence[Erasure]) -> None:
    """Append erasures and flush them to the disk. Raises KithError if that fails.

    They are written in one system call, so that the lines of two processes do not mix.
    """
    text = "".join(f"{line_of(erasure)}\n" for erasure in erasures)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(
            file, "a+b", buffering=0, opener=lambda path, flags: os.open(path, flags, 0o600)
        ) as stream:
            if stream.seek(0, os.SEEK_END):
                stream.seek(-1, os.SEEK_END)
                if stream.read() != b"\n":  # a crash cut off the last line
                    text = f"\n{text}"
            remaining = text.encode()
            while remaining:  # more than one write only if the disk is almost full
                remaining = remaining[stream.write(remaining) or 0 :]
            os.fsync(stream.fileno())
    except OSError as error:
        raise KithError(UNWRITABLE, file=file, reason=error.strerror) from None


def require_writable(file: Path) -> None:
    """Raise KithError if a file cannot be appended to, or created; it is not created here."""
    place = file.absolute()
    while not os.path.lexists(place):  # up to the folder in which the first part would be created
        place = place.parent
    is_right_type = place.is_dir() if place != file.absolute() else place.is_file()
    if not is_right_type:
        raise KithError(
            UNWRITABLE,
            file=file,
            reason=f"{place} is not a {'file' if place == file.absolute() else 'folder'}",
        )
    if not os.access(place, os.W_OK):
        raise KithError(UNWRITABLE, file=file, reason=f"{place} is read-only for this user")


@dataclass(eq=False, repr=False)
class ErasureLedger:
    """A file beside a database that lists what was erased from it.

    The entries in the file are known by their hashes, a few dozen bytes each.
    """

    _database: Database
    file: Path
    _mirrored: set[int] = field(default_factory=set, init=False)
    _file_id: tuple[int, int] | None = field(default=None, init=False)
    _read_to: int = field(default=0, init=False)
    _newest: int = field(default=0, init=False)
    _mirroring: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def require_writable(self) -> None:
        """Raise KithError if the file cannot be written; changes nothing."""
        await asyncio.to_thread(require_writable, self.file)

    async def mirror(self) -> int:
        """Append the entries that the file does not have; returns how many.

        Raises DatabaseError, or KithError if the file cannot be written; the next call tries again.
        """
        async with self._mirroring:
            await asyncio.to_thread(self._read_new_lines)
            total, newest = 0, self._newest
            after = await self._settled() if newest else 0
            while entries := await self._database.read(
                erasure_ledger.entries_after, entry_id=after, limit=PAGE
            ):
                missing = [entry for _, entry in entries if hash(entry) not in self._mirrored]
                if missing:
                    await asyncio.to_thread(append, self.file, missing)
                    self._mirrored.update(map(hash, missing))
                total += len(missing)
                after = entries[-1][0]
                self._newest = newest = max(newest, after)
            return total

    async def _settled(self) -> int:
        """Return an id below which no late entry can appear: an hour older than the newest one."""
        before, newest_at = self._newest + 1, None
        for _ in range(MAX_LATE_PAGES):
            entries = await self._database.read(
                erasure_ledger.entries_before, entry_id=before, limit=PAGE
            )
            if not entries:
                return 0
            before = entries[-1][0]
            times = [entry.at for _, entry in entries]
            newest_at = newest_at or times[0]
            if max(times) < newest_at - LATE_WINDOW or len(entries) < PAGE:
                break
        return before - 1

    def _read_new_lines(self) -> None:
        """Read the lines added by this or another process; all lines if the file was replaced."""
        file_id, size = identity(self.file)
        if file_id is None or file_id != self._file_id or size < self._read_to:
            self._mirrored.clear()
            self._file_id, self._read_to, self._newest = file_id, 0, 0
        for entry, ends_at in read(self.file, self._read_to):
            self._read_to = ends_at
            if entry is not None:
                self._mirrored.add(hash(entry))
