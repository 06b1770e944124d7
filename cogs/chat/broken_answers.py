"""Answer again what was broken off by a stop or a kill, and remove what was sent of it."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from operator import attrgetter

import discord

from cogs.bot.audience import missing_to_send
from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import REQUEST_ERRORS, is_final
from cogs.bot.login import is_connected_for
from cogs.chat.chat import Chat
from cogs.chat.question_queue import MUTED, WAITING, unmark
from utils.memory.ingestion.pending_answers import RENEW_EVERY_S
from utils.models.conversation import PendingAnswer

MAX_CHANNELS = 5  # in which broken answers are given at once
MAX_MESSAGES = 100  # around a question, for the first part of its answer, and marks on lines
MAX_LATER = 400  # after these: an answer may be given five minutes after its question

_log = logging.getLogger(__name__)


class BrokenAnswers(FeatureCog):
    """Takes over the questions whose answer an earlier run, or another process, left unfinished."""

    def __init__(self, bot: KithClient, chat: Chat) -> None:
        super().__init__(bot)
        self._chat = chat
        self._pending_answers = self._app.memory.recorder.pending_answers
        self.workers = (
            self._new_worker(
                "pending answers",
                self._pending_answers.renew,
                interval_s=RENEW_EVERY_S,
            ),
            self._new_worker("broken answers", self.take_over, interval_s=RENEW_EVERY_S),
        )

    async def take_over(self) -> None:
        """Answer what nobody is answering any more: some channels at once, each in order."""
        if not self._bot.is_ready():
            return
        by_channel: dict[int, list[PendingAnswer]] = {}
        for pending in await self._pending_answers.due(partial(is_connected_for, self._bot)):
            # What could still be answered waits until Kith may write there again.
            missing = missing_to_send(self._bot.get_channel(pending.channel_id))
            if not (missing and self._pending_answers.may_answer(pending)):
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
            # What a member asked in a channel is one question, and is answered at once.
            questions: dict[tuple[int | None, int], list[PendingAnswer]] = {}
            for pending in answers:
                is_answered = self._pending_answers.may_answer(pending)
                lone_id = 0 if is_answered else pending.question.message_id
                questions.setdefault((pending.author_id, lone_id), []).append(pending)
            for lines in questions.values():
                if self._chat.is_closing:
                    return
                claimed = []
                for pending in lines:
                    if not await self._pending_answers.claim(pending):
                        break  # another process takes them over
                    claimed.append(pending)
                if claimed:
                    await self._answer_again(claimed)

    async def _answer_again(self, lines: Sequence[PendingAnswer]) -> None:
        """Delete what was sent of an answer, and answer again unless it is too late for that."""
        references = [pending.question for pending in lines]
        try:
            messages = await self._clean_up(lines)
        except REQUEST_ERRORS as error:
            _log.info("a broken answer can't be reached: %s", type(error).__name__)
            if not is_final(error):
                await self._pending_answers.release(*references)
                return
            messages = {}
        answerable = [
            pending
            for pending in lines
            if pending.question.message_id in messages and self._pending_answers.may_answer(pending)
        ]
        await self._pending_answers.finish(
            *(line.question for line in lines if line not in answerable)
        )
        if answerable:
            _log.info("an answer that was broken off is given again")
            await self._chat.answer_again(
                [messages[pending.question.message_id] for pending in answerable],
                max(pending.attempts for pending in answerable) + 1,
            )
            await self._pending_answers.release(*references)  # unless it was answered or given up

    async def _clean_up(self, lines: Iterable[PendingAnswer]) -> dict[int, discord.Message]:
        """Delete what was sent of an answer; returns the messages around its question by id."""
        messages: dict[int, discord.Message] = {}
        for pending in lines:
            question_id, channel_id = pending.question.message_id, pending.channel_id
            channel = self._bot.get_channel(channel_id) or await self._bot.fetch_channel(channel_id)
            if not isinstance(channel, discord.abc.Messageable):
                continue
            if question_id not in messages:
                question = discord.Object(question_id)
                around = [
                    message
                    async for message in channel.history(limit=MAX_MESSAGES, around=question)
                ]
                if around:
                    last = max(around, key=attrgetter("id"))
                    later = channel.history(limit=MAX_LATER, after=last)
                    around += [message async for message in later]
                await _unmark(around, question_id)
                messages |= {message.id: message for message in around}
            replies = {
                message.id
                for message in messages.values()
                if message.author == self._bot.user and _answered_id(message) == question_id
            }
            place = self._bot.get_partial_messageable(channel_id)
            for part_id in replies.union(pending.part_ids):
                with suppress(discord.NotFound):
                    await place.get_partial_message(part_id).delete()
        return messages


def _answered_id(message: discord.Message) -> int | None:
    """Return the id of the message or command that a message of Kith's answers."""
    if message.interaction_metadata is not None:
        return message.interaction_metadata.id
    return None if message.reference is None else message.reference.message_id


async def _unmark(messages: Iterable[discord.Message], question_id: int) -> None:
    """Take away the ⏳ that a killed process left on what waited, and the 🔇 of what goes on."""
    for message in messages:
        ended = (WAITING, MUTED) if message.id == question_id else (WAITING,)
        for mark in message.reactions:
            if mark.me and str(mark.emoji) in ended:
                await unmark(message, str(mark.emoji))
