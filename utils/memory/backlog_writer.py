"""Writing what waits: messages, edits and deletions, in order, once the database is back.

Everything goes the ordinary way then: consent, freeze and ignored members are looked at when it is
written. While the database is away nobody can tell whether another process has heard the same
message: two processes that serve the same server (a rolling deploy) both think of an answer, and
Discord takes the first (the nonce in cogs/chat.py).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

from utils.clock import Clock
from utils.errors import DatabaseError
from utils.memory.backlog import Backlog, Deleted, Edited, Entry, Heard, PlacesGone
from utils.memory.fleeting import FleetingRoom
from utils.memory.retention import Retention
from utils.memory.storable import storable
from utils.model.memory import Audience, Event, Member

RETRY_S = 2.0
LAST_TRIES_S = 5.0
LONGEST_CLOSE_S = 25.0  # 10 s of last answers come before it, 8 s of reading after it
MOST_REFUSALS = 30  # a minute: an error that nobody knows may pass as well

_log = logging.getLogger(__name__)


class BacklogWriter:
    """Keeps what could not be written, and writes it; ``store`` records one message."""

    def __init__(
        self,
        clock: Clock,
        retention: Retention,
        store: Callable[[Event, Audience], Awaitable[object]],
        backlog: Backlog | None = None,
        *,
        fleeting: FleetingRoom | None = None,
    ) -> None:
        self._clock = clock
        self._retention = retention
        self._store = store
        self._backlog = backlog or Backlog()
        self._fleeting = fleeting or FleetingRoom(clock)
        self._task: asyncio.Task[None] | None = None
        self._scrubbing: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()
        self._written = self._refused = 0
        self._has_erased = self._is_closed = False

    @property
    def lost(self) -> int:
        """How many messages are lost if the process stops now."""
        return self._backlog.messages + self._backlog.dropped

    def waits_in(self, guild_id: int, channel_id: int) -> bool:
        """Whether messages of a channel wait, so that later ones have to wait behind them."""
        return self._backlog.waits_in(guild_id, channel_id)

    def turns(self, guild_id: int, channel_id: int, limit: int) -> list[Event]:
        """Return the last messages that wait of a channel, oldest first."""
        return self._backlog.turns(guild_id, channel_id, limit)

    def hear(self, event: Event, audience: Audience) -> bool:
        """Let a message wait to be recorded; False if it waits already."""
        is_new = self._backlog.hear(event, audience)
        if is_new and self._is_closed:
            _log.error("a message that came too late to wait for the database is lost")
        self._wake()
        return is_new

    async def revise(self, event: Event, audience: Audience) -> None:
        """Take an edit of a message: now, or once the database is back."""
        self._fleeting.edit(storable(event))
        if not await self._now(partial(self._revise, event, audience)):
            self._backlog.edit(event, audience)
            self._wake()

    async def retract(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Let deleted messages go: now, or once the database is back; what waits goes at once."""
        self._fleeting.delete(guild_id, message_ids)
        if not await self._now(partial(self._retention.retract, guild_id, message_ids)):
            self._backlog.delete(guild_id, message_ids)
            self._wake()

    async def erase_places(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Do the same for everything that was said in channels that are gone."""
        self._fleeting.delete_places(guild_id, channel_ids)
        if not await self._now(partial(self._retention.erase_places, guild_id, channel_ids)):
            self._backlog.delete_places(guild_id, channel_ids)
            self._wake()

    async def let_go(self, member: Member, *, only_answers: bool = False) -> None:
        """Let everything go that waits of a member, or what Kith said with them in mind.

        What is just being written is stored when this returns, and so can be erased.
        """
        async with self._writing:
            self._backlog.let_go(member, only_answers=only_answers)
            self._fleeting.let_go(member, only_answers=only_answers)

    async def close(self) -> None:
        """Write what waits for as long as that gets on, and for 25 seconds at most.

        What comes later is not written any more: :attr:`lost` counts it. So may what was erased
        linger on the disk, until the nightly pruning scrubs.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_CLOSE_S):
                await self._written_out()
        self._is_closed = True
        for task in (self._task, self._scrubbing):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self.lost:
            _log.error("%d messages that waited for the database are lost", self.lost)
        if others := len(self._backlog) - self._backlog.messages:
            _log.error("%d deletions and edits wait: they are looked for at the next start", others)

    async def _written_out(self) -> None:
        """Return when nothing waits, or writing was refused for a while and nothing was written.

        One entry that takes long is no refusal.
        """
        while self._task is not None and not self._task.done():
            written, refused = self._written, self._refused
            await asyncio.wait([self._task], timeout=LAST_TRIES_S)
            if self._written == written and self._refused > refused:
                return

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
        if not self._is_closed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._write_out(), name="write backlog")

    async def _write_out(self) -> None:
        """Write what waits, oldest first, until nothing does."""
        before, refusals = self._written, 0
        is_told = False
        while (entry := self._backlog.first()) is not None:
            try:
                async with self._writing:
                    if await self._carry_out(entry):
                        self._has_erased = True
                self._written += 1
            except DatabaseError as error:
                self._refused += 1
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
        written = self._written - before
        _log.warning("wrote %d that waited for the database; %d were dropped", written, dropped)
        if self._has_erased and (self._scrubbing is None or self._scrubbing.done()):
            self._scrubbing = asyncio.create_task(self._scrub(), name="scrub backlog")

    async def _scrub(self) -> None:
        """Scrub what was erased, beside what comes next, which must not wait for it."""
        while self._has_erased:
            self._has_erased = False
            await self._retention.scrub()

    def _give_up(self, entry: Entry, error: Exception) -> None:
        """Count what will never be written: others must not wait for it."""
        self._backlog.dropped += isinstance(entry, Heard)
        _log.error("something that waited was refused for good: %s", type(error).__name__)

    async def _carry_out(self, entry: Entry) -> bool:
        """Write one entry; True if words may have to be scrubbed."""
        match entry:
            case Heard(event, audience, is_edited):
                if is_edited and await self._revise(event, audience, scrubs=False):
                    return True
                await self._store(event, audience)
                return False
            case Edited(event, audience):
                return await self._revise(event, audience, scrubs=False)
            case Deleted(guild_id, message_ids):
                await self._retention.retract(guild_id, message_ids, scrubs=False)
            case PlacesGone(guild_id, channel_ids):
                await self._retention.erase_places(guild_id, channel_ids, scrubs=False)
        return True

    async def _revise(self, event: Event, audience: Audience, *, scrubs: bool = True) -> bool:
        hear = partial(self._store, event, audience)
        return await self._retention.revise(event, hear, scrubs=scrubs)
