"""Making watched messages durable: gathered for a moment, then written many at a time.

What is said in half a second, in all channels, is one unit of work or a few; a burst of hundreds
costs the event loop nothing. What is heard while the database is away waits here, bounded.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

from utils.clock import Clock
from utils.database import watching
from utils.database.engine import Database
from utils.errors import DatabaseError
from utils.model.watch import WatchedMessage

GATHER_S = 0.5
RETRY_S = 5.0
MOST_AT_ONCE = 200
MOST_UNWRITTEN = 5_000
MOST_GONE = 5_000

_log = logging.getLogger(__name__)


class Intake:
    """Messages on their way into the database; ``tell`` is called with those that now wait."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        counts: Counter[str],
        tell: Callable[[Sequence[WatchedMessage]], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._counts = counts
        self._tell = tell
        self._unwritten: dict[tuple[int, int], WatchedMessage] = {}
        self._gone: dict[tuple[int, int], None] = {}
        self._undeleted: dict[int, set[int]] = {}
        self._has_news = asyncio.Event()
        self._writing = asyncio.Lock()

    @property
    def unwritten(self) -> int:
        """How many messages are not in the database yet."""
        return len(self._unwritten)

    def put(self, message: WatchedMessage) -> None:
        """Take a message; a later revision takes the place of an earlier one.

        One whose deletion was told of sooner is left out. Over the bound the oldest is dropped,
        and counted.
        """
        key = (message.guild_id, message.message_id)
        known = self._unwritten.get(key)
        if key in self._gone or (known is not None and known.revision > message.revision):
            return
        self._unwritten[key] = message
        if len(self._unwritten) > MOST_UNWRITTEN:
            del self._unwritten[next(iter(self._unwritten))]
            self._counts["dropped"] += 1
        self._has_news.set()

    async def forget(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Forget deleted messages: they are not written any more, and what was is deleted, as soon
        as the database is there."""
        for message_id in message_ids:
            self._unwritten.pop((guild_id, message_id), None)
            self._gone[guild_id, message_id] = None
        while len(self._gone) > MOST_GONE:
            del self._gone[next(iter(self._gone))]
        self._undeleted.setdefault(guild_id, set()).update(message_ids)
        try:
            async with self._writing:  # what is being written now is there before it is deleted
                await self._delete()
        except DatabaseError as error:
            _log.info("deletions wait for the database: %s", type(error).__name__)

    async def run(self) -> None:
        """Write what comes, for ever."""
        while True:
            await self._has_news.wait()
            await self._clock.sleep(GATHER_S)
            try:
                await self.flush()
            except DatabaseError as error:
                _log.warning("watched messages wait for the database: %s", type(error).__name__)
                await self._clock.sleep(RETRY_S)

    async def flush(self) -> None:
        """Delete and write everything there is. Raises DatabaseError, and keeps the rest then."""
        async with self._writing:
            await self._delete()
        while self._unwritten:
            async with self._writing:
                await self._write_some()
        self._has_news.clear()

    async def _delete(self) -> None:
        """Delete what is to be forgotten; while the database is away, the next flush does."""
        while self._undeleted:
            guild_id, ids = next(iter(self._undeleted.items()))
            some = list(islice(ids, MOST_AT_ONCE))
            try:
                await self._database.write(
                    partial(
                        watching.forget_messages,
                        guild_id=guild_id,
                        message_ids=some,
                        now=self._clock.now(),
                    )
                )
            except DatabaseError:
                self._has_news.set()
                raise
            ids.difference_update(some)
            if not ids:
                del self._undeleted[guild_id]

    async def _write_some(self) -> None:
        """Write the oldest messages of one server."""
        if not self._unwritten:
            return
        guild_id = next(iter(self._unwritten))[0]
        own = (one for one in self._unwritten.values() if one.guild_id == guild_id)
        some = list(islice(own, MOST_AT_ONCE))
        waiting = await self._database.write(partial(watching.store, messages=some))
        for one in some:
            key = (one.guild_id, one.message_id)
            if self._unwritten.get(key) is one:  # not a later revision, which has yet to be written
                del self._unwritten[key]
        self._counts["not stored"] += len(some) - len(waiting)
        self._tell(waiting)
