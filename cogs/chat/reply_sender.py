"""Send an answer in as many messages as it needs, and while it is being written.

Only text that passes the output filter is shown. A marker at its end says that more is to come, and
in the end the answer is complete or gone. A part that someone deletes before that stays deleted.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import partial
from typing import TypeVar

import discord

from cogs.bot.error_handler import BLOCKED_TEXTS, TOO_MANY_REQUESTS, sentence_for
from cogs.bot.interactions import NO_PINGS, REQUEST_ERRORS, is_final
from cogs.chat.reply_targets import MISSING_PERMISSIONS, ReplyTarget, TypingIndicator
from utils.common.errors import Logged, log_unexpected
from utils.common.text import utf16_length
from utils.conversation.answer_stream import AnswerStream
from utils.conversation.message_split import split_message
from utils.runtime import stopping
from utils.runtime.backoff import KeyedBackoff

FIRST_AFTER_S = 0.6  # an answer that is finished by then is sent at once, as a whole
EDIT_EVERY_S = 1.2  # in a channel, as Discord advises
MARKER = " ▌"  # at the end of an answer that is still being written
MAX_MESSAGE_LENGTH = 2000
RETRY_AFTER_S = (1, 4)
CLEANUP_S = 5.0
BAD_REQUEST, SERVICE_UNAVAILABLE = 400, 503
MAX_RETRY_AFTER_S = 10.0
MIN_SIMILARITY = 0.9  # of the words
EMOJI = re.compile(r"<a?(:\w+:)\d+>")
CLOSED_THREAD = (50083, 160005)  # Discord's codes: archived or locked; moderators can change it

T = TypeVar("T")
OnSent = Callable[[discord.Message, str], Awaitable[None]]
OnParts = Callable[[tuple[int, ...]], Awaitable[None]]

_log = logging.getLogger(__name__)


class _AnsweredElsewhere(Exception):
    """Another process has answered the same message."""


class _PartDeleted(Exception):
    """Someone deleted a part of the answer: it is not wanted."""


@dataclass(slots=True)
class _SentPart:
    """A message of the answer, and its text so far."""

    message: discord.Message
    text: str


@dataclass(eq=False, repr=False)
class ReplySender:
    """The answer to one message or command.

    Each part carries a nonce made of the question's id, so Discord accepts it once and retries are
    safe; ``name`` tells further answers to the same question apart. Two processes may both answer
    where nothing can be stored: for members with consent off, or while the database is away. The
    second one then gets the first one's message back and sends nothing more.

    Attributes:
        on_unfinished: gets the parts' ids whenever one was sent and more is to come.
        is_complete: the whole answer, or the sentence in its place, has been sent.
        is_broken_off: Discord could not be reached in the end, or Kith may not write there for
            now; it may be answered again later.
    """

    _target: ReplyTarget
    _rate: KeyedBackoff[int]
    name: str = ""
    on_unfinished: OnParts | None = None
    is_complete: bool = False
    is_broken_off: bool = False
    _stream: AnswerStream | None = None
    _typing: TypingIndicator | None = None
    _parts: list[_SentPart] = field(default_factory=list)
    _sent_count: int = 0
    _is_finished: bool = False

    @property
    def locale(self) -> discord.Locale:
        """The language of what stands under the answer."""
        return self._target.locale

    def is_showing(self, message_id: int) -> bool:
        """Return whether a message is a part of this answer while it is not complete."""
        is_part = any(part.message.id == message_id for part in self._parts)
        return is_part and not self._is_finished

    def typing(self) -> AbstractAsyncContextManager[object]:
        """Show the typing indicator until the block ends or the first part is sent."""
        self._typing = self._target.typing()
        return nullcontext() if self._typing is None else self._typing

    @asynccontextmanager
    async def streaming(self, stream: AnswerStream) -> AsyncIterator[None]:
        """Send the stream's text while it grows, until the block ends; a send under way ends."""
        self._stream = stream
        sending: list[asyncio.Task[None]] = []  # one, once text is visible

        def start() -> None:
            sending.append(asyncio.create_task(self._follow(stream), name="stream an answer"))

        stream.on_visible = start
        try:
            yield
        finally:
            stream.on_visible = None
            for task in sending:
                task.cancel()
                await _uninterrupted(asyncio.wait([task]))
                if not task.cancelled() and (error := task.exception()) is not None:
                    log_unexpected(error)

    async def finish(
        self, text: str, on_sent: OnSent | None = None, view: discord.ui.View | None = None
    ) -> None:
        """Send the final answer, or the sentence in its place; ``on_sent`` gets each part.

        ``view`` has the buttons under the last part.

        Does nothing if the answer is complete or was deleted. A text that Discord refuses is
        replaced by a sentence. Other errors are only logged, because there is no other way to
        reach the person.
        """
        if self.is_complete or self._is_finished:
            return
        parts = split_message(text)
        try:
            await self._delete_from(len(parts))
            for number, part in enumerate(parts, 1):
                message = await self._finalise(number - 1, part)
                if view is not None and number == len(parts):
                    await message.edit(view=view, allowed_mentions=NO_PINGS)
                self.is_complete = number == len(parts)
                if not self.is_complete:
                    await self._note_parts()
                if on_sent is not None:
                    await on_sent(message, part)
            self._is_finished = True
        except _AnsweredElsewhere:
            return
        except _PartDeleted:
            await self._retract()
        except REQUEST_ERRORS as error:
            sentence = self._sentence_about(error)
            if sentence is not None:
                await self._say_instead(sentence)
                return
            _log.warning("an answer could not be sent: %s", type(error).__name__)
            may_change = getattr(error, "code", None) in (MISSING_PERMISSIONS, *CLOSED_THREAD)
            self.is_broken_off = may_change or not is_final(error)

    def _sentence_about(self, error: Exception) -> str | None:
        """Return what to say about a text that Discord refuses; None if it is not the text."""
        code = getattr(error, "code", None)
        is_refused = getattr(error, "status", None) == BAD_REQUEST and code not in CLOSED_THREAD
        return sentence_for(error, self.locale) if is_refused or code in BLOCKED_TEXTS else None

    async def _say_instead(self, sentence: str) -> None:
        """Delete what is shown of the answer, and send one sentence in its place."""
        await self._retract()
        with Logged(_log.warning, "an answer could not be sent", *REQUEST_ERRORS):
            await self._send(sentence)
            self.is_complete = True

    async def withdraw(self) -> None:
        """Delete the parts of an answer that will not be completed, within 5 seconds."""
        if not self._is_finished:
            await _uninterrupted(self._retract())

    # --- streaming -----------------------------------------------------------------------------

    async def _follow(self, stream: AnswerStream) -> None:
        """Bring the sent parts closer to the stream's text, one message or edit at a time."""
        await self._rate.clock.sleep(FIRST_AFTER_S)
        while True:
            await stream.changed()
            await self._rate.wait(self._target.pace_id)
            text = stream.take()
            if not text:
                continue
            try:
                if self._typing is not None:
                    self._typing.stop()
                parts = split_message(text, MAX_MESSAGE_LENGTH, is_unfinished=True)
                if parts and utf16_length(parts[-1] + MARKER) <= MAX_MESSAGE_LENGTH:
                    parts[-1] += MARKER
                if await self._update_one(parts):
                    stream.notify()
            except _PartDeleted:
                await _uninterrupted(self._retract())
                return
            except REQUEST_ERRORS as error:
                _log.info("the rest of an answer is sent at its end: %s", type(error).__name__)
                return

    async def _update_one(self, texts: list[str]) -> bool:
        """Send or edit the first part that differs. Returns whether there may be more to do."""
        for number, text in enumerate(texts):
            if number == len(self._parts):
                await self._send(text)
                await self._note_parts()
                return True
            if self._parts[number].text != text:
                await _uninterrupted(self._edit(number, text))
                return True
        if len(self._parts) > len(texts):
            await _uninterrupted(self._delete_from(len(texts)))
        return False

    # --- parts ---------------------------------------------------------------------------------

    async def _finalise(self, number: int, text: str) -> discord.Message:
        """Give a part its final text, and return its message.

        A part that can't be edited is deleted with those after it, and sent again.
        """
        if number < len(self._parts) and not await self._has_text(number, text):
            await self._delete_from(number)
        if number == len(self._parts):
            await self._send(text)
            await self._has_text(number, text)
        return self._parts[number].message

    async def _has_text(self, number: int, text: str) -> bool:
        """Edit a part if its text differs. Returns whether it has the text now."""
        if self._parts[number].text != text:
            await self._rate.wait(self._target.pace_id)
            try:
                await self._with_retries(partial(self._edit, number, text))
            except REQUEST_ERRORS as error:
                _log.info("an answer could not be edited: %s", type(error).__name__)
                return False
        return True

    async def _send(self, text: str) -> None:
        """Send the next part. Raises _AnsweredElsewhere if another process sent the first one.

        After the first part, or once text was streamed, the answer is this process's: Discord then
        returns a message of ours whose receipt was lost.
        """
        nonce = f"{self._target.id}-{self.name}{self._sent_count}"
        is_first = not self._parts

        async def send_once() -> None:
            sent = await self._with_retries(
                partial(self._target.send, text, is_first=is_first, nonce=nonce)
            )
            is_as_sent = is_same(sent.content, text)
            is_streamed = self._stream is not None and bool(self._stream.text)
            if not (is_as_sent or self._sent_count or is_streamed):
                raise _AnsweredElsewhere
            self._sent_count += 1
            self._parts.append(_SentPart(sent, text if is_as_sent else sent.content))
            self._rate.begin(self._target.pace_id, EDIT_EVERY_S)

        await _uninterrupted(send_once())

    async def _note_parts(self) -> None:
        if self.on_unfinished is not None:
            await self.on_unfinished(tuple(part.message.id for part in self._parts))

    async def _edit(self, number: int, text: str) -> None:
        part = self._parts[number]
        try:
            await part.message.edit(content=text, allowed_mentions=NO_PINGS)
        except discord.NotFound:
            raise _PartDeleted from None
        finally:
            self._rate.begin(self._target.pace_id, EDIT_EVERY_S)
        part.text = text

    async def _delete_from(self, number: int) -> None:
        """Delete the parts from a number to the end, as far as Discord allows it."""
        for part in self._parts[number:]:
            with suppress(*REQUEST_ERRORS):
                await part.message.delete()
        del self._parts[number:]

    async def _retract(self) -> None:
        """Delete every part, within 5 seconds, and send nothing more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLEANUP_S):
                await self._delete_from(0)
        self._is_finished = True

    async def _with_retries(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send again where discord.py itself does not.

        That is after a 503, a lost connection, and a 429 that is not from Discord itself.
        """
        for pause_s in RETRY_AFTER_S:
            try:
                return await send()
            except REQUEST_ERRORS as error:
                after_s = _retry_after(error, pause_s)
                if after_s is None:
                    raise
                _log.info("a message is sent again in %.0f s: %s", after_s, type(error).__name__)
                await self._rate.clock.sleep(after_s)
        return await send()


def _retry_after(error: Exception, pause_s: float) -> float | None:
    """Return after how many seconds to send again, by default ``pause_s``; None: not again."""
    status = getattr(error, "status", SERVICE_UNAVAILABLE)
    if isinstance(error, discord.HTTPException) and status == TOO_MANY_REQUESTS:
        retry_after = error.response.headers.get("Retry-After", "")
        wait_s = float(retry_after) if re.fullmatch(r"\d+(\.\d+)?", retry_after) else pause_s
        return wait_s if wait_s <= MAX_RETRY_AFTER_S else None
    # After other errors of the server, discord.py has retried for half a minute already.
    return pause_s if status == SERVICE_UNAVAILABLE else None


async def _uninterrupted(action: Awaitable[T]) -> T:
    """Finish an action even if cancelled, for 5 seconds: what the channel shows is known then."""
    return await stopping.finish(action, CLEANUP_S)


def is_same(sent: str, text: str) -> bool:
    """Return whether Discord sent this text, apart from what it changes: blanks and emoji.

    Discord turns emoji it does not know from <:name:id> into :name:.
    """
    sent_words, words = (EMOJI.sub(r"\1", content).split() for content in (sent, text))
    return SequenceMatcher(None, sent_words, words).quick_ratio() > MIN_SIMILARITY
