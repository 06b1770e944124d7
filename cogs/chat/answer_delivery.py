"""Generate an answer, send it and record it: the same for messages and for commands."""

import logging
from asyncio import Future
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import discord
from discord.utils import format_dt

from cogs.bot.messages import SOURCES_LINE, as_event, without_lines
from cogs.chat.forget_buttons import question_buttons
from cogs.chat.reply_sender import OnSent, ReplySender
from utils.app import App
from utils.common.bounded import ExpiringDict
from utils.common.errors import DatabaseError, ReadersChanged
from utils.conversation.answer_stream import AnswerStream
from utils.models.conversation import Answer, Turn
from utils.models.memory import NO_MESSAGE, RecordOutcome, Role
from utils.runtime.metrics import MODEL, PLAIN, Stage

DELETABLE_S = 840.0  # an interaction's token lasts 15 minutes, from before the answer
MAX_KEPT = 10_000
MAX_ATTEMPTS = 2

PrivateAnswers: TypeAlias = ExpiringDict[int, tuple[discord.Message, str]]

_log = logging.getLogger(__name__)


class AnswerDelivery:
    """Answers turns.

    ``private`` are the answers that only one person sees, with their texts, by their ids, as long
    as Discord lets Kith change or delete them.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self.private: PrivateAnswers = ExpiringDict(app.clock, MAX_KEPT, DELETABLE_S)

    async def generate(
        self,
        turn: Turn,
        build: Callable[[], Awaitable[Turn]],
        may_hear: Callable[[Turn], bool],
        recording: Future[RecordOutcome],
        sender: ReplySender,
    ) -> tuple[Turn, Answer] | None:
        """Return the answer, and the turn that it is to; shown while written if the operator wants.

        If it rests on what some who read it now may not hear, another one is generated, unless
        tools have run. None if another process answers. Raises ReadersChanged, and what
        ``Conversation.answer`` raises.

        Args:
            turn: the question's turn.
            build: returns its turn as of now.
            may_hear: whether all who read an answer now may hear what a turn of it recalled.
            recording: what becomes of the question's recording.
            sender: shows the answer.
        """
        conversation = self._app.conversation
        for _ in range(MAX_ATTEMPTS):
            if self._app.settings.stream_answers:
                stream = AnswerStream(
                    age_restricted=turn.age_restricted, may_hear=partial(may_hear, turn)
                )
                async with sender.streaming(stream):
                    answer = await conversation.answer(turn, recording, stream)
            else:
                answer = await conversation.answer(turn, recording)
            if answer is None:
                return None
            rebuilt = turn if may_hear(turn) else await build()
            if may_hear(turn):  # if only people's roles were unknown, they are known now
                return turn, answer
            if answer.used_tools:
                break
            turn = rebuilt
        raise ReadersChanged

    async def deliver(self, turn: Turn, answer: Answer, sender: ReplySender) -> None:
        """Send an answer and record it; what it asks about is done once it was sent as a whole."""
        with self._app.runtime.metrics.measure_stage(Stage.SENDING):
            record = None if turn.is_proxied else partial(self._record, turn, answer)
            outcome = PLAIN if self._app.model is None else MODEL
            view = question_buttons(answer, turn.event.author_id, sender.locale)
            text = await self._with_sources(turn, answer)
            await self.send(sender, turn.event.guild_id, outcome, text, record, view)
            if sender.is_complete:
                await self._app.conversation.note_sent(answer)
        self._app.policies.shadow.replied(turn.event.message_id)

    async def _with_sources(self, turn: Turn, answer: Answer) -> str:
        """Return an answer, with a line that links to where it comes from if the server has it.

        What Kith did at a member's wish names it already. A line that only looks like Kith's own,
        as somebody asked the model for it, is left out.
        """
        text, is_of_wish = without_lines(answer.text) or answer.text, answer.stored_text is not None
        if is_of_wish or not (turn.settings.shows_sources and text and answer.has_memory):
            return text
        data, refs = self._app.memory.member_data, answer.provenance.sources
        try:
            origins = await data.origins_of_new(turn.event, text, refs, turn.audience.sources)
        except DatabaseError as error:
            _log.info("an answer goes without its sources: %s", type(error).__name__)
            return text
        links = [
            f"{origin.link} {format_dt(origin.said_at, 'D')}" for origin in origins if origin.link
        ]
        return f"{text}\n{SOURCES_LINE}{' · '.join(links)}" if links else text

    async def send(
        self,
        sender: ReplySender,
        guild_id: int,
        outcome: str | BaseException,
        text: str,
        on_sent: OnSent | None = None,
        view: discord.ui.View | None = None,
    ) -> None:
        """Send an answer, or the sentence in its place, and count it once it is complete.

        ``view`` has the buttons under it.
        """
        was_complete = sender.is_complete
        try:
            await sender.finish(text, on_sent, view)
        finally:
            if sender.is_complete and not was_complete:
                self._app.runtime.metrics.count_reply(guild_id, outcome)

    async def _record(self, turn: Turn, answer: Answer, sent: discord.Message, text: str) -> None:
        """Record a sent answer as a part of the conversation."""
        question = turn.event
        stored = without_lines(text) if answer.stored_text is None else answer.stored_text
        event = as_event(
            sent,
            stored,
            guild_id=question.guild_id,
            reply_to_id=question.message_id,
            role=Role.KITH,
        )
        is_private = sent.flags.ephemeral
        if is_private:
            self.private[sent.id] = sent, text
        await self._app.memory.recorder.record(
            replace(
                event,
                channel_id=question.channel_id,
                source_id=question.source_id,
                revision=NO_MESSAGE if is_private else 0,
                about_ids=answer.about_ids,
                provenance=answer.provenance,
            ),
            turn.audience,
        )
