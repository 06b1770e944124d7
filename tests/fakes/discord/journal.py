"""What happened, in order, and waiting for it: every wait in the fake goes through here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from .errors import FakeTimeout

PATIENCE_S = 30.0  # nothing takes so long, but on a busy machine more than one would think
LOOK_EVERY_S = 0.02
T = TypeVar("T")


class Journal:
    """A list of sentences about what happened, and the tests that wait for the next one."""

    def __init__(self, *, told_on_timeout: int = 40) -> None:
        self.lines: list[str] = []
        self._told_on_timeout = told_on_timeout
        self._waiters: set[asyncio.Future[None]] = set()

    def note(self, line: str) -> None:
        """Write down what happened and wake everybody who waits."""
        self.lines.append(line)
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self, look: Callable[[], T | None], what: str, within_s: float) -> T:
        """Return the first value of ``look()`` that is neither None nor False.

        Raises
        ------
        FakeTimeout
            It did not come within the time; the text tells what did happen.
        """
        started = len(self.lines)
        try:
            async with asyncio.timeout(within_s):
                while True:
                    found = look()
                    if found is not None and found is not False:
                        return found
                    waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                    self._waiters.add(waiter)
                    try:  # what is looked at may be no request
                        await asyncio.wait([waiter], timeout=LOOK_EVERY_S)
                    finally:
                        self._waiters.discard(waiter)
        except TimeoutError:
            raise FakeTimeout(self._story(what, within_s, started)) from None

    def _story(self, what: str, within_s: float, started: int) -> str:
        shown = self.lines[-self._told_on_timeout :]
        first = len(self.lines) - len(shown)
        told = [f"{'  ' if first + i < started else '> '}{line}" for i, line in enumerate(shown)]
        story = "\n".join(told) or "(nothing at all)"
        return f"waited {within_s:g} s for {what}; what happened (> while waiting):\n{story}"
