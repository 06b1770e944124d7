"""Decisions about waiting memories, carried out after a few seconds in which they can be undone.

A rejection erases, so it can only be undone before it happens. A process that is killed meanwhile
decides nothing: the memory still waits.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from utils.common.clock import Clock
from utils.common.errors import KithError

UNDO_S = 8.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Pending:
    approve: bool
    carry_out: Callable[[], Awaitable[object]]
    timer: asyncio.Task[None]


@dataclass(eq=False, repr=False)
class PendingDecisions:
    """The decisions that can still be undone, by memory."""

    _clock: Clock
    _pending: dict[int, _Pending] = field(default_factory=dict, init=False)
    _begun: set[int] = field(default_factory=set, init=False)

    def __getitem__(self, memory_id: int) -> bool | None:
        """Return whether a memory is about to be approved (True) or rejected; None: neither."""
        pending = self._pending.get(memory_id)
        return None if pending is None else pending.approve

    def add(
        self, memory_id: int, carry_out: Callable[[], Awaitable[object]], *, approve: bool
    ) -> None:
        """Carry out a decision later, in place of an earlier one about the same memory."""
        self.undo(memory_id)
        if memory_id in self._pending:  # the earlier one is being carried out
            return
        timer = asyncio.create_task(self._wait(memory_id), name=f"decision on #{memory_id}")
        self._pending[memory_id] = _Pending(approve, carry_out, timer)

    def undo(self, memory_id: int) -> bool:
        """Drop a decision; False if there is none, or if it is being carried out."""
        if memory_id in self._begun or memory_id not in self._pending:
            return False
        self._pending.pop(memory_id).timer.cancel()
        return True

    async def carry_out_all(self) -> None:
        """Carry out every decision now."""
        while self._pending:  # others end, or are undone, while one is carried out
            memory_id, pending = next(iter(self._pending.items()))
            if memory_id in self._begun:
                await pending.timer
            else:
                pending.timer.cancel()
                await self._carry_out(memory_id)

    async def _wait(self, memory_id: int) -> None:
        await self._clock.sleep(UNDO_S)
        await self._carry_out(memory_id)

    async def _carry_out(self, memory_id: int) -> None:
        self._begun.add(memory_id)
        try:
            await self._pending[memory_id].carry_out()
        except KithError as error:
            _log.warning("a decision was not carried out, the memory still waits: %s", error)
        except Exception:
            _log.exception("a decision was not carried out, the memory still waits")
        finally:
            self._begun.discard(memory_id)
            del self._pending[memory_id]
