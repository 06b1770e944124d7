"""Hears watched channels, follows their deletions and edits, and keeps their notices up to date."""

import asyncio
import logging
from collections.abc import Collection
from datetime import timedelta

import discord
from discord.ext import commands

from cogs.answering import LINE_LOST, NO_PINGS
from cogs.audience import Audiences
from cogs.localisation import tr
from cogs.messages import guild_id_of, is_from_a_person, revision_of
from cogs.sentiment.texts import ENDED, NOTICE, NOTICE_TITLE
from utils.core import Core
from utils.errors import KithError
from utils.model.watch import WatchedChannel, WatchedMessage

EDITS_FOLLOWED = timedelta(days=1)

_log = logging.getLogger(__name__)


class Watching(commands.Cog):
    """Discord's side of watching; what is heard goes to the Watcher, and comes from nowhere else.

    Private threads are left alone: nobody there was told by a notice in the channel.
    """

    def __init__(self, bot: commands.AutoShardedBot, core: Core, audiences: Audiences) -> None:
        self._bot = bot
        self._core = core
        self._audiences = audiences
        self._checking: asyncio.Task[None] | None = None
        self._posting = asyncio.Lock()

    async def cog_load(self) -> None:
        """Begin to watch; what an earlier run left is taken up once its server is there."""
        await self._core.watcher.start(lambda guild_id: self._bot.get_guild(guild_id) is not None)

    async def cog_unload(self) -> None:
        """Stop, with everything that was heard made durable."""
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        await self._core.watcher.close()

    # --- hearing -------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Take what a person says in a watched channel or a thread of it."""
        await self._hear(message)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Take the newest words of an edited message, in the place of those that still wait."""
        message = payload.message
        if "content" not in payload.data or message.edited_at is None:
            return
        if self._core.clock.now() - message.created_at <= EDITS_FOLLOWED:
            await self._hear(message)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Let a deleted notice come back; cogs/cascade.py forgets what is deleted."""
        await self._look_after_notice(payload.guild_id, payload.channel_id, {payload.message_id})

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Do the same where many messages were deleted."""
        await self._look_after_notice(payload.guild_id, payload.channel_id, payload.message_ids)

    async def _hear(self, message: discord.Message) -> None:
        place_id = place_id_of(message.channel)
        if message.guild is None or place_id is None or not is_from_a_person(message):
            return
        if not message.content or self._core.watch.watched(message.guild.id, place_id) is None:
            return
        try:
            settings = await self._core.guilds.get(message.guild.id)
        except KithError as error:
            _log.warning("a watched message was not read: %s", type(error).__name__)
            return
        audience = self._audiences.of(message.channel, settings.base_role_id)
        self._core.watcher.hear(_watched(message, place_id), audience, bare=message.content)

    async def _look_after_notice(
        self, guild_id: int | None, channel_id: int, message_ids: Collection[int]
    ) -> None:
        if guild_id is None:
            return
        watched = self._core.watch.watched(guild_id, channel_id)
        if watched is None or watched.notice_id not in message_ids:
            return
        try:
            await self.update_notice(guild_id, channel_id)
        except KithError as error:
            _log.warning("a notice was not posted again: %s", type(error).__name__)

    # --- notices -------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Look once whether every notice is there and says what holds."""
        if self._checking is None:
            self._checking = asyncio.create_task(self._check_notices(), name="check notices")

    async def _check_notices(self) -> None:
        for guild in list(self._bot.guilds):
            if not self._core.watch.watches(guild.id):
                continue
            try:
                for watched in await self._core.watch.channels(guild.id):
                    await self.update_notice(guild.id, watched.channel_id)
            except (KithError, *LINE_LOST) as error:
                _log.warning("notices could not be checked: %s", type(error).__name__)

    async def update_notice(self, guild_id: int, channel_id: int) -> bool:
        """Let the notice of a channel say what holds, and post it where it is missing.

        Returns whether it is there, or another process is about to post it. Raises DatabaseError.
        """
        alone = self._core.upkeep.alone(f"notice:{guild_id}:{channel_id}")
        async with self._posting, alone as is_alone:  # or two would post at once
            there = await self._core.watch.channels(guild_id)
            watched = next((one for one in there if one.channel_id == channel_id), None)
            if watched is None or not is_alone:
                return watched is not None
            try:
                words = NOTICE[watched.memory]
                if await self._rewrite(watched, words):
                    return True
                notice_id = await self._post(watched, words)
            except (discord.HTTPException, *LINE_LOST) as error:
                _log.warning("no notice in channel %d: %s", channel_id, type(error).__name__)
                return False
            if notice_id is not None:
                await self._core.watch.noted(guild_id, channel_id, notice_id)
            return notice_id is not None

    async def end_notice(self, was: WatchedChannel) -> None:
        """Let the notice of a channel say that it is not watched any more."""
        try:
            await self._rewrite(was, ENDED)
        except (discord.HTTPException, *LINE_LOST) as error:
            _log.warning("a notice stayed as it was: %s", type(error).__name__)

    async def _rewrite(self, watched: WatchedChannel, words: str) -> bool:
        """Change the notice that was posted; False if there is none any more."""
        if watched.notice_id is None:
            return False
        channel = self._bot.get_channel(watched.channel_id)
        # In a forum, the notice is a post: a thread with the id of its first message.
        where = watched.notice_id if _is_forum(channel) else watched.channel_id
        place = self._bot.get_partial_messageable(where, guild_id=watched.guild_id)
        try:
            message = place.get_partial_message(watched.notice_id)
            text = self._in_their_language(watched.guild_id, words)
            await message.edit(content=text, allowed_mentions=NO_PINGS)
        except discord.NotFound:
            return False
        return True

    async def _post(self, watched: WatchedChannel, words: str) -> int | None:
        """Post a notice, and return its id; None where it cannot be."""
        channel = self._bot.get_channel(watched.channel_id)
        text = self._in_their_language(watched.guild_id, words)
        if isinstance(channel, discord.ForumChannel):
            post = await channel.create_thread(
                name=self._in_their_language(watched.guild_id, NOTICE_TITLE),
                content=text,
                allowed_mentions=NO_PINGS,
            )
            return post.message.id
        if isinstance(channel, discord.TextChannel | discord.VoiceChannel):
            sent = await channel.send(text, allowed_mentions=NO_PINGS, silent=True)
            return sent.id
        return None

    def _in_their_language(self, guild_id: int, words: str) -> str:
        guild = self._bot.get_guild(guild_id)
        return words if guild is None else tr(guild.preferred_locale, words)


def place_id_of(channel: object) -> int | None:
    """Return the channel by which a message's place is watched: a public thread's parent.

    None for private threads and direct messages.
    """
    if isinstance(channel, discord.Thread):
        return None if channel.is_private() else channel.parent_id
    return channel.id if isinstance(channel, discord.abc.GuildChannel) else None


def _watched(message: discord.Message, place_id: int) -> WatchedMessage:
    reference = message.reference
    return WatchedMessage(
        guild_id=guild_id_of(message),
        place_id=place_id,
        channel_id=message.channel.id,
        message_id=message.id,
        author_id=message.author.id,
        author_name=message.author.display_name,
        text=message.clean_content,
        created_at=message.created_at,
        reply_to_id=reference.message_id if reference is not None else None,
        revision=revision_of(message),
    )


def _is_forum(channel: object) -> bool:
    return isinstance(channel, discord.ForumChannel)
