"""Write buffered messages, edits and deletions in order when the database is back.

They take the normal path then: consent, freeze and ignored members are checked at the time of
writing. While the database is away, a process cannot know whether another one has the same message.
Two processes that serve the same server (a rolling deploy) then both generate an answer, and
Discord accepts the first one (by the nonce in cogs/chat/reply_sender.py).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from utils.common.clock import Clock
from utils.common.errors import DatabaseError
from utils.memory.ingestion.ephemeral_turns import EphemeralTurns
from utils.memory.ingestion.offline_buffer import (
    Change,
    DeletedChannels,
    DeletedMessages,
    EditedMessage,
    NewMessage,
    OfflineBuffer,
    RemovedAnswers,
)
from utils.memory.privacy.retention import Retention
from utils.models.memory import Audience, Event, Member
from utils.runtime.stopping import cancel

RETRY_S = 2.0
CLOSE_CHECK_S = 5.0
MAX_CLOSE_S = 25.0
NEXT_START = "the next start looks for them"
MAX_REFUSALS = 30  # about a minute: an unknown error may pass as well

_log = logging.getLogger(__name__)


class OfflineWriter:
    """Writes what waits in ``buffer`` once the database is back; ``store`` records a message."""

    def __init__(
        self,
        clock: Clock,
        retention: Retention,
        store: Callable[[Event, Audience], Awaitable[object]],
        ephemeral_turns: EphemeralTurns,
    ) -> None:
        self._clock = clock
        self._retention = retention
        self._store = store
        self.buffer = OfflineBuffer(on_change=self._wake)
        self._ephemeral_turns = ephemeral_turns
        self._task: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()
        self._writes = self._failures = 0
        self._is_closed = False

    @property
    def lost(self) -> int:
        """How many messages would be lost if the process stopped now."""
        return self.buffer.messages + self.buffer.dropped

    def enqueue(self, event: Event, audience: Audience) -> bool:
        """Buffer a message; False if it waits already."""
        is_new = self.buffer.add(event, audience)
        if is_new and self._is_closed:
            _log.error("a message arrived after the writer was closed and is lost")
        return is_new

    async def erase(self, member: Member, *, only_answers: bool = False) -> None:
        """Erase a member's buffered messages, and Kith's answers that may repeat them.

        A message that is being written is stored when this returns, so that it can be erased.
        """
        async with self._writing:
            self.buffer.erase(member, only_answers=only_answers)
            posts = self._ephemeral_turns.erase(member, only_answers=only_answers)
        if posts:
            await self._retention.remove_answers(member.guild_id, posts)

    async def close(self, within_s: float = MAX_CLOSE_S) -> None:
        """Write what is buffered while that makes progress, for at most ``within_s`` or 25 seconds.

        Later changes are not written; :attr:`lost` counts the messages among them.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(min(within_s, MAX_CLOSE_S)):
                while self._task is not None and not self._task.done():
                    written_before, failures_before = self._writes, self._failures
                    await asyncio.wait([self._task], timeout=CLOSE_CHECK_S)
                    # One write that takes long is not a failure.
                    if self._writes == written_before and self._failures > failures_before:
                        break
        self._is_closed = True
        await cancel(self._task)
        if self.lost:
            _log.error(
                "%d messages that waited for the database are lost, sent since %s; "
                "they are still on Discord",
                self.lost,
                self.buffer.since,
            )
        if changes := len(self.buffer) - self.buffer.messages:
            _log.error("%d deletions and edits wait; %s", changes, NEXT_START)

    def _wake(self) -> None:
        if not self._is_closed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._write_out(), name="offline writer")

    async def _write_out(self) -> None:
        """Write all buffered changes, oldest first."""
        writes_before, unknown_errors = self._writes, 0
        is_logged = False
        while (change := self.buffer.first()) is not None:
            try:
                async with self._writing:
                    await self._write(change)
                self._writes += 1
            except DatabaseError as error:
                self._failures += 1
                unknown_errors += type(error) is DatabaseError
                if not is_logged:
                    _log.warning("new messages wait in process memory: %s", error)
                    is_logged = True
                if unknown_errors < MAX_REFUSALS:
                    await self._clock.sleep(RETRY_S)
                    continue
                self._give_up(change, error)
            except Exception as error:
                self._give_up(change, error)
            unknown_errors = 0
            self.buffer.remove(change)
        dropped, self.buffer.dropped = self.buffer.dropped, 0
        writes = self._writes - writes_before
        _log.warning(
            "wrote %d changes that waited for the database; %d were dropped", writes, dropped
        )
        if dropped_edits := self.buffer.dropped_edits:
            self.buffer.dropped_edits = 0
            _log.error("%d deletions and edits were dropped; %s", dropped_edits, NEXT_START)

    def _give_up(self, change: Change, error: Exception) -> None:
        """Count a change that cannot be written, so that the others need not wait for it."""
        self.buffer.dropped += isinstance(change, NewMessage)
        _log.error("a buffered change was given up: %s", type(error).__name__)

    async def _write(self, change: Change) -> None:
        match change:
            case NewMessage(event, audience, is_edited):
                if not (is_edited and await self._revise(event, audience)):
                    await self._store(event, audience)
            case EditedMessage(event, audience):
                await self._revise(event, audience)
            case DeletedMessages(guild_id, message_ids):
                await self._retention.retract(guild_id, message_ids)
            case DeletedChannels(guild_id, channel_ids):
                await self._retention.erase_channels(guild_id, channel_ids)
            case RemovedAnswers(guild_id, posts):
                await self._retention.remove_answers(guild_id, posts)

    async def _revise(self, event: Event, audience: Audience) -> bool:
        return await self._retention.revise(event, partial(self._store, event, audience))
