"""Where an answer goes: a reply to a message, or the response to a command."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any, Protocol

import discord

from cogs.bot.interactions import CONNECTION_ERRORS, NO_PINGS
from cogs.bot.localisation import locale_of

TYPING_S = 2.0
INVALID_FORM, MISSING_PERMISSIONS, NO_HISTORY_NO_REPLY = 50035, 50013, 160002  # Discord's codes

_log = logging.getLogger(__name__)


class ReplyTarget(Protocol):
    """What an answer is sent to.

    Attributes:
        id: of the message or interaction that asks.
        pace_id: what shares a limit of edits.
        locale: the language of sentences in the answer's place.
    """

    id: int
    pace_id: int
    locale: discord.Locale

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Show that the answer is being written until the block ends."""

    async def send(self, text: str, *, is_first: bool, nonce: str) -> discord.Message:
        """Send a part of the answer without pings; Discord accepts a nonce once."""


class MessageTarget:
    """A message that is answered: the first part replies to it."""

    def __init__(self, message: discord.Message) -> None:
        self.id = message.id
        self.pace_id = message.channel.id
        self.locale = locale_of(message)
        self._message = message

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Show the typing indicator until the block ends."""
        return _typing(self._message.channel)

    async def send(self, text: str, *, is_first: bool, nonce: str) -> discord.Message:
        """Send a part of the answer."""
        if is_first:
            return await _reply(self._message, text, nonce=nonce, allowed_mentions=NO_PINGS)
        return await self._message.channel.send(text, nonce=nonce, allowed_mentions=NO_PINGS)


class CommandTarget:
    """A command whose response was deferred: the first part takes the place of "thinking …"."""

    def __init__(self, interaction: discord.Interaction[Any], *, is_private: bool) -> None:
        self.id = self.pace_id = interaction.id
        self.locale = interaction.locale
        self._interaction = interaction
        self._is_private = is_private
        self._is_deferred = True

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Do nothing: Discord shows that Kith is thinking."""
        return nullcontext()

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


@asynccontextmanager
async def _typing(channel: discord.abc.Messageable) -> AsyncIterator[None]:
    """Show the typing indicator until the block ends; a failure is only logged."""
    typing = channel.typing()
    try:
        async with asyncio.timeout(TYPING_S):
            await typing.__aenter__()
    except (discord.HTTPException, TimeoutError, *CONNECTION_ERRORS) as error:
        _log.info("typing could not be shown: %s", type(error).__name__)
        yield
        return
    try:
        yield
    finally:
        await typing.__aexit__(None, None, None)


async def _reply(message: discord.Message, text: str, **options: Any) -> discord.Message:
    """Reply without a ping; send a plain message where Discord refuses the reference."""
    try:
        return await message.reply(text, mention_author=False, **options)
    except discord.HTTPException as error:
        if error.code not in (INVALID_FORM, NO_HISTORY_NO_REPLY, MISSING_PERMISSIONS):
            raise
        return await message.channel.send(text, **options)
