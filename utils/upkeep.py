"""What a process does besides talking: daily pruning, a heartbeat, what it synchronised."""

import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from utils.clock import Clock
from utils.database import jobs, usage
from utils.database.engine import Database
from utils.database.jobs import Beat, JobSuccess
from utils.database.usage import DayUse
from utils.leases import Leases
from utils.memory.policy import WritePolicy
from utils.memory.pruning import PruneReport, prune
from utils.memory.retention import Retention
from utils.metrics import Metrics
from utils.shards import parse_shards, shards_in_words

PRUNE = "prune"
PRUNE_EVERY = timedelta(days=1)
ALIVE_FOR = timedelta(seconds=90)
STOPPED = "stopped"
_SHARDS = ", shards "
_OF = " of "
_MORE = ",…"
_MOST_STATE = 200  # units of Heartbeat.State

T = TypeVar("T")

_log = logging.getLogger(__name__)


def with_shards(state: str, ids: Iterable[int], count: int) -> str:
    """Return a state that tells which of several shards a process has, as far as it fits. Pure."""
    if count == 1:
        return state
    begin, end, told = f"{state}{_SHARDS}", f"{_OF}{count}", shards_in_words(ids)
    room = _MOST_STATE - len(begin) - len(end)
    if len(told) > room:
        told = told[: told.rindex(",", 0, room - 1)] + _MORE
    return f"{begin}{told}{end}"


def served(beats: Iterable[Beat]) -> set[int]:
    """Return the shards that these signs of life tell of. Pure."""
    return {shard for beat in beats for shard in _told(beat)[0]}


def unserved(beats: Sequence[Beat]) -> set[int]:
    """Return the shards that none of these signs of life tells of; none if one is clipped. Pure."""
    if any(_MORE in beat.state for beat in beats):
        return set()
    return set(range(max((_told(beat)[1] for beat in beats), default=0))) - served(beats)


def _told(beat: Beat) -> tuple[tuple[int, ...], int]:
    """Return the shards that a process has, and how many there are; none where it has all."""
    ids, found, count = beat.state.partition(_SHARDS)[2].partition(_OF)
    return (parse_shards(ids.removesuffix(_MORE)), int(count)) if found else ((), 0)


class Upkeep:
    """Runs the daily job under its lease, and keeps the process's own few rows.

    ``retention`` carries out what happens on Discord: edits, places, members and servers that go.
    ``read_only`` lets the daily job erase and write nothing else of memory.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        policy: WritePolicy,
        *,
        read_only: bool = False,
        metrics: Metrics | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._policy = policy
        self._read_only = read_only
        self._metrics = metrics or Metrics(clock)
        self._metrics.expect_pruned(one.name for one in fields(PruneReport))
        self.retention = Retention(database, clock)
        self.host = socket.gethostname()[:60]
        self._process = f"{self.host}:{os.getpid()}"

    async def prune(self, due_at: datetime | None = None) -> PruneReport | None:
        """Prune as :meth:`once` does a job; None when another process is at it, or has done it."""
        report = await self.once(PRUNE, self._prune, due_at)
        if report is not None:
            self._metrics.pruned(report.by_reason)
            _log.info("pruned: %s", report)
        return report

    async def _prune(self) -> PruneReport:
        return await prune(self._database, self._clock, self._policy, read_only=self._read_only)

    async def once(
        self, name: str, do: Callable[[], Awaitable[T]], due_at: datetime | None = None
    ) -> T | None:
        """Do a job that one process does for all, and record the success; None when another is at
        it.

        With ``due_at``, also where one has done it since then: the same hour comes to all of them.
        """
        async with self._leases.hold(name) as fence:
            if fence is None or (due_at is not None and not await self.is_due(name, due_at)):
                return None
            report = await do()
            words = "" if report is None else str(report)
            await self._database.write(
                partial(jobs.record_success, name=name, at=self._clock.now(), report=words)
            )
        return report

    async def is_due(self, name: str, due_at: datetime) -> bool:
        """Whether a job has not succeeded since then, in any process.

        A success that is dated days ahead, by a clock that was wrong, does not count.
        """
        last = await self.last_success(name)
        return last is None or not due_at <= last.at < self._clock.now() + PRUNE_EVERY

    async def last_success(self, name: str) -> JobSuccess | None:
        """Return when a job last succeeded, in any process, and what it did. Raises DatabaseError.

        None: never.
        """
        return await self._database.read(partial(jobs.last_success, name=name))

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[bool]:
        """Do something on Discord that must not happen twice: yields whether nobody else is at it.

        Look anew, inside, whether it is still to be done.
        """
        async with self._leases.hold(name) as fence:
            yield fence is not None

    async def beat(self, state: str) -> None:
        """Leave a sign of life; ``state`` is one short line."""
        await self._database.write(
            partial(jobs.beat, process=self._process, at=self._clock.now(), state=state)
        )

    async def beats(self) -> tuple[list[Beat], list[Beat]]:
        """Return the last signs of life, newest first: of those that run, and of all others."""
        found = await self._database.read(jobs.beats)
        since = self._clock.now() - ALIVE_FOR
        running = [one for one in found if one.at >= since and one.state != STOPPED]
        return running, [one for one in found if one not in running]

    async def usage(self, guild_id: int | None, days: int) -> list[DayUse]:
        """Return what a server, or (None) all of them, spent in the last days, today included, by
        day and purpose."""
        since = self._clock.now().date() - timedelta(days=days - 1)
        return await self._database.read(partial(usage.by_day, guild_id=guild_id, since=since))

    async def commands_changed(self, application_id: int, payload_hash: str) -> bool:
        """Whether the slash commands differ from those that were synchronised last."""
        synced = await self._database.read(partial(jobs.synced_hash, application_id=application_id))
        return synced != payload_hash

    async def commands_synchronised(self, application_id: int, payload_hash: str) -> None:
        """Remember which slash commands Discord has."""
        await self._database.write(
            partial(jobs.record_sync, application_id=application_id, payload_hash=payload_hash)
        )
