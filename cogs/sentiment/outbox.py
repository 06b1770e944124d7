"""What waits to be posted or updated: each once, at once or after a while, so that a burst of
scores edits a post now and then instead of each time."""

import asyncio

from utils.clock import Clock

Key = tuple[int, int]


class Outbox:
    """Keys with the time at which each is due; whoever is put again comes no later."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due: dict[Key, float] = {}
        self._wake = asyncio.Event()

    def put(self, key: Key, within_s: float) -> None:
        """Let a key be due in so many seconds, unless it is due earlier already."""
        due = self._clock.monotonic() + within_s
        self._due[key] = min(due, self._due.get(key, due))
        self._wake.set()

    async def get(self) -> Key:
        """Wait for the next key that is due, and take it."""
        while True:
            key = min(self._due, key=self._due.__getitem__, default=None)
            nap_s = None if key is None else self._due[key] - self._clock.monotonic()
            if key is not None and nap_s is not None and nap_s <= 0:
                del self._due[key]
                return key
            await self._nap(nap_s)

    async def _nap(self, seconds: float | None) -> None:
        """Wait so long (None: for ever), or until something is put."""
        self._wake.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return
