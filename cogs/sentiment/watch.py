"""Watched channels: pass their messages to the watcher, and keep their notices up to date."""

import asyncio
import logging
from collections.abc import Collection
from datetime import timedelta

import discord
from discord.ext import commands

from cogs.bot.audience import TextPlace
from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import NO_PINGS, REQUEST_ERRORS, edit_post, log_errors
from cogs.bot.localisation import tr
from cogs.bot.messages import (
    as_event,
    is_from_a_person,
    parts_of,
    reply_to_id_of,
    revision_of,
    visible_text,
)
from cogs.sentiment.watch_text import NO_LONGER_WATCHED, NOTICE, NOTICE_TITLE
from utils.common.errors import KithError
from utils.models.sentiment import WatchedChannel
from utils.runtime.backoff import KeyedBackoff
from utils.runtime.stopping import cancel
from utils.sentiment.watcher import MAX_MISSED_AGE

MAX_EDIT_AGE = timedelta(days=1)
MAX_MISSED = 100  # of a channel or thread, after the start: one request
NOTICE_PAUSE_S = 600.0

_log = logging.getLogger(__name__)


class Watching(FeatureCog):
    """Passes messages of watched channels to the watcher, and posts the notices there.

    Private threads are not watched: the notice in the channel does not reach their members.
    """

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self._checking: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()  # an outage may bring all servers back at once
        self._posting: dict[int, asyncio.Lock] = {}  # by server
        self._pauses: KeyedBackoff[int] = KeyedBackoff(self._app.clock)  # of posting, by channel

    async def cog_load(self) -> None:
        """Start the watcher; an earlier run's queue is processed once its servers are available."""
        await super().cog_load()
        await self._app.sentiment.watcher.start(
            lambda guild_id: self._bot.get_guild(guild_id) is not None
        )

    async def cog_unload(self) -> None:
        """Stop the watcher after it has stored all messages."""
        await cancel(self._checking)
        await self._app.sentiment.watcher.close()
        await super().cog_unload()

    # --- messages ------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Record the new text of an edited message."""
        if "content" in payload.data and payload.message.edited_at is not None:
            await self.on_missed_edit(payload.message)

    @commands.Cog.listener()
    async def on_missed_edit(self, message: discord.Message) -> None:
        """Record the new text of an edited message; it replaces a revision that still waits.

        Of a message that shows nothing any more, nothing waits and no score stays. An edit without
        a connection is found by cogs/chat/deletions.py.
        """
        if message.guild is not None and not visible_text(message):
            await self._app.sentiment.watcher.delete(
                message.guild.id, [message.id], up_to=revision_of(message)
            )
        elif self._app.clock.now() - message.created_at <= MAX_EDIT_AGE:
            await self.on_message(message)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post a deleted notice again; cogs/chat/deletions.py erases deleted messages."""
        await self._restore_notice(payload.guild_id, payload.channel_id, {payload.message_id})

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Post a notice again that was deleted with other messages."""
        await self._restore_notice(payload.guild_id, payload.channel_id, payload.message_ids)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Post a deleted notice of a forum again: it is a post, with the id of its message."""
        await self._restore_notice(payload.guild_id, payload.parent_id, {payload.thread_id})

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Record a person's message in a watched channel or one of its threads."""
        place_id = place_id_of(message.channel)
        if message.guild is None or place_id is None or not is_from_a_person(message):
            return
        watched = self._app.sentiment.channels.watched(message.guild.id, place_id)
        if watched is None or not (text := visible_text(message)):
            return
        if watched.notice_id is None:
            if place_id not in self._pauses:  # at most every ten minutes
                self._pauses.begin(place_id, NOTICE_PAUSE_S)
                with log_errors("a missing notice was not posted"):
                    await self.update_notice(message.guild.id, place_id)
            return  # it was said where nothing announced that it is read
        try:
            settings = await self._app.guilds.settings.get(message.guild.id)
        except KithError as error:
            _log.warning("a watched message was not read: %s", type(error).__name__)
            return
        audience = self._bot.audiences.of(message.channel, settings)
        raw_texts = [message.content, *(part.text for part in parts_of(message))]
        event = as_event(
            message, text, guild_id=message.guild.id, reply_to_id=reply_to_id_of(message)
        )
        self._app.sentiment.watcher.record(event, audience, raw_text="\n".join(raw_texts))

    async def _restore_notice(
        self, guild_id: int | None, channel_id: int, message_ids: Collection[int]
    ) -> None:
        if guild_id is None:
            return
        watched = self._app.sentiment.channels.watched(guild_id, channel_id)
        if watched is None or watched.notice_id not in message_ids:
            return
        with log_errors("a notice was not posted again"):
            await self.update_notice(guild_id, channel_id)

    # --- notices -------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Check all notices once: post missing ones and update their text."""
        if self._checking is None:
            self._checking = asyncio.create_task(self._check_notices(), name="check notices")

    async def _check_notices(self) -> None:
        watched_ids = self._app.sentiment.channels.guild_ids
        for guild in [guild for guild in self._bot.guilds if guild.id in watched_ids]:
            if not guild.unavailable:
                await self._check_server(guild)

    @commands.Cog.listener()
    async def on_shard_connect(self, shard_id: int) -> None:
        """Note which servers have a new session, before any of its messages come."""
        guilds = [guild for guild in self._bot.guilds if guild.shard_id == shard_id]
        self._app.sentiment.watcher.begin_gap({guild.id for guild in guilds})

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Note that a server is away."""
        self._app.sentiment.watcher.begin_gap({guild.id})

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Check a server again that was away since the start; discord.py tells at the start too."""
        if self._checking is not None and guild.id in self._app.sentiment.channels.guild_ids:
            await self._check_server(guild)

    async def _check_server(self, guild: discord.Guild) -> None:
        async with self._one_at_a_time:
            with log_errors("notices could not be checked"):
                for watched in await self._app.sentiment.channels.channels(guild.id):
                    await self.update_notice(guild.id, watched.channel_id)
                    with log_errors("missed messages of a watched channel were not read"):
                        await self._record_missed(guild, watched.channel_id)

    async def _record_missed(self, guild: discord.Guild, place_id: int) -> None:
        """Record what was said in a watched channel and its threads while Kith did not hear it.

        Only the newest MAX_MISSED messages of a channel or thread since its notice are read, and
        none from before the last day.
        """
        channel = guild.get_channel(place_id)
        watched = self._app.sentiment.channels.watched(guild.id, place_id)
        if channel is None or watched is None or watched.notice_id is None:
            return
        after = discord.Object(
            max(
                watched.notice_id,
                self._app.sentiment.watcher.newest_id(guild.id, place_id),
                discord.utils.time_snowflake(self._app.clock.now() - MAX_MISSED_AGE),
            )
        )
        for place in (channel, *getattr(channel, "threads", ())):
            if (getattr(place, "last_message_id", None) or 0) <= after.id or isinstance(
                place, discord.ForumChannel
            ):
                continue
            missed = place.history(limit=MAX_MISSED, after=after, oldest_first=False)
            for message in reversed([message async for message in missed]):
                await self.on_message(message)

    async def update_notice(self, guild_id: int, channel_id: int) -> bool:
        """Update the text of a channel's notice, and post it if it is missing.

        Messages there are read only while there is a notice.
        Returns True if it exists or another process is posting it. Raises DatabaseError.
        """
        lease = self._app.runtime.infrastructure.leases.hold(f"notice:{guild_id}:{channel_id}")
        posting = self._posting.setdefault(guild_id, asyncio.Lock())
        async with posting, lease as fence:  # avoids two notices
            channels = await self._app.sentiment.channels.channels(guild_id)
            watched = next((entry for entry in channels if entry.channel_id == channel_id), None)
            if watched is None or fence is None:
                return watched is not None
            try:
                text = NOTICE[watched.memory]
                if await self._edit_notice(watched, text):
                    return True
                if watched.notice_id is not None:  # nothing is read until there is one again
                    await self._app.sentiment.channels.set_notice(guild_id, channel_id, None)
                notice_id = await self._post_notice(watched, text)
            except REQUEST_ERRORS as error:
                _log.warning("no notice in channel %d: %s", channel_id, type(error).__name__)
                return False
            if notice_id is not None:
                await self._app.sentiment.channels.set_notice(guild_id, channel_id, notice_id)
            return notice_id is not None

    async def end_notice(self, watched: WatchedChannel) -> None:
        """Change the notice of a channel to say that it is no longer watched."""
        with log_errors("a notice could not be changed"):
            await self._edit_notice(watched, NO_LONGER_WATCHED)

    async def _edit_notice(self, watched: WatchedChannel, text: str) -> bool:
        """Change the text of a notice; False if the notice does not exist."""
        if watched.notice_id is None:
            return False
        channel = self._bot.get_channel(watched.channel_id)
        # In a forum, the notice is a post: a thread with the id of its first message.
        is_forum = isinstance(channel, discord.ForumChannel)
        target_id = watched.notice_id if is_forum else watched.channel_id
        target = self._bot.get_partial_messageable(target_id, guild_id=watched.guild_id)
        try:
            message = target.get_partial_message(watched.notice_id)
            await edit_post(
                message, content=self._translate(watched.guild_id, text), allowed_mentions=NO_PINGS
            )
        except discord.NotFound:
            return False
        return True

    async def _post_notice(self, watched: WatchedChannel, text: str) -> int | None:
        """Post a notice; returns its id, or None in a channel that cannot have one."""
        channel = self._bot.get_channel(watched.channel_id)
        content = self._translate(watched.guild_id, text)
        if isinstance(channel, discord.ForumChannel):
            tags = sorted(channel.available_tags, key=lambda tag: tag.moderated)
            post = await channel.create_thread(
                name=self._translate(watched.guild_id, NOTICE_TITLE),
                content=content,
                applied_tags=tags[:1] if channel.flags.require_tag else (),
                allowed_mentions=NO_PINGS,
            )
            return post.message.id
        if isinstance(channel, TextPlace):
            sent = await channel.send(content, allowed_mentions=NO_PINGS, silent=True)
            return sent.id
        return None

    def _translate(self, guild_id: int, text: str) -> str:
        guild = self._bot.get_guild(guild_id)
        return text if guild is None else tr(guild.preferred_locale, text)


def place_id_of(channel: object) -> int | None:
    """Return the id of the channel that may be watched: for a public thread, its parent.

    Returns None for private threads and direct messages.
    """
    if isinstance(channel, discord.Thread):
        return None if channel.is_private() else channel.parent_id
    return channel.id if isinstance(channel, discord.abc.GuildChannel) else None
