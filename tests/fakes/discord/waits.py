"""Waiting for the bot: every wait ends when the thing happens, or tells what happened instead."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import TYPE_CHECKING, Any

import discord

from .journal import PATIENCE_S
from .things import LOADING, Channel, Member, Message, User

if TYPE_CHECKING:
    from .gateway import Gateway
    from .journal import Journal
    from .rest import Request
    from .world import World


class Waits:
    """The waits of :class:`FakeDiscord`."""

    world: World
    journal: Journal
    gateway: Gateway

    if TYPE_CHECKING:

        @property
        def bot_user(self) -> User: ...
        def requests_to(self, method: str, route: str) -> list[Request]: ...

    def wait_until(
        self, look: Callable[[], Any], what: str = "a condition", timeout: float = PATIENCE_S
    ) -> Awaitable[Any]:
        """Wait until ``look()`` is true, and return it; it looks whenever anything happens."""
        return self.journal.wait(lambda: look() or None, what, timeout)

    async def _ready(self, bot: discord.Client | None, sessions: int, within_s: float) -> None:
        await self.journal.wait(
            lambda: len(self.gateway.connected()) >= sessions,
            f"{sessions} ready sessions",
            within_s,
        )
        if bot is not None:
            async with asyncio.timeout(within_s):
                await bot.wait_until_ready()

    def wait_ready(
        self, bot: discord.Client | None = None, *, sessions: int = 1, timeout: float = PATIENCE_S
    ) -> Awaitable[None]:
        """Wait until sessions have READY and their servers, and the client says it is ready."""
        return self._ready(bot, sessions, timeout)

    def wait_message(
        self,
        channel: Channel | None = None,
        *,
        after: Message | None = None,
        author: User | Member | None = None,
        contains: str | None = None,
        where: Callable[[Message], bool] | None = None,
        timeout: float = PATIENCE_S,
    ) -> Awaitable[Message]:
        """Wait for the first message that fits; the bot's, unless an author is named.

        Earlier messages count too; ephemeral ones and "thinking" ones never do.
        """
        author_id = self.bot_user.id if author is None else author.id
        said = self.world.messages_in_order
        start = 0 if after is None else said.index(after)

        def fits(message: Message) -> bool:
            return (
                (channel is None or message.channel is channel)
                and (after is None or message.id > after.id)
                and message.author.id == author_id
                and not message.ephemeral
                and not message.flags & LOADING
                and (contains is None or contains in message.content)
                and (where is None or where(message))
            )

        def look() -> Message | None:
            return next((m for m in islice(said, start, None) if fits(m)), None)

        place = "anywhere" if channel is None else f"in {channel.label}"
        return self.journal.wait(look, f"a message {place} containing {contains!r}", timeout)

    def wait_edit(
        self,
        message: Message,
        *,
        times: int = 1,
        contains: str | None = None,
        timeout: float = PATIENCE_S,
    ) -> Awaitable[Message]:
        """Wait until a message has been edited so often and contains a text."""

        def look() -> Message | None:
            enough = len(message.edits) >= times and (
                contains is None or contains in message.content
            )
            return message if enough else None

        return self.journal.wait(look, f"{times} edits of {message.content[:60]!r}", timeout)

    def wait_deleted(self, message: Message, *, timeout: float = PATIENCE_S) -> Awaitable[bool]:
        """Wait until a message is gone."""
        return self.journal.wait(
            lambda: message.deleted, f"the deletion of {message.content[:60]!r}", timeout
        )

    def wait_reaction(
        self, message: Message, emoji: str, *, timeout: float = PATIENCE_S
    ) -> Awaitable[bool]:
        """Wait until the bot has reacted."""
        bot_id = self.bot_user.id
        return self.journal.wait(
            lambda: bot_id in message.reactions.get(emoji, ()), f"{emoji} by the bot", timeout
        )

    def wait_request(
        self,
        method: str,
        route: str,
        *,
        times: int = 1,
        status: int | None = None,
        timeout: float = PATIENCE_S,
    ) -> Awaitable[Request]:
        """Wait for the nth answered request to a route template (with a status)."""

        def look() -> Request | None:
            answered = [
                r
                for r in self.requests_to(method, route)
                if r.status is not None and status in (None, r.status)
            ]
            return answered[times - 1] if len(answered) >= times else None

        return self.journal.wait(look, f"{method} {route}", timeout)
