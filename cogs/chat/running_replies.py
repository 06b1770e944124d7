"""The replies under way; cancels them when their question, channel or member is erased."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cogs.chat.question_queue import QueuedLine
from cogs.chat.reply_sender import ReplySender
from utils.models.memory import Member
from utils.runtime import stopping


@dataclass(slots=True)
class RunningReply:
    """A question that is being handled: a message, or a command.

    ``line`` is None before a message is known to be answered, and for commands. ``sender`` is None
    before the answer begins. ``about_id`` is the message that a command asks about.
    """

    task: asyncio.Task[Any]
    member: Member
    channel_ids: frozenset[int]
    line: QueuedLine | None = None
    sender: ReplySender | None = None
    about_id: int | None = None


class RunningReplies(dict[int, RunningReply]):
    """The replies under way by the id of the message or interaction that asks."""

    async def drain(self, timeout_s: float) -> None:
        """Wait for the replies under way, and cancel those that are late."""
        if self:
            tasks = [reply.task for reply in self.values()]
            _, late = await asyncio.wait(tasks, timeout=timeout_s)
            await stopping.cancel(*late)

    async def cancel(self, is_meant: Callable[[int, RunningReply], bool]) -> bool:
        """Cancel the replies that are meant, by their keys and themselves.

        What they were about to store is stored when this returns, so it can be erased. Returns
        whether there were any.
        """
        tasks = [reply.task for asked_id, reply in self.items() if is_meant(asked_id, reply)]
        await stopping.cancel(*tasks)
        return bool(tasks)

    async def cancel_of(self, member: Member, *, only_answers: bool = False) -> None:
        """Cancel the replies to a member whose data is about to be erased.

        The reply that carries out the wish to erase is not among them. ``only_answers``: the
        member's own words stay, so nothing is cancelled.
        """
        if not only_answers:
            running = asyncio.current_task()
            await self.cancel(
                lambda _, reply: (
                    reply.member == member
                    and running is not reply.task
                    and (reply.line is None or running is not reply.line.question.task)
                )
            )
