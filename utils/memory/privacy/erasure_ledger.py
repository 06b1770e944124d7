"""Mirror the database's erasure ledger into a file that is not part of backups.

Entries are compared by content, because a restored database reuses ids. An entry that is mirrored
twice, by two processes or after a restore, does no harm.
"""

import asyncio
from datetime import timedelta
from pathlib import Path

from utils.database.core.engine import Database
from utils.database.privacy import erasure_ledger
from utils.memory.privacy import erasure_ledger_file

PAGE = 500
LATE_WINDOW = timedelta(hours=1)
MAX_LATE_PAGES = 20
"""On SQL Server an entry may become visible after entries with higher ids. So the entries of the
last hour, at most 10,000, are checked again."""


class ErasureLedger:
    """A file beside a database that lists what was erased from it.

    The entries in the file are known by their hashes, a few dozen bytes each.
    """

    def __init__(self, database: Database, file: Path) -> None:
        self._database = database
        self.file = file
        self._mirrored: set[int] = set()
        self._file_id: tuple[int, int] | None = None
        self._read_to = 0
        self._newest = 0
        self._mirroring = asyncio.Lock()

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
                    await asyncio.to_thread(erasure_ledger_file.append, self.file, missing)
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
        file_id, size = erasure_ledger_file.identity(self.file)
        if file_id is None or file_id != self._file_id or size < self._read_to:
            self._mirrored.clear()
            self._file_id, self._read_to, self._newest = file_id, 0, 0
        for entry, ends_at in erasure_ledger_file.read(self.file, self._read_to):
            self._read_to = ends_at
            if entry is not None:
                self._mirrored.add(hash(entry))
