"""The scheduled jobs: daily pruning, the heartbeat, and writing down what was recalled."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

import discord
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger
from discord.ext import commands

from cogs.answering import LINE_LOST
from utils.core import Core
from utils.errors import KithError
from utils.model.guild import Purpose
from utils.upkeep import STOPPED, latest_hour, with_shards

LATE_IS_FINE_S = 6 * 3600
HEARTBEAT_S = 30
DRIFT_HOUR = 5
WRITE_USES_S = 60

_log = logging.getLogger(__name__)


class Maintenance(commands.Cog):
    """Runs the jobs on time, and catches up at start with one that was missed.

    ``reconcile`` notes who is gone, before pruning erases those who have been for long.
    """

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        core: Core,
        reconcile: Callable[[], Awaitable[None]],
    ) -> None:
        self._bot = bot
        self._core = core
        self._reconcile = reconcile
        self._catching_up: asyncio.Task[None] | None = None
        self._seen_to: datetime | None = None  # the last pruning hour that this process knows of
        self._scheduler = AsyncIOScheduler(
            timezone="UTC",
            job_defaults={
                "coalesce": True,
                "max_instances": 1,
                "misfire_grace_time": LATE_IS_FINE_S,
            },
        )

    async def cog_load(self) -> None:
        """Start the schedule."""
        # Every hour, so that what failed, or whoever was at it and died, is no day's loss.
        self._scheduler.add_job(self.prune_if_due, CronTrigger(minute=0, timezone="UTC"))
        self._scheduler.add_job(self.check_drift, CronTrigger(hour=DRIFT_HOUR, timezone="UTC"))
        self._scheduler.add_job(self.beat, IntervalTrigger(seconds=HEARTBEAT_S))
        self._scheduler.add_job(self.write_uses, IntervalTrigger(seconds=WRITE_USES_S))
        self._scheduler.start()
        self._catching_up = asyncio.create_task(self._catch_up(), name="catch up")

    async def cog_unload(self) -> None:
        """Stop the schedule; a job under way is broken off between two of its batches."""
        self._scheduler.shutdown(wait=False)
        if self._catching_up is not None:
            self._catching_up.cancel()
            await asyncio.gather(self._catching_up, return_exceptions=True)
        await self._leave_sign(STOPPED)

    async def prune_if_due(self) -> None:
        """Do the daily pruning if its hour has come and no process has done it since.

        Where another has, this one still notes, once, who is gone of its own servers.
        """
        due_at = latest_hour(self._core.clock.now(), self._core.settings.prune_hour_utc)
        try:
            is_due = await self._core.upkeep.prune_is_due(due_at)
        except KithError as error:
            _log.error("the last pruning could not be looked up: %s", error)
            return
        is_new_day = self._seen_to is not None and self._seen_to < due_at
        self._seen_to = due_at
        if is_due or is_new_day:
            await self.prune(due_at)

    async def prune(self, due_at: datetime | None = None) -> None:
        """Prune, and tell the moderators' log channels what was removed, in numbers.

        With ``due_at``, not what another process has done since then, for all servers.
        """
        await self._reconcile()
        try:
            report = await self._core.upkeep.prune(due_at)
        except KithError as error:
            _log.error(
                "pruning failed, and is tried again in an hour or at the next start: %s", error
            )
            return
        for guild_id in report.guild_ids if report else ():
            text = f"Daily tidying: {report.for_guild(guild_id)}." if report else ""
            try:
                await self._tell_moderators(guild_id, text)
            except KithError as error:
                _log.warning("a report was not delivered: %s", type(error).__name__)

    async def beat(self) -> None:
        """Leave a sign of life for ``doctor --live``."""
        latency = self._bot.latency
        is_connected = self._bot.is_ready() and latency == latency and latency < float("inf")
        state = f"connected, latency {latency * 1000:.0f} ms" if is_connected else "not connected"
        count = self._bot.shard_count or 1
        ids = range(count) if self._bot.shard_ids is None else self._bot.shard_ids
        await self._leave_sign(with_shards(state, ids, count))

    async def _leave_sign(self, state: str) -> None:
        try:
            await self._core.upkeep.beat(state)
        except KithError as error:
            _log.warning("no sign of life could be left: %s", error)

    async def write_uses(self) -> None:
        """Write down what was recalled, and what else happened, since the last time."""
        core = self._core
        for write in (core.reader.write_uses, core.tally.write, core.shadow.write):
            try:
                await write()
            except KithError as error:
                _log.warning("what was recalled could not be counted: %s", error)

    async def check_drift(self) -> None:
        """Look whether recall's last change of policy was one for the worse."""
        try:
            _log.info("drift: %s", await self._core.drift.check())
        except KithError as error:
            _log.warning("drift could not be looked for: %s", error)

    async def _catch_up(self) -> None:
        await self._bot.wait_until_ready()
        await self.beat()
        await self.prune_if_due()

    async def _tell_moderators(self, guild_id: int, text: str) -> None:
        settings = await self._core.guilds.get(guild_id)
        for place in settings.channels_for(Purpose.LOG):
            channel = self._bot.get_partial_messageable(place.channel_id, guild_id=guild_id)
            try:
                await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
            except (discord.HTTPException, *LINE_LOST) as error:
                _log.warning("log channel %d refused: %s", place.channel_id, type(error).__name__)
