"""Remembers which open loops answers mentioned, and stores that in batches."""

from collections.abc import Iterable
from functools import partial

from utils.database.core.engine import Connection, Database
from utils.database.memories import members
from utils.database.messages import open_loops
from utils.models.episode import LoopState, OpenLoop
from utils.models.memory import Member


class RaisedLoops:
    """Open loops whose prompt was answered; recall does not mention them again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, Member] = {}

    def __contains__(self, loop: OpenLoop) -> bool:
        return loop.id in self._waiting

    def note(self, loops: Iterable[OpenLoop]) -> None:
        """Record that an answer was given with these loops in its prompt."""
        self._waiting.update((loop.id, loop.member) for loop in loops)

    async def write(self) -> None:
        """Store the recorded loops. Raises DatabaseError and keeps them then."""
        waiting = dict(self._waiting)
        if waiting:
            await self._database.write(partial(_write, raised=waiting))
        for loop_id in waiting:
            self._waiting.pop(loop_id, None)


def _write(connection: Connection, raised: dict[int, Member]) -> None:
    for member in sorted(set(raised.values())):  # this makes their prepared memory stale
        members.lock(connection, member)
    open_loops.set_state(connection, sorted(raised), LoopState.RAISED)
