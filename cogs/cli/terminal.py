"""Progress lines and questions on the operator's terminal."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from utils.common.errors import KithError
from utils.common.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


class TerminalProgress(Progress):
    """A bar on standard error that says how far the work is; nothing where that is no terminal."""

    _bar: "Bar | None" = None

    def begin(self, words: str, total: int | None = None, unit: str = "") -> None:
        """Begin a part of the work; without a total, the bar counts units."""
        from rich import progress  # only work that may take long needs it
        from rich.console import Console

        self.close()
        count = "{task.percentage:.0f}%" if total else f"{{task.completed:,.0f}} {unit}"
        self._bar = progress.Progress(
            progress.TextColumn("{task.description}", markup=False),  # it may name a file
            progress.BarColumn(),
            progress.TextColumn(count if unit else ""),
            progress.TimeRemainingColumn() if total else progress.TimeElapsedColumn(),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
            transient=True,
        )
        self._bar.add_task(words, total=total)
        self._bar.start()

    def reach(self, count: int) -> None:
        """Say that ``count`` units are done."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=count)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    @contextmanager
    def part(self, words: str) -> Iterator[None]:
        """Show these words and the time while the block runs."""
        self.begin(words)
        try:
            yield
        finally:
            self.close()


def confirm(question: str) -> bool:
    """Ask a yes/no question. Raises KithError where there is no terminal to answer on."""
    require_terminal()
    try:
        return input(f"{question} [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:  # Ctrl-D
        print()
        return False


def require_terminal() -> None:
    """Raise KithError where there is no terminal to answer on."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise KithError(
            "There is no terminal to confirm this on; add --yes to continue without a question."
        )


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with their columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
