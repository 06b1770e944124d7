"""How a silent database is noticed, and the circuit breaker that then refuses units of work.

A unit's login and its first statement end with its patience. Later statements may take
QUERY_TIMEOUT_S each. A frozen server takes some six seconds more, in which Microsoft's driver waits
for it to confirm that a statement is cancelled: less patience would give up on servers that are
only slow. The breaker opens when a unit has run out of patience, and closes when a probe
succeeds. Units that already queue for a thread are refused too.
"""

import asyncio
import logging
import math
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Engine, event

from utils.common.clock import Clock
from utils.common.errors import DatabaseUnavailable

LOGIN_TIMEOUT_S = 10
QUERY_TIMEOUT_S = 30
SILENCE_S = 2  # kept for finding out whether only this statement is slow
_LIMITED = "is limited"
PROBE_EVERY_S = 2.0
_log = logging.getLogger(__name__)


_patience = threading.local()


def set_patience(left_s: Callable[[], float]) -> None:
    """Set how many seconds are left for the unit of work that this thread runs next."""
    _patience.left_s = left_s


def limit_waits(engine: Engine) -> None:
    """Let logins, pings and first statements wait no longer than the patience that is left."""
    event.listen(engine, "do_connect", _limit_login)
    # First: SQLAlchemy prepares a new connection with statements of its own.
    event.listen(engine, "connect", _limit_preparation, insert=True)
    event.listen(engine, "checkout", _limit_first_statement)
    event.listen(engine, "after_cursor_execute", _lift_limit)


def _wait_s(limit_s: int, spare_s: int = 0) -> int:
    """Return a timeout for the driver: it counts whole seconds, and takes 0 for no limit."""
    left_s = getattr(_patience, "left_s", lambda: math.inf)()
    return max(1, int(min(limit_s, left_s - spare_s)))


def _limit_login(_dialect: object, _record: object, _args: object, options: dict[str, Any]) -> None:
    options["timeout"] = _wait_s(LOGIN_TIMEOUT_S)


def _limit_preparation(connection: Any, _record: object) -> None:
    connection.timeout = _wait_s(QUERY_TIMEOUT_S, SILENCE_S)


def _limit_first_statement(connection: Any, record: Any, _proxy: object) -> None:
    connection.timeout = _wait_s(QUERY_TIMEOUT_S, SILENCE_S)
    record.info[_LIMITED] = True


def _lift_limit(connection: Any, *_: object) -> None:
    if connection.info.pop(_LIMITED, False):
        connection.connection.driver_connection.timeout = QUERY_TIMEOUT_S


class Outage:
    """Whether the database is away for one kind of work (``words``: "reading", "writing").

    ``probe`` does a little of that work, and raises while it cannot be done. ``over`` is set while
    the database is not known to be away.
    """

    def __init__(self, words: str, clock: Clock, probe: Callable[[], Awaitable[object]]) -> None:
        self._words = words
        self._clock = clock
        self._probe = probe
        self._sentence: str | None = None
        self._probing: asyncio.Task[None] | None = None
        self.over = asyncio.Event()
        self.over.set()

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
            self.over.clear()
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
            self.over.set()
            gone_s = self._clock.monotonic() - began_at
            _log.warning("the database is back for %s after %.0f s", self._words, gone_s)
            return
