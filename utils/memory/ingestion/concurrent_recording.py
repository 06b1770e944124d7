"""Stores a message while its answer is prepared."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from utils.models.memory import RecordOutcome
from utils.runtime import stopping
from utils.runtime.metrics import CHAT, Metrics


class ConcurrentRecording:
    """Stores a message concurrently with an ``async with`` block, and at the latest before its end.

    Yields a future of the outcome. Hundreds of messages may wait for their answer, so that nothing
    else stays of one that is stored: no generator, no task.
    """

    __slots__ = "_guild_id", "_metrics", "_outcome", "_record", "_task"

    def __init__(
        self, record: Coroutine[Any, Any, RecordOutcome], metrics: Metrics, guild_id: int
    ) -> None:
        """``metrics`` counts a new message of the server when the block ends."""
        self._record = record
        self._task: asyncio.Task[RecordOutcome] | None = None
        self._metrics = metrics
        self._guild_id = guild_id

    async def __aenter__(self) -> asyncio.Future[RecordOutcome]:
        self._outcome = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._record, name="record")
        self._task.add_done_callback(self._finish)
        del self._record  # a coroutine keeps its memory to the end
        return self._outcome

    def _finish(self, task: asyncio.Task[RecordOutcome]) -> None:
        self._task = None
        if task.cancelled():
            self._outcome.cancel()
        elif (error := task.exception()) is not None:
            self._outcome.set_exception(error)
        else:
            self._outcome.set_result(task.result())

    async def __aexit__(self, *_: object) -> None:
        outcome = self._outcome
        if not outcome.done():
            await stopping.finish(asyncio.wait([outcome]))
        if not outcome.cancelled() and outcome.exception() is None and outcome.result():
            self._metrics.count_message(self._guild_id, CHAT)
