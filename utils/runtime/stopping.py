"""How the process stops: one request to stop, and a deadline at which it ends in any case."""

import asyncio
import logging
import math
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from utils.common.clock import Clock

# compose.yaml, docs/deployment.md and docs/operations.md promise that a stop takes 60 s at most:
# Docker, systemd and Kubernetes kill the process then.
STOP_DEADLINE_S = 58.0
ANSWERS_S = 50.0  # of these, for the answers under way
FORCED_EXIT = 1
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_log = logging.getLogger(__name__)


class _Closable(Protocol):
    async def close(self) -> None: ...


T = TypeVar("T")
C = TypeVar("C", bound=_Closable)


@asynccontextmanager
async def closed_after(service: C) -> AsyncIterator[C]:
    """Close a service when the block ends, however it ends."""
    try:
        yield service
    finally:
        await service.close()


def start_kept(work: Coroutine[Any, Any, object], name: str, kept: set[asyncio.Task[Any]]) -> None:
    """Start a task, and keep it in a set until it ends: asyncio itself forgets it."""
    task = asyncio.create_task(work, name=name)
    kept.add(task)
    task.add_done_callback(kept.discard)


async def cancel(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel these tasks, of those there are, and return once they have ended.

    A caller that is cancelled itself leaves at once, and cancels no task a second time, so tasks
    that end each other do not wait for each other.
    """
    running = [task for task in tasks if task is not None]
    for task in running:
        task.cancel()
    if running:
        # Awaited itself, it would hand the caller's cancellation on, and keep the caller.
        await asyncio.wait([asyncio.gather(*running, return_exceptions=True)])


async def finish(action: Awaitable[T], limit_s: float = math.inf) -> T:
    """Return what an action returns, once it has ended, however often the caller is cancelled.

    Raises CancelledError in the end if the caller was cancelled. From then on the action has
    ``limit_s`` seconds.
    """
    task = asyncio.ensure_future(action)
    now = asyncio.get_running_loop().time
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        deadline = now() + limit_s
        while not task.done() and (remaining_s := deadline - now()) > 0:
            with suppress(asyncio.CancelledError):  # it is raised again below
                await asyncio.wait([task], timeout=remaining_s)
        is_done = task.done()
        task.cancel()
        if is_done and not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not complain
        raise


@dataclass(eq=False, repr=False)
class StopRequest:
    """Asks the process to stop; it may be asked before anything waits for it."""

    _clock: Clock
    _requested: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _requested_at: float | None = field(default=None, init=False)

    def request(self) -> None:
        """Ask for the stop; the deadline begins."""
        self._requested_at = self._clock.monotonic()
        self._requested.set()
        # The event loop or a thread may hang.
        timer = threading.Timer(STOP_DEADLINE_S, _end_process)
        timer.daemon = True
        timer.start()

    async def wait(self) -> None:
        """Return once the stop is requested."""
        await self._requested.wait()

    def left_s(self) -> float:
        """Return the seconds until the deadline; all of them if no stop was requested."""
        if self._requested_at is None:
            return STOP_DEADLINE_S
        return max(0.0, self._requested_at + STOP_DEADLINE_S - self._clock.monotonic())


def on_signals(action: Callable[[], object], signals: Sequence[int] = STOP_SIGNALS) -> None:
    """Call ``action`` in the running loop on these signals; Windows supports only Ctrl-C."""
    with suppress(NotImplementedError):
        for number in signals:
            asyncio.get_running_loop().add_signal_handler(number, action)


def end_at_next_signal() -> None:
    """From now on, Ctrl-C or SIGTERM ends the process at once; the stored data is safe."""
    with suppress(NotImplementedError):
        for number in STOP_SIGNALS:
            asyncio.get_running_loop().remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)


def _end_process() -> None:
    _log.error("not everything ended in time; the process ends now, and stored data is safe")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(FORCED_EXIT)
