"""What is done on schedule: daily pruning, the heartbeat, and writing down what was counted."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

import discord
from discord.ext import commands

from cogs.answering import LINE_LOST
from cogs.connection import latency_s
from cogs.jobs import DAY, HOUR, Duty, Timetable
from utils.core import Core
from utils.errors import KithError
from utils.model.guild import Purpose
from utils.upkeep import PRUNE, STOPPED, with_shards

HEARTBEAT_EVERY = timedelta(seconds=30)
WRITE_USES_EVERY = timedelta(minutes=1)
LEDGER_EVERY = timedelta(seconds=30)
DRIFT_HOUR = 5

_log = logging.getLogger(__name__)


class Maintenance(commands.Cog):
    """Runs the jobs on time, and catches up at start with one that was missed.

    ``reconcile`` notes who is gone, before pruning erases those who have been for long. ``jobs`` is
    what the dashboard shows of them.
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
        self.jobs = Timetable(core.clock, core.upkeep, core.metrics)
        hour = core.settings.prune_hour_utc
        self.jobs.add(
            Duty(PRUNE, DAY, self.prune, is_shared=True, hour=hour), tick=self.prune_if_due
        )
        self.jobs.each("heartbeat", HEARTBEAT_EVERY, self.beat)
        self.jobs.each("uses", WRITE_USES_EVERY, self.write_uses)
        self.jobs.each("ledger", LEDGER_EVERY, core.ledger.mirror)
        self.jobs.shared("census", HOUR, core.census.refresh)
        self.jobs.shared("drift", DAY, core.drift.check, hour=DRIFT_HOUR)

    async def cog_load(self) -> None:
        """Start the schedule."""
        self._core.health.watch(gateway=partial(latency_s, self._bot), late_jobs=self.jobs.late)
        self.jobs.start()
        self._catching_up = asyncio.create_task(self._catch_up(), name="catch up")

    async def cog_unload(self) -> None:
        """Stop the schedule; a job under way is broken off between two of its batches."""
        self.jobs.close()
        if self._catching_up is not None:
            self._catching_up.cancel()
            await asyncio.gather(self._catching_up, return_exceptions=True)
        try:
            await self._core.upkeep.beat(STOPPED)
        except KithError as error:
            _log.warning("no sign of life could be left: %s", error)

    async def prune_if_due(self) -> None:
        """Do the daily pruning if its hour has come and no process has done it since.

        Where another has, this one still notes, once, who is gone of its own servers.
        """
        due_at = self.jobs.due_at(PRUNE)
        is_new_day = self._seen_to is not None and self._seen_to < due_at
        if await self.jobs.run_if_due(PRUNE, anyway=is_new_day):
            self._seen_to = due_at

    async def prune(self, due_at: datetime | None = None) -> str | None:
        """Prune, and tell the moderators' log channels what was removed, in numbers.

        With ``due_at``, not what another process has done since then, for all servers. Returns what
        was removed; None where another process is at it, or has done it. Raises DatabaseError.
        """
        await self._reconcile()
        report = await self._core.upkeep.prune(due_at)
        if report is None:
            return None
        for guild_id in report.guild_ids:
            try:
                await self._tell_moderators(
                    guild_id, f"Daily tidying: {report.for_guild(guild_id)}."
                )
            except KithError as error:
                _log.warning("a report was not delivered: %s", type(error).__name__)
        return str(report)

    async def beat(self) -> str:
        """Leave a sign of life for ``doctor --live``; returns it. Raises DatabaseError."""
        latency = latency_s(self._bot)
        state = "not connected"
        if latency is not None:
            state = f"connected, latency {latency * 1000:.0f} ms"
        count = self._bot.shard_count or 1
        ids = range(count) if self._bot.shard_ids is None else self._bot.shard_ids
        state = with_shards(state, ids, count)
        await self._core.upkeep.beat(state)
        return state

    async def write_uses(self) -> str:
        """Write down what was recalled, and what else happened, since the last time.

        Raises DatabaseError.
        """
        try:
            await self._core.reader.write_uses()
        finally:
            try:
                await self._core.tally.write()
            finally:
                await self._core.shadow.write()
        return "written"

    async def _catch_up(self) -> None:
        await self._bot.wait_until_ready()
        await self.jobs.catch_up()

    async def _tell_moderators(self, guild_id: int, text: str) -> None:
        settings = await self._core.guilds.get(guild_id)
        for place in settings.channels_for(Purpose.LOG):
            channel = self._bot.get_partial_messageable(place.channel_id, guild_id=guild_id)
            try:
                await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
            except (discord.HTTPException, *LINE_LOST) as error:
                _log.warning("log channel %d refused: %s", place.channel_id, type(error).__name__)
