"""Queue the questions in each channel, which are answered one at a time.

What a member writes in a row is one question, of several lines. It is answered once the member
pauses, their cooldown is over and the channel is free. The answer replies to the last line; the
others are the turns before.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import discord

from cogs.bot.interactions import REQUEST_ERRORS
from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import BadInput, Logged
from utils.models.memory import Event, Member, RecordOutcome
from utils.nlp.questions import ends_as_question
from utils.runtime import stopping

WAITING = "⏳"
MUTED = "🔇"  # Kith was asked where it may not write
REFUSED = "🚫"
MAX_LINES = 50  # of a question; earlier ones are only turns before it
MAX_MEMBERS = 10_000
QUESTION_SHARE = 1 / 3  # of the pause, after a line that ends with a question mark
TYPING_PAUSES = 3  # the pauses to wait for a member who is typing
MAX_PAUSES = 8  # after the first line, the question begins

Key = tuple[int, int, bool]

_log = logging.getLogger(__name__)


class QueueFull(BadInput):
    """Too many questions wait in this channel; ``is_first`` if the channel was not told yet."""

    def __init__(self, waiting: int, *, is_first: bool) -> None:
        super().__init__(
            "I have {waiting} answers to give here already. Please ask again in a moment; what I "
            "mark with 🚫 I can't answer now.",
            waiting=waiting,
        )
        self.is_first = is_first


@dataclass(slots=True, eq=False)
class QueuedLine:
    """A message of a question.

    ``recording`` is whether it was stored. ``attempt`` counts earlier answers to it that were
    broken off.
    """

    message: discord.Message
    event: Event
    recording: asyncio.Future[RecordOutcome]
    attempt: int = 0
    question: "QueuedQuestion" = field(init=False)


@dataclass(eq=False, repr=False, slots=True)
class WaitingMark:
    """The ⏳ on the first line of a question that waits, until its turn comes.

    One for all lines: each costs two requests, and Discord takes few in a channel.
    """

    # No task waits with a question, because hundreds of questions may wait.
    _has_come: bool = field(default=False, init=False)
    _adding: tuple[discord.Message, asyncio.Task[bool]] | None = field(default=None, init=False)
    _removing: asyncio.Task[None] | None = field(default=None, init=False)

    def add(self, message: discord.Message) -> None:
        """Mark a message in the background, unless one is marked or the turn has come."""
        if self._adding is None and not self._has_come:
            mark = react(message, WAITING)
            self._adding = message, asyncio.create_task(mark, name=f"mark {message.id}")

    def clear(self) -> None:
        """Take the mark away in the background."""
        self._has_come = True
        if self._adding is not None and self._removing is None:
            self._removing = asyncio.create_task(_unmark_once_marked(*self._adding))

    async def close(self) -> None:
        """Take the mark away, and return when it is gone."""
        self.clear()
        if self._removing is not None:
            await asyncio.wait([self._removing])


@dataclass(slots=True, eq=False)
class QueuedQuestion:
    """The lines that one answer is for; it replies to the last one."""

    member: Member
    ready_at: float
    latest_at: float
    lines: list[QueuedLine] = field(default_factory=list)
    is_begun: bool = False
    mark: WaitingMark = field(default_factory=WaitingMark)
    task: asyncio.Task[None] = field(init=False)


@dataclass(slots=True)
class _Channel:
    """A channel's queue: the question that is being answered holds the lock."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    questions: int = 0
    full_was_reported: bool = False


@dataclass(eq=False, repr=False)
class QuestionQueue:
    """Collects lines into questions, and has them answered in turn.

    ``_answer`` gets a question whose turn has come, and since when it could have begun.
    """

    _clock: Clock
    _settings: Settings
    _answer: Callable[[QueuedQuestion, float], Awaitable[None]]
    _open: dict[Key, QueuedQuestion] = field(default_factory=dict, init=False)
    _channels: dict[int, _Channel] = field(default_factory=dict, init=False)
    _last_begun: BoundedDict[Member, float] = field(
        default_factory=lambda: BoundedDict(MAX_MEMBERS), init=False
    )

    def add(self, line: QueuedLine) -> None:
        """Make a line part of a question. Raises QueueFull if it may not wait."""
        now = self._clock.monotonic()
        # An answer that is given again has no cooldown.
        cooled_at = 0.0 if line.attempt else self._cooled_at(line.event.member)
        question = self._open.get(_key(line))
        if question is None:
            if not line.attempt:
                self._check_room(line.message.channel.id)
            question = self._open_for(line, max(now, cooled_at))
        line.question = question
        question.lines.append(line)
        del question.lines[:-MAX_LINES]
        pause_s = self._pause_after(line)
        self._postpone(question, pause_s)
        is_busy = self._channels[line.message.channel.id].lock.locked()
        if is_busy or cooled_at > now + pause_s:
            question.mark.add(line.message)

    async def wait_until_answered(self, line: QueuedLine) -> None:
        """Return when the question that a line belongs to is answered."""
        question = None
        while question is not line.question:
            question = line.question
            await _ended(question.task)

    async def remove(self, line: QueuedLine) -> None:
        """Remove a line. If it is the last of a question that has begun, requeue the others."""
        question = line.question
        is_last = question.lines[-1:] == [line]
        if line in question.lines:
            question.lines.remove(line)
        if question.lines and not (question.is_begun and is_last):
            self._postpone(question, self._settings.line_pause_s)
            return
        if not line.attempt:  # else broken_answers.py takes its other lines over again
            # After a pause, by which the line that went is erased: the answer must not rest on it.
            for remaining_line in reversed(question.lines):
                following = self._open.get(_key(remaining_line))
                if following is None:
                    begins_at = self._clock.monotonic() + self._settings.line_pause_s
                    following = self._open_for(remaining_line, begins_at)
                remaining_line.question = following
                following.lines.insert(0, remaining_line)
        await stopping.cancel(question.task)

    def replace(self, line: QueuedLine, message: discord.Message) -> None:
        """Give a line that waits the text that its member edited it to."""
        line.message = message
        self._postpone(line.question, self._pause_after(line))

    @asynccontextmanager
    async def reserved(self, member: Member, channel_id: int) -> AsyncIterator[float]:
        """Wait until a member's cooldown is over and the channel is free; keep both for a command.

        Yields since when it could have begun. Raises QueueFull if it may not wait.
        """
        self._check_room(channel_id)
        channel = self._channels.setdefault(channel_id, _Channel())
        channel.questions += 1
        try:
            while (wait_s := self._cooled_at(member) - self._clock.monotonic()) > 0:
                await self._clock.sleep(wait_s)
            ready_at = self._clock.monotonic()
            async with channel.lock:
                self._last_begun[member] = self._clock.monotonic()
                yield ready_at
        finally:
            self._leave_channel(channel)

    def note_typing(self, channel_id: int, user_id: int) -> None:
        """Wait longer for a member who is typing."""
        question = self._open.get((channel_id, user_id, False))
        if question is not None:
            self._postpone(question, self._settings.line_pause_s * TYPING_PAUSES)

    # --- waiting -------------------------------------------------------------------------------

    def _check_room(self, channel_id: int) -> None:
        channel = self._channels.get(channel_id)
        if channel is not None and channel.questions >= self._settings.channel_queue:
            is_first, channel.full_was_reported = not channel.full_was_reported, True
            raise QueueFull(channel.questions, is_first=is_first)

    def _open_for(self, line: QueuedLine, begins_at: float) -> QueuedQuestion:
        """Return a new question that waits for its lines, counted in its channel."""
        latest_at = begins_at + self._settings.line_pause_s * MAX_PAUSES
        question = QueuedQuestion(line.event.member, begins_at, latest_at)
        channel = self._channels.setdefault(line.message.channel.id, _Channel())
        channel.questions += 1
        self._open[_key(line)] = question
        run = self._run(_key(line), question, channel)
        question.task = asyncio.create_task(run, name=f"question {line.message.id}")
        return question

    def _pause_after(self, line: QueuedLine) -> float:
        """Return how long a member may pause after a line that may not be their last."""
        if line.attempt:
            return 0.0
        is_asking = ends_as_question(line.message.content)
        return self._settings.line_pause_s * (QUESTION_SHARE if is_asking else 1)

    def _postpone(self, question: QueuedQuestion, pause_s: float) -> None:
        paused_at = min(self._clock.monotonic() + pause_s, question.latest_at)
        question.ready_at = max(question.ready_at, paused_at)

    def _cooled_at(self, member: Member) -> float:
        """Return when a member's cooldown is over (monotonic); 0 without one."""
        last = self._last_begun.get(member)
        return 0.0 if last is None else last + self._settings.member_cooldown_s

    async def _run(self, key: Key, question: QueuedQuestion, channel: _Channel) -> None:
        """Wait for a question's turn, and have it answered.

        If the member writes another line until then, wait for the next pause.
        """
        try:
            while not question.is_begun:
                while (wait_s := question.ready_at - self._clock.monotonic()) > 0:
                    await self._clock.sleep(wait_s)
                ready_at = self._clock.monotonic()
                if channel.lock.locked():
                    question.mark.add(question.lines[0].message)
                async with channel.lock:
                    if question.ready_at <= self._clock.monotonic():
                        question.is_begun = True
                        question.mark.clear()
                        del self._open[key]
                        self._last_begun[question.member] = self._clock.monotonic()
                        await self._answer(question, ready_at)
        finally:
            if self._open.get(key) is question:
                del self._open[key]
            self._leave_channel(channel)
            await question.mark.close()
            question.lines = []  # they refer to it: only a garbage collection would free both

    def _leave_channel(self, channel: _Channel) -> None:
        channel.questions -= 1
        channel.full_was_reported = False
        if not channel.questions:
            self._channels = {
                channel_id: channel
                for channel_id, channel in self._channels.items()
                if channel.questions
            }


async def _ended(task: asyncio.Task[None]) -> None:
    """Return when a task has ended, as ``asyncio.wait`` does, but with half the memory."""
    if task.done():
        return
    waiter = asyncio.get_running_loop().create_future()

    def wake(_: object) -> None:
        if not waiter.done():
            waiter.set_result(None)

    task.add_done_callback(wake)
    try:
        await waiter
    finally:
        task.remove_done_callback(wake)


def _key(line: QueuedLine) -> Key:
    """Return what lines of one question share; those that are answered again are one."""
    return line.message.channel.id, line.message.author.id, line.attempt > 0


async def _unmark_once_marked(message: discord.Message, adding: asyncio.Task[bool]) -> None:
    """Take the mark of a message away once it is there."""
    if await adding:
        await unmark(message)


async def react(message: discord.Message, emoji: str) -> bool:
    """Add a reaction; returns False if Kith may not, or Discord refuses."""
    if message.guild is not None and message.guild.me is not None:
        granted = message.channel.permissions_for(message.guild.me)
        if not (granted.add_reactions and granted.read_message_history):
            return False
    with Logged(_log.info, "a message could not be marked", *REQUEST_ERRORS):
        await message.add_reaction(emoji)
        return True
    return False


async def unmark(message: discord.Message, emoji: str = WAITING) -> None:
    """Take a reaction of Kith's away; log a failure."""
    me = message.guild.me if message.guild else getattr(message.channel, "me", None)
    if me is None:
        return
    with (
        Logged(_log.info, "a mark could not be taken away", *REQUEST_ERRORS),
        Logged(_log.debug, "a marked message was deleted", discord.NotFound),
    ):
        await message.remove_reaction(emoji, me)
