"""What goes on Discord goes here too: messages, edits, channels, members and servers.

Discord tells of it only while Kith listens, and after a short gap it tells what was missed
(RESUME). After a longer one it does not: what was deleted, edited or asked meanwhile is looked for.
What is told of while the database is away waits with the messages themselves.
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

import discord
from discord.ext import commands

from cogs.answering import LINE_LOST
from cogs.chat import Chat
from cogs.messages import guild_id_of, is_from_a_person
from utils.core import Core
from utils.errors import DatabaseError, KithError
from utils.model.guild import GuildSettings
from utils.model.memory import DIRECT_MESSAGES, Member
from utils.model.retention import Place
from utils.shards import shard_of

HISTORY = 100  # messages of one request
ANSWERED_LATE = timedelta(minutes=5)
UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_USER = 10003, 10007, 10013  # Discord's codes

_log = logging.getLogger(__name__)


class Cascade(commands.Cog):
    """Lets go of what was deleted, reads anew what was edited, and notes who left."""

    def __init__(self, bot: commands.AutoShardedBot, core: Core, chat: Chat) -> None:
        self._bot = bot
        self._core = core
        self._chat = chat
        self._retention = core.upkeep.retention
        self._looking: asyncio.Task[None] | None = None

    async def cog_unload(self) -> None:
        """Stop looking for what was missed; the next start looks again."""
        await self._stop_looking()

    # --- messages ------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Break off the answer to a deleted message, and forget the message."""
        await self._retract(payload.guild_id, [payload.message_id])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Do the same for each of many."""
        await self._retract(payload.guild_id, sorted(payload.message_ids))

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Read an edited message anew, without answering it again.

        Links that are unfolded, pins and the like change a message too, but not when it was edited.
        """
        message = payload.message
        if "content" in payload.data and message.edited_at and is_from_a_person(message):
            await self._chat.answered(message.id)  # the answer may tell of the earlier words
            await self._attempt(self._revise(message), "an edited message was not read again")

    async def _retract(self, guild_id: int | None, message_ids: Sequence[int]) -> None:
        await self._chat.break_off(message_ids)
        if guild_id is not None and self._core.watch.watches(guild_id):
            forgetting = self._core.watcher.forget(guild_id, message_ids)
            await self._attempt(forgetting, "deleted messages keep their scores")
        await self._attempt(
            self._core.recorder.backlog.retract(guild_id or DIRECT_MESSAGES, message_ids),
            "deleted messages could not be forgotten",
        )

    async def _revise(self, message: discord.Message) -> None:
        guild_id = guild_id_of(message)
        try:
            turn = self._chat.turn(message, await self._core.guilds.get(guild_id))
            audience = turn.audience
        except DatabaseError:  # who reads there cannot be told: as if it were private
            turn = self._chat.turn(message, GuildSettings(guild_id))
            here = frozenset({turn.event.channel_id, turn.event.source_id})
            audience = replace(turn.audience, sources=here, is_open=False)
        await self._core.recorder.backlog.revise(turn.event, audience)

    # --- places --------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Erase what was said in a deleted channel and its threads."""
        threads: Sequence[discord.Thread] = getattr(channel, "threads", ())
        await self._erase(channel.guild.id, [channel.id, *(thread.id for thread in threads)])

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Erase what was said in a deleted thread."""
        await self._erase(payload.guild_id, [payload.thread_id])

    async def _erase(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        await self._chat.break_off_in(channel_ids)
        await self._attempt(
            self._core.recorder.backlog.erase_places(guild_id, channel_ids),
            "what was said in a deleted channel could not be erased",
        )

    # --- members and servers -------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Note that somebody left, where the Members intent lets Kith see it."""
        member = Member(payload.guild_id, payload.user.id)
        await self._attempt(self._retention.left(member), "that somebody left was not noted")

    @commands.Cog.listener()
    async def on_member_join(self, member: discord.Member) -> None:
        """Note that somebody is (back) here."""
        here = Member(member.guild.id, member.id)
        await self._attempt(self._retention.returned(here), "that somebody came was not noted")

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_remove")
    async def on_server(self, guild: discord.Guild) -> None:
        """Note which servers Kith is in: it was invited to one, or removed (no mere outage)."""
        await self._note_servers()

    async def reconcile(self) -> None:
        """Note, before the daily pruning, which servers and members have gone unnoticed."""
        if self._bot.is_ready():
            await self._note_servers()
            await self._attempt(self._note_departures(), "who left could not be looked up")

    async def _note_servers(self) -> None:
        present = {guild.id for guild in self._bot.guilds}
        await self._attempt(
            self._retention.servers_present(present, self._is_ours),
            "which servers I am in was not noted",
        )

    def _is_ours(self, guild_id: int) -> bool:
        """Whether this process has the connection over which a server is told of."""
        count = self._bot.shard_count or 1
        return self._bot.shard_ids is None or shard_of(guild_id, count) in self._bot.shard_ids

    async def _note_departures(self) -> None:
        """Ask Discord after today's share of those who have not been heard for long."""
        for member in await self._retention.maybe_left():
            guild = self._bot.get_guild(member.guild_id)
            if guild is None or guild.unavailable:
                continue
            try:
                await guild.fetch_member(member.user_id)
            except discord.NotFound as error:
                if error.code in (UNKNOWN_MEMBER, UNKNOWN_USER):
                    await self._retention.left(member)

    # --- what was missed -----------------------------------------------------------------------

    @commands.Cog.listener("on_ready")
    async def on_back(self) -> None:
        """Look for what happened while nobody listened; it goes on while Kith talks."""
        await self._stop_looking()
        self._looking = asyncio.create_task(self._look_for_missed(), name="look for deletions")

    async def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _look_for_missed(self) -> None:
        await self._note_servers()
        try:
            places = await self._retention.heard_lately(self._is_ours)
        except KithError as error:
            _log.warning("what I missed could not be looked up: %s", type(error).__name__)
            return
        for place in places:
            await self._attempt(self._look_at(place), "a channel could not be looked at")

    async def _look_at(self, place: Place) -> None:
        """Compare what was heard in a channel with what is there, by one look at its history."""
        channel = await self._channel(place)
        if channel is None:
            return
        there = {message.id: message async for message in channel.history(limit=HISTORY)}
        oldest = min(there) if len(there) >= HISTORY else 0
        missing = [one for one in place.revisions if one >= oldest and one not in there]
        if missing:
            await self._retract(place.guild_id, missing)
        for message in there.values():
            if message.id in place.revisions and message.edited_at and is_from_a_person(message):
                await self._revise(message)
        for message in self._unheard(place, there):
            self._bot.dispatch("message", message)  # as if Discord had told of it

    def _unheard(
        self, place: Place, there: Mapping[int, discord.Message]
    ) -> Iterator[discord.Message]:
        """Yield what was said a moment ago and reached no process, oldest first.

        What is older stays unanswered: the talk has gone on. What was answered but not stored, as
        of somebody who wants nothing stored, is known by the answer.
        """
        since = self._core.clock.now() - ANSWERED_LATE
        answered = {
            message.reference.message_id
            for message in there.values()
            if message.author == self._bot.user and message.reference is not None
        }
        for message_id, message in sorted(there.items()):
            is_known = message_id in place.revisions or message_id in answered
            if not is_known and message.created_at >= since and is_from_a_person(message):
                yield message

    async def _channel(self, place: Place) -> discord.abc.Messageable | None:
        """Return a channel if its history can be read; one that is gone is erased.

        Without the permission Discord tells an empty history, as if everything were deleted.
        """
        guild = self._bot.get_guild(place.guild_id)
        if place.guild_id != DIRECT_MESSAGES and (guild is None or guild.unavailable):
            return None
        try:
            channel = self._bot.get_channel(place.channel_id)
            channel = channel or await self._bot.fetch_channel(place.channel_id)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL and guild is not None:
                await self._erase(place.guild_id, [place.channel_id])
            return None
        if not isinstance(channel, discord.abc.Messageable):
            return None
        if guild is not None and not isinstance(channel, discord.abc.PrivateChannel):
            mine = channel.permissions_for(guild.me)
            if not (mine.view_channel and mine.read_message_history):
                return None
        return channel

    async def _attempt(self, doing: Awaitable[object], words: str) -> None:
        """Do something that nobody waits for; what is in its way is logged.

        Discord's refusals are common here and say nothing that an operator could mend.
        """
        try:
            await doing
        except discord.DiscordException as error:
            _log.debug("%s: %s", words, type(error).__name__)
        except (KithError, *LINE_LOST) as error:
            _log.error("%s: %s", words, type(error).__name__)
