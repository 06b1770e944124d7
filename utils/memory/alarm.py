"""Waking whoever works in the background: soon after something is heard, else at each sweep."""

import asyncio

from utils.clock import Clock

SWEEP_EVERY_S = 30.0
GATHER_S = 3.0


class Alarm:
    """Lets one worker rest until there is something to do."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._woken = asyncio.Event()

    def ring(self) -> None:
        """Tell that something is new."""
        self._woken.set()

    async def rest(self) -> None:
        """Wait until something is new, and a moment more for what comes with it, or for the next
        sweep."""
        waits = {
            asyncio.ensure_future(self._woken.wait()),
            asyncio.ensure_future(self._clock.sleep(SWEEP_EVERY_S)),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._woken.is_set():
            await self._clock.sleep(GATHER_S)
            self._woken.clear()
