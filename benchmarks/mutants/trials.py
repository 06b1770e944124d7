"""Tries mutants, each in a process of its own, and prints a line of JSON about each.

Runs in the folder of the mutants: ``python -m benchmarks.mutants.trials JOBS`` reads their names
from standard input. The tests are imported once; a fork of this process tries a mutant.
"""

import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterable

import pytest

from benchmarks.mutants.reach import FOLDER

MAX_TESTS_S = 100.0
"""So much processor time the tests of a mutant took without it; the most specific are taken."""
PATIENCE, PATIENCE_S = 6, 60
"""Seconds of processor time for each second its tests took, and in addition, until a mutant hangs.

Waiting takes none: pytest's own time limit ends that.
"""
STATUS = {0: "survived", 4: "no tests", 5: "no tests"}  # pytest's; whatever else is a kill
PYTEST = ("-q", "-p", "no:cacheprovider")


class Reach:
    """Which tests call which functions."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._cost: dict[str, float] = {}
        self._took_s: dict[str, float] = {}
        self._tests: dict[str, list[str]] = defaultdict(list)
        for line in lines:
            test, took_s, functions = json.loads(line)
            self._took_s[test] = took_s
            self._cost[test] = took_s * len(functions)
            for function in functions:
                self._tests[function].append(test)

    def tests_of(self, mutant: str) -> tuple[list[str], float]:
        """Return the tests that may notice a mutant, and how long they take.

        Tests of the same folder come first, as tests mirror the tree; of these, a test that is
        quick and calls few functions.
        """
        calling = self._tests.get(mutant.rpartition("__mutmut_")[0], [])
        folder = "/".join(mutant.removeprefix("utils.").split(".")[:-2])
        chosen, total_s = list[str](), 0.0
        for test in sorted(
            calling, key=lambda test: (f"/{folder}/" not in test, self._cost[test], test)
        ):
            if not chosen or total_s + self._took_s[test] <= MAX_TESTS_S:
                chosen.append(test)
                total_s += self._took_s[test]
        return chosen, total_s


def run_pytest(*arguments: str) -> int:
    """Run pytest in this process and show nothing of it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    before = os.dup(1), os.dup(2)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        return int(pytest.main([*PYTEST, *arguments]))
    finally:
        for number, descriptor in enumerate(before, 1):
            os.dup2(descriptor, number)


def start(mutant: str, tests: list[str], took_s: float) -> int:
    """Run tests with a mutant in a fork of this process; returns its id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        limit = int(time.process_time() + took_s * PATIENCE) + PATIENCE_S
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        os.environ["MUTANT_UNDER_TEST"] = mutant
        code = run_pytest("-x", *tests)
    finally:
        os._exit(code)


def report(mutant: str, status: str) -> None:
    """Print the result of a mutant."""
    print(json.dumps([mutant, status]), flush=True)


def try_all(mutants: Iterable[str], reach: Reach, jobs: int) -> None:
    """Try mutants, so many at once, and report each."""
    waiting = list(mutants)
    running: dict[int, str] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop(0)
            tests, took_s = reach.tests_of(mutant)
            if tests:
                running[start(mutant, tests, took_s)] = mutant
            else:
                report(mutant, "no tests")
        if running:
            child, status = os.wait()
            code = os.waitstatus_to_exitcode(status)
            report(running.pop(child), "timeout" if code < 0 else STATUS.get(code, "killed"))


def main() -> None:
    """Import all tests, then try the mutants."""
    mutants = sys.stdin.read().split()
    files = sorted(FOLDER.glob("*.jsonl"))
    reach = Reach(line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    tests = {test.partition("::")[0] for mutant in mutants for test in reach.tests_of(mutant)[0]}
    os.environ["MUTANT_UNDER_TEST"] = ""
    run_pytest("--collect-only", *sorted(tests))
    try_all(mutants, reach, int(sys.argv[1]))


if __name__ == "__main__":
    main()
