"""Word that memories wait for a moderator, for whoever can show them one. Nobody need listen."""

from collections.abc import Callable, Sequence

Listener = Callable[[int, int], None]  # server, memory


class Proposals:
    """Tells those who listen of each memory that newly waits; the queue is in the database."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Have the ids of a server and of a memory told; ``listener`` returns at once."""
        self._listeners.append(listener)

    def leave(self, listener: Listener) -> None:
        """Tell this one no more."""
        self._listeners.remove(listener)

    def tell(self, guild_id: int, memory_ids: Sequence[int]) -> None:
        """Say that memories wait from now on."""
        for memory_id in memory_ids:
            for listener in self._listeners:
                listener(guild_id, memory_id)
