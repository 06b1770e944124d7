"""Signals: how a service tells others that something happened, without knowing who they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, ParamSpec, Protocol

from utils.models.memory import Member

P = ParamSpec("P")


class Signal(Generic[P]):
    """Calls its listeners, in the order in which they connected. Listeners return at once."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def connect(self, listener: Callable[P, object]) -> None:
        """Call ``listener`` at each later emission."""
        self._listeners.append(listener)

    def disconnect(self, listener: Callable[P, object]) -> None:
        """Stop calling ``listener``."""
        self._listeners.remove(listener)

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener with these arguments."""
        for listener in list(self._listeners):
            listener(*args, **kwargs)


class ErasureListener(Protocol):
    """Erases what process memory holds of a member, or only Kith's answers about them."""

    async def __call__(self, member: Member, *, only_answers: bool) -> None:
        """Return when it is gone, or stored, so that the database can erase it."""


class ErasureSignal:
    """Awaits its listeners one after another before a member's data is erased in the database.

    The listener that connected last is called first: its data may come from the others.
    """

    def __init__(self) -> None:
        self._listeners: list[ErasureListener] = []

    def connect(self, listener: ErasureListener) -> None:
        """Call ``listener`` before those that are connected already."""
        self._listeners.insert(0, listener)

    def disconnect(self, listener: ErasureListener) -> None:
        """Stop calling ``listener``."""
        self._listeners.remove(listener)

    async def emit(self, member: Member, *, only_answers: bool) -> None:
        """Return when every listener is done."""
        for listener in list(self._listeners):
            await listener(member, only_answers=only_answers)


@dataclass(frozen=True, slots=True)
class MemorySignals:
    """What the memory services tell each other, and Discord's side.

    ``recorded``: a message or memories were stored. ``attachments``: a stored message of a member
    has attachments (member, message id). ``proposals``: memories wait for a moderator (guild id,
    memory ids). ``erasures``: something of a member is about to be erased. ``removals``: answers
    may wait to be deleted on Discord.
    """

    recorded: Signal[[]] = field(default_factory=Signal)
    attachments: Signal[[Member, int]] = field(default_factory=Signal)
    proposals: Signal[[int, Sequence[int]]] = field(default_factory=Signal)
    erasures: ErasureSignal = field(default_factory=ErasureSignal)
    removals: Signal[[]] = field(default_factory=Signal)

    def propose(self, guild_id: int, memory_ids: Sequence[int]) -> None:
        """Emit ``proposals`` unless there are none."""
        if memory_ids:
            self.proposals.emit(guild_id, memory_ids)
