"""Ledger mirrors the erasure ledger into a file that no backup holds.

Entries are told from each other by what they say, not by their ids: a database that was restored
gives ids out again. What is mirrored twice, by two processes or after a restore, does no harm.
"""

import asyncio
from datetime import timedelta
from functools import partial
from pathlib import Path

from utils import ledger_file
from utils.database import ledger
from utils.database.engine import Database

PAGE = 500
LATE = timedelta(hours=1)
MOST_LATE_PAGES = 20
"""On SQL Server an entry may appear after others with higher ids: those of the last hour, but at
most 10,000, are looked at again."""


class Ledger:
    """The file beside a database that tells what was erased from it.

    What is in the file is known by its hashes: a few dozen bytes for each entry.
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
        """Append what was erased since the last time, and the first time whatever the file has not;
        returns how many entries.

        Raises DatabaseError, or KithError where the file cannot be written, and tries it all again
        the next time.
        """
        async with self._mirroring:
            await asyncio.to_thread(self._read_on)
            total, newest = 0, self._newest
            after = await self._settled() if newest else 0
            while found := await self._database.read(
                partial(ledger.after, entry_id=after, limit=PAGE)
            ):
                missing = [one for _, one in found if hash(one) not in self._mirrored]
                if missing:
                    await asyncio.to_thread(ledger_file.append, self.file, missing)
                    self._mirrored.update(map(hash, missing))
                total += len(missing)
                after = found[-1][0]
                self._newest = newest = max(newest, after)
            return total

    async def _settled(self) -> int:
        """Return an id up to which no entry appears any more: one that is an hour older than the
        newest that was mirrored."""
        before, newest_at = self._newest + 1, None
        for _ in range(MOST_LATE_PAGES):
            found = await self._database.read(partial(ledger.before, entry_id=before, limit=PAGE))
            if not found:
                return 0
            before = found[-1][0]
            times = [one.at for _, one in found]
            newest_at = newest_at or times[0]
            if max(times) < newest_at - LATE or len(found) < PAGE:
                break
        return before - 1

    def _read_on(self) -> None:
        """Take note of what stands in the file, from this process or another; of all of it where it
        is another file than the last time, or none."""
        file_id, size = ledger_file.identity(self.file)
        if file_id is None or file_id != self._file_id or size < self._read_to:
            self._mirrored.clear()
            self._file_id, self._read_to, self._newest = file_id, 0, 0
        for one, ends_at in ledger_file.read(self.file, self._read_to):
            self._read_to = ends_at
            if one is not None:
                self._mirrored.add(hash(one))
