"""Every distinct statement of a test run passes Microsoft's own parser of T-SQL, when the run ends.

The parser (ScriptDom) is in the program maxdop, which formats T-SQL. Read at once, a whole run's
statements take two seconds; each by itself, where it is first run, they would take minutes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

OLDEST, NEWEST = "2017", "2022"
NOT_PARSED = re.compile(r"(\d+)\.sql: could not be parsed, .*?\. (\d+:\d+: .*)")
_seen: dict[str, str] = {}  # statements, each with the test that ran it first
_complaints: list[str] = []


def note(statement: str) -> None:
    """Have a statement parsed when the run ends."""
    _seen.setdefault(statement, os.environ.get("PYTEST_CURRENT_TEST", ""))


def program() -> str | None:
    """Return where the parser is installed; None if it is not."""
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    return shutil.which("maxdop", path=places)


def complaints(statements: Collection[str], version: str = OLDEST) -> dict[str, str]:
    """Return, of those statements that are not T-SQL, what the parser says of each.

    Args:
        statements: as SQLAlchemy compiles them for SQL Server, or whole scripts.
        version: of SQL Server.
    """
    texts = list(statements)
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number}.sql").write_text(_with_variables(text), encoding="utf-8")
        command = [program() or "maxdop", "--check", "--parser-version", version, folder]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode > 1:
        raise RuntimeError(run.stderr)
    return {texts[int(number)]: words for number, words in NOT_PARSED.findall(run.stderr)}


def _with_variables(statement: str) -> str:
    """Return a compiled statement with T-SQL's variables, and values that SQLAlchemy writes."""
    words = re.sub(r"__\[POSTCOMPILE_[^]]*\]", "1", statement)
    return re.sub(r"(?<=[\s(=]):(?=\w)", "@", words)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what a worker's tests ran."""
    for statement, test in getattr(node, "workeroutput", {}).get("statements", {}).items():
        _seen.setdefault(statement, test)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Parse what all tests ran; the run fails if something is no T-SQL."""
    if hasattr(session.config, "workerinput"):
        session.config.workeroutput["statements"] = _seen
    elif not _seen:
        return
    elif program() is None:
        words = f"{len(_seen)} statements were not parsed: pip install -r requirements-dev.txt"
        _complaints.append(words)
    elif found := complaints(_seen):
        _complaints.extend(
            f"{words}\n{statement}\nin {_seen[statement]}" for statement, words in found.items()
        )
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what is no T-SQL."""
    if _complaints:
        terminalreporter.section("T-SQL")
        terminalreporter.write_line("\n\n".join(_complaints))
