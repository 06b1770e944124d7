"""Writing what waits: messages, edits and deletions, in order, once the database is back.

Everything goes the ordinary way then: consent, freeze and ignored members are looked at when it is
written. While the database is away nobody can tell whether another process has heard the same
message: two processes that serve the same server (a rolling deploy) both think of an answer, and
Discord takes the first (the nonce in cogs/chat.py).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from utils.clock import Clock
from utils.errors import DatabaseError
from utils.memory.backlog import Backlog, Deleted, Edited, Entry, Heard, PlacesGone
from utils.memory.retention import Retention
from utils.model.memory import Audience, Event, Member

RETRY_S = 2.0
LAST_TRIES_S = 5.0
MOST_REFUSALS = 30  # a minute: an error that nobody knows may pass as well

_log = logging.getLogger(__name__)


class BacklogWriter:
    """Keeps what could not be written, and writes it; ``store`` records one message."""

    def __init__(
        self,
        clock: Clock,
        retention: Retention,
        store: Callable[[Event, Audience], Awaitable[bool]],
        backlog: Backlog | None = None,
    ) -> None:
        self._clock = clock
        self._retention = retention
        self._store = store
        self._backlog = backlog or Backlog()
        self._task: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    def waits_in(self, guild_id: int, channel_id: int) -> bool:
        """Whether messages of a channel wait, so that later ones have to wait behind them."""
        return self._backlog.waits_in(guild_id, channel_id)

    def turns(self, guild_id: int, channel_id: int, limit: int) -> list[Event]:
        """Return the last messages that wait of a channel, oldest first."""
        return self._backlog.turns(guild_id, channel_id, limit)

    def hear(self, event: Event, audience: Audience) -> bool:
        """Let a message wait to be recorded; False if it waits already."""
        is_new = self._backlog.hear(event, audience)
        self._wake()
        return is_new

    async def revise(self, event: Event, audience: Audience) -> None:
        """Take an edit of a message: now, or once the database is back."""
        if not await self._now(partial(self._revise, event, audience)):
            self._backlog.edit(event, audience)
            self._wake()

    async def retract(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Let deleted messages go: now, or once the database is back; what waits goes at once."""
        if not await self._now(partial(self._retention.retract, guild_id, message_ids)):
            self._backlog.delete(guild_id, message_ids)
            self._wake()

    async def erase_places(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Do the same for everything that was said in channels that are gone."""
        if not await self._now(partial(self._retention.erase_places, guild_id, channel_ids)):
            self._backlog.delete_places(guild_id, channel_ids)
            self._wake()

    async def let_go(self, member: Member) -> None:
        """Let everything go that waits of a member, who wants it forgotten.

        What is just being written is stored when this returns, and so can be erased.
        """
        async with self._writing:
            self._backlog.let_go(member)

    async def close(self) -> int:
        """Write what waits for as long as that gets on; returns how many messages are lost."""
        while self._task is not None and not self._task.done():
            before = len(self._backlog)
            await asyncio.wait([self._task], timeout=LAST_TRIES_S)
            if len(self._backlog) == before:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
        lost = self._backlog.messages + self._backlog.dropped
        if lost:
            _log.error("%d messages that waited for the database are lost", lost)
        if others := len(self._backlog) - self._backlog.messages:
            _log.error("%d deletions and edits wait: they are looked for at the next start", others)
        return lost

    async def _now(self, act: Callable[[], Awaitable[object]]) -> bool:
        """Do something at once, unless something waits before it; False if it has to wait."""
        if self._backlog:
            return False
        try:
            await act()
        except DatabaseError:
            return False
        return True

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_out(), name="write backlog")

    async def _write_out(self) -> None:
        """Write what waits, oldest first, until nothing does."""
        written = refusals = 0
        is_told = False
        while (entry := self._backlog.first()) is not None:
            try:
                async with self._writing:
                    await self._carry_out(entry)
                written += 1
            except DatabaseError as error:
                refusals += type(error) is DatabaseError
                if not is_told:
                    _log.warning("what is heard waits in process memory: %s", error)
                    is_told = True
                if refusals < MOST_REFUSALS:
                    await self._clock.sleep(RETRY_S)
                    continue
                self._give_up(entry, error)
            except Exception as error:
                self._give_up(entry, error)
            refusals = 0
            self._backlog.done(entry)
        dropped, self._backlog.dropped = self._backlog.dropped, 0
        _log.warning("wrote %d that waited for the database; %d were dropped", written, dropped)

    def _give_up(self, entry: Entry, error: Exception) -> None:
        """Count what will never be written: others must not wait for it."""
        self._backlog.dropped += isinstance(entry, Heard)
        _log.error("something that waited was refused for good: %s", type(error).__name__)

    async def _carry_out(self, entry: Entry) -> None:
        match entry:
            case Heard(event, audience, is_edited):
                if not (is_edited and await self._revise(event, audience)):
                    await self._store(event, audience)
            case Edited(event, audience):
                await self._revise(event, audience)
            case Deleted(guild_id, message_ids):
                await self._retention.retract(guild_id, message_ids)
            case PlacesGone(guild_id, channel_ids):
                await self._retention.erase_places(guild_id, channel_ids)

    async def _revise(self, event: Event, audience: Audience) -> bool:
        return await self._retention.revise(event, partial(self._store, event, audience))
