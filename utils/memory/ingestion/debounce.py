"""Collect what a member says within a few seconds into one burst, and wait until they pause."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from utils.common.clock import Clock
from utils.models.memory import Audience, Member

MAX_WAITING = 10_000
MAX_BURST_FACTOR = 5


@dataclass(frozen=True, slots=True)
class BurstKey:
    """The member and channel of a burst."""

    member: Member
    channel_id: int

    @property
    def lease(self) -> str:
        """The name of the lease under which the burst is extracted."""
        return f"extract:{self.member.guild_id}:{self.channel_id}:{self.member.user_id}"


@dataclass(slots=True)
class PendingBurst:
    """When to extract a burst (monotonic seconds), and who reads its channel."""

    ready_at: float
    latest_at: float
    audience: Audience
    events: int = 1


class Debouncer:
    """Holds each burst until its member pauses for ``quiet_s``, for at most five times as long."""

    def __init__(self, clock: Clock, quiet_s: float) -> None:
        self._clock = clock
        self._quiet_s = quiet_s
        self._pending: dict[BurstKey, PendingBurst] = {}
        self._queue: asyncio.Queue[BurstKey] = asyncio.Queue(MAX_WAITING)
        self._draining = asyncio.Event()

    @property
    def max_wait_s(self) -> float:
        """How long a burst waits at most, in seconds."""
        return self._quiet_s * MAX_BURST_FACTOR

    def __contains__(self, key: BurstKey) -> bool:
        return key in self._pending

    def schedule(self, key: BurstKey, audience: Audience) -> None:
        """Schedule a burst after a pause; further events postpone it, up to :attr:`max_wait_s`."""
        now = self._clock.monotonic()
        pending = self._pending.get(key)
        if pending is not None:
            pending.ready_at = min(now + self._quiet_s, pending.latest_at)
            pending.audience = replace(
                audience,
                sources=pending.audience.sources & audience.sources,
                is_open=pending.audience.is_open and audience.is_open,
            )
            pending.events += 1
        elif not self._queue.full():  # otherwise the sweep finds it in the database
            latest_at = now + self.max_wait_s
            self._pending[key] = PendingBurst(now + self._quiet_s, latest_at, audience)
            self._queue.put_nowait(key)

    async def process_next(
        self, process: Callable[[BurstKey, PendingBurst], Awaitable[bool]]
    ) -> None:
        """Wait until the next burst is ready, and process it; several workers may run at once.

        ``process`` returns whether more events of the burst may wait. If it raises, the events stay
        in the database.
        """
        key = await self._queue.get()
        pending = self._pending[key]
        processed = 0
        is_more = False
        try:
            await self._wait_for_pause(pending)
            processed = pending.events
            is_more = await process(key, pending)
        finally:
            del self._pending[key]
            if is_more or pending.events > processed:  # new events, or too many for one job
                self.schedule(key, pending.audience)
            self._queue.task_done()

    async def drain(self) -> None:
        """Extract all pending bursts now, without waiting for pauses; returns when done."""
        self._draining.set()
        try:
            await self._queue.join()
        finally:
            self._draining.clear()

    async def _wait_for_pause(self, pending: PendingBurst) -> None:
        while (wait_s := pending.ready_at - self._clock.monotonic()) > 0:
            if self._draining.is_set():
                break
            await self._sleep_unless_draining(wait_s)

    async def _sleep_unless_draining(self, seconds: float) -> None:
        waits = {
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(self._draining.wait()),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
