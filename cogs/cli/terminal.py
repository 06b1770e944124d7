"""Progress bars and questions on the operator's terminal."""

import sys

from tqdm import tqdm

from utils.common.errors import KithError


class TerminalProgress:
    """A progress bar on standard error, or one plain line per part where that is not a terminal."""

    def __init__(self) -> None:
        self._bar: tqdm[None] | None = None

    def begin(self, words: str, total: int, unit: str) -> None:
        """Begin a part of the work."""
        self.end()
        if sys.stderr.isatty():
            self._bar = tqdm(
                desc=words, total=total, unit=unit, unit_scale=unit == "B", file=sys.stderr
            )
        else:
            print(f"{words} …", file=sys.stderr, flush=True)

    def reach(self, count: int) -> None:
        """Say that `count` units are done."""
        if self._bar is not None:
            self._bar.update(max(0, count - self._bar.n))

    def end(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def confirm(question: str) -> bool:
    """Ask a yes/no question. Raises KithError where there is no terminal to answer on."""
    require_terminal()
    return input(f"{question} [y/N] ").strip().casefold() in ("y", "yes")


def require_terminal() -> None:
    """Raise KithError where there is no terminal to answer on."""
    if not sys.stdin.isatty():
        raise KithError(
            "There is no terminal to confirm this on; add --yes to continue without a question."
        )
