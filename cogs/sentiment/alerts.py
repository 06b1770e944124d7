"""Alerts of watched channels: they are posted, and moderators' actions carried out."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import discord

from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import (
    REQUEST_ERRORS,
    is_refused,
    log_errors,
    say,
    try_to_edit_post,
)
from cogs.bot.localisation import tr
from cogs.bot.views import ActionSelect, AuthorView
from cogs.sentiment import moderator_actions
from cogs.sentiment.alert_buttons import AlertButton, ButtonAction, member_options
from cogs.sentiment.alert_posts import AlertPosts
from utils.common.errors import BadInput, Logged
from utils.models.alert import KITH, NO_MEMBER, ActionKind, Alert, SlowModeEnd
from utils.models.sentiment import ScoredBatch
from utils.runtime.stopping import start_kept
from utils.sentiment.alert_rules import automatic_targets

SWEEP_EVERY_S = 30.0
MAX_MINUTES = 10  # of an automatic timeout, regardless of the settings
ALERT_GONE = "This alert has expired."
DECIDED = "<@{by}> has already decided on this alert."
DONE = {
    ActionKind.TIME_OUT: "{member} is timed out for {amount} minutes.",
    ActionKind.WARN: "I asked {member} to keep it friendly: {link}",
    ActionKind.SLOW_MODE: (
        "Slow mode is on in {channel} ({amount} seconds) until {until}; then I turn it off."
    ),
    ActionKind.OPEN_CASE: (
        "The case is open. Until you close it, `/mod tension show` also shows its members."
    ),
    ActionKind.CLOSE_CASE: "The case is closed.",
    ActionKind.DISMISS: "Dismissed.",
    ActionKind.FALSE_ALARM: (
        "Noted as a false alarm: `/mod tension settings` takes it into account."
    ),
}

_log = logging.getLogger(__name__)


class Alerts(FeatureCog):
    """Posts alerts, keeps them up to date, and carries out moderators' actions."""

    buttons = (AlertButton,)

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self._alerts = self._app.sentiment.alerts
        self._posts = AlertPosts(bot, self._alerts)
        self._showing: set[asyncio.Task[None]] = set()
        self.workers = (
            self._new_worker(
                "alert sweep",
                self._try_to_sweep,
                interval_s=SWEEP_EVERY_S,
            ),
        )

    async def cog_load(self) -> None:
        """Start posting the alerts of what is scored."""
        self._app.sentiment.watcher.add_listener(self.on_scored)
        await super().cog_load()

    async def cog_unload(self) -> None:
        """Stop; the next start posts the remaining alerts."""
        await self._posts.close()  # lets a post be saved, otherwise it would be posted twice
        await super().cog_unload()
        await asyncio.gather(*self._showing)

    # --- scores --------------------------------------------------------------------------------

    async def on_scored(self, batch: ScoredBatch) -> None:
        """Record an analysed batch, take automatic action, and post a new alert.

        No caller waits for the post: a server that Discord answers slowly must not hold up others.
        The sweep updates the post of an alert that goes on.
        """
        recorded = await self._alerts.record(batch)
        if recorded is None:
            return
        alert_id, is_new = recorded
        await self._take_automatic_action(batch, alert_id)
        if is_new:
            showing = self._try_to_show(batch.guild_id, alert_id, chart=True)
            start_kept(showing, "show an alert", self._showing)

    async def _take_automatic_action(self, batch: ScoredBatch, alert_id: int) -> None:
        """Time out the authors of very toxic messages, or record a dry run."""
        targets = automatic_targets(batch)
        guild = self._bot.get_guild(batch.guild_id)
        alert = await self._alerts.get(batch.guild_id, alert_id) if targets else None
        if guild is None or alert is None:
            return
        alert_message_ids = {message.message_id for message in alert.messages}
        minutes = min(batch.settings.auto_minutes, MAX_MINUTES)
        for target in targets:
            if target.message.message_id not in alert_message_ids:
                continue
            with Logged(_log.info, "no automatic timeout", BadInput, *REQUEST_ERRORS):
                member = await moderator_actions.fetch_member(guild, target.message.author_id)
                if moderator_actions.is_moderator(member):
                    continue
                moderator_actions.check_timeout(member, None)
                if batch.settings.auto_dry_run:
                    kind = ActionKind.WOULD_TIME_OUT
                    await self._alerts.claim(alert, kind, member.id, KITH, minutes, is_done=True)
                    continue
                kind = ActionKind.AUTO_TIME_OUT
                await self._act(alert, kind, member, None, minutes)

    async def _try_to_show(self, guild_id: int, alert_id: int, *, chart: bool) -> None:
        with log_errors("an alert could not be shown"):
            await self._posts.show(guild_id, alert_id, chart=chart)

    # --- buttons -------------------------------------------------------------------------------

    async def carry_out(
        self, interaction: discord.Interaction[Any], alert_id: int, action: ButtonAction
    ) -> None:
        """Carry out a button's action and answer with its result; the interaction is deferred."""
        guild, actor, alert = await self._undecided(interaction, alert_id)
        if alert.post_id is None and interaction.message is not None:
            # The process that posted it stopped before it could save the post.
            post = interaction.message
            await self._alerts.save_post(alert, post.channel.id, post.id)
        if action.kind in (ActionKind.TIME_OUT, ActionKind.WARN):
            moderator_actions.check_may_act(interaction, action.kind)
            members = await self._present_members(guild, alert)
            if len(members) > 1:

                async def act(interaction: discord.Interaction[Any], user_id: str) -> None:
                    await interaction.response.defer()
                    text = await self.act_on_member(interaction, alert_id, action, int(user_id))
                    await interaction.edit_original_response(content=text, view=None)
                    view.stop()

                view = AuthorView(actor.id)
                view.add_item(
                    ActionSelect(
                        act,
                        placeholder=tr(interaction.locale, "Choose a member"),
                        options=member_options(members),
                    )
                )
                await say(interaction, tr(interaction.locale, "Which member is it for?"), view=view)
                return
            text = await self.act_on_member(interaction, alert_id, action, members[0].id)
        elif action.kind is ActionKind.SLOW_MODE:
            text = await self._slow_down(interaction, alert, actor, action.amount)
        elif action.kind is ActionKind.SHOW_LINES:
            lines = await moderator_actions.lines_of(alert, actor)
            text = "\n".join(lines) or tr(
                interaction.locale, "The messages are deleted, or I can't read them."
            )
        else:
            text = await self._decide(interaction, alert, action.kind)
        await say(interaction, text)

    async def act_on_member(
        self,
        interaction: discord.Interaction[Any],
        alert_id: int,
        action: ButtonAction,
        user_id: int,
    ) -> str:
        """Time out or warn a member, at most once; returns the result as text."""
        moderator_actions.check_may_act(interaction, action.kind)
        guild, actor, alert = await self._undecided(interaction, alert_id)
        member = await moderator_actions.fetch_member(guild, user_id)
        if action.kind is ActionKind.TIME_OUT:
            moderator_actions.check_timeout(member, actor)
        link = await self._act(alert, action.kind, member, actor, action.amount)
        await self._try_to_show(guild.id, alert_id, chart=False)
        return tr(
            interaction.locale,
            DONE[action.kind],
            member=member.mention,
            amount=action.amount,
            link=link,
        )

    async def _act(
        self,
        alert: Alert,
        kind: ActionKind,
        member: discord.Member,
        actor: discord.Member | None,
        amount: int,
    ) -> str:
        """Time out or warn a member, at most once; returns the link to a warning.

        ``actor`` None: Kith does it by itself. Raises BadInput if it is done or begun.
        """
        link = ""
        async with self._claimed(alert, kind, member.id, actor, amount):
            if kind is ActionKind.WARN:
                link = (await moderator_actions.warn(alert, member)).jump_url
            else:
                await moderator_actions.time_out(
                    alert, member, actor, self._app.clock.now() + timedelta(minutes=amount)
                )
        return link

    async def _slow_down(
        self,
        interaction: discord.Interaction[Any],
        alert: Alert,
        actor: discord.Member,
        minutes: int,
    ) -> str:
        """Turn on slow mode for so many minutes; returns the result as text."""
        delay_s = moderator_actions.SLOW_MODE_S
        async with self._claimed(alert, ActionKind.SLOW_MODE, NO_MEMBER, actor, delay_s):
            channel, before_s = moderator_actions.slow_mode_of(alert, actor)
            until = self._app.clock.now() + timedelta(minutes=minutes)
            end = ActionKind.END_SLOW_MODE
            # Before it begins: if Kith stops in between, it still ends.
            await self._alerts.claim(alert, end, channel.id, KITH, before_s, at=until)
            try:
                await channel.edit(
                    slowmode_delay=delay_s, reason=moderator_actions.reason_for(alert, actor)
                )
            except discord.HTTPException as error:
                if error.status < 500:  # else, as after a broken connection, it may have begun
                    await self._alerts.release(alert, end, channel.id)
                raise
        await self._try_to_show(alert.guild_id, alert.alert_id, chart=False)
        return tr(
            interaction.locale,
            DONE[ActionKind.SLOW_MODE],
            channel=channel.mention,
            amount=delay_s,
            until=discord.utils.format_dt(until, "t"),
        )

    async def _decide(
        self, interaction: discord.Interaction[Any], alert: Alert, kind: ActionKind
    ) -> str:
        moderator_actions.check_may_decide(interaction)
        if not await self._alerts.decide(alert, kind, interaction.user.id):
            current = await self._alerts.get(alert.guild_id, alert.alert_id)
            raise BadInput(DECIDED, by=current.decided_by if current else KITH)
        await self._try_to_show(alert.guild_id, alert.alert_id, chart=False)
        return tr(interaction.locale, DONE[kind])

    async def _undecided(
        self, interaction: discord.Interaction[Any], alert_id: int
    ) -> tuple[discord.Guild, discord.Member, Alert]:
        """Return the server, the moderator and the alert. Raises BadInput if it is decided."""
        guild, actor = interaction.guild, interaction.user
        if guild is None or not isinstance(actor, discord.Member):
            raise BadInput(ALERT_GONE)
        alert = await self._alerts.get(guild.id, alert_id)
        if alert is None:
            raise BadInput(ALERT_GONE)
        if not alert.is_undecided:
            await self._try_to_show(guild.id, alert_id, chart=False)
            raise BadInput(DECIDED, by=alert.decided_by)
        return guild, actor, alert

    async def _present_members(self, guild: discord.Guild, alert: Alert) -> list[discord.Member]:
        """Return the members of an alert who are in the server. Raises BadInput for none."""
        members: list[discord.Member] = []
        for user_id in alert.member_ids[:10]:
            try:
                members.append(await moderator_actions.fetch_member(guild, user_id))
            except BadInput:
                if len(alert.member_ids) == 1:
                    raise
        if not members:
            raise BadInput("Its messages were deleted, so I can't tell whom it was about.")
        return members

    @asynccontextmanager
    async def _claimed(
        self,
        alert: Alert,
        kind: ActionKind,
        user_id: int,
        actor: discord.Member | None,
        amount: int,
    ) -> AsyncIterator[None]:
        """Claim an action for the block; it is released if that fails, so that it can be repeated.

        Raises BadInput if it is done or begun already.
        """
        actor_id = KITH if actor is None else actor.id
        if not await self._alerts.claim(alert, kind, user_id, actor_id, amount):
            current = await self._alerts.get(alert.guild_id, alert.alert_id)
            action = current.action(kind, user_id) if current else None
            raise BadInput("<@{by}> has already done that.", by=action.actor_id if action else KITH)
        try:
            yield
        except BaseException:
            await self._alerts.release(alert, kind, user_id)
            raise
        await self._alerts.finish(alert, kind, user_id)

    # --- sweep ---------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """End slow modes, post waiting alerts, update stale posts, and expire old alerts."""
        guild_ids = [guild.id for guild in self._bot.guilds]
        for end in await self._alerts.slow_modes_over(guild_ids):
            await self._end_slow_mode(end)
        waiting = await self._alerts.unposted(guild_ids)
        stale = await self._alerts.stale_posts(guild_ids)
        to_show = dict.fromkeys(waiting + stale)
        await asyncio.gather(*(self._try_to_show(*key, chart=True) for key in to_show))
        for guild_id, alert_id in await self._alerts.expired():
            await self._expire(guild_id, alert_id)

    async def _end_slow_mode(self, end: SlowModeEnd) -> None:
        """End a slow mode whose time is over; a refusal by Discord is final, an outage is not."""
        try:
            if guild := self._bot.get_guild(end.guild_id):
                await moderator_actions.end_slow_mode(
                    guild, end.channel_id, end.seconds, end.alert_id
                )
        except REQUEST_ERRORS as error:
            if not is_refused(error):
                _log.info("slow mode could not be ended yet: %s", type(error).__name__)
                return
            _log.warning("slow mode could not be ended: %s", type(error).__name__)
        await self._alerts.finish(end, ActionKind.END_SLOW_MODE, end.channel_id)
        await self._try_to_show(end.guild_id, end.alert_id, chart=False)

    async def _expire(self, guild_id: int, alert_id: int) -> None:
        """Remove an old alert's details from its post, then from the database."""
        guild = self._bot.get_guild(guild_id)
        alert = await self._alerts.get(guild_id, alert_id)
        if guild is None or alert is None:
            return
        if alert.post_id is not None and alert.post_channel_id is not None:
            channel = self._bot.get_partial_messageable(alert.post_channel_id, guild_id=guild_id)
            text = tr(
                guild.preferred_locale,
                "-# Alert #{number} is over 30 days old; its details are erased.",
                number=alert.alert_id,
            )
            message = channel.get_partial_message(alert.post_id)
            changes: dict[str, Any] = {
                "content": text,
                "embeds": [],
                "view": None,
                "attachments": [],
            }
            if not await try_to_edit_post(message, **changes):
                return  # the next sweep tries again
        await self._alerts.erase(guild_id, [alert_id])

    async def _try_to_sweep(self) -> None:
        await self._bot.wait_until_ready()
        with log_errors("the sweep of alerts failed"):
            await self.sweep()
