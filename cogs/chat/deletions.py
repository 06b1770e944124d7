"""Follow deletions and edits on Discord: messages, channels, members and servers.

Discord sends these events only while Kith is connected, and after a short gap it repeats them
(RESUME). After a longer gap it does not, so stored messages are compared with channel histories.
While the database is away, deletions and edits wait together with the messages.
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

import discord
from discord.ext import commands

from cogs.bot.audience import can_read
from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import CONNECTION_ERRORS, is_final
from cogs.bot.messages import guild_id_of, is_from_a_person
from cogs.chat.chat import Chat
from cogs.chat.turns import TurnBuilder
from utils.common.errors import DatabaseError, KithError, Logged
from utils.common.shards import shard_of
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Member
from utils.runtime.stopping import cancel

T = TypeVar("T")
HISTORY_LIMIT = 100  # messages of one request
HISTORY_PAUSE_S = 1.0  # between requests for older messages: replies come first
RETRY_PAUSES_S = (60.0, 600.0, 3600.0)  # after a comparison failed once, twice, three times
LATE_ANSWER_LIMIT = timedelta(minutes=5)
CLOCK_SKEW = timedelta(minutes=1)  # Discord says when a message was sent, Kith when all was erased
MAX_FAILURES = 5  # in a row: then Discord is asked again tomorrow
UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_USER = 10003, 10007, 10013  # Discord's codes

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Where the comparison of a channel goes on, and how often that failed in a row."""

    guild_id: int
    channel_id: int
    before_id: int | None
    failures: int = 0


class DeletionHandler(FeatureCog):
    """Erases deleted messages, reads edited ones again, and records who left."""

    def __init__(self, bot: KithClient, turns: TurnBuilder, chat: Chat) -> None:
        super().__init__(bot)
        self._chat = chat
        self._turns = turns
        self._retention = self._app.admin.job_runs.retention
        self._catching_up: asyncio.Task[None] | None = None
        self._unchecked: list[Member] = []  # who could not be looked up the last time
        self._threads_unsure: set[int] = set()  # servers in which a channel was deleted
        self._looking_up_threads = asyncio.Lock()
        self._unavailable: set[int] = set()  # servers whose channels could not be compared

    async def cog_unload(self) -> None:
        """Stop comparing channels; the next start does it again."""
        await cancel(self._catching_up)
        await super().cog_unload()

    # --- messages ------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Cancel the reply to a deleted message, and erase the message.

        What a proxy posted in its place is answered instead.
        """
        await self._retract(payload.guild_id, [payload.message_id])
        if posted := self._chat.proxies.note_deleted(payload.message_id):
            await self._chat.answer_copy(*posted)

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Do the same for many deleted messages."""
        await self._retract(payload.guild_id, sorted(payload.message_ids))

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Read an edited message again; answer it only if it calls Kith for the first time.

        Embeds and pins update a message too, but do not change the time of its last edit.
        """
        message = payload.message
        if "content" not in payload.data or not is_from_a_person(message):
            return
        if not message.edited_at:
            self._chat.show_preview(message)
            return
        await self._attempt(self._revise(message), "an edited message was not read again")
        if await self._attempt(self._calls_now(message), "an edited message was not answered"):
            await self._chat.on_message(message)

    async def _retract(self, guild_id: int | None, message_ids: Sequence[int]) -> None:
        ids = set(message_ids)  # of questions, and of what questions by command are about
        await self._chat.running.cancel(
            lambda asked_id, reply: asked_id in ids or reply.about_id in ids
        )
        if guild_id is not None:  # scores stay when a channel is no longer watched
            forgetting = self._app.sentiment.watcher.delete(guild_id, message_ids)
            await self._attempt(forgetting, "deleted messages keep their scores")
        await self._attempt(
            self._app.memory.recorder.retract(guild_id or DIRECT_MESSAGES, message_ids),
            "deleted messages could not be forgotten",
        )
        self._app.memory.signals.removals.emit()

    async def _calls_now(self, message: discord.Message) -> bool:
        """Return whether a recent message mentions Kith that no process was asked by before."""
        is_late = self._app.clock.now() - message.created_at > LATE_ANSWER_LIMIT
        if is_late or self._bot.user not in message.mentions or message.id in self._chat.asked_ids:
            return False
        stored = await self._retention.stored_revisions(
            guild_id_of(message), message.channel.id, message.id + 1, 1
        )
        return message.id not in stored

    async def _revise(self, message: discord.Message) -> None:
        await self._chat.apply_edit(message)
        guild_id = guild_id_of(message)
        try:
            turn = self._turns.build(message, await self._app.guilds.settings.get(guild_id))
            audience = turn.audience
        except DatabaseError:  # its readers are unknown: treat the channel as private
            turn = self._turns.build(message, GuildSettings(guild_id))
            audience = replace(
                turn.audience,
                sources=frozenset({turn.event.channel_id, turn.event.source_id}),
                is_open=False,
            )
        await self._app.memory.recorder.revise(turn.event, audience)
        self._app.memory.signals.removals.emit()

    # --- channels ------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Erase the messages of a deleted channel and its threads."""
        threads: Sequence[discord.Thread] = getattr(channel, "threads", ())
        await self._erase(channel.guild.id, [channel.id, *(thread.id for thread in threads)])
        # Archived threads ended with their channel, and Discord names none of them. When many
        # channels are deleted at once, the later ones share one look-up.
        guild = channel.guild
        self._threads_unsure.add(guild.id)
        async with self._looking_up_threads:
            if guild.id not in self._threads_unsure:
                return
            self._threads_unsure.discard(guild.id)
            for guild_id, channel_id in await self._places():
                if guild_id == guild.id and guild.get_channel_or_thread(channel_id) is None:
                    looking_up = self._channel(guild_id, channel_id)
                    await self._attempt(looking_up, "an archived thread could not be looked up")

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Erase the messages of a deleted thread."""
        await self._erase(payload.guild_id, [payload.thread_id])

    async def _erase(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        await self._chat.running.cancel(
            lambda _, reply: not reply.channel_ids.isdisjoint(channel_ids)
        )
        await self._attempt(
            self._app.memory.recorder.erase_channels(guild_id, channel_ids),
            "what was said in a deleted channel could not be erased",
        )
        self._app.memory.signals.removals.emit()

    # --- members and servers -------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Record that a member left; Discord sends this only with the Members intent."""
        await self._attempt(
            self._retention.record_departure(Member(payload.guild_id, payload.user.id)),
            "that a member left was not recorded",
        )

    @commands.Cog.listener()
    async def on_member_join(self, member: discord.Member) -> None:
        """Record that a member joined, perhaps again."""
        await self._attempt(
            self._retention.record_return(Member(member.guild.id, member.id)),
            "that a member joined was not recorded",
        )

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_remove")
    async def on_server(self, guild: discord.Guild) -> None:
        """Record which servers Kith is in; outages send other events."""
        await self._record_servers()

    async def reconcile(self) -> None:
        """Record, before the daily pruning, departures of servers and members that were missed."""
        if self._bot.is_ready():
            await self._record_servers()
            await self._attempt(self._record_departures(), "who left could not be looked up")

    async def _record_servers(self) -> None:
        present = {guild.id for guild in self._bot.guilds}
        await self._attempt(
            self._retention.update_servers(present, self._is_ours),
            "which servers I am in was not recorded",
        )

    def _is_ours(self, guild_id: int) -> bool:
        """Return whether a server belongs to the shards of this process."""
        count = self._bot.shard_count or 1
        return self._bot.shard_ids is None or shard_of(guild_id, count) in self._bot.shard_ids

    async def _record_departures(self) -> None:
        """Ask Discord about today's share of the members who have been silent for some days.

        Who left is asked about again before they are erased, because they may have come back. Who
        cannot be looked up is tried again tomorrow; Discord is left alone if it fails in a row.
        """
        leavers = set(await self._retention.leavers_to_check())
        silent = await self._retention.members_to_check()
        waiting = dict.fromkeys((*leavers, *self._unchecked, *silent))
        self._unchecked = []
        failures = 0
        for member in waiting:
            guild = self._bot.get_guild(member.guild_id)
            if guild is None:  # another process serves it, or it has removed Kith
                continue
            if guild.unavailable or failures >= MAX_FAILURES:
                self._unchecked.append(member)
                continue
            try:
                await guild.fetch_member(member.user_id)
                failures = 0
                if member in leavers:
                    await self._retention.record_return(member)
            except discord.NotFound as error:
                failures = 0
                is_gone = error.code in (UNKNOWN_MEMBER, UNKNOWN_USER)
                if is_gone and member not in leavers:
                    await self._retention.record_departure(member, is_found_later=True)
            except (discord.DiscordException, *CONNECTION_ERRORS) as error:
                failures += 1
                self._unchecked.append(member)
                _log.debug("a member could not be looked up: %s", type(error).__name__)
        if self._unchecked:
            _log.warning("%d members could not be looked up; tomorrow again", len(self._unchecked))

    # --- catching up after a gap ---------------------------------------------------------------

    @commands.Cog.listener("on_ready")
    async def catch_up(self) -> None:
        """Look in the background for what happened while Kith was not connected."""
        await cancel(self._catching_up)
        self._catching_up = asyncio.create_task(self._compare_channels(), name="catch up")

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Look again for what happened, once a server is back that was unavailable."""
        if guild.id in self._unavailable:
            self._unavailable.discard(guild.id)
            await self.catch_up()

    async def _compare_channels(self) -> None:
        """Compare every channel with its newest history, then all older messages that are stored.

        What fails is tried again after the others. It begins again after the next start, with what
        is newest.
        """
        await self._record_servers()
        older: list[_Comparison] = []
        failed: list[_Comparison] = []
        for guild_id, channel_id in await self._places():
            if self._is_ours(guild_id) and (unread := await self._compare(guild_id, channel_id)):
                (failed if unread.failures else older).append(unread)
        while older or failed:
            at = (older or failed).pop(0)
            await self._app.clock.sleep(
                RETRY_PAUSES_S[at.failures - 1] if at.failures else HISTORY_PAUSE_S
            )
            unread = await self._compare(at.guild_id, at.channel_id, at.before_id, at.failures)
            if unread is not None and unread.failures:
                failed.append(unread)
            elif unread is not None:
                older.insert(0, unread)

    async def _places(self) -> Sequence[tuple[int, int]]:
        """Return where something was said that is kept; nothing if the database stays away."""
        for pause_s in RETRY_PAUSES_S:
            try:
                return await self._retention.channels_to_compare()
            except KithError as error:
                _log.warning(
                    "missed messages are looked up again in %.0f s: %s",
                    pause_s,
                    type(error).__name__,
                )
                await self._app.clock.sleep(pause_s)
        return ()

    async def _compare(
        self, guild_id: int, channel_id: int, before_id: int | None = None, failures: int = 0
    ) -> "_Comparison | None":
        """Compare stored messages of a channel with one page of its history.

        Returns what is still to be compared; None if nothing is, the channel cannot be read, or it
        failed too often.

        Args:
            before_id: below which message nothing is compared yet; None: begin with the newest.
            failures: how often in a row this page could not be compared.
        """
        try:
            next_id = await self._compare_page(guild_id, channel_id, before_id)
        except (discord.DiscordException, KithError, *CONNECTION_ERRORS) as error:
            failures += 1
            passes = not is_final(error)
            is_again = passes and failures <= len(RETRY_PAUSES_S)
            _log.log(
                logging.WARNING if passes else logging.DEBUG,
                "a channel could not be compared%s: %s",
                ", and is tried again later" if is_again else "",
                type(error).__name__,
            )
            return _Comparison(guild_id, channel_id, before_id, failures) if is_again else None
        return None if next_id is None else _Comparison(guild_id, channel_id, next_id)

    async def _compare_page(
        self, guild_id: int, channel_id: int, before_id: int | None
    ) -> int | None:
        """Compare one page; returns the id below which nothing is compared yet, None if all is."""
        stored = await self._retention.stored_revisions(
            guild_id, channel_id, before_id, HISTORY_LIMIT
        )
        watched = await self._retention.watched_ids(guild_id, channel_id)
        oldest_id = min(stored) if len(stored) >= HISTORY_LIMIT else 0
        known_ids = {*stored, *(id_ for id_ in watched if oldest_id < id_ < (before_id or id_ + 1))}
        channel = await self._channel(guild_id, channel_id)  # asked also if only memories are left
        if channel is None or not known_ids:
            return None
        until = None if before_id is None else discord.Object(max(known_ids) + 1)
        history = {
            message.id: message
            async for message in channel.history(limit=HISTORY_LIMIT, before=until)
        }
        if not self._may_read(guild_id, channel):  # taken away meanwhile
            return None
        lowest_id = min(history) if len(history) >= HISTORY_LIMIT else 0
        compared = [message_id for message_id in known_ids if message_id >= lowest_id]
        deleted_ids = [message_id for message_id in compared if message_id not in history]
        if deleted_ids:
            await self._retract(guild_id, deleted_ids)
        for message in map(history.get, compared):
            if message is not None and message.edited_at and is_from_a_person(message):
                await self._revise(message)
                if message.id in watched:
                    self._bot.dispatch("missed_edit", message)
        if before_id is None and stored:
            erased_until = await self._retention.erased_until(
                guild_id, {message.author.id for message in history.values()}
            )
            for message in self._missed(stored, history, erased_until):
                self._bot.dispatch("message", message)  # as if Discord had sent the event
        if not lowest_id and len(stored) < HISTORY_LIMIT:
            return None
        return min(compared, default=max(known_ids) + 1)

    def _missed(
        self,
        stored: Mapping[int, int],
        history: Mapping[int, discord.Message],
        erased_until: Mapping[int, datetime],
    ) -> Iterator[discord.Message]:
        """Yield recent messages that reached no process, oldest first.

        Older ones stay unanswered, because the conversation has moved on. Messages of members with
        consent off are not stored, but Kith's answer refers to them. What its author had erased
        since is not missed either.
        """
        since = self._app.clock.now() - LATE_ANSWER_LIMIT
        answered = {
            message.reference.message_id
            for message in history.values()
            if message.author == self._bot.user and message.reference is not None
        }
        unknown_ids = history.keys() - stored.keys() - answered
        for message in map(history.__getitem__, sorted(unknown_ids)):
            erased_at = erased_until.get(message.author.id)
            missed_since = since if erased_at is None else max(since, erased_at + CLOCK_SKEW)
            if is_from_a_person(message) and message.created_at > missed_since:
                yield message

    async def _channel(self, guild_id: int, channel_id: int) -> discord.abc.Messageable | None:
        """Return a channel if its history can be read; erase the messages of a deleted one."""
        guild = self._bot.get_guild(guild_id)
        if guild_id != DIRECT_MESSAGES and (guild is None or guild.unavailable):
            if guild is not None:
                self._unavailable.add(guild_id)
            return None
        try:
            channel = self._bot.get_channel(channel_id) or await self._bot.fetch_channel(channel_id)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL and guild is not None:
                await self._erase(guild_id, [channel_id])
            return None
        if not isinstance(channel, discord.abc.Messageable):
            return None
        return channel if self._may_read(guild_id, channel) else None

    def _may_read(self, guild_id: int, channel: discord.abc.Messageable) -> bool:
        """Return whether Kith may read a channel's history.

        Without the permission Discord sends an empty history, as if everything were deleted.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None or isinstance(channel, discord.abc.PrivateChannel):
            return guild_id == DIRECT_MESSAGES
        return can_read(guild.me, channel, is_here=True)

    async def _attempt(self, action: Awaitable[T], failure: str) -> T | None:
        """Await an action in the background; log errors with the words of ``failure``.

        Discord's refusals are common here, and the operator cannot do anything about them.
        """
        with (
            Logged(_log.debug, failure, discord.DiscordException),
            Logged(_log.error, failure, KithError, *CONNECTION_ERRORS),
        ):
            return await action
        return None
