"""Posts of alerts in the log channel: one per incident, kept up to date.

Without a log channel, or without permission to write there, an alert waits for up to a day and is
posted as soon as possible; ``/mod tension settings`` says so.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import discord

from cogs.bot.audience import TextPlace
from cogs.bot.client import KithClient
from cogs.bot.interactions import NO_PINGS, REQUEST_ERRORS, card, edit_post, is_refused
from cogs.sentiment.alert_buttons import buttons_of
from cogs.sentiment.alert_text import alert_in_words
from cogs.sentiment.tension_chart import Chart
from cogs.sentiment.tension_picture import as_file
from utils.common.errors import Logged
from utils.models.alert import KITH, ActionKind, Alert
from utils.models.guild import Purpose
from utils.models.sentiment import TensionSubject
from utils.sentiment.alert_service import AlertService

CHART_HOURS = 12

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class AlertPosts:
    """Posts alerts and updates their posts; each server's one after the other."""

    _bot: KithClient
    _alerts: AlertService
    _locks: dict[int, asyncio.Lock] = field(default_factory=dict, init=False)
    """By server."""
    _is_closed: bool = field(default=False, init=False)
    _warned_guilds: set[int] = field(default_factory=set, init=False)
    _unsaved_posts: dict[int, tuple[int, int]] = field(default_factory=dict, init=False)
    """By alert: the ids of the channel and the post."""

    async def close(self) -> None:
        """Begin no further post, and wait for those that are being sent and saved."""
        self._is_closed = True
        for lock in list(self._locks.values()):
            async with lock:
                pass

    async def show(self, guild_id: int, alert_id: int, *, chart: bool) -> None:
        """Post an alert, or update its post."""
        async with self._locks.setdefault(guild_id, asyncio.Lock()):
            guild = None if self._is_closed else self._bot.get_guild(guild_id)
            alert = await self._load(guild_id, alert_id) if guild is not None else None
            if alert is None or guild is None:
                return
            if alert.post_id is not None:
                await self._edit(guild, alert, chart=chart)
            elif alert.is_undecided:
                await self._post(guild, alert)

    async def _load(self, guild_id: int, alert_id: int) -> Alert | None:
        """Return an alert; first saves a post that could not be saved when it was made."""
        alert = await self._alerts.get(guild_id, alert_id)
        post = self._unsaved_posts.get(alert_id)
        if alert is not None and alert.post_id is None and post is not None:
            await self._alerts.save_post(alert, *post)
            alert = await self._alerts.get(guild_id, alert_id)
        self._unsaved_posts.pop(alert_id, None)
        return alert

    async def _post(self, guild: discord.Guild, alert: Alert) -> None:
        settings = await self._bot.app.guilds.settings.get(guild.id)
        log_channels = settings.channels_for(Purpose.LOG)
        channel = guild.get_channel(log_channels[0].channel_id) if log_channels else None
        if not isinstance(channel, TextPlace):
            self._warn_once(guild, "there is no log channel")
            return
        if not channel.permissions_for(guild.me).send_messages:
            self._warn_once(guild, "no permission to write in the log channel")
            return
        if not await self._alerts.claim_post(alert):
            return
        try:
            post = await self._send(guild, alert, channel)
        except REQUEST_ERRORS:
            await self._alerts.release_post(alert)  # the sweep tries again
            raise
        self._unsaved_posts[alert.alert_id] = (channel.id, post.id)
        await self._alerts.save_post(alert, channel.id, post.id)
        del self._unsaved_posts[alert.alert_id]
        self._warned_guilds.discard(guild.id)

    async def _send(
        self,
        guild: discord.Guild,
        alert: Alert,
        channel: TextPlace,
    ) -> discord.Message:
        """Post an alert with its chart; if that fails, at once without it.

        The nonce makes Discord accept the alert once, however often it is sent.
        """
        role_id = (await self._bot.app.sentiment.channels.settings(guild.id)).ping_role_id
        ping = f"<@&{role_id}>" if role_id else ""
        roles: list[discord.abc.Snowflake] = [discord.Object(role_id)] if role_id else []
        send = partial(
            channel.send,
            **await self._texts(channel, alert, guild, ping),
            view=buttons_of(alert, guild.preferred_locale) or discord.utils.MISSING,
            allowed_mentions=discord.AllowedMentions(everyone=False, users=False, roles=roles),
            silent=role_id is None,
            nonce=f"alert-{alert.alert_id}",
        )
        pictures = await self._pictures(guild, alert, channel)
        if pictures:
            with Logged(_log.warning, "an alert is posted without its chart", *REQUEST_ERRORS):
                return await send(files=pictures)
        return await send()

    async def _edit(self, guild: discord.Guild, alert: Alert, *, chart: bool) -> None:
        """Update an alert's post, unless it is deleted or no longer accessible.

        Any other error is raised, and the next sweep tries again: the post may name who was erased.
        """
        channel = guild.get_channel(alert.post_channel_id or 0)
        changes: dict[str, Any] = {}
        if isinstance(channel, TextPlace):
            if chart and (pictures := await self._pictures(guild, alert, channel)):
                changes["attachments"] = pictures
            try:
                await edit_post(
                    channel.get_partial_message(alert.post_id or 0),
                    **await self._texts(channel, alert, guild),
                    view=buttons_of(alert, guild.preferred_locale),
                    allowed_mentions=NO_PINGS,
                    **changes,
                )
            except discord.NotFound:  # a moderator deleted it
                await self._alerts.decide(alert, ActionKind.DISMISS, KITH)
            except discord.HTTPException as error:
                if not is_refused(error):
                    raise
                _log.warning("an alert can no longer be edited: %s", error.code)
        await self._alerts.save_post(alert, alert.post_channel_id, alert.post_id)

    async def _texts(
        self, channel: discord.abc.GuildChannel, alert: Alert, guild: discord.Guild, ping: str = ""
    ) -> dict[str, Any]:
        """Return an alert as a card, or as plain text where Kith may not send embeds.

        Reasons are given only where all who read it can read the alert's channel.
        """
        settings = await self._bot.app.guilds.settings.get(alert.guild_id)
        shows_reasons = await self._bot.audiences.may_quote(channel, alert.place_id, settings)
        text = alert_in_words(guild.preferred_locale, alert, shows_reasons=shows_reasons)
        if not channel.permissions_for(guild.me).embed_links:
            return {"content": f"{ping} {text}".strip(), "embeds": []}
        colour = discord.Colour.red() if alert.is_undecided else discord.Colour.light_grey()
        return {"content": ping or None, "embeds": [card(text, colour)]}

    async def _pictures(
        self, guild: discord.Guild, alert: Alert, channel: discord.abc.GuildChannel
    ) -> list[discord.File]:
        """Return the chart of the channel's last hours, if it can be drawn and attached."""
        if not channel.permissions_for(guild.me).attach_files:
            return []
        settings = await self._bot.app.sentiment.channels.settings(guild.id)
        zone = (await self._bot.app.guilds.settings.get(guild.id)).zone
        subject = TensionSubject.channel(guild.id, alert.place_id)
        history = await self._bot.app.sentiment.tension.history(subject, settings, CHART_HOURS)
        now = self._bot.app.clock.now()
        chart = Chart(history, alert.threshold, now, zone, guild.preferred_locale, alert.trigger)
        try:
            return [await as_file(chart)]
        except Exception:
            _log.exception("a chart could not be drawn; the alert goes without it")
            return []

    def _warn_once(self, guild: discord.Guild, reason: str) -> None:
        """Log once why a server's alerts wait."""
        if guild.id not in self._warned_guilds:
            self._warned_guilds.add(guild.id)
            _log.warning("alerts of server %d wait: %s", guild.id, reason)
