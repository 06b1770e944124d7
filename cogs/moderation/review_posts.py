"""One post in each log channel shows the memories that wait for review, and is kept up to date."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import discord

from cogs.bot.client import KithClient
from cogs.bot.interactions import (
    NO_PINGS,
    REQUEST_ERRORS,
    edit_post,
    is_final,
    is_refused,
    log_errors,
)
from cogs.moderation.review_buttons import post_buttons, reviewed_ids
from cogs.moderation.review_texts import decision_text, queue_text
from utils.memory.member_data.review import ReviewQueue
from utils.models.guild import Purpose
from utils.models.policy import ReviewPost

PER_POST = 4  # memories, each with a row of buttons
MAX_AGE = timedelta(days=1)  # an older post is sent again, where moderators see it
NO_MEMORY = 0  # in the record of a post on which everything is decided
MAX_SEARCHED = 100

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RenderedPost:
    """What a post shows now: the memories that wait, and those that no longer do."""

    content: str
    view: discord.ui.View | None
    shown_ids: Sequence[int]
    over_ids: Sequence[int]


@dataclass(eq=False, repr=False)
class ReviewPosts:
    """Sends, updates and replaces the post of each log channel.

    A new memory is added to the channel's post. Where everything was decided, or the post is older
    than a day, a new post at the channel's end takes its place.
    """

    _bot: KithClient
    _reviews: ReviewQueue
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Without it, two tasks would each send a post."""

    async def show_waiting(self, guild_id: int) -> None:
        """Show what waits in the log channels; without one, only /mod review shows it."""
        guild = self._bot.get_guild(guild_id)
        settings = await self._bot.app.guilds.settings.get(guild_id)
        for place in settings.channels_for(Purpose.LOG):
            channel = guild.get_channel(place.channel_id) if guild else None
            if channel is not None:
                async with self._lock:
                    await self._show_in(channel)

    async def show_decision(
        self, interaction: discord.Interaction[Any], message: discord.Message, memory_id: int
    ) -> None:
        """Show below a decision what still waits; no older update of the post comes after it."""
        guild = interaction.guild
        if guild is None:
            return
        async with self._lock:
            posts = await self._posts_in(guild.id, message.channel.id)
            own_ids = {memory_id, *reviewed_ids(message)}
            channel = guild.get_channel(message.channel.id)
            now = await self._render(guild, channel, posts, message.id, own_ids)
            await interaction.edit_original_response(
                content=now.content, view=now.view, allowed_mentions=NO_PINGS
            )
            await self._record(guild.id, message.channel.id, message.id, now)

    async def _record(
        self, guild_id: int, channel_id: int, message_id: int, now: RenderedPost
    ) -> None:
        """Record which memories a post shows now, and that it is done if it shows none."""
        posts = await self._posts_in(guild_id, channel_id)
        recorded_ids = {post.memory_id for post in posts if post.message_id == message_id}
        for memory_id in now.over_ids:
            await self._reviews.close_post(ReviewPost(guild_id, memory_id, channel_id, message_id))
        for memory_id in {*(now.shown_ids or [NO_MEMORY])} - recorded_ids:
            await self._reviews.note_post(ReviewPost(guild_id, memory_id, channel_id, message_id))

    async def update(self, guild_id: int, channel_id: int, message_id: int) -> bool:
        """Show in a post what waits now. Returns False if the post is gone.

        An edit that fails and may work later is logged, and tried again by the next cleanup.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return True
        posts = await self._posts_in(guild_id, channel_id)
        own_ids = {post.memory_id for post in posts if post.message_id == message_id}
        now = await self._render(guild, guild.get_channel(channel_id), posts, message_id, own_ids)
        channel = self._bot.get_partial_messageable(channel_id, guild_id=guild_id)
        message = channel.get_partial_message(message_id)
        try:
            await edit_post(message, content=now.content, view=now.view, allowed_mentions=NO_PINGS)
        except REQUEST_ERRORS as error:
            status = getattr(error, "status", None)
            _log.info("a post could not be edited: %s (%s)", type(error).__name__, status)
            if not is_refused(error):
                return True
            await self._close(posts, [message_id])
            return False
        await self._record(guild_id, channel_id, message_id, now)
        return True

    async def clean_up(self) -> None:
        """Update every post with a memory that no longer waits."""
        guild_ids = [guild.id for guild in self._bot.guilds]
        async with self._lock:  # or a post that is being sent counts as never sent
            for post in await self._reviews.open_posts(guild_ids):
                if not post.message_id:
                    await self._find_planned(post)
        stale = await self._reviews.stale_posts(guild_ids)
        for place in dict.fromkeys((p.guild_id, p.channel_id, p.message_id) for p in stale):
            async with self._lock:
                await self.update(*place)

    async def try_clean_up(self) -> None:
        """Update posts; those that fail are tried again the next time."""
        await self._bot.wait_until_ready()
        with log_errors("posts could not be cleared"):
            await self.clean_up()

    async def _show_in(self, channel: discord.abc.GuildChannel) -> None:
        guild = channel.guild
        posts = await self._posts_in(guild.id, channel.id)
        open_ids = {post.message_id for post in posts if post.memory_id != NO_MEMORY}
        newest = max(open_ids, default=None)
        if newest is not None:
            age = self._bot.app.clock.now() - discord.utils.snowflake_time(newest)
            if age <= MAX_AGE and await self.update(guild.id, channel.id, newest):
                return
        replaced = {post.message_id for post in posts if post.memory_id == NO_MEMORY}
        replaced |= set() if newest is None else {newest}
        await self._delete(channel, replaced)
        await self._close(posts, replaced)
        await self._send(channel)  # it shows everything that waits

    async def _send(self, channel: discord.abc.GuildChannel) -> None:
        guild = channel.guild
        posts = await self._posts_in(guild.id, channel.id)
        now = await self._render(guild, channel, posts, None, ())
        if not now.shown_ids:
            return
        planned = [ReviewPost(guild.id, memory_id, channel.id) for memory_id in now.shown_ids]
        for post in planned:
            await self._reviews.note_post(post)
        place = self._bot.get_partial_messageable(channel.id, guild_id=guild.id)
        sent = await place.send(
            now.content,
            view=now.view or discord.utils.MISSING,
            allowed_mentions=NO_PINGS,
            silent=True,
        )
        await self._settle_planned(planned, sent.id)

    async def _render(
        self,
        guild: discord.Guild,
        channel: discord.abc.GuildChannel | None,
        posts: Iterable[ReviewPost],
        message_id: int | None,
        own_ids: Collection[int],
    ) -> RenderedPost:
        """Return what a post shows: the oldest memories that wait and that no other post shows.

        ``own_ids``: the memories that it showed until now.
        """
        settings, locale = await self._bot.app.guilds.settings.get(guild.id), guild.preferred_locale
        waiting = await self._reviews.waiting(guild.id)
        waiting_ids = {memory.id for memory in waiting}
        other_ids = {post.memory_id for post in posts if post.message_id != message_id}
        free = [memory for memory in waiting if memory.id not in other_ids - set(own_ids)]
        memories = free[:PER_POST]
        over_ids = sorted(set(own_ids) - waiting_ids - {NO_MEMORY})
        decided = [
            decision_text(id_, await self._reviews.standing(guild.id, id_), locale)
            for id_ in over_ids
        ]
        readable = [
            await self._bot.audiences.may_quote(channel, memory.channel_id, settings)
            for memory in memories
        ]
        text = queue_text(memories, readable, decided, len(free) - len(memories), locale)
        shown_ids = [memory.id for memory in memories]
        return RenderedPost(text, post_buttons(memories, locale), shown_ids, over_ids)

    async def _posts_in(self, guild_id: int, channel_id: int) -> list[ReviewPost]:
        posts = await self._reviews.open_posts([guild_id])
        return [post for post in posts if post.message_id and post.channel_id == channel_id]

    async def _close(self, posts: Iterable[ReviewPost], message_ids: Collection[int]) -> None:
        for post in posts:
            if post.message_id in message_ids:
                await self._reviews.close_post(post)

    async def _delete(self, channel: Any, message_ids: Iterable[int]) -> None:
        for message_id in message_ids:
            try:
                await channel.get_partial_message(message_id).delete()
            except discord.HTTPException as error:
                if not is_final(error):
                    raise
                _log.info("a replaced post can't be deleted: %s", error.code)

    async def _find_planned(self, planned: ReviewPost) -> None:
        """Find a post that was sent and not recorded, by its buttons."""
        channel = self._bot.get_partial_messageable(planned.channel_id, guild_id=planned.guild_id)
        message_id = None
        try:
            async for message in channel.history(limit=MAX_SEARCHED):
                is_own = message.author == self._bot.user
                if is_own and planned.memory_id in reviewed_ids(message):
                    message_id = message.id
        except discord.HTTPException as error:
            if not is_final(error):
                raise
            _log.info("a post can't be looked for: %s", error.code)
        await self._settle_planned([planned], message_id)

    async def _settle_planned(self, planned: Iterable[ReviewPost], message_id: int | None) -> None:
        """Record the message of planned posts; None: it was never sent."""
        for post in planned:
            if message_id is not None:
                await self._reviews.note_post(replace(post, message_id=message_id))
            await self._reviews.close_post(post)
