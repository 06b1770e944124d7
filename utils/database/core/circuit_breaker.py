"""Circuit breaker: while the database is unavailable, units of work fail at once.

It opens when a unit of work has run out of patience, and closes when a probe succeeds. Units that
already queue for a thread are refused too.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from utils.common.clock import Clock
from utils.common.errors import DatabaseUnavailable
from utils.database.core.time_limits import SILENCE_S

PROBE_EVERY_S = 2.0

_log = logging.getLogger(__name__)


class Outage:
    """Whether the database is away for one kind of work (``words``: "reading", "writing").

    ``probe`` does a little of that work, and raises while it cannot be done.
    """

    def __init__(self, words: str, clock: Clock, probe: Callable[[], Awaitable[object]]) -> None:
        self._words = words
        self._clock = clock
        self._probe = probe
        self._sentence: str | None = None
        self._probing: asyncio.Task[None] | None = None

    @property
    def is_on(self) -> bool:
        """Whether the database is known to be away."""
        return self._sentence is not None

    def check(self) -> None:
        """Raise DatabaseUnavailable while the database is known to be away; any thread may ask."""
        if (sentence := self._sentence) is not None:
            raise DatabaseUnavailable(sentence)

    def begin(self, error: DatabaseUnavailable) -> None:
        """Refuse all work with this error's sentence until a probe succeeds."""
        if self._sentence is None:
            self._sentence = str(error)
            self._probing = asyncio.create_task(self._probe_until_back(), name="probe database")

    async def begin_if_silent(self, error: DatabaseUnavailable) -> None:
        """Begin if a probe has no answer in time either: it was not only one slow statement."""
        probing = asyncio.ensure_future(self._probe())
        await asyncio.wait([probing], timeout=SILENCE_S)
        if not probing.done() or probing.exception() is not None:
            self.begin(error)
        probing.cancel()

    async def close(self) -> None:
        """Stop probing."""
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)

    async def _probe_until_back(self) -> None:
        began_at = self._clock.monotonic()
        _log.error("the database is away for %s, until a probe succeeds", self._words)
        while True:
            try:
                await self._probe()
            except Exception as error:  # on any error, the database is not back
                _log.debug("a probe failed: %s", type(error).__name__)
                await self._clock.sleep(PROBE_EVERY_S)
                continue
            self._sentence = None
            gone_s = self._clock.monotonic() - began_at
            _log.warning("the database is back for %s after %.0f s", self._words, gone_s)
            return
