"""The replies under way; cancels them when their question, channel or member is erased."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cogs.chat.question_queue import QueuedLine
from cogs.chat.reply_sender import ReplySender
from utils.models.memory import Member


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
            await _cancel(late)

    async def cancel(self, message_ids: Iterable[int]) -> None:
        """Cancel the replies to deleted messages, and to questions by command about them.

        What they were about to store is stored when this returns, so it can be erased.
        """
        ids = set(message_ids)
        await _cancel(
            reply.task
            for asked_id, reply in self.items()
            if asked_id in ids or reply.about_id in ids
        )

    async def cancel_in(self, channel_ids: Iterable[int]) -> None:
        """Cancel the replies to questions in deleted channels."""
        deleted = set(channel_ids)
        await _cancel([reply.task for reply in self.values() if reply.channel_ids & deleted])

    async def cancel_of(self, member: Member, *, only_answers: bool = False) -> None:
        """Cancel the replies to a member whose data is about to be erased.

        The reply that carries out the wish to erase is not among them. ``only_answers``: the
        member's own words stay, so nothing is cancelled.
        """
        if not only_answers:
            running = asyncio.current_task()
            await _cancel(
                reply.task
                for reply in self.values()
                if reply.member == member
                and running is not reply.task
                and (reply.line is None or running is not reply.line.question.task)
            )

    async def cancel_shown_as(self, answer_id: int) -> bool:
        """Cancel and delete the reply that a message shows in part.

        Returns False if the message belongs to no reply under way; a complete one is none.
        """
        tasks = [
            reply.task
            for reply in self.values()
            if reply.sender is not None and reply.sender.is_showing(answer_id)
        ]
        await _cancel(tasks)
        return bool(tasks)


async def _cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended."""
    cancelled = list(tasks)
    for task in cancelled:
        task.cancel()
    if cancelled:
        await asyncio.wait(cancelled)
