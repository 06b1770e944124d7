"""Progress lines and questions on the operator's terminal."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from utils.common.errors import KithError

DELAY_S = 2.0  # what takes less needs no progress
REDRAW_S, NEW_LINE_S = 0.5, 10.0
ERASE_LINE = "\r\x1b[K"
MEGABYTE = 1_000_000


class TerminalProgress:
    """One line on standard error that says how far the work is, once it takes two seconds.

    Where that is not a terminal, it is a new line every ten seconds. A thread of its own writes,
    so it also moves while the work cannot be counted.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._words = self._unit = ""
        self._total: int | None = None
        self._count = 0
        self._began_at = 0.0
        self._ended = threading.Event()
        self._writer: threading.Thread | None = None

    def begin(self, words: str, total: int | None = None, unit: str = "") -> None:
        """Begin a part of the work."""
        self.end()
        self._words, self._total, self._unit, self._count = words, total, unit, 0
        self._began_at = self._monotonic()
        self._ended = threading.Event()
        self._writer = threading.Thread(target=self._write, args=(self._ended,), daemon=True)
        self._writer.start()

    def reach(self, count: int) -> None:
        """Say that `count` units are done."""
        self._count = count

    def end(self) -> None:
        """Remove the line."""
        if self._writer is not None:
            self._ended.set()
            self._writer.join()
            self._writer = None

    @contextmanager
    def part(self, words: str) -> Iterator[None]:
        """Show these words and the time while the block runs."""
        self.begin(words)
        try:
            yield
        finally:
            self.end()

    def line(self) -> str:
        """Return what is shown now."""
        elapsed_s = self._monotonic() - self._began_at
        if self._total:
            share = min(1.0, self._count / self._total)
            time_left = (
                f", {_duration(elapsed_s / share - elapsed_s)} left" if 0 < share < 1 else ""
            )
            return f"{self._words}: {share:.0%} of {self._amount(self._total)}{time_left}"
        amount = f"{self._amount(self._count)}, " if self._unit else ""
        return f"{self._words}: {amount}{_duration(elapsed_s)}"

    def _amount(self, count: int) -> str:
        if self._unit == "B":
            return f"{count / MEGABYTE:,.1f} MB"
        return f"{count:,} {self._unit}"

    def _write(self, ended: threading.Event) -> None:
        stream = sys.stderr
        if stream is None or ended.wait(DELAY_S):
            return
        is_terminal = stream.isatty()
        while True:
            text = f"{ERASE_LINE}{self.line()}" if is_terminal else f"{self.line()}\n"
            try:
                stream.write(text)
                stream.flush()
            except (OSError, ValueError):  # nobody reads it any more
                return
            if ended.wait(REDRAW_S if is_terminal else NEW_LINE_S):
                break
        if is_terminal:
            stream.write(ERASE_LINE)
            stream.flush()


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


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
