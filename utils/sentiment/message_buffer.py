"""Write buffer for watched messages: collect for half a second, then store many at once.

The messages of half a second in all channels need one unit of work or a few, so a burst of
hundreds does not slow the event loop. While the database is away, messages wait here, up to a
limit.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

from utils.common.bounded import BoundedDict
from utils.common.errors import DatabaseError, Logged
from utils.database.admin import history_import
from utils.database.core.engine import Connection
from utils.database.memories import members
from utils.database.sentiment import erasure, overheard_messages, waiting_messages
from utils.models.memory import Event, Member
from utils.runtime.backoff import Backoff
from utils.runtime.worker import Infrastructure, InfrastructureService, Worker

COLLECT_S = 0.5
RETRY_S = 5.0
MAX_AT_ONCE = 200
MAX_UNWRITTEN = 5_000
MAX_DELETED = 5_000  # ids of deleted messages that are remembered
EVERY_REVISION = 2**63 - 1

_log = logging.getLogger(__name__)


class MessageBuffer(InfrastructureService):
    """Messages on their way to the database; ``on_stored`` gets those that were stored."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        counts: Counter[str],
        on_stored: Callable[[Sequence[Event]], None],
    ) -> None:
        super().__init__(infrastructure)
        self._counts = counts
        self._on_stored = on_stored
        self._unwritten: dict[tuple[int, int], Event] = {}
        # Up to which revision messages were deleted.
        self._deleted: BoundedDict[tuple[int, int], int] = BoundedDict(MAX_DELETED)
        self._deletions: dict[int, set[int]] = {}
        self.worker = Worker(
            infrastructure,
            "watched messages",
            self.flush,
            interval_s=None,
            backoff=Backoff(self._clock, first_s=RETRY_S, max_s=RETRY_S),
            gather_s=COLLECT_S,
        )
        self._writing = asyncio.Lock()

    def put(self, message: Event) -> None:
        """Add a message; a later revision replaces an earlier one.

        A revision that is already deleted is ignored. When the buffer is full, the oldest message
        is dropped and counted.
        """
        key = (message.guild_id, message.message_id)
        earlier = self._unwritten.get(key)
        if message.revision <= self._deleted.get(key, -1):
            return
        if earlier is not None and earlier.revision > message.revision:
            return
        self._unwritten[key] = message
        if len(self._unwritten) > MAX_UNWRITTEN:
            del self._unwritten[next(iter(self._unwritten))]
            self._counts["dropped"] += 1
        self.worker.wake()

    async def delete(
        self, guild_id: int, message_ids: Sequence[int], *, up_to: int = EVERY_REVISION
    ) -> None:
        """Drop deleted messages, and erase what is stored of them once the database is there.

        ``up_to``: a later revision is a message again: an edit gave it text again.
        """
        for message_id in message_ids:
            key = (guild_id, message_id)
            self._unwritten.pop(key, None)
            self._deleted[key] = max(up_to, self._deleted.get(key, up_to))
        self._deletions.setdefault(guild_id, set()).update(message_ids)
        with Logged(_log.info, "deletions wait for the database", DatabaseError):
            async with self._writing:  # a write in progress has to finish before the erasure
                await self._erase_deleted()

    async def erase(self, member: Member) -> None:
        """Drop a member's messages.

        One that is being written is stored when this returns, so that it can be erased.
        """
        async with self._writing:
            for key, message in list(self._unwritten.items()):
                if message.member == member:
                    del self._unwritten[key]

    async def close(self) -> None:
        """Stop, and write what is left. Logs how many messages are lost if that fails."""
        await self.worker.close()
        try:
            await self.flush()
        except DatabaseError as error:
            _log.error(
                "%d watched messages are lost: %s", len(self._unwritten), type(error).__name__
            )

    async def flush(self) -> None:
        """Write all deletions and messages. Raises DatabaseError and keeps the remaining ones."""
        async with self._writing:
            await self._erase_deleted()
        while self._unwritten:
            async with self._writing:
                if not self._unwritten:
                    return
                guild_id = next(iter(self._unwritten))[0]
                of_guild = (
                    message for message in self._unwritten.values() if message.guild_id == guild_id
                )
                messages = list(islice(of_guild, MAX_AT_ONCE))
                stored = await self._database.write(store, messages=messages)
                for message in messages:
                    key = (message.guild_id, message.message_id)
                    if self._unwritten.get(key) is message:  # a later revision is to be written
                        del self._unwritten[key]
                self._counts["not stored"] += len(messages) - len(stored)
                self._on_stored(stored)

    async def _erase_deleted(self) -> None:
        """Erase deleted messages; if the database is away, the next flush tries again."""
        while self._deletions:
            guild_id, pending_ids = next(iter(self._deletions.items()))
            message_ids = list(islice(pending_ids, MAX_AT_ONCE))
            try:
                await self._database.write(
                    erasure.erase_messages,
                    guild_id=guild_id,
                    message_ids=message_ids,
                    now=self._clock.now(),
                )
            except DatabaseError:
                self.worker.wake()
                raise
            pending_ids.difference_update(message_ids)
            if not pending_ids:
                del self._deletions[guild_id]


def store(connection: Connection, messages: Sequence[Event]) -> list[Event]:
    """Add messages of one server to the queue as their authors' choices allow.

    What an author had erased since they said it is left out, also if they did so in another
    process. Returns the newly added messages, as :func:`waiting_messages.store` does.
    """
    guild_id = messages[0].guild_id
    authors = {message.author_id for message in messages}
    members.lock_authors(connection, guild_id, authors)
    erased_at = history_import.erased_until(connection, guild_id, authors)
    unerased = [
        message
        for message in messages
        if message.author_id not in erased_at or message.created_at > erased_at[message.author_id]
    ]
    return waiting_messages.store(connection, unerased) if unerased else []


def queue_again(connection: Connection, guild_id: int, event_ids: Sequence[int]) -> None:
    """Move messages whose notes had no verdict when their process ended back into the queue."""
    members.lock_authors(connection, guild_id, overheard_messages.authors_of(connection, event_ids))
    overheard_messages.queue_again(connection, event_ids)
