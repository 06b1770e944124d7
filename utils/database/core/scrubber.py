"""Overwrites what erasures leave on the disk, in the background or awaited, one run at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy import Connection

from utils.common.clock import Clock
from utils.common.errors import DatabaseError
from utils.database.core.error_codes import StillBusy

SCRUBBED_AT_ONCE_BYTES = 64 * 1024 * 1024
REST_FACTOR = 20  # rebuilds in the background take at most a twentieth of the time
GATHER_S = 5.0  # people forget several things in a row, and writes wait for a rebuild
MAX_REST_S = 45.0  # docs/privacy.md: overwritten within a minute
RETRY_S = 10.0
MAX_TRIES = 3

_log = logging.getLogger(__name__)


class Scrubber:
    """Compacts the database file after erasures; runs that overlap are shared.

    After ``compact(rebuild=True)`` no erased text is left in the file.
    """

    def __init__(
        self, compact: Callable[..., Awaitable[None]], file_bytes: Callable[[], int], clock: Clock
    ) -> None:
        self._compact = compact
        self._file_bytes = file_bytes
        self._clock = clock
        self._running = asyncio.Lock()
        self._requests = self._compacted = self._rebuilt = 0  # the last two: requests covered
        self._rest_until = 0.0
        self._background: asyncio.Task[None] | None = None

    def request(self) -> None:
        """Scrub soon, in the background; nobody waits for it."""
        self._requests += 1
        if self._background is None or self._background.done():
            self._background = asyncio.create_task(self._work(), name="scrub the database file")

    async def scrub(self, at_most_bytes: int = SCRUBBED_AT_ONCE_BYTES) -> bool:
        """Scrub now; return whether no erased text is left on the disk.

        Never fails the erasure: an error is logged, and the nightly pruning scrubs again.

        Args:
            at_most_bytes: larger files are not rebuilt; copies in moved pages stay until tonight.
        """
        self._requests += 1
        return await self._run(self._requests, at_most_bytes)

    async def finish(self) -> None:
        """Do now, without a rest, what was requested."""
        if self._background is None or self._background.done():
            return
        async with self._running:  # a run that has begun is finished
            self._background.cancel()
        await asyncio.gather(self._background, return_exceptions=True)
        if self._compacted < self._requests:
            await self._run(self._requests, SCRUBBED_AT_ONCE_BYTES)

    async def _work(self) -> None:
        failures = 0
        while self._compacted < self._requests and failures < MAX_TRIES:
            rest_s = self._rest_until - self._clock.monotonic()
            await self._clock.sleep(max(GATHER_S, rest_s))
            request, started = self._requests, self._clock.monotonic()
            await self._run(request, SCRUBBED_AT_ONCE_BYTES)
            took_s = self._clock.monotonic() - started
            self._rest_until = started + took_s + min(took_s * (REST_FACTOR - 1), MAX_REST_S)
            if self._compacted < request:
                failures += 1
                await self._clock.sleep(RETRY_S)

    async def _run(self, request: int, at_most_bytes: int) -> bool:
        """Compact unless a run that began after ``request`` did so."""
        async with self._running:
            if self._rebuilt >= request:
                return True
            covered = self._requests
            rebuild = self._file_bytes() <= at_most_bytes
            try:
                await self._compact(rebuild=rebuild)
            except DatabaseError as error:
                _log.warning("erased words may linger on the disk until tonight: %s", error)
                return False
            self._compacted = covered
            if rebuild:
                self._rebuilt = covered
            return self._rebuilt >= request


def owe(connection: Connection) -> None:
    """Mark in the file, in the unit of work that erases, that erased text is to be overwritten.

    The mark outlives the process. SQL Server needs none.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {owed(connection) + 1}")


def owed(connection: Connection) -> int:
    """Return how often a SQLite file was marked since it was last rebuilt."""
    count: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return count


def settle(connection: Connection, count: int) -> None:
    """Remove the mark, unless more was erased since :func:`owed` returned ``count``."""
    if owed(connection) == count:
        connection.exec_driver_sql("PRAGMA user_version = 0")


def rebuild_file(connection: Connection, *, in_memory: bool) -> None:
    """Rebuild a SQLite file, so that no copy of erased text is left in it."""
    connection.exec_driver_sql(f"PRAGMA temp_store={'MEMORY' if in_memory else 'FILE'}")
    connection.exec_driver_sql("VACUUM")
    connection.exec_driver_sql("PRAGMA temp_store=MEMORY")


def empty_log(connection: Connection) -> None:
    """Empty SQLite's write-ahead log. Raises StillBusy while another connection reads."""
    busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
    if busy:
        raise StillBusy
