"""Rate limits: a cooldown for each member, one reply at a time in each channel."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.models.memory import Member

MAX_MEMBERS = 10_000


class TooSoon(BadInput):
    """A member wrote again within the cooldown; ``is_first`` if they were not told yet."""

    def __init__(self, wait_s: float, *, is_first: bool) -> None:
        super().__init__(
            "One thing at a time, please: ask me again in {seconds} s.",
            seconds=max(1, round(wait_s)),
        )
        self.is_first = is_first


class QueueFull(BadInput):
    """Too many messages wait in this channel; ``is_first`` if the channel was not told yet."""

    def __init__(self, waiting: int, *, is_first: bool) -> None:
        super().__init__(
            "I have {waiting} answers to give here already; please ask again in a moment.",
            waiting=waiting,
        )
        self.is_first = is_first


@dataclass(slots=True)
class _ChannelQueue:
    """A channel's queue: the message that is being answered holds the lock."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    full_was_reported: bool = False


class RateLimiter:
    """Admits messages: not too soon for a member, one at a time in a channel."""

    def __init__(self, clock: Clock, *, cooldown_s: float, queue_limit: int) -> None:
        self._clock = clock
        self._cooldown_s = cooldown_s
        self._queue_limit = queue_limit
        self._last: OrderedDict[Member, tuple[float, bool]] = OrderedDict()
        self._queues: dict[int, _ChannelQueue] = {}

    def check_cooldown(self, member: Member) -> None:
        """Start a member's cooldown. Raises TooSoon if the last one is not over."""
        now = self._clock.monotonic()
        last, was_reported = self._last.get(member, (-self._cooldown_s, False))
        wait_s = last + self._cooldown_s - now
        if wait_s > 0:
            self._last[member] = (last, True)
            raise TooSoon(wait_s, is_first=not was_reported)
        self._last[member] = (now, False)
        self._last.move_to_end(member)
        if len(self._last) > MAX_MEMBERS:
            self._last.popitem(last=False)

    @asynccontextmanager
    async def turn(self, channel_id: int) -> AsyncIterator[None]:
        """Wait until it is this message's turn in the channel. Raises QueueFull at once if full."""
        queue = self._queues.setdefault(channel_id, _ChannelQueue())
        if queue.waiting >= self._queue_limit:
            is_first, queue.full_was_reported = not queue.full_was_reported, True
            raise QueueFull(queue.waiting, is_first=is_first)
        queue.waiting += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.waiting -= 1
            queue.full_was_reported = False
            if not queue.waiting:
                self._queues.pop(channel_id, None)
