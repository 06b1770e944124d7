"""A pytest plugin that records which functions with mutants each test calls, and how long it takes.

The time is processor time, so that a busy machine does not make tests look slow.

Loaded with ``-p benchmarks.mutants.reach`` in the folder of the mutants. Each process writes a file
of its own into the folder ``reach``: a line of JSON a test. Tests that fail are left out, or they
would kill every mutant.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutmut.mutation import trampoline

FOLDER = Path("reach")
_called: set[str] = set()
_failed: set[str] = set()


def _note(name: str, caller: str | None = None) -> None:
    _called.add(name)


def pytest_configure() -> None:
    """Let each call of a function with mutants be noted."""
    FOLDER.mkdir(exist_ok=True)
    vars(trampoline)["record_trampoline_hit"] = _note
    trampoline.set_mutant_under_test("stats")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write down what a test called, its fixtures included."""
    _called.clear()
    os.environ["MUTANT_UNDER_TEST"] = "stats"
    started = time.process_time()
    yield
    if item.nodeid in _failed:
        return
    took_s = round(time.process_time() - started, 3)
    with (FOLDER / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([item.nodeid, took_s, sorted(_called)]) + "\n")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note which tests fail."""
    if report.failed:
        _failed.add(report.nodeid)
