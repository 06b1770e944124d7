"""Word that something of a member is to be erased, for whoever holds their words in memory."""

from typing import Protocol

from utils.model.memory import Member


class OnErasing(Protocol):
    """Lets what is held of a member go, or only what Kith said with them in mind."""

    async def __call__(self, member: Member, *, only_answers: bool) -> None:
        """Return when it is gone, or stored and so can be erased."""


class Erasures:
    """Tells those who listen, one after the other; it is one of :class:`OnErasing` itself."""

    def __init__(self, *listeners: OnErasing) -> None:
        self._listeners = list(listeners)

    def listen(self, listener: OnErasing) -> None:
        """Have this one told before the others: what they hold may come from it."""
        self._listeners.insert(0, listener)

    def leave(self, listener: OnErasing) -> None:
        """Tell this one no more."""
        self._listeners.remove(listener)

    async def __call__(self, member: Member, *, only_answers: bool) -> None:
        """Return when everybody has let go."""
        for listener in list(self._listeners):
            await listener(member, only_answers=only_answers)
