"""Where an answer goes: a reply to a message, or the response to a command."""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any

import discord

from cogs.bot.interactions import NO_PINGS, REQUEST_ERRORS
from cogs.bot.localisation import locale_of

TYPING_S = 2.0  # at most until the answer is begun without it
TYPING_EVERY_S = 8.0  # Discord shows it for ten seconds
INVALID_FORM, MISSING_PERMISSIONS, NO_HISTORY_NO_REPLY = 50035, 50013, 160002  # Discord's codes

_log = logging.getLogger(__name__)


class MessageTarget:
    """A message that is answered: the first part replies to it.

    Attributes:
        id: of the message or interaction that asks.
        pace_id: what shares a limit of edits.
        locale: the language of sentences in the answer's place.
    """

    def __init__(self, message: discord.Message) -> None:
        self.id = message.id
        self.pace_id = message.channel.id
        self.locale = locale_of(message)
        self._message = message

    def typing(self) -> "TypingIndicator":
        """Return the channel's typing indicator."""
        return TypingIndicator(self._message.channel)

    async def send(self, text: str, *, is_first: bool, nonce: str) -> discord.Message:
        """Send a part of the answer without pings; Discord accepts a nonce once."""
        options: dict[str, Any] = {"nonce": nonce, "allowed_mentions": NO_PINGS}
        if is_first:
            try:
                return await self._message.reply(text, mention_author=False, **options)
            except discord.HTTPException as error:
                if error.code not in (INVALID_FORM, NO_HISTORY_NO_REPLY, MISSING_PERMISSIONS):
                    raise  # else Discord refuses the reference, not the text
        return await self._message.channel.send(text, **options)


class CommandTarget:
    """A command whose response was deferred: the first part takes the place of "thinking …"."""

    def __init__(self, interaction: discord.Interaction[Any], *, is_private: bool) -> None:
        self.id = self.pace_id = interaction.id
        self.locale = interaction.locale
        self._interaction = interaction
        self._is_private = is_private
        self._is_deferred = True

    def typing(self) -> None:
        """Return None: Discord shows that Kith is thinking."""

    async def send(self, text: str, *, is_first: bool, nonce: str) -> discord.Message:
        """Send a part of the answer; commands have no nonces, and only one process answers one."""
        if is_first and self._is_deferred:
            sent = await self._interaction.edit_original_response(
                content=text, allowed_mentions=NO_PINGS
            )
            self._is_deferred = False
            return sent
        return await self._interaction.followup.send(
            text, ephemeral=self._is_private, allowed_mentions=NO_PINGS, wait=True
        )


ReplyTarget = MessageTarget | CommandTarget


@dataclass(eq=False, repr=False, slots=True)
class TypingIndicator:
    """Shows in a channel that an answer is being written; a failure is only logged.

    It does so within an ``async with`` block. Between its requests it is a timer, not a task as
    discord.py's: hundreds of answers may wait.
    """

    _channel: discord.abc.Messageable
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)
    _showing: asyncio.Task[None] | None = field(default=None, init=False)

    async def __aenter__(self) -> None:
        await self.start()

    async def __aexit__(self, *_: object) -> None:
        self.stop()

    async def start(self) -> None:
        """Show it until :meth:`stop` is called; returns once it is seen, or after 2 seconds."""
        try:
            async with asyncio.timeout(TYPING_S):
                await self._channel.typing()
        except (TimeoutError, *REQUEST_ERRORS) as error:
            _log.info("typing could not be shown: %s", type(error).__name__)
        else:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(TYPING_EVERY_S, self._show_again)

    def stop(self) -> None:
        """Show it no longer."""
        if self._timer is not None:
            self._timer.cancel()
        if self._showing is not None:
            self._showing.cancel()

    def _show_again(self) -> None:
        self._showing = asyncio.create_task(self.start(), name="typing")
