"""What Discord shows of what was noted: which messages to look at, and what is done with them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from utils.database.core.engine import Connection, Database, DatabaseService, as_method, writes
from utils.database.erasure import answer_removals
from utils.database.memories import note_marks
from utils.database.memories.note_marks import NotedMessage as NotedMessage
from utils.memory.privacy.answer_removals import PAUSES
from utils.models.memory import NotedMark

HOLD = timedelta(minutes=2)
"""How long a process has a message to itself; if it ends meanwhile, another one goes on."""
ANSWER_PAUSE = timedelta(seconds=5)
MAX_PAUSES = 60


class NoteMarks(DatabaseService):
    """Hands out the messages whose marks are to be shown, changed or removed."""

    async def is_any_due(self) -> bool:
        """Return whether there are messages to look at now. Raises DatabaseError."""
        return bool(await self._database.read(note_marks.due, now=self._clock.now()))

    @writes
    def due(
        self, connection: Connection, is_ours: Callable[[int], bool], limit: int
    ) -> list[NotedMessage]:
        """Return up to ``limit`` messages to look at now, for this process alone.

        ``is_ours`` tells whether this process is connected for a server. Raises DatabaseError.
        """
        now = self._clock.now()
        ours = [key for key in note_marks.due(connection, now) if is_ours(key[0])][:limit]
        claimed = [note_marks.claim(connection, *key, now, now + HOLD) for key in ours]
        return [message for message in claimed if message is not None]

    @writes
    def move_to_answer(self, connection: Connection, message: NotedMessage) -> bool:
        """Move a waiting line to its answer; returns False if there is none yet.

        After some minutes without an answer it becomes a reaction. Raises DatabaseError.
        """
        now = self._clock.now()
        answer_id = note_marks.answer_to(connection, message.guild_id, message.message_id)
        change = partial(note_marks.change, connection, message)
        if answer_id is not None:
            change(now, mark=NotedMark.LINE, message_id=answer_id)
        elif message.attempts >= MAX_PAUSES:
            change(now, mark=NotedMark.REACTION)
        else:
            change(now + ANSWER_PAUSE, attempts=message.attempts + 1)
        return answer_id is not None

    async def make_reaction(self, message: NotedMessage) -> None:
        """Show a reaction where a line has no place. Raises DatabaseError."""
        await self._database.write(
            note_marks.change,
            message=message,
            due_at=self._clock.now(),
            mark=NotedMark.REACTION,
        )

    settle = as_method(Database.write, note_marks.settle)
    remove = as_method(Database.write, note_marks.remove)

    async def postpone(self, message: NotedMessage) -> bool:
        """Record that Discord refused; returns False after the last attempt, which gives it up.

        An answer that still shows what must go is deleted then. Raises DatabaseError.
        """
        if message.attempts >= len(PAUSES):
            await self._database.write(self._give_up, message)
            return False
        await self._database.write(
            note_marks.change,
            message=message,
            due_at=self._clock.now() + PAUSES[message.attempts],
            attempts=message.attempts + 1,
        )
        return True

    def _give_up(self, connection: Connection, message: NotedMessage) -> None:
        if message.mark is NotedMark.LINE and len(message.texts) < len(message.notes):
            posts = [(message.channel_id, message.message_id)]
            answer_removals.queue(connection, message.guild_id, posts, self._clock.now())
        note_marks.remove(connection, message)
