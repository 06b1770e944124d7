"""Saying an answer: as a reply, in as many messages as it takes, and while it is being written.

What is shown of it meanwhile is only ever what may be said, and in the end it is complete or gone.
If somebody deletes it meanwhile, it stays deleted.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import Any, TypeVar

import discord

from cogs.answering import LINE_LOST, NO_PINGS
from utils.clock import Clock
from utils.errors import log_unforeseen
from utils.message_split import split_message
from utils.text import grapheme_floor

FIRST_AFTER_S = 0.6  # what is finished by then is said at once, whole
EDIT_EVERY_S = 1.2
SEND_AGAIN_S = (1, 4)
SETTLING_S = 5.0
BUSY = 503
MOSTLY = 0.9  # of the words
LONGEST_WORD = 60
EMOJI = re.compile(r"<a?(:\w+:)\d+>")
INVALID_FORM, MISSING_PERMISSIONS, NO_HISTORY_NO_REPLY = 50035, 50013, 160002  # Discord's codes
REFUSALS = (discord.HTTPException, *LINE_LOST)

T = TypeVar("T")
OnSaid = Callable[[discord.Message, str], Awaitable[None]]

_log = logging.getLogger(__name__)


class _SaidByAnother(Exception):
    """Another process says its answer to the same message."""


class Pace:
    """How often a channel's messages are edited: every 1.2 s, as Discord advises."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._free_at: dict[int, float] = {}

    async def wait(self, channel_id: int) -> None:
        """Return when the channel's next edit is due."""
        while (wait_s := self._free_at.get(channel_id, 0.0) - self.clock.monotonic()) > 0:
            await self.clock.sleep(wait_s)

    def note(self, channel_id: int) -> None:
        """Take note of a message or an edit in a channel."""
        now = self.clock.monotonic()
        self._free_at = {one: at for one, at in self._free_at.items() if at > now}
        self._free_at[channel_id] = now + EDIT_EVERY_S


class _Deleted(Exception):
    """Somebody deleted what is shown of the answer: it is not wanted."""


@dataclass(slots=True)
class _Shown:
    """A message of the answer, and what it says so far."""

    message: discord.Message
    text: str


class Saying:
    """What is said to one message.

    Each message of it carries a nonce made of the question's id (``name`` sets further answers
    apart), by which Discord takes it once: sending again is safe, and of two processes that could
    not settle who answers, as where nothing may be stored of somebody or while the database is
    away, the second gets the first one's message back and says no more. ``before_first`` is called
    before anything is shown early; it may be called again.
    """

    def __init__(self, message: discord.Message, pace: Pace, *, name: str = "") -> None:
        self.before_first: Callable[[], Awaitable[None]] = _nothing
        self._message = message
        self._pace = pace
        self._clock = pace.clock
        self._name = name
        self._draft = ""
        self._news = asyncio.Event()
        self._shown: list[_Shown] = []
        self._posted = 0
        self._is_whole = False
        self._is_over = False

    @property
    def is_whole(self) -> bool:
        """Whether an answer, or what is in its place, stands there to its end."""
        return self._is_whole

    def is_made_of(self, message_id: int) -> bool:
        """Whether a message is one that shows this answer, which is not complete yet."""
        is_shown = any(one.message.id == message_id for one in self._shown)
        return is_shown and not self._is_over

    def write(self, text: str) -> None:
        """Take the words of the answer so far."""
        self._draft = text
        self._news.set()

    @asynccontextmanager
    async def while_written(self, may_show: Callable[[str], bool]) -> AsyncIterator[None]:
        """Show what :meth:`write` takes until the block ends; what is under way then is finished.

        ``may_show`` decides on every part of the answer before it is seen.
        """
        showing = asyncio.create_task(self._show(may_show), name="show an answer")
        try:
            yield
        finally:
            showing.cancel()
            await _to_its_end(asyncio.wait([showing]))
            if not showing.cancelled() and (error := showing.exception()) is not None:
                log_unforeseen(error)

    async def finish(self, text: str, on_said: OnSaid | None = None) -> None:
        """Say the answer, or what is to stand in its place; each message is then told of.

        Nothing takes the place of an answer that is there as a whole, or was deleted meanwhile.
        Whatever keeps it from being said is only logged: there is nobody left to tell.
        """
        if self._is_whole or self._is_over:
            return
        parts = split_message(text)
        try:
            await self._remove_from(len(parts))
            for number, part in enumerate(parts, 1):
                message = await self._settle(number - 1, part)
                self._is_whole = number == len(parts)
                if on_said is not None:
                    await on_said(message, part)
            self._is_over = True
        except _SaidByAnother:
            return
        except _Deleted:
            await self._take_back()
        except REFUSALS as error:
            _log.warning("an answer could not be sent: %s", type(error).__name__)

    async def withdraw(self) -> None:
        """Delete what is shown of an answer that will not be completed, within 5 seconds."""
        if not self._is_over:
            await _to_its_end(self._take_back())

    # --- while it is written -------------------------------------------------------------------

    async def _show(self, may_show: Callable[[str], bool]) -> None:
        """Bring what is shown closer to what is written, one message or edit at a time."""
        await self._news.wait()
        await self._clock.sleep(FIRST_AFTER_S)
        while True:
            await self._news.wait()
            await self._pace.wait(self._message.channel.id)
            self._news.clear()
            text = whole_words(self._draft)
            if not text or not may_show(text):
                continue
            try:
                await self.before_first()
                if await self._step(split_message(text)):
                    self._news.set()
            except _Deleted:
                await _to_its_end(self._take_back())
                return
            except REFUSALS as error:
                _log.info("the rest of an answer is shown at its end: %s", type(error).__name__)
                return

    async def _step(self, parts: list[str]) -> bool:
        """Do the first thing that what is shown lacks; whether there may be more."""
        for number, part in enumerate(parts):
            if number == len(self._shown):
                await self._post(part)
                return True
            if self._shown[number].text != part:
                await _to_its_end(self._edit(number, part))
                return True
        if len(self._shown) > len(parts):
            await _to_its_end(self._remove_from(len(parts)))
        return False

    # --- messages ------------------------------------------------------------------------------

    async def _settle(self, number: int, text: str) -> discord.Message:
        """Make a message of the answer say what it is to say in the end, by an edit if it is there.

        What can't be edited is deleted, and what follows it, and said anew.
        """
        if number < len(self._shown) and not await self._corrected(number, text):
            await self._remove_from(number)
        if number == len(self._shown):
            await self._post(text)
            await self._corrected(number, text)
        return self._shown[number].message

    async def _corrected(self, number: int, text: str) -> bool:
        """Whether a message says this now, edited where it did not."""
        if self._shown[number].text != text:
            await self._pace.wait(self._message.channel.id)
            try:
                await self._again(partial(self._edit, number, text))
            except REFUSALS as error:
                _log.info("an answer could not be edited: %s", type(error).__name__)
                return False
        return True

    async def _post(self, text: str) -> None:
        """Say the next message of the answer. Raises _SaidByAnother where it is no longer ours.

        What was shown of it was ours: then Discord gives back what was lost on the way here.
        """
        nonce = f"{self._message.id}-{self._name}{self._posted}"
        send = self._message.channel.send if self._shown else partial(_reply, self._message)

        async def post() -> None:
            sent = await self._again(partial(send, text, nonce=nonce, allowed_mentions=NO_PINGS))
            as_meant = is_same(sent.content, text)
            if not (as_meant or self._posted or self._draft):
                raise _SaidByAnother
            self._posted += 1
            self._shown.append(_Shown(sent, text if as_meant else sent.content))
            self._pace.note(self._message.channel.id)

        await _to_its_end(post())

    async def _edit(self, number: int, text: str) -> None:
        shown = self._shown[number]
        try:
            await shown.message.edit(content=text, allowed_mentions=NO_PINGS)
        except discord.NotFound:
            raise _Deleted from None
        finally:
            self._pace.note(self._message.channel.id)
        shown.text = text

    async def _remove_from(self, number: int) -> None:
        """Delete the messages of the answer from one on, as far as Discord lets us."""
        for shown in self._shown[number:]:
            with suppress(*REFUSALS):
                await shown.message.delete()
        del self._shown[number:]

    async def _take_back(self) -> None:
        """Delete what is shown, within 5 seconds, and say no more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLING_S):
                await self._remove_from(0)
        self._is_over = True

    async def _again(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send, and send again where discord.py itself does not: after a 503 or a cut line."""
        for pause_s in SEND_AGAIN_S:
            try:
                return await send()
            except (discord.DiscordServerError, *LINE_LOST) as error:
                if isinstance(error, discord.DiscordServerError) and error.status != BUSY:
                    raise  # it was tried for half a minute already
                _log.info("a message is sent again in %d s: %s", pause_s, type(error).__name__)
                await self._clock.sleep(pause_s)
        return await send()


async def _nothing() -> None:
    """Be a callback where there is nothing to do."""


async def _to_its_end(doing: Awaitable[T]) -> T:
    """Do something to its end also when broken off, even twice, for 5 seconds at most: what stands
    in the channel is known then."""
    task = asyncio.ensure_future(doing)
    now = asyncio.get_running_loop().time
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        until = now() + SETTLING_S
        while not task.done() and (left_s := until - now()) > 0:
            with suppress(asyncio.CancelledError):  # that is raised in any case
                await asyncio.wait([task], timeout=left_s)
        is_done = task.done()
        task.cancel()
        if is_done and not task.cancelled():
            task.exception()  # it was looked at, and asyncio need not complain
        raise


def whole_words(text: str) -> str:
    """Return a text that is still being written without the word at its end."""
    if text[-1:].isspace():
        return text.rstrip()
    *before, last = text.rsplit(maxsplit=1) or [""]
    if len(last) > LONGEST_WORD:  # of a script without spaces, or an address
        return text[: grapheme_floor(text, len(text) - 1)]
    return before[0] if before else ""


async def _reply(message: discord.Message, text: str, **sending: Any) -> discord.Message:
    """Reply without a ping; as a plain message where Discord refuses the reference."""
    try:
        return await message.reply(text, mention_author=False, **sending)
    except discord.HTTPException as error:
        if error.code not in (INVALID_FORM, NO_HISTORY_NO_REPLY, MISSING_PERMISSIONS):
            raise
        return await message.channel.send(text, **sending)


def is_same(sent: str, text: str) -> bool:
    """Whether a message says that, but for what Discord changes: blanks, emoji it does not know.

    Those it turns from <:name:id> into :name:.
    """
    words, others = (EMOJI.sub(r"\1", one).split() for one in (sent, text))
    return SequenceMatcher(None, words, others).quick_ratio() > MOSTLY
