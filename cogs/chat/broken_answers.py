"""Answer again what was broken off by a stop or a kill, and remove what was sent of it."""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

import discord
from discord.ext import commands

from cogs.bot.connection import is_connected_for
from cogs.bot.interactions import CONNECTION_ERRORS
from cogs.chat.chat import Chat
from utils.app import App
from utils.memory.ingestion.pending_answers import RENEW_EVERY_S
from utils.models.conversation import PendingAnswer

MAX_CHANNELS = 5  # in which broken answers are given at once
MAX_LATER_MESSAGES = 50  # among which the first part of a broken answer is looked for

_log = logging.getLogger(__name__)


class BrokenAnswers(commands.Cog):
    """Takes over the questions whose answer an earlier run, or another process, left unfinished."""

    def __init__(self, bot: commands.AutoShardedBot, app: App, chat: Chat) -> None:
        self._bot = bot
        self._answers = app.memory.recorder.pending_answers
        self._chat = chat
        worker = app.runtime.infrastructure.worker
        self._workers = (
            worker("pending answers", self._answers.renew, interval_s=RENEW_EVERY_S),
            worker("broken answers", self.take_over, interval_s=RENEW_EVERY_S),
        )

    async def cog_load(self) -> None:
        """Start looking."""
        for worker in self._workers:
            worker.start()

    async def cog_unload(self) -> None:
        """Stop; what was taken over is finished or left by the chat."""
        for worker in self._workers:
            await worker.close()

    async def take_over(self) -> None:
        """Answer what nobody is answering any more: some channels at once, each in order."""
        if not self._bot.is_ready():
            return
        by_channel: dict[int, list[PendingAnswer]] = {}
        for pending in await self._answers.due(partial(is_connected_for, self._bot)):
            by_channel.setdefault(pending.channel_id, []).append(pending)
        places = asyncio.Semaphore(MAX_CHANNELS)
        outcomes = await asyncio.gather(
            *(self._take_over_in_order(places, answers) for answers in by_channel.values()),
            return_exceptions=True,
        )
        for error in filter(None, outcomes):
            raise error

    async def _take_over_in_order(
        self, places: asyncio.Semaphore, answers: Iterable[PendingAnswer]
    ) -> None:
        async with places:
            for pending in answers:
                if self._chat.is_closing:
                    return
                if await self._answers.claim(pending):
                    await self._answer_again(pending)

    async def _answer_again(self, pending: PendingAnswer) -> None:
        """Delete what was sent of an answer, and answer again unless it is too late for that."""
        try:
            channel = await self._channel(pending.channel_id)
            messages = [] if channel is None else await self._messages_since(channel, pending)
            if channel is not None:
                for part_id in {*pending.part_ids, *self._replies(messages, pending)}:
                    await self._delete(pending.channel_id, part_id)
        except (discord.NotFound, discord.Forbidden) as error:
            _log.info("a broken answer can't be reached: %s", error.code)
            messages = []
        except (discord.HTTPException, *CONNECTION_ERRORS) as error:
            _log.info("a broken answer is removed later: %s", type(error).__name__)
            await self._answers.release(pending.question)
            return
        question = next((one for one in messages if one.id == pending.question.message_id), None)
        if question is None or not self._answers.may_answer(pending):
            await self._answers.finish(pending.question)
            return
        _log.info("an answer that was broken off is given again")
        await self._chat.answer_again(question, pending.attempts + 1)
        await self._answers.release(pending.question)  # unless it was answered or given up

    async def _channel(self, channel_id: int) -> discord.abc.Messageable | None:
        channel = self._bot.get_channel(channel_id) or await self._bot.fetch_channel(channel_id)
        return channel if isinstance(channel, discord.abc.Messageable) else None

    async def _messages_since(
        self, channel: discord.abc.Messageable, pending: PendingAnswer
    ) -> list[discord.Message]:
        """Return the question and the messages after it."""
        before = discord.Object(pending.question.message_id - 1)
        history = channel.history(limit=MAX_LATER_MESSAGES, after=before, oldest_first=True)
        return [message async for message in history]

    def _replies(self, messages: Iterable[discord.Message], pending: PendingAnswer) -> set[int]:
        """Return the ids of Kith's replies to the question."""
        return {
            message.id
            for message in messages
            if message.author == self._bot.user
            and message.reference is not None
            and message.reference.message_id == pending.question.message_id
        }

    async def _delete(self, channel_id: int, message_id: int) -> None:
        channel = self._bot.get_partial_messageable(channel_id)
        with suppress(discord.NotFound):
            await channel.get_partial_message(message_id).delete()
