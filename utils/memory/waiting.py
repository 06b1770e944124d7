"""Waiting for a quiet moment: what a member says within a few seconds becomes one burst."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from utils.clock import Clock
from utils.errors import DatabaseError
from utils.model.memory import Member

MOST_WAITING = 10_000
LONGEST_BURST_FACTOR = 5

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BurstKey:
    """Whose burst, and where."""

    member: Member
    channel_id: int

    @property
    def lease(self) -> str:
        """The name of the lease under which it is read."""
        return f"extract:{self.member.guild_id}:{self.channel_id}:{self.member.user_id}"


@dataclass(slots=True)
class Waiting:
    """When a burst may be read (monotonic seconds), and what its channel's readers can read."""

    ready_at: float
    latest_at: float
    sources: frozenset[int]
    is_open: bool
    events: int = 1


class WaitingRoom:
    """Holds bursts until nobody has spoken for ``quiet_s``, or for five times that at most."""

    def __init__(self, clock: Clock, quiet_s: float) -> None:
        self._clock = clock
        self._quiet_s = quiet_s
        self._waiting: dict[BurstKey, Waiting] = {}
        self._queue: asyncio.Queue[BurstKey] = asyncio.Queue(MOST_WAITING)
        self._hurry = asyncio.Event()

    @property
    def longest_s(self) -> float:
        """How long a burst waits at most."""
        return self._quiet_s * LONGEST_BURST_FACTOR

    def __contains__(self, key: BurstKey) -> bool:
        return key in self._waiting

    def expect(self, key: BurstKey, sources: frozenset[int], *, is_open: bool) -> None:
        """Let a burst be read a quiet moment from now; further events put it off, up to a limit."""
        now = self._clock.monotonic()
        waiting = self._waiting.get(key)
        if waiting is not None:
            waiting.ready_at = min(now + self._quiet_s, waiting.latest_at)
            waiting.sources &= sources
            waiting.is_open = waiting.is_open and is_open
            waiting.events += 1
        elif not self._queue.full():  # else the sweep finds it in the database
            latest = now + self.longest_s
            self._waiting[key] = Waiting(now + self._quiet_s, latest, sources, is_open)
            self._queue.put_nowait(key)

    async def serve(self, read: Callable[[BurstKey, Waiting], Awaitable[bool]]) -> None:
        """Have bursts read, one after another, for ever; several may serve at once.

        ``read`` says whether there may be more of the burst. What goes wrong is logged: its events
        stay in the database.
        """
        while True:
            key = await self._queue.get()
            waiting = self._waiting[key]
            heard = 0
            is_more = False
            try:
                await self._quiet_moment(waiting)
                heard = waiting.events
                is_more = await read(key, waiting)
            except DatabaseError as error:
                _log.warning("an extraction waits for the database: %s", type(error).__name__)
            except Exception:
                _log.exception("an extraction failed; its events stay and are tried again")
            finally:
                del self._waiting[key]
                if is_more or waiting.events > heard:  # said while it was being read, or too much
                    self.expect(key, waiting.sources, is_open=waiting.is_open)
                self._queue.task_done()

    async def emptied(self) -> None:
        """Have everything read at once, without waiting for quiet, and return when it is."""
        self._hurry.set()
        try:
            await self._queue.join()
        finally:
            self._hurry.clear()

    async def _quiet_moment(self, waiting: Waiting) -> None:
        while (wait := waiting.ready_at - self._clock.monotonic()) > 0:
            if self._hurry.is_set():
                break
            await self._sleep_unless_hurried(wait)

    async def _sleep_unless_hurried(self, seconds: float) -> None:
        waits = {
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(self._hurry.wait()),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
