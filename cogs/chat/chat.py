"""Answer mentions, replies, direct messages, and every message of chat channels."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

import discord
from discord.ext import commands

from cogs.bot.audience import place_ids, source_id_of
from cogs.bot.client import KithClient
from cogs.bot.error_handler import sentence_for
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.messages import (
    as_event,
    guild_id_of,
    is_from_a_person,
)
from cogs.bot.texts import AWAY, UNWRITABLE
from cogs.chat.rate_limit import QueueFull, RateLimiter, TooSoon
from cogs.chat.reply_sender import EditRateLimit, OnSent, ReplySender
from cogs.chat.turns import TurnBuilder, replied_message
from utils.app import App
from utils.common.errors import BudgetSpent, KithError
from utils.conversation.answer_stream import AnswerStream
from utils.models.conversation import Answer, QuestionRef, Turn
from utils.models.guild import GuildSettings, Purpose
from utils.models.memory import Member, RecordOutcome, Role
from utils.runtime import stopping
from utils.runtime.metrics import MODEL, PLAIN, Stage

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _PendingReply:
    """A message that is being handled; ``sender`` is None before it is known to be answered."""

    task: asyncio.Task[None]
    member: Member
    channel_ids: frozenset[int]
    sender: ReplySender | None = None


class Chat(commands.Cog):
    """Answers messages that are addressed to Kith."""

    def __init__(self, bot: KithClient, app: App, turns: TurnBuilder) -> None:
        self._bot = bot
        self._app = app
        self._turns = turns
        self._limiter = RateLimiter(
            app.clock,
            cooldown_s=app.settings.member_cooldown_s,
            queue_limit=app.settings.channel_queue,
        )
        self._answers = app.memory.recorder.pending_answers
        self._edit_rate = EditRateLimit(app.clock)
        self._pending: dict[int, _PendingReply] = {}
        self._budget_notices: set[tuple[int, int, date]] = set()
        self._outage_notices: set[int] = set()
        self._is_closing = False

    async def cog_load(self) -> None:
        """Cancel replies to members whose data is about to be erased."""
        self._app.memory.signals.erasures.connect(self.cancel_replies_to)

    async def cog_unload(self) -> None:
        """Finish the replies under way, within a limit."""
        await self.drain(stopping.ANSWERS_S)
        self._app.memory.signals.erasures.disconnect(self.cancel_replies_to)

    async def drain(self, timeout_s: float) -> None:
        """Accept no more messages, and wait for the replies under way; cancel those that are late.

        What was asked is stored by then, or waits for the database.
        """
        self._is_closing = True
        tasks = [pending.task for pending in self._pending.values()]
        _log.info("I take no more messages; answers to finish: %d", len(tasks))
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=timeout_s)
            await _cancel(late)

    @property
    def is_closing(self) -> bool:
        """Whether no more messages are taken."""
        return self._is_closing

    # --- incoming messages ---------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that is addressed to Kith, once."""
        await self._handle(message)

    async def answer_again(self, message: discord.Message, attempt: int) -> None:
        """Answer a stored message whose answer was broken off, for the first or a further time."""
        task = asyncio.create_task(self._handle(message, attempt), name="answer again")
        await asyncio.wait([task])

    async def _handle(self, message: discord.Message, attempt: int = 0) -> None:
        """Answer a message if it is addressed to Kith; ``attempt`` 0 is the first."""
        task = asyncio.current_task()
        if self._is_closing or task is None or not is_from_a_person(message):
            return
        if message.id in self._pending:
            return  # Discord sent the event twice
        self._pending[message.id] = _PendingReply(
            task,
            Member(guild_id_of(message), message.author.id),
            frozenset({message.channel.id, source_id_of(message.channel)}),
        )
        try:
            settings = await self._settings(message)
            if settings is None or settings.never_answers(*place_ids(message.channel)):
                return
            if self._is_addressed(message, settings):
                await self._answer(message, settings, attempt)
        except asyncio.CancelledError:
            _log.info("a reply was cancelled: its question was deleted, or Kith is closing")
        finally:
            del self._pending[message.id]

    async def cancel_replies(self, message_ids: Iterable[int]) -> None:
        """Cancel the replies to deleted messages.

        What they were about to store is stored when this returns, so it can be erased.
        """
        pending_ids = self._pending.keys() & set(message_ids)
        await _cancel(self._pending[message_id].task for message_id in pending_ids)

    async def cancel_replies_in(self, channel_ids: Iterable[int]) -> None:
        """Cancel the replies to messages in deleted channels."""
        deleted = set(channel_ids)
        await _cancel(
            [pending.task for pending in self._pending.values() if pending.channel_ids & deleted]
        )

    async def cancel_replies_to(self, member: Member, *, only_answers: bool = False) -> None:
        """Cancel the replies to a member whose data is about to be erased.

        The reply that carries out the wish to erase is not among them. ``only_answers``: the
        member's own words stay, so nothing is cancelled.
        """
        if not only_answers:
            running = asyncio.current_task()
            await _cancel(
                pending.task
                for pending in self._pending.values()
                if pending.member == member and pending.task is not running
            )

    async def cancel_reply_shown_as(self, answer_id: int) -> bool:
        """Cancel and delete the reply that a message shows in part.

        Returns False if the message belongs to no reply under way; a complete one is none.
        """
        tasks = [
            pending.task
            for pending in self._pending.values()
            if pending.sender is not None and pending.sender.is_showing(answer_id)
        ]
        await _cancel(tasks)
        return bool(tasks)

    async def wait_for_reply(self, message_id: int) -> None:
        """Return when no reply to a message is under way."""
        if message_id in self._pending:
            await asyncio.wait([self._pending[message_id].task])

    async def _settings(self, message: discord.Message) -> GuildSettings | None:
        """Return a server's settings; None if they cannot be read and are not cached.

        Kith then answers no one, because moderators may have chosen that it never answers there.
        """
        try:
            return await self._app.guilds.settings.get(guild_id_of(message))
        except KithError as error:
            _log.info("no reply while settings are unknown: %s", type(error).__name__)
            return None

    def _is_addressed(self, message: discord.Message, settings: GuildSettings) -> bool:
        if message.guild is None or self._bot.user in message.mentions:
            return True
        if any(self._is_bot_role(role) for role in message.role_mentions):
            return True
        replied_to = replied_message(message)
        if replied_to is not None and replied_to.author == self._bot.user:
            return True
        chat_channels = {channel.channel_id for channel in settings.channels_for(Purpose.CHAT)}
        channel_ids = {message.channel.id, source_id_of(message.channel)}
        return bool((message.content or message.attachments) and chat_channels & channel_ids)

    def _is_bot_role(self, role: discord.Role) -> bool:
        """Return whether Discord made a role for this bot; people mention it by mistake."""
        user = self._bot.user
        return role.tags is not None and user is not None and role.tags.bot_id == user.id

    # --- answering -----------------------------------------------------------------------------

    async def _answer(
        self, message: discord.Message, settings: GuildSettings, attempt: int
    ) -> None:
        turn = self._turns.build(message, settings)
        if not _may_send(message):
            return
        question = QuestionRef(turn.event.guild_id, message.id)
        sender = ReplySender(
            message,
            self._edit_rate,
            name=f"r{attempt}" if attempt else "",
            on_unfinished=partial(self._answers.add_parts, question),
        )
        self._pending[message.id].sender = sender
        try:
            await self._answer_or_explain(message, turn, sender, is_again=attempt > 0)
        except asyncio.CancelledError:
            await sender.withdraw()
            left = self._answers.release if self._is_closing else self._answers.finish
            await asyncio.shield(left(question))
            raise
        left = self._answers.release if sender.is_broken_off else self._answers.finish
        await left(question)

    async def _answer_or_explain(
        self, message: discord.Message, turn: Turn, sender: ReplySender, *, is_again: bool
    ) -> None:
        """Answer; an error replaces what was sent of the answer by a sentence."""
        recorded = (
            _stored() if is_again else self._app.conversation.recording(turn, is_answered=True)
        )
        try:
            async with recorded as recording:
                await self._answer_in_turn(message, turn, recording, sender, is_again=is_again)
        except BudgetSpent as error:
            is_first = self._is_first_budget_notice(turn, error)
            await self._send(sender, message, error, _sentence(message, error) if is_first else "")
        except Exception as error:
            await self._send(sender, message, error, _sentence(message, error))

    async def _answer_in_turn(
        self,
        message: discord.Message,
        turn: Turn,
        recording: asyncio.Future[RecordOutcome],
        sender: ReplySender,
        *,
        is_again: bool,
    ) -> None:
        """Answer one message of a channel after the other; tell people once that it is too much."""
        metrics = self._app.runtime.metrics
        try:
            if not is_again:
                self._limiter.check_cooldown(turn.event.member)
            queued_at = self._app.clock.monotonic()
            async with self._limiter.turn(message.channel.id):
                metrics.observe_stage(Stage.QUEUEING, queued_at)
                async with sender.typing():
                    turn = await self._turns.build_for_answer(message)
                    answer = await self._generate(turn, recording, sender)
                if answer is not None:
                    with metrics.measure_stage(Stage.SENDING):
                        record = partial(self._record, turn, answer)
                        outcome = PLAIN if self._app.model is None else MODEL
                        await self._send(sender, message, outcome, answer.text, record)
                        if sender.is_complete:
                            self._app.conversation.note_sent(answer)
                    await self._after_answer(message, answer)
        except (TooSoon, QueueFull) as error:
            if await asyncio.shield(recording) and error.is_first:
                await self._send(sender, message, error, _sentence(message, error))

    async def _send(
        self,
        sender: ReplySender,
        message: discord.Message,
        outcome: str | BaseException,
        text: str,
        on_sent: OnSent | None = None,
    ) -> None:
        """Send an answer, or the sentence in its place, and count it once it is complete."""
        was_complete = sender.is_complete
        try:
            await sender.finish(text, on_sent)
        finally:
            if sender.is_complete and not was_complete:
                self._app.runtime.metrics.count_reply(guild_id_of(message), outcome)

    async def _generate(
        self, turn: Turn, recording: asyncio.Future[RecordOutcome], sender: ReplySender
    ) -> Answer | None:
        """Return the answer, shown while it is written if the operator wants that."""
        conversation = self._app.conversation
        if not self._app.settings.stream_answers:
            return await conversation.answer(turn, recording)
        stream = AnswerStream(age_restricted=turn.age_restricted)
        async with sender.streaming(stream):
            return await conversation.answer(turn, recording, stream)

    async def _record(self, turn: Turn, answer: Answer, sent: discord.Message, text: str) -> None:
        """Record a sent answer as a part of the conversation."""
        event = as_event(
            sent,
            text,
            guild_id=guild_id_of(sent),
            reply_to_id=turn.event.message_id,
            role=Role.KITH,
        )
        await self._app.conversation.record_answer(
            replace(event, about_ids=answer.about_ids, provenance=answer.provenance),
            turn.audience,
        )

    async def _after_answer(self, message: discord.Message, answer: Answer) -> None:
        """Send the consent notice; during an outage say so, once in a channel and outage."""
        self._app.policies.shadow.replied(message.id)
        if answer.has_memory and answer.is_stored:
            self._outage_notices.discard(message.channel.id)
            await self._bot.consent_notices.introduce(message)
            await self._bot.consent_notices.tell_end(message)
        elif message.channel.id not in self._outage_notices:
            self._outage_notices.add(message.channel.id)
            text = tr(_locale(message), UNWRITABLE if answer.has_memory else AWAY)
            await ReplySender(message, self._edit_rate, name="away").finish(text)

    def _is_first_budget_notice(self, turn: Turn, error: BudgetSpent) -> bool:
        """Return whether this is today's first notice: to the member for a share, else to the
        channel."""
        recipient = turn.event.author_id if error.is_share else turn.event.channel_id
        today = self._app.clock.now().date()
        key = (turn.event.guild_id, recipient, today)
        if key in self._budget_notices:
            return False
        self._budget_notices = {notice for notice in self._budget_notices if notice[2] == today}
        self._budget_notices.add(key)
        return True


@asynccontextmanager
async def _stored() -> AsyncIterator[asyncio.Future[RecordOutcome]]:
    """Yield the outcome of a message that was stored before, and is answered here now."""
    outcome: asyncio.Future[RecordOutcome] = asyncio.get_running_loop().create_future()
    outcome.set_result(RecordOutcome.STORED)
    yield outcome


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait until they have ended."""
    cancelled = list(tasks)
    for task in cancelled:
        task.cancel()
    if cancelled:
        await asyncio.wait(cancelled)


def _may_send(message: discord.Message) -> bool:
    """Return whether Kith may answer in this channel; log which permission is missing."""
    if message.guild is None or message.guild.me is None:
        return True
    permissions = message.channel.permissions_for(message.guild.me)
    in_thread = isinstance(message.channel, discord.Thread)
    if permissions.send_messages_in_threads if in_thread else permissions.send_messages:
        return True
    _log.warning(
        "I was asked in channel %d but may not answer: give me the permission %r there",
        message.channel.id,
        "Send Messages in Threads" if in_thread else "Send Messages",
    )
    return False


def _sentence(message: discord.Message, error: BaseException) -> str:
    """Return the sentence for an error, in the server's language."""
    return sentence_for(error, _locale(message))


def _locale(message: discord.Message) -> discord.Locale:
    return message.guild.preferred_locale if message.guild else ENGLISH
