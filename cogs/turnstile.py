"""Who may speak next: a cooldown for each member, one reply at a time in each channel."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from utils.clock import Clock
from utils.errors import BadInput
from utils.model.memory import Member

MOST_REMEMBERED = 10_000


class TooSoon(BadInput):
    """A member wrote again within the cooldown; ``is_first`` asks to say so once."""

    def __init__(self, wait_s: float, *, is_first: bool) -> None:
        super().__init__(
            "One thing at a time, please: ask me again in {seconds} s.",
            seconds=max(1, round(wait_s)),
        )
        self.is_first = is_first


class QueueFull(BadInput):
    """Too many wait for an answer in this channel; ``is_first`` asks to say so once."""

    def __init__(self, waiting: int, *, is_first: bool) -> None:
        super().__init__(
            "I have {waiting} answers to give here already; please ask again in a moment.",
            waiting=waiting,
        )
        self.is_first = is_first


@dataclass(slots=True)
class _Line:
    """A channel's line: who is being answered holds the lock."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    said_full: bool = False


class Turnstile:
    """Lets messages through one by one."""

    def __init__(self, clock: Clock, *, cooldown_s: float, queue: int) -> None:
        self._clock = clock
        self._cooldown_s = cooldown_s
        self._queue = queue
        self._last: OrderedDict[Member, tuple[float, bool]] = OrderedDict()
        self._lines: dict[int, _Line] = {}

    def check_cooldown(self, member: Member) -> None:
        """Let a member speak if their cooldown is over. Raises TooSoon otherwise."""
        now = self._clock.monotonic()
        last, was_told = self._last.get(member, (-self._cooldown_s, False))
        wait_s = last + self._cooldown_s - now
        if wait_s > 0:
            self._last[member] = (last, True)
            raise TooSoon(wait_s, is_first=not was_told)
        self._last[member] = (now, False)
        self._last.move_to_end(member)
        if len(self._last) > MOST_REMEMBERED:
            self._last.popitem(last=False)

    @asynccontextmanager
    async def turn(self, channel_id: int) -> AsyncIterator[None]:
        """Wait until it is this message's turn in the channel. Raises QueueFull at once if full."""
        line = self._lines.setdefault(channel_id, _Line())
        if line.waiting >= self._queue:
            is_first, line.said_full = not line.said_full, True
            raise QueueFull(line.waiting, is_first=is_first)
        line.waiting += 1
        try:
            async with line.lock:
                yield
        finally:
            line.waiting -= 1
            line.said_full = False
            if not line.waiting:
                self._lines.pop(channel_id, None)
