"""How long work shows how far it is."""

from typing import Protocol


class Progress(Protocol):
    """Shows how far some work is."""

    def begin(self, words: str, total: int | None, unit: str) -> None:
        """Begin a part of the work that has ``total`` units; None: the number is unknown."""

    def reach(self, count: int) -> None:
        """Show that ``count`` units are done."""


class Silent:
    """Shows nothing."""

    def begin(self, words: str, total: int | None, unit: str) -> None:
        """Do nothing."""

    def reach(self, count: int) -> None:
        """Do nothing."""
