"""Reactions on messages that wait for their answer, or cannot be answered now."""

import asyncio
import logging

import discord

from cogs.bot.interactions import CONNECTION_ERRORS

WAITING = "⏳"
REFUSED = "🚫"

_log = logging.getLogger(__name__)


class WaitingMarks:
    """The ⏳ on the lines of one question, until its turn comes."""

    def __init__(self) -> None:
        self._turn_came = asyncio.Event()
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def add(self, message: discord.Message) -> None:
        """Mark a message in the background, once, unless its turn has come."""
        if message.id not in self._tasks and not self._turn_came.is_set():
            name = f"mark {message.id}"
            self._tasks[message.id] = asyncio.create_task(self._mark(message), name=name)

    def clear(self) -> None:
        """Take the marks away in the background."""
        self._turn_came.set()

    async def close(self) -> None:
        """Take the marks away, and return when they are gone."""
        self.clear()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    async def _mark(self, message: discord.Message) -> None:
        if await react(message, WAITING):
            await self._turn_came.wait()
            await unreact(message, WAITING)


async def react(message: discord.Message, emoji: str) -> bool:
    """Add a reaction; returns False if Kith may not, or Discord refuses."""
    if not _may_react(message):
        return False
    try:
        await message.add_reaction(emoji)
    except (discord.HTTPException, *CONNECTION_ERRORS) as error:
        _log.info("a message could not be marked: %s", type(error).__name__)
        return False
    return True


async def unreact(message: discord.Message, emoji: str) -> None:
    """Take Kith's own reaction away; log a failure."""
    me = message.guild.me if message.guild else getattr(message.channel, "me", None)
    if me is None:
        return
    try:
        await message.remove_reaction(emoji, me)
    except discord.NotFound:
        _log.debug("a marked message was deleted")
    except (discord.HTTPException, *CONNECTION_ERRORS) as error:
        _log.info("a mark could not be taken away: %s", type(error).__name__)


def _may_react(message: discord.Message) -> bool:
    if message.guild is None or message.guild.me is None:
        return True
    permissions = message.channel.permissions_for(message.guild.me)
    return permissions.add_reactions and permissions.read_message_history
