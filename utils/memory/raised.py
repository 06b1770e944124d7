"""What Kith brought up in its answers: noted at once, written in batches, like uses."""

from collections.abc import Iterable
from functools import partial

from utils.database import members, open_loops
from utils.database.engine import Database, Session
from utils.model.episode import LoopState, OpenLoop
from utils.model.memory import Member


class RaisedLoops:
    """Open loops that stood in a prompt whose answer was given: they are not brought up again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, Member] = {}

    def __contains__(self, loop: OpenLoop) -> bool:
        return loop.id in self._waiting

    def note(self, loops: Iterable[OpenLoop]) -> None:
        """Note that an answer was given with these in mind."""
        self._waiting.update((loop.id, loop.member) for loop in loops)

    async def write(self) -> None:
        """Store it. Raises DatabaseError, and keeps it then."""
        waiting = dict(self._waiting)
        if waiting:
            await self._database.write(partial(_write, raised=waiting))
        for loop_id in waiting:
            self._waiting.pop(loop_id, None)


def _write(session: Session, raised: dict[int, Member]) -> None:
    for member in sorted(set(raised.values())):  # what is prepared of them is stale from now on
        members.lock(session, member)
    open_loops.set_state(session, sorted(raised), LoopState.RAISED)
