"""The line that says how far a command is."""

import io
import sys

import pytest

from cogs.cli.terminal import TerminalProgress


class Clock:
    """Seconds that only the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Stream(io.StringIO):
    """Standard error; ``terminal`` says whether somebody looks at it."""

    terminal = False

    def isatty(self) -> bool:
        return self.terminal


def watched(monkeypatch: pytest.MonkeyPatch, *, terminal: bool = False) -> Stream:
    """Return standard error for the rest of a test (in a fixture, pytest would replace it)."""
    stream = Stream()
    stream.terminal = terminal
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_it_says_how_much_is_done_and_how_long_the_rest_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = watched(monkeypatch)
    progress = TerminalProgress(clock := Clock())
    progress.begin("importing", 10_000, "lines")
    clock.now = 30.0
    assert progress.line() == "importing: 0% of 10,000 lines"
    progress.reach(2_500)
    assert progress.line() == "importing: 25% of 10,000 lines, 1 min 30 s left"
    progress.reach(12_000)
    assert progress.line() == "importing: 100% of 10,000 lines"
    progress.end()
    progress.begin("exporting", None, "members")
    progress.reach(1_200)
    clock.now = 95.0
    assert progress.line() == "exporting: 1,200 members, 1 min 5 s"
    progress.end()
    progress.begin("checking", 12_345_678, "B")
    assert progress.line() == "checking: 0% of 12.3 MB"
    progress.end()
    with progress.part("restoring"):
        assert progress.line() == "restoring: 0 s"
    assert stream.getvalue() == ""  # nothing of it took two seconds
