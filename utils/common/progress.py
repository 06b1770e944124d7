"""How long work shows how far it is."""


class Progress:
    """Shows nothing; the terminal's shows a bar."""

    def begin(self, words: str, total: int | None, unit: str) -> None:
        """Begin a part of the work that has ``total`` units; None: the number is unknown."""

    def reach(self, count: int) -> None:
        """Show that ``count`` units are done."""
