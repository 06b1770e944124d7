"""The line that says how far a command is."""

import io
import re
import sys

import pytest

from cogs.cli.terminal import TerminalProgress


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


def test_it_says_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = watched(monkeypatch, terminal=True)
    progress = TerminalProgress()
    progress.begin("importing", 10_000, "lines")
    progress.reach(2_500)
    progress.begin("exporting", None, "members")
    progress.reach(1_200)
    progress.close()
    with progress.part("restoring"):
        pass
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", stream.getvalue())
    assert re.search(r"importing .* 25%", shown)
    assert re.search(r"exporting .* 1,200 members", shown)
    assert "restoring" in shown


def test_a_file_name_with_brackets_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = watched(monkeypatch, terminal=True)
    with TerminalProgress().part("checking kith[red][/old].db"):
        pass
    assert "checking kith[red][/old].db" in stream.getvalue()


def test_where_nobody_looks_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = watched(monkeypatch)
    with TerminalProgress().part("restoring"):
        pass
    assert stream.getvalue() == ""
