"""Answer mentions, replies, direct messages, and what is said to Kith in chat channels."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import date
from functools import partial

import discord
from discord.ext import commands

from cogs.bot.audience import find_channel, missing_to_send, place_ids, source_id_of
from cogs.bot.client import KithClient
from cogs.bot.error_handler import sentence_for
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import REQUEST_ERRORS
from cogs.bot.localisation import locale_of, tr
from cogs.bot.messages import guild_id_of, is_from_a_person, unknown_server_id
from cogs.bot.texts import AWAY, UNWRITABLE
from cogs.chat.answer_delivery import AnswerDelivery
from cogs.chat.forget_buttons import ForgetButton
from cogs.chat.proxied_members import ProxiedMembers
from cogs.chat.question_queue import (
    MUTED,
    REFUSED,
    QuestionQueue,
    QueuedLine,
    QueuedQuestion,
    QueueFull,
    react,
)
from cogs.chat.reply_sender import ReplySender
from cogs.chat.reply_targets import MessageTarget
from cogs.chat.running_replies import RunningReplies, RunningReply
from cogs.chat.turns import (
    TurnBuilder,
    is_addressed,
    may_talk,
    names_kith,
    resolve_reference,
)
from cogs.memory.consent import Contact
from utils.common.bounded import BoundedDict
from utils.common.errors import BudgetSpent, KithError, Logged
from utils.models.conversation import Answer, QuestionRef
from utils.models.guild import GuildSettings
from utils.models.memory import Event, Member, RecordOutcome
from utils.nlp.confidential import is_confidential
from utils.runtime import stopping
from utils.runtime.backoff import KeyedBackoff
from utils.runtime.metrics import Stage

EVERYBODY = 0
MAX_ASKED = 10_000

_log = logging.getLogger(__name__)


class Chat(FeatureCog):
    """Answers messages that are addressed to Kith, until it ``is_closing``."""

    buttons = (ForgetButton,)

    def __init__(self, bot: KithClient, turns: TurnBuilder) -> None:
        super().__init__(bot)
        self._turns = turns
        app, settings = bot.app, bot.app.settings
        self.questions = QuestionQueue(app.clock, settings, self._answer)
        self._recorder = app.memory.recorder
        self._pending_answers = self._recorder.pending_answers
        self.delivery = AnswerDelivery(app)
        self.edit_rate: KeyedBackoff[int] = KeyedBackoff(app.clock)
        self.running = RunningReplies()
        self.asked_ids: BoundedDict[int, None] = BoundedDict(MAX_ASKED)
        self.proxies = ProxiedMembers(app.clock)
        self._budget_notices: set[tuple[int, int, date]] = set()  # of today
        self._outage_notices: set[int] = set()
        self.listeners = ((app.memory.signals.erasures, self.running.cancel_of),)
        self.is_closing = False

    async def cog_unload(self) -> None:
        """Finish the replies under way, within a limit."""
        await self.drain(stopping.ANSWERS_S)
        await super().cog_unload()

    async def drain(self, timeout_s: float) -> None:
        """Accept no more messages, and wait for the replies under way; cancel those that are late.

        What was asked is stored by then, or waits for the database.
        """
        self.is_closing = True
        _log.info("I take no more messages; answers to finish: %d", len(self.running))
        await self.running.drain(timeout_s)

    # --- incoming messages ---------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that is addressed to Kith, once."""
        if message.webhook_id is None:
            await self._handle(message)
        elif (author_id := self.proxies.author_of(message)) is not None:
            await self.answer_copy(message, author_id)

    async def answer_copy(self, copy: discord.Message, author_id: int) -> None:
        """Answer what a proxy posted for a member, in place of their deleted message."""
        self._turns.proxied_authors[copy.id] = author_id
        await self._handle(copy)

    @commands.Cog.listener()
    async def on_raw_typing(self, payload: discord.RawTypingEvent) -> None:
        """Wait for the next line of a member who is typing."""
        self.questions.note_typing(payload.channel_id, payload.user_id)

    async def answer_again(self, lines: Sequence[discord.Message], attempt: int) -> None:
        """Answer a member's stored messages whose answers were broken off, as one question."""
        *before, last = lines
        task = asyncio.create_task(self._handle(last, attempt, before), name="answer again")
        await asyncio.wait([task])

    async def _handle(
        self, message: discord.Message, attempt: int = 0, before: Sequence[discord.Message] = ()
    ) -> None:
        """Answer a message if it is addressed to Kith; ``attempt`` 0 is the first."""
        task = asyncio.current_task()
        author_id = self._turns.proxied_authors.get(message.id)
        is_said = author_id is not None or is_from_a_person(message)
        if self.is_closing or task is None or not is_said:
            return
        if unknown_server_id(message) and not await self._find_thread(message):
            return  # it is no direct message, and nobody knows who reads it
        if message.id in self.running:
            return  # Discord sent the event twice
        self.running[message.id] = RunningReply(
            task,
            Member(guild_id_of(message), author_id or message.author.id),
            frozenset({message.channel.id, source_id_of(message.channel)}),
        )
        try:
            settings = await self._guild_settings(message)
            if settings is None or settings.never_answers(*place_ids(message.channel)):
                return
            if not (attempt or author_id or may_talk(message, settings)):
                return
            await resolve_reference(message)
            if not is_addressed(message, settings, self._bot.user):
                return
            if missing := missing_to_send(message.channel):
                _log.warning(
                    "I was asked in channel %d but may not answer: give me the permission %r there",
                    message.channel.id,
                    missing,
                )
                if names_kith(message, self._bot.user):
                    await react(message, MUTED)
                if is_confidential(message.content):  # what it means is told to others elsewhere
                    turn = self._turns.build(message, settings)
                    await self._recorder.record(turn.event, turn.audience)
                return
            self.asked_ids[message.id] = None
            await self._ask(message, settings, attempt, before)
        except asyncio.CancelledError:
            _log.info("a reply was cancelled: its question was deleted, or Kith is closing")
        finally:
            del self.running[message.id]

    async def _find_thread(self, message: discord.Message) -> bool:
        """Ask Discord for the thread of a message that mentions Kith, which it has not sent yet.

        Returns whether the message has its thread now.
        """
        if self._bot.user not in message.mentions:
            return False
        thread: object = None
        if message.guild is not None:
            with Logged(_log.debug, "the thread of a message was not read", *REQUEST_ERRORS):
                thread = await find_channel(message.guild, message.channel.id)
        if not isinstance(thread, discord.Thread) or thread.parent is None:
            _log.warning(
                "I was asked in channel %d, which Discord has not sent: the question is left out",
                message.channel.id,
            )
            return False
        thread.guild._add_thread(thread)  # fetching it does not
        message.channel = thread
        return True

    async def wait_for_reply(self, message_id: int) -> None:
        """Return when no reply to a message is under way."""
        if message_id in self.running:
            await asyncio.wait([self.running[message_id].task])

    async def apply_edit(self, message: discord.Message) -> None:
        """Apply an edit to a message that waits for its answer; returns when it may be stored.

        An answer that has begun already is about the old text, and ends first.
        """
        reply = self.running.get(message.id)
        line = None if reply is None else reply.line
        if line is None or line.question.is_begun:
            await self.wait_for_reply(message.id)
        else:
            self.questions.replace(line, message)
            await asyncio.wait([line.recording])

    def show_preview(self, message: discord.Message) -> None:
        """Give a message that waits for its answer the previews that Discord added to it."""
        reply = self.running.get(message.id)
        if reply is not None and reply.line is not None and not reply.line.question.is_begun:
            reply.line.message = message

    async def _guild_settings(self, message: discord.Message) -> GuildSettings | None:
        """Return a server's settings; None if they cannot be read and are not cached.

        Kith then answers no one, because moderators may have chosen that it never answers there.
        """
        with Logged(_log.info, "no reply while settings are unknown", KithError):
            return await self._app.guilds.settings.get(guild_id_of(message))
        return None

    # --- answering -----------------------------------------------------------------------------

    async def _ask(
        self,
        message: discord.Message,
        settings: GuildSettings,
        attempt: int,
        before: Sequence[discord.Message],
    ) -> None:
        """Store a message while it waits for its answer, with the member's lines around it.

        ``before`` are stored lines of its question that are answered again with it.
        """
        turn, reply = self._turns.build(message, settings), self.running[message.id]
        event, reference = turn.event, QuestionRef(turn.event.guild_id, message.id)
        recorded: AbstractAsyncContextManager[asyncio.Future[RecordOutcome]]
        if turn.is_proxied or attempt:  # it is never stored, or was stored before
            outcome: asyncio.Future[RecordOutcome] = asyncio.get_running_loop().create_future()
            outcome.set_result(RecordOutcome.UNSTORED if turn.is_proxied else RecordOutcome.STORED)
            recorded = nullcontext(outcome)
        else:
            self.proxies.note_asked(message)
            recorded = self._recorder.recording(event, turn.audience, is_answered=True)
        del turn  # it is built again when the channel is free, and hundreds of questions may wait
        async with recorded as recording:
            line = QueuedLine(message, event, recording, attempt)
            try:
                for earlier in before:
                    earlier_event = self._turns.build(earlier, settings).event
                    self.questions.add(QueuedLine(earlier, earlier_event, recording, attempt))
                self.questions.add(line)
            except QueueFull as error:
                if await asyncio.shield(recording):
                    sender = ReplySender(MessageTarget(message), self.edit_rate)
                    await self._refuse(sender, [message], error, is_first=error.is_first)
                await self._pending_answers.finish(reference)
                return
            reply.line = line
            try:
                await self.questions.wait_until_answered(line)
            except asyncio.CancelledError:
                await stopping.finish(self._stop_waiting(line, reference))
                raise
        await self._pending_answers.finish(reference)  # unless that is done, or it was left

    async def _refuse(
        self,
        sender: ReplySender,
        lines: Sequence[discord.Message],
        error: BudgetSpent | QueueFull,
        *,
        is_first: bool,
    ) -> None:
        """Mark each line that gets no answer; say why at first, or where no mark is allowed."""
        marked = await asyncio.gather(*(react(line, REFUSED) for line in lines))
        await self._explain(sender, lines[-1], error, says_why=is_first or not all(marked))

    async def _stop_waiting(self, line: QueuedLine, reference: QuestionRef) -> None:
        """Remove a line whose reply was cancelled; on closing, leave it to the next start."""
        if not self.is_closing:
            await self.questions.remove(line)
            await self._pending_answers.finish(reference)
            return
        await stopping.cancel(line.question.task)
        await asyncio.wait([line.recording])
        await self._pending_answers.release(reference)

    async def _answer(self, question: QueuedQuestion, ready_at: float) -> None:
        """Answer a question whose turn has come; it could have begun at ``ready_at``."""
        self._app.runtime.metrics.observe_stage(Stage.QUEUEING, ready_at)
        line = question.lines[-1]
        reference = QuestionRef(line.event.guild_id, line.message.id)
        sender = ReplySender(
            MessageTarget(line.message),
            self.edit_rate,
            name=f"r{line.attempt}" if line.attempt else "",
            on_unfinished=partial(self._pending_answers.add_parts, reference),
        )
        self.running[line.message.id].sender = sender
        try:
            await self._answer_or_explain(question, line, sender)
        except asyncio.CancelledError:
            await sender.withdraw()
            raise
        references = [QuestionRef(line.event.guild_id, line.message.id) for line in question.lines]
        if sender.is_broken_off:
            if missing_to_send(line.message.channel):  # it was lost while Kith wrote
                await react(line.message, MUTED)
            await self._pending_answers.release(*references)
        else:
            await self._pending_answers.finish(*references)

    async def _answer_or_explain(
        self, question: QueuedQuestion, line: QueuedLine, sender: ReplySender
    ) -> None:
        """Answer; an error replaces what was sent of the answer by a sentence."""
        message = line.message
        try:
            before = question.lines[:-1]
            if before:
                await asyncio.wait([earlier.recording for earlier in before])
            async with sender.typing():
                build = partial(
                    self._turns.build_for_answer, message, [earlier.message for earlier in before]
                )
                may_hear = partial(self._turns.may_hear, message)
                answered = await self.delivery.generate(
                    await build(), build, may_hear, line.recording, sender
                )
            if answered is not None:
                turn, answer = answered
                await self.delivery.deliver(turn, answer, sender)
                if sender.is_complete and not turn.is_proxied:
                    await self._after_answer(message, answer)
        except BudgetSpent as error:
            is_first = self._is_first_notice(line.event, error)
            lines = [refused.message for refused in question.lines]
            await self._refuse(sender, lines, error, is_first=is_first)
        except Exception as error:
            await self._explain(sender, message, error)

    async def _explain(
        self,
        sender: ReplySender,
        message: discord.Message,
        error: BaseException,
        *,
        says_why: bool = True,
    ) -> None:
        """Send a sentence instead of an answer, or only remove what was sent."""
        sentence = sentence_for(error, locale_of(message, self._bot)) if says_why else ""
        await self.delivery.send(sender, guild_id_of(message), error, sentence)

    async def _after_answer(self, message: discord.Message, answer: Answer) -> None:
        """Send the consent notice; during an outage say so, once in a channel and outage."""
        if answer.has_memory and answer.is_stored:
            self._outage_notices.discard(message.channel.id)
            contact = Contact.of(message, self._bot)
            await self._bot.consent_notices.introduce(contact)
            await self._bot.consent_notices.tell_end(contact)
        elif message.channel.id not in self._outage_notices:
            self._outage_notices.add(message.channel.id)
            text = tr(locale_of(message, self._bot), UNWRITABLE if answer.has_memory else AWAY)
            await ReplySender(MessageTarget(message), self.edit_rate, name="away").finish(text)

    def _is_first_notice(self, event: Event, error: BudgetSpent) -> bool:
        """Return whether nobody was told today that tokens are spent: in a channel, or a member."""
        today = self._app.clock.now().date()
        notice = (event.channel_id, event.author_id if error.is_share else EVERYBODY, today)
        is_first = notice not in self._budget_notices
        notices = (*self._budget_notices, notice)
        self._budget_notices = {told for told in notices if told[2] == today}
        return is_first
