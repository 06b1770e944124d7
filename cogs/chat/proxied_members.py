"""Match members with the copies that a proxy (PluralKit, Tupperbox) makes of their messages.

The proxy posts what a member wrote by a webhook, without the member's proxy tags, and deletes the
member's message. Which of the two Discord reports first is open.
"""

import asyncio
import re
from dataclasses import dataclass, field

import discord

from utils.common.clock import Clock

WITHIN_S = 10.0
_MENTION = re.compile(r"<@!?\d+>")


@dataclass(slots=True)
class _Asked:
    """A member's message to Kith; ``is_deleted`` once it is gone."""

    message: discord.Message
    at_s: float
    is_deleted: bool = False

    def is_copied_by(self, copy: discord.Message) -> bool:
        """Whether another message of the channel has the same words, perhaps without tags."""
        is_here = copy.channel.id == self.message.channel.id
        words = _words(copy)
        return is_here and bool(words) and words in _words(self.message)


def _words(message: discord.Message) -> str:
    """Return a message's words without mentions, before which proxies look for their tags."""
    return " ".join(_MENTION.sub(" ", message.content).split())


@dataclass(eq=False, repr=False)
class ProxiedMembers:
    """Remembers for seconds what members asked, and what webhooks posted."""

    _clock: Clock
    _asked: list[_Asked] = field(default_factory=list, init=False)
    _copies: list[tuple[discord.Message, float]] = field(default_factory=list, init=False)

    def note_asked(self, message: discord.Message) -> None:
        """Remember a member's message to Kith."""
        self._asked.append(_Asked(message, self._clock.monotonic()))
        self._forget_soon()

    def author_of(self, copy: discord.Message) -> int | None:
        """Return the id of the member whose deleted message a webhook posted again.

        None if there is none, or none yet: then a deletion that follows finds the copy.
        """
        self._forget_old()
        for question in self._asked:
            if question.is_deleted and question.is_copied_by(copy):
                self._asked.remove(question)
                return question.message.author.id
        self._copies.append((copy, self._clock.monotonic()))
        self._forget_soon()
        return None

    def note_deleted(self, message_id: int) -> tuple[discord.Message, int] | None:
        """Return the copy of a deleted message that came before, and its member's id."""
        self._forget_old()
        for question in self._asked:
            if question.message.id == message_id:
                question.is_deleted = True
                for copy, at_s in self._copies:
                    if question.is_copied_by(copy):
                        self._copies.remove((copy, at_s))
                        self._asked.remove(question)
                        return copy, question.message.author.id
        return None

    def _forget_soon(self) -> None:
        """Have them forgotten in time, though nothing more is written: they may be erased."""
        asyncio.get_running_loop().call_later(WITHIN_S, self._forget_old)

    def _forget_old(self) -> None:
        since_s = self._clock.monotonic() - WITHIN_S
        self._asked = [question for question in self._asked if question.at_s > since_s]
        self._copies = [(copy, at_s) for copy, at_s in self._copies if at_s > since_s]
