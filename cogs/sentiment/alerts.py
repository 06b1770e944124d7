"""Alerts in the log channel: one for each incident, kept up to date, and what is pressed there.

Without a log channel, or where Kith may not write there, an alert waits for a day: it is posted
as soon as there is one, and /mod tension settings says so.
"""

import asyncio
import logging
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import discord
from discord.ext import commands

from cogs.answering import LINE_LOST, NO_PINGS, going_on
from cogs.localisation import tr
from cogs.sentiment import acting
from cogs.sentiment.alert_buttons import AlertButton, ChooseMember, Press, buttons_of
from cogs.sentiment.alert_words import alert_in_words, over_in_words
from cogs.sentiment.charts import Chart, Charts, as_file
from cogs.sentiment.outbox import Outbox
from utils.core import Core
from utils.errors import BadInput
from utils.model.alerts import KITH, NO_MEMBER, Act, Alert
from utils.model.guild import Purpose
from utils.model.watch import ScoredBatch, Subject
from utils.watching.alert_rules import automatic

CHART_HOURS = 12
UPDATED_EVERY_S = 20.0
TIDY_EVERY_S = 30.0
MOST_MINUTES = 10  # of an automatic time-out, whatever the settings say
ALERT_GONE = "This alert is gone: its time was over."
NOBODY_LEFT = "Its messages were deleted, so I can't tell whom it was about."
DECIDED = "<@{by}> was first: there is nothing left to do here."
DONE_ALREADY = "<@{by}> has done that already."
WHOM = "Whom is it for?"
DONE = {
    Act.TIME_OUT: "{member} is timed out for {amount} minutes.",
    Act.WARN: "{member} is asked to keep it friendly: {link}",
    Act.SLOW_MODE: "{channel} has slow mode now, {amount} seconds; its settings end it.",
    Act.OPEN_CASE: "A case is open: `/mod tension show` shows its members too, until it is closed.",
    Act.CLOSE_CASE: "The case is closed.",
    Act.DISMISS: "Dismissed.",
    Act.FALSE_ALARM: "Noted as a false alarm: `/mod tension settings` takes it into account.",
}
DECIDES = "Manage Server or Manage Messages"

_log = logging.getLogger(__name__)


class Alerts(commands.Cog):
    """Posts alerts, keeps them up to date, and carries out what moderators press."""

    def __init__(self, bot: commands.AutoShardedBot, core: Core, charts: Charts) -> None:
        self._bot = bot
        self._core = core
        self._charts = charts
        self._outbox = Outbox(core.clock)
        self._posting = asyncio.Lock()
        self._told_off: set[int] = set()
        self._unnoted: dict[int, tuple[int, int]] = {}  # alert -> channel, post
        self._tasks: list[asyncio.Task[None]] = []

    async def cog_load(self) -> None:
        """Answer the buttons of every alert, and begin to post."""
        self._bot.add_dynamic_items(AlertButton)
        self._core.watcher.on_scored(self.take)
        self._tasks = [
            asyncio.create_task(self._post_for_ever(), name="alert posts"),
            asyncio.create_task(self._tidy_for_ever(), name="alert tidying"),
        ]

    async def cog_unload(self) -> None:
        """Stop; what was not posted is, at the next start."""
        async with self._posting:  # what is being posted is noted, or it would come twice
            for task in self._tasks:
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._bot.remove_dynamic_items(AlertButton)
        self._charts.close()

    # --- scores --------------------------------------------------------------------------------

    async def take(self, batch: ScoredBatch) -> None:
        """Take an analysed batch: a new alert, one that goes on, or nothing."""
        recorded = await self._core.alerts.record(batch)
        if recorded is None:
            return
        await self._act_by_itself(batch, recorded.alert_id)
        key = (batch.guild_id, recorded.alert_id)
        self._outbox.put(key, 0.0 if recorded.is_new else UPDATED_EVERY_S)

    async def _act_by_itself(self, batch: ScoredBatch, alert_id: int) -> None:
        """Do what the server chose to happen automatically, or note what would have been done."""
        found = automatic(batch)
        guild = self._bot.get_guild(batch.guild_id)
        alert = await self._core.alerts.get(batch.guild_id, alert_id) if found else None
        if guild is None or alert is None:
            return
        still_there = {one.message_id for one in alert.messages}
        minutes = min(batch.settings.auto_minutes, MOST_MINUTES)
        for one in found:
            if one.message.message_id not in still_there:
                continue
            try:
                member = await acting.member_of(guild, one.message.author_id)
                if acting.is_moderator(member):
                    continue
                acting.may_time_out(member, None)
                if batch.settings.auto_dry_run:
                    await self._core.alerts.record_act(
                        alert, Act.WOULD_TIME_OUT, member.id, minutes
                    )
                elif await self._core.alerts.claim(
                    alert, Act.AUTO_TIME_OUT, member.id, KITH, minutes
                ):
                    await self._carry_out(alert, Act.AUTO_TIME_OUT, member, None, minutes)
            except (BadInput, discord.HTTPException, *LINE_LOST) as error:
                _log.info("no automatic time-out: %s", type(error).__name__)

    # --- posting -------------------------------------------------------------------------------

    async def _post_for_ever(self) -> None:
        await self._bot.wait_until_ready()
        while True:
            key = await self._outbox.get()
            await self._try_to_show(*key, chart=True)

    async def _try_to_show(self, guild_id: int, alert_id: int, *, chart: bool) -> None:
        with going_on("an alert could not be shown"):
            await self.show(guild_id, alert_id, chart=chart)

    async def show(self, guild_id: int, alert_id: int, *, chart: bool) -> None:
        """Post an alert, or let its post say what holds now."""
        async with self._posting:
            alert = await self._noted(guild_id, alert_id)
            guild = self._bot.get_guild(guild_id)
            if alert is None or guild is None:
                return
            if alert.post_id is not None:
                await self._edit(guild, alert, chart=chart)
            elif alert.is_undecided:
                await self._post(guild, alert)

    async def _noted(self, guild_id: int, alert_id: int) -> Alert | None:
        """Return an alert; a post of it that the database was away for is noted first."""
        alert = await self._core.alerts.get(guild_id, alert_id)
        post = self._unnoted.get(alert_id)
        if alert is not None and alert.post_id is None and post is not None:
            await self._core.alerts.note_post(alert, *post)
            alert = await self._core.alerts.get(guild_id, alert_id)
        self._unnoted.pop(alert_id, None)
        return alert

    async def _post(self, guild: discord.Guild, alert: Alert) -> None:
        settings = await self._core.guilds.get(guild.id)
        places = settings.channels_for(Purpose.LOG)
        channel = guild.get_channel(places[0].channel_id) if places else None
        if not isinstance(channel, discord.TextChannel | discord.VoiceChannel):
            self._complain(guild, "there is no log channel")
            return
        if not channel.permissions_for(guild.me).send_messages:
            self._complain(guild, "I may not write in the log channel")
            return
        if not await self._core.alerts.may_post(alert):
            return
        role_id = (await self._core.watch.settings(guild.id)).ping_role_id
        ping = f"<@&{role_id}> " if role_id else ""
        pinged: list[discord.abc.Snowflake] = [discord.Object(role_id)] if role_id else []
        mentions = discord.AllowedMentions(everyone=False, users=False, roles=pinged)
        posted = await channel.send(
            ping + alert_in_words(guild.preferred_locale, alert),
            view=buttons_of(alert, guild.preferred_locale) or discord.utils.MISSING,
            files=await self._pictures(guild, alert, channel),
            allowed_mentions=mentions,
            silent=role_id is None,
        )
        self._unnoted[alert.alert_id] = (channel.id, posted.id)
        await self._core.alerts.note_post(alert, channel.id, posted.id)
        del self._unnoted[alert.alert_id]
        self._told_off.discard(guild.id)

    async def _edit(self, guild: discord.Guild, alert: Alert, *, chart: bool) -> None:
        """Let a post say what holds now; one that is gone, or out of reach, is left alone."""
        channel = guild.get_channel(alert.post_channel_id or 0)
        locale = guild.preferred_locale
        changes: dict[str, Any] = {}
        try:
            if not isinstance(channel, discord.TextChannel | discord.VoiceChannel):
                return
            if chart and (pictures := await self._pictures(guild, alert, channel)):
                changes["attachments"] = pictures
            await channel.get_partial_message(alert.post_id or 0).edit(
                content=alert_in_words(locale, alert),
                view=buttons_of(alert, locale),
                allowed_mentions=NO_PINGS,
                **changes,
            )
        except discord.NotFound:  # somebody deleted it, and so wants to see it no more
            await self._core.alerts.close_deleted(alert)
        except discord.Forbidden as error:
            _log.warning("an alert can't be edited any more: %s", error.code)
        finally:
            await self._core.alerts.note_shown(alert)

    async def _pictures(
        self, guild: discord.Guild, alert: Alert, channel: discord.abc.GuildChannel
    ) -> list[discord.File]:
        """Return the chart of the channel's last hours, if one may be attached."""
        if not channel.permissions_for(guild.me).attach_files:
            return []
        settings = await self._core.watch.settings(guild.id)
        zone = ZoneInfo((await self._core.guilds.get(guild.id)).time_zone)
        place = Subject.channel(guild.id, alert.place_id)
        history = await self._core.drama.history(place, settings, CHART_HOURS)
        now = self._core.clock.now()
        chart = Chart(history, settings.tension_alert, now, zone, guild.preferred_locale)
        return [await as_file(self._charts, chart)]

    def _complain(self, guild: discord.Guild, why: str) -> None:
        """Say in the log, once, why a server's alerts wait."""
        if guild.id not in self._told_off:
            self._told_off.add(guild.id)
            _log.warning("alerts of server %d wait: %s", guild.id, why)

    # --- pressing ------------------------------------------------------------------------------

    async def press(
        self, interaction: discord.Interaction[Any], alert_id: int, press: Press
    ) -> None:
        """Carry out a press that has been deferred, and say what came of it."""
        guild, actor, alert = await self._pressed(interaction, alert_id)
        if alert.post_id is None and interaction.message is not None:
            # A process that stopped just then posted it, and could not note it any more.
            post = interaction.message
            await self._core.alerts.note_post(alert, post.channel.id, post.id)
        if press.act in (Act.TIME_OUT, Act.WARN):
            if press.act is Act.WARN:
                _need_to_decide(interaction)
            elif not interaction.permissions.moderate_members:
                raise BadInput(acting.YOU_LACK, permission="Time out members")
            members = await self._present(guild, alert)
            if len(members) > 1:
                view = ChooseMember(actor.id, self, alert_id, press, members, interaction.locale)
                text = tr(interaction.locale, WHOM)
                await interaction.followup.send(text, view=view, ephemeral=True)
                return
            said = await self.act_on(interaction, alert_id, press, members[0].id)
        elif press.act is Act.SLOW_MODE:
            said = await self._slow_down(interaction, alert, actor)
        else:
            said = await self._decide(interaction, alert, press.act)
        await interaction.followup.send(said, ephemeral=True, allowed_mentions=NO_PINGS)

    async def act_on(
        self, interaction: discord.Interaction[Any], alert_id: int, press: Press, user_id: int
    ) -> str:
        """Time out or warn a member, once; returns what came of it."""
        guild, actor, alert = await self._pressed(interaction, alert_id)
        member = await acting.member_of(guild, user_id)
        if press.act is Act.TIME_OUT:
            acting.may_time_out(member, actor)
        await self._claim(alert, press.act, user_id, actor.id, press.amount)
        link = await self._carry_out(alert, press.act, member, actor, press.amount)
        await self._try_to_show(guild.id, alert_id, chart=False)
        values = {"member": member.mention, "amount": press.amount, "link": link}
        return tr(interaction.locale, DONE[press.act], **values)

    async def _carry_out(
        self,
        alert: Alert,
        act: Act,
        member: discord.Member,
        actor: discord.Member | None,
        amount: int,
    ) -> str:
        """Do what has been claimed; returns a warning's link. Whatever fails can be tried again."""
        try:
            if act is Act.WARN:
                link = (await acting.warn(alert, member)).jump_url
            else:
                until = self._core.clock.now() + timedelta(minutes=amount)
                await acting.time_out(alert, member, actor, until)
                link = ""
        except BaseException:
            await self._core.alerts.release(alert, act, member.id)
            raise
        await self._core.alerts.finish(alert, act, member.id)
        return link

    async def _slow_down(
        self, interaction: discord.Interaction[Any], alert: Alert, actor: discord.Member
    ) -> str:
        await self._claim(alert, Act.SLOW_MODE, NO_MEMBER, actor.id, acting.SLOW_MODE_S)
        try:
            channel = await acting.slow_down(alert, actor)
        except BaseException:
            await self._core.alerts.release(alert, Act.SLOW_MODE, NO_MEMBER)
            raise
        await self._core.alerts.finish(alert, Act.SLOW_MODE, NO_MEMBER)
        await self._try_to_show(alert.guild_id, alert.alert_id, chart=False)
        values = {"channel": channel.mention, "amount": acting.SLOW_MODE_S}
        return tr(interaction.locale, DONE[Act.SLOW_MODE], **values)

    async def _decide(self, interaction: discord.Interaction[Any], alert: Alert, act: Act) -> str:
        _need_to_decide(interaction)
        if not await self._core.alerts.decide(alert, act, interaction.user.id):
            now = await self._core.alerts.get(alert.guild_id, alert.alert_id)
            raise BadInput(DECIDED, by=now.decided_by if now else KITH)
        await self._try_to_show(alert.guild_id, alert.alert_id, chart=False)
        return tr(interaction.locale, DONE[act])

    async def _pressed(
        self, interaction: discord.Interaction[Any], alert_id: int
    ) -> tuple[discord.Guild, discord.Member, Alert]:
        """Return where it was pressed, by whom, and the alert. Raises BadInput if it is decided."""
        guild, actor = interaction.guild, interaction.user
        if guild is None or not isinstance(actor, discord.Member):
            raise BadInput(ALERT_GONE)
        alert = await self._core.alerts.get(guild.id, alert_id)
        if alert is None:
            raise BadInput(ALERT_GONE)
        if not alert.is_undecided:
            await self._try_to_show(guild.id, alert_id, chart=False)
            raise BadInput(DECIDED, by=alert.decided_by)
        return guild, actor, alert

    async def _present(self, guild: discord.Guild, alert: Alert) -> list[discord.Member]:
        """Return whom an alert is about, as far as they are here. Raises BadInput for nobody."""
        found: list[discord.Member] = []
        for user_id in alert.member_ids[:10]:
            try:
                found.append(await acting.member_of(guild, user_id))
            except BadInput:
                if len(alert.member_ids) == 1:
                    raise
        if not found:
            raise BadInput(NOBODY_LEFT)
        return found

    async def _claim(
        self, alert: Alert, act: Act, user_id: int, actor_id: int, amount: int
    ) -> None:
        """Take an act on. Raises BadInput if somebody has done it, or is at it."""
        if not await self._core.alerts.claim(alert, act, user_id, actor_id, amount):
            now = await self._core.alerts.get(alert.guild_id, alert.alert_id)
            done = now.action(act, user_id) if now else None
            raise BadInput(DONE_ALREADY, by=done.actor_id if done else KITH)

    # --- tidying -------------------------------------------------------------------------------

    async def tidy(self) -> None:
        """Post what waits, mend posts that show too much, and end alerts whose time is over."""
        guild_ids = [guild.id for guild in self._bot.guilds]
        waiting = await self._core.alerts.unposted(guild_ids)
        stale = await self._core.alerts.stale_posts(guild_ids)
        for guild_id, alert_id in dict.fromkeys(waiting + stale):
            await self._try_to_show(guild_id, alert_id, chart=False)
        for guild_id, alert_id in await self._core.alerts.expired():
            await self._end(guild_id, alert_id)

    async def _end(self, guild_id: int, alert_id: int) -> None:
        """Take an old alert's details from its post, then from the database."""
        guild = self._bot.get_guild(guild_id)
        alert = await self._core.alerts.get(guild_id, alert_id)
        if guild is None or alert is None:
            return
        if alert.post_id is not None and alert.post_channel_id is not None:
            channel = self._bot.get_partial_messageable(alert.post_channel_id, guild_id=guild_id)
            text = over_in_words(guild.preferred_locale, alert)
            try:
                message = channel.get_partial_message(alert.post_id)
                await message.edit(content=text, view=None, attachments=[])
            except (discord.NotFound, discord.Forbidden) as error:
                _log.info("an old alert can't be edited any more: %s", error.code)
        await self._core.alerts.erase(guild_id, alert_id)

    async def _tidy_for_ever(self) -> None:
        await self._bot.wait_until_ready()
        while True:
            with going_on("alerts could not be tidied"):
                await self.tidy()
            await self._core.clock.sleep(TIDY_EVERY_S)


def _need_to_decide(interaction: discord.Interaction[Any]) -> None:
    """Raise BadInput for whoever may only time out or slow down."""
    mine = interaction.permissions
    if not (mine.manage_guild or mine.manage_messages):
        raise BadInput(acting.YOU_LACK, permission=DECIDES)
