"""Maintenance of a process: daily pruning, heartbeats, and synchronised slash commands."""

import logging
import os
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from utils.common.shards import format_shards, parse_shards
from utils.database.admin import jobs, token_usage
from utils.database.admin.jobs import Heartbeat
from utils.database.admin.leases import MAX_CLOCK_DIFFERENCE
from utils.database.admin.token_usage import DailyTokenUse
from utils.database.core.engine import Database, as_method
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy.prune_report import REASONS, PruneReport
from utils.memory.privacy.pruning import (
    MAX_NIGHTLY_SCRUB_BYTES,
    PRUNE_JOB,
    check_clock,
    prune,
)
from utils.memory.privacy.retention import Retention
from utils.runtime.leases import LEASE_WAIT_S
from utils.runtime.worker import Infrastructure, InfrastructureService

PRUNE_EVERY = timedelta(days=1)
ALIVE_FOR = timedelta(seconds=35)  # three heartbeats may be missed
STOPPED = "stopped"
_SHARDS = ", shards "
_OF = " of "
_MORE = ",…"
_MAX_STATE = 200  # units of Heartbeat.State

T = TypeVar("T")

_log = logging.getLogger(__name__)


def append_shards(state: str, ids: Iterable[int], count: int) -> str:
    """Return a heartbeat's state with the process's shards, clipped if it is too long. Pure."""
    if count == 1:
        return state
    begin, end, shards = f"{state}{_SHARDS}", f"{_OF}{count}", format_shards(ids)
    limit = _MAX_STATE - len(begin) - len(end)
    if len(shards) > limit:
        shards = shards[: shards.rindex(",", 0, limit - 1)] + _MORE
    return f"{begin}{shards}{end}"


def served(heartbeats: Iterable[Heartbeat]) -> set[int]:
    """Return the shards of these heartbeats. Pure."""
    return {shard for heartbeat in heartbeats for shard in _shards_of(heartbeat)[0]}


def unserved(heartbeats: Sequence[Heartbeat]) -> set[int]:
    """Return the shards that no heartbeat has; empty if one of them is clipped. Pure."""
    if any(_MORE in heartbeat.state for heartbeat in heartbeats):
        return set()
    return set(
        range(max((_shards_of(heartbeat)[1] for heartbeat in heartbeats), default=0))
    ) - served(heartbeats)


def _shards_of(heartbeat: Heartbeat) -> tuple[tuple[int, ...], int]:
    """Return the shards of a process and the total; empty if it has all of them."""
    ids, separator, count = heartbeat.state.partition(_SHARDS)[2].partition(_OF)
    return (parse_shards(ids.removesuffix(_MORE)), int(count)) if separator else ((), 0)


class JobRuns(InfrastructureService):
    """Runs jobs under their lease, and stores heartbeats and command syncs.

    ``retention`` applies Discord's edits and deletions of messages, channels, members and servers.
    """

    def __init__(
        self,
        infrastructure: Infrastructure,
        rules: WriteRules,
    ) -> None:
        super().__init__(infrastructure)
        self._rules = rules
        self._running: set[str] = set()  # the lease keeps out other processes, not this one
        for reason in REASONS:  # so that the first row shows as a rise
            self._metrics.pruned.labels(reason)
        self.retention = Retention(self._database, self._clock)
        self.host = socket.gethostname()[:60]
        self._process = f"{self.host}:{os.getpid()}"

    async def prune(
        self,
        due_at: datetime | None = None,
        *,
        is_awaited: bool = False,
        trusts_clock: bool = False,
    ) -> PruneReport | None:
        """Prune once for all processes; None if another process does or did it.

        Raises ClockJumped if nothing was removed because the clock has jumped.

        Args:
            due_at: what another process has done since then is not done again.
            is_awaited: an operator waits for it, so it waits for the lease of a process that was
                killed, and rebuilds a database file of any size.
            trusts_clock: whether a jump of the clock does not matter.
        """
        if not trusts_clock:
            await check_clock(self._database, self._clock.now())

        async def run() -> PruneReport:
            await self.retention.finish_temporary_defaults()
            return await prune(
                self._database,
                self._clock,
                self._rules.policy,
                rebuild_up_to_bytes=sys.maxsize if is_awaited else MAX_NIGHTLY_SCRUB_BYTES,
            )

        report = await self.run_once(
            PRUNE_JOB, run, due_at, wait_s=LEASE_WAIT_S if is_awaited else 0.0
        )
        if report is not None:
            self._metrics.count_pruned(report.by_reason)
            _log.info("pruned: %s", report)
        return report

    async def run_once(
        self,
        name: str,
        run: Callable[[], Awaitable[T]],
        due_at: datetime | None = None,
        *,
        wait_s: float = 0.0,
    ) -> T | None:
        """Run a job that one process does for all, and record its success; returns its report.

        Returns None if it is running, in another process for longer than ``wait_s``, or with
        ``due_at``, if it has run since then.
        """
        if name in self._running:
            return None
        self._running.add(name)
        try:
            async with self._leases.hold(name, wait_s) as fence:
                if fence is None or (due_at is not None and not await self.is_due(name, due_at)):
                    return None
                report = await run()
                await self._database.write(
                    jobs.record_success,
                    name=name,
                    at=self._clock.now(),
                    report="" if report is None else str(report),
                )
            return report
        finally:
            self._running.discard(name)

    async def is_due(self, name: str, due_at: datetime) -> bool:
        """Whether a job has not succeeded since ``due_at``, in any process.

        A success dated in the future by a wrong clock does not count.
        """
        last = await self.last_success(name)
        return last is None or not due_at <= last.at < self._clock.now() + PRUNE_EVERY

    last_success = as_method(Database.read, jobs.last_success)

    async def record_heartbeat(self, state: str) -> None:
        """Store a heartbeat; ``state`` is one short line."""
        await self._database.write(
            jobs.record_heartbeat, process=self._process, at=self._clock.now(), state=state
        )

    async def heartbeats(self) -> tuple[list[Heartbeat], list[Heartbeat]]:
        """Return the last heartbeats, newest first: of running processes, and of all others.

        One dated in the future by a wrong clock is of a process that has ended.
        """
        latest, now = await self._database.read(jobs.heartbeats), self._clock.now()
        running = [
            beat
            for beat in latest
            if now - ALIVE_FOR <= beat.at <= now + MAX_CLOCK_DIFFERENCE and beat.state != STOPPED
        ]
        return running, [beat for beat in latest if beat not in running]

    async def usage(self, guild_id: int | None, days: int) -> list[DailyTokenUse]:
        """Return the tokens used in the last ``days`` (today included) by day and purpose.

        ``guild_id`` None: in all servers.
        """
        return await self._database.read(
            token_usage.by_day,
            guild_id=guild_id,
            since=self._clock.now().date() - timedelta(days=days - 1),
        )

    async def have_commands_changed(self, application_id: int, payload_hash: str) -> bool:
        """Whether the slash commands differ from the last synchronised ones."""
        synced = await self._database.read(jobs.synced_hash, application_id=application_id)
        return synced != payload_hash

    record_command_sync = as_method(Database.write, jobs.record_sync)
