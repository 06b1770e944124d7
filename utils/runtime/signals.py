"""Signals: how a service tells others that something happened, without knowing who they are."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import ParamSpec, Protocol, TypeVar

from utils.models.memory import Member
from utils.models.plan import Plan

P = ParamSpec("P")
L = TypeVar("L")


class Listeners(list[L]):
    """Whom an event concerns, in the order in which they connected."""

    connect = list.append
    disconnect = list.remove


class Signal(Listeners[Callable[P, object]]):
    """Calls its listeners, the first that connected first. Listeners return at once."""

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener with these arguments."""
        for listener in list(self):
            listener(*args, **kwargs)


class ErasureListener(Protocol):
    """Erases what process memory holds of a member, or only Kith's answers about them."""

    async def __call__(self, member: Member, *, only_answers: bool) -> None:
        """Return when it is gone, or stored, so that the database can erase it."""


class ErasureSignal(Listeners[ErasureListener]):
    """Awaits its listeners one after another before a member's data is erased in the database.

    The listener that connected last is called first: its data may come from the others.
    """

    async def emit(self, member: Member, *, only_answers: bool) -> None:
        """Return when every listener is done."""
        for listener in self[::-1]:
            await listener(member, only_answers=only_answers)


class MembersUnderErasure(Counter[Member]):
    """The members whose words are being erased now, so that no prompt quotes them meanwhile."""

    @contextmanager
    def marked(self, member: Member) -> Iterator[None]:
        """Mark a member until the ``with`` block ends."""
        self[member] += 1
        try:
            yield
        finally:
            self[member] -= 1
            if not self[member]:
                del self[member]


@dataclass(frozen=True, slots=True)
class MemorySignals:
    """What the memory services tell each other, and Discord's side.

    ``recorded``: a message or memories were stored. ``attachments``: a stored message of a member
    has attachments (member, message id). ``proposals``: memories wait for a moderator (guild id,
    memory ids). ``shortened``: temporary consent ends a memory before the date that it names
    (member, channel id, date). ``erasures``: something of a member is about to be erased.
    ``removals``: something was erased, so answers may wait to be deleted on Discord. ``noted``: a
    member is to see that something was noted.
    ``under_erasure``: whose words are being erased.
    """

    recorded: Signal[[]] = field(default_factory=Signal)
    attachments: Signal[[Member, int]] = field(default_factory=Signal)
    proposals: Signal[[int, Sequence[int]]] = field(default_factory=Signal)
    shortened: Signal[[Member, int, date]] = field(default_factory=Signal)
    erasures: ErasureSignal = field(default_factory=ErasureSignal)
    removals: Signal[[]] = field(default_factory=Signal)
    noted: Signal[[]] = field(default_factory=Signal)
    under_erasure: MembersUnderErasure = field(default_factory=MembersUnderErasure)

    def propose(self, guild_id: int, memory_ids: Sequence[int]) -> None:
        """Emit ``proposals`` unless there are none."""
        if memory_ids:
            self.proposals.emit(guild_id, memory_ids)

    def report(self, member: Member, plan: Plan) -> None:
        """Emit what listeners should know of a plan that was carried out."""
        self.propose(member.guild_id, plan.proposed)
        for new in plan.inserts:
            if new.outlasted_by is not None:
                self.shortened.emit(member, new.evidence.channel_id, new.outlasted_by)
