"""PendingAnswers remembers which questions are being answered, so that none is left half answered.

A process that answers a question says so every 15 seconds. If it is killed, another process or the
next start takes the question over.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from utils.common.errors import DatabaseError, Logged
from utils.database.core.engine import Connection, DatabaseService
from utils.database.messages import pending_answers
from utils.models.conversation import PendingAnswer, QuestionRef
from utils.models.memory import Event

RENEW_EVERY_S = 15.0
HELD_FOR = timedelta(seconds=60)
ANSWER_WITHIN = timedelta(minutes=5)
MAX_ATTEMPTS = 2  # a question may be what ends the process
KEEP_UNREACHABLE = timedelta(days=1)  # of a server that this process is not in
MAX_SCANNED = 500

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class PendingAnswers(DatabaseService):
    """Questions that this process answers, and those that another one left."""

    _held: set[QuestionRef] = field(default_factory=set, init=False)
    _finished: set[QuestionRef] = field(default_factory=set, init=False)

    def begin(self, connection: Connection, event: Event) -> None:
        """Record, in the unit of work that stores a question, that it is being answered."""
        pending_answers.begin(
            connection,
            QuestionRef(event.guild_id, event.message_id),
            event.channel_id,
            asked_at=event.created_at,
            due_at=self._clock.now() + HELD_FOR,
        )

    def hold(self, question: QuestionRef) -> None:
        """Keep a recorded question from other processes until it is finished or released."""
        self._held.add(question)

    async def add_parts(self, question: QuestionRef, part_ids: tuple[int, ...]) -> None:
        """Record which messages of an unfinished answer stand on Discord; log a failure."""
        if question in self._held:
            await self._try(
                partial(pending_answers.set_parts, question=question, part_ids=part_ids)
            )

    async def finish(self, *questions: QuestionRef) -> None:
        """Record that questions need no answer any more; a failure is tried again later."""
        if finished := self._held.intersection(questions):
            self._held -= finished
            self._finished |= finished
            await self._remove_finished()

    async def release(self, *questions: QuestionRef) -> None:
        """Leave questions to the next start, or to another process."""
        if released := self._held.intersection(questions):
            self._held -= released
            now = self._clock.now()
            await self._try(partial(pending_answers.put_off, questions=released, due_at=now))

    async def renew(self) -> None:
        """Keep the questions of this process, and remove those that are done."""
        questions, due_at = tuple(self._held), self._clock.now() + HELD_FOR
        if questions:
            await self._try(partial(pending_answers.put_off, questions=questions, due_at=due_at))
        await self._remove_finished()

    async def due(self, is_ours: Callable[[int], bool]) -> list[PendingAnswer]:
        """Return the questions that were left, in servers for which ``is_ours`` is true.

        Those that are still to be answered come first, then the others, each in order. A member's
        questions in a channel are answered together, so none is due before the others.
        Raises DatabaseError.
        """
        now = self._clock.now()
        unanswered = await self._database.read(self._load, now=now)
        unanswered = [
            item for item in unanswered if item.question not in self._held | self._finished
        ]
        too_old = [item.question for item in unanswered if item.asked_at < now - KEEP_UNREACHABLE]
        if too_old:
            await self._database.write(pending_answers.finish, questions=too_old)
        ours = [
            item
            for item in unanswered
            if item.question not in too_old and is_ours(item.question.guild_id)
        ]
        return sorted(ours, key=lambda item: (not self.may_answer(item), item.question.message_id))

    async def claim(self, pending: PendingAnswer) -> bool:
        """Take over a question; returns False if another process did. Raises DatabaseError."""
        now = self._clock.now()
        is_claimed = await self._database.write(
            pending_answers.claim, pending=pending, now=now, due_at=now + HELD_FOR
        )
        if is_claimed:
            self.hold(pending.question)
        return is_claimed

    def may_answer(self, pending: PendingAnswer) -> bool:
        """Return whether a question that was left is still to be answered."""
        is_recent = self._clock.now() - pending.asked_at <= ANSWER_WITHIN
        return pending.author_id is not None and is_recent and pending.attempts < MAX_ATTEMPTS

    def _load(self, connection: Connection, now: datetime) -> list[PendingAnswer]:
        due = pending_answers.load_due(connection, now, MAX_SCANNED)
        channel_ids = {item.channel_id for item in due}
        waiting = (
            pending_answers.load_kept(connection, channel_ids, now, MAX_SCANNED) if due else ()
        )
        awaited = {(item.channel_id, item.author_id) for item in waiting}
        return [
            item
            for item in due
            if not self.may_answer(item) or (item.channel_id, item.author_id) not in awaited
        ]

    async def _remove_finished(self) -> None:
        finished = frozenset(self._finished)
        if finished and await self._try(partial(pending_answers.finish, questions=finished)):
            self._finished -= finished

    async def _try(self, unit: Callable[[Connection], None]) -> bool:
        """Run a unit of work; returns False, and logs it, if the database is away."""
        with Logged(_log.info, "pending answers could not be updated", DatabaseError):
            await self._database.write(unit)
            return True
        return False
