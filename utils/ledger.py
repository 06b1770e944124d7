"""Ledger mirrors the erasure ledger into a file that no backup holds.

Entries are told from each other by what they say, not by their ids: a database that was restored
gives ids out again. What is mirrored twice, by two processes or after a restore, does no harm.
"""

import asyncio
from collections import deque
from functools import partial
from pathlib import Path

from utils import ledger_file
from utils.database import ledger
from utils.database.engine import Database
from utils.model.operator import Erasure

PAGE = 500
LATE_IDS = 200
"""On SQL Server an entry may appear after others with higher ids: so many are looked at again."""
REMEMBERED = 20_000
"""Of the file's last entries, to know how far it has come, and what other processes append."""


class Ledger:
    """The file beside a database that tells what was erased from it."""

    def __init__(self, database: Database, file: Path) -> None:
        self._database = database
        self.file = file
        self._mirrored: dict[Erasure, None] = {}
        self._order: deque[Erasure] = deque()
        self._read_to = 0
        self._newest: int | None = None
        self._mirroring = asyncio.Lock()

    async def mirror(self) -> int:
        """Append what was erased since the last time; returns how many entries.

        Raises DatabaseError, or KithError where the file cannot be written, and tries it all again
        the next time.
        """
        async with self._mirroring:
            await asyncio.to_thread(self._read_on)
            if self._newest is None:
                self._newest = await self._first_missing()
            total, newest = 0, self._newest
            after = max(0, newest - LATE_IDS)
            while found := await self._database.read(
                partial(ledger.after, entry_id=after, limit=PAGE)
            ):
                missing = [one for _, one in found if one not in self._mirrored]
                if missing:
                    await asyncio.to_thread(ledger_file.append, self.file, missing)
                    self._remember(missing)
                total += len(missing)
                after = found[-1][0]
                self._newest = newest = max(newest, after)
            return total

    async def _first_missing(self) -> int:
        """Return an id up to which the file has everything: below a page of which it has all."""
        before = await self._database.read(ledger.newest_id) + 1
        while found := await self._database.read(
            partial(ledger.before, entry_id=before, limit=PAGE)
        ):
            before = found[-1][0]
            if all(one in self._mirrored for _, one in found):
                return found[0][0]
        return 0

    def _read_on(self) -> None:
        """Take note of what stands in the file, from this process or another."""
        found = []
        for one, ends_at in ledger_file.read(self.file, self._read_to):
            self._read_to = ends_at
            if one is not None:
                found.append(one)
            if len(found) >= REMEMBERED:
                self._remember(found)
                found = []
        self._remember(found)

    def _remember(self, erasures: list[Erasure]) -> None:
        for one in erasures:
            if one not in self._mirrored:
                self._mirrored[one] = None
                self._order.append(one)
        while len(self._order) > REMEMBERED:
            del self._mirrored[self._order.popleft()]
