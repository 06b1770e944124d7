"""The queue of erased answers that still stand on Discord. Deleting them is best effort."""

import logging
from collections.abc import Callable
from datetime import timedelta

from utils.database.core.engine import Connection, DatabaseService, writes
from utils.database.erasure import answer_removals, dependants
from utils.database.erasure.answer_removals import AnswerRemoval as AnswerRemoval

PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=12),
)
"""The pauses after failed attempts; after one attempt more, the message is given up."""
KEEP_UNREACHABLE = timedelta(days=3)  # of a server that this process is not in
MAX_SCANNED = 500

_log = logging.getLogger(__name__)


class AnswerRemovals(DatabaseService):
    """Hands out the messages to delete on Discord, and takes the results."""

    async def due(self, is_ours: Callable[[int], bool], limit: int) -> list[AnswerRemoval]:
        """Return up to ``limit`` messages to delete now, in servers for which ``is_ours`` is true.

        Raises DatabaseError.
        """
        now = self._clock.now()
        removals = await self._database.read(answer_removals.load_due, now=now, limit=MAX_SCANNED)
        ours = [removal for removal in removals if is_ours(removal.guild_id)]
        if stale := [
            removal.id
            for removal in removals
            if removal not in ours and removal.due_at < now - KEEP_UNREACHABLE
        ]:
            await self._database.write(answer_removals.finish, ids=stale)
        return ours[:limit]

    @writes
    def finish(self, connection: Connection, removal: AnswerRemoval) -> None:
        """Record that a message no longer stands on Discord. Raises DatabaseError."""
        answer_removals.finish(connection, [removal.id])
        dependants.drop_sources(connection, removal.guild_id, [removal.message_id])

    async def postpone(self, removal: AnswerRemoval) -> None:
        """Record that a message could not be deleted; the last attempt gives it up.

        Raises DatabaseError.
        """
        if removal.attempts >= len(PAUSES):
            _log.warning(
                "an erased answer stays on Discord, where it could not be deleted: delete message "
                "%d in channel %d by hand",
                removal.message_id,
                removal.channel_id,
            )
            await self.finish(removal)
            return
        await self._database.write(
            answer_removals.postpone,
            removal_id=removal.id,
            due_at=self._clock.now() + PAUSES[removal.attempts],
        )
