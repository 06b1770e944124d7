"""pytest-xdist's workers begin with Kith and the test modules already imported.

Each would import them again: four seconds of CPU a worker. The process that hands out the tests
imports them once instead, and every worker is a fork of it; so is the process that is forked for
the programs that tests start. A worker that replaces a crashed one is started as xdist does it,
because the process has threads by then.
"""

import asyncio
import atexit
import gc
import importlib
import logging
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook
from execnet.gateway_io import Popen2IOMaster

from tests import own_database
from tests.fakes import preloaded

ROOT = Path(__file__).parents[1]

migrated: bytes | None = None  # an empty SQLite file with Kith's tables, for all workers


class ForkedWorker:
    """A fork of this process that waits for its orders; has what execnet uses of a ``Popen``."""

    def __init__(self, earlier: Sequence["ForkedWorker"]) -> None:
        their_stdin, stdin = os.pipe()
        stdout, their_stdout = os.pipe()
        self.stdin, self.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")
        self._status: int | None = None
        self._pid = os.fork()
        if self._pid == 0:
            for worker in (self, *earlier):  # a worker ends when its input is closed
                worker.stdin.close()
                worker.stdout.close()
            _run(their_stdin, their_stdout)
        os.close(their_stdin)
        os.close(their_stdout)

    def wait(self) -> int:
        """Return the exit status once the worker has ended."""
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._status

    def kill(self) -> None:
        """Kill the worker."""
        if self._status is None:
            os.kill(self._pid, signal.SIGKILL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: Sequence[Any]) -> None:
    """Import what the tests need and fork the workers, before the first thread is started."""
    are_here = all(spec.popen and not spec.python for spec in specs)
    if not are_here or sys.platform != "linux" or threading.active_count() > 1:
        return
    workers: list[ForkedWorker] = []
    capture = config.pluginmanager.getplugin("capturemanager")
    with suppress(ImportError, SyntaxError):  # a worker that needs what fails here says why
        preloaded.import_everything()
        _migrate()
    with capture.global_and_fixture_disabled():
        end_server = preloaded.fork_server()
    _import_tests(config.args)
    gc.freeze()
    with capture.global_and_fixture_disabled():
        for _ in specs:
            workers.append(ForkedWorker(workers))
    atexit.register(end_server)
    start = Popen2IOMaster.__init__

    def take_forked(io: Any, command: list[str], execmodel: Any) -> None:
        if not workers:
            start(io, command, execmodel)
            return
        io.popen = worker = workers.pop(0)
        super(Popen2IOMaster, io).__init__(worker.stdin, worker.stdout, execmodel)

    Popen2IOMaster.__init__ = take_forked


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deal the slow tests with a time limit of their own out to the workers, each to begin with.

    Tests are handed out in equal parts, in this order; where a test of a minute is the last of its
    part, the other workers wait for it.
    """
    long = sorted(filter(_limit_s, items), key=_limit_s, reverse=True)
    others = iter([item for item in items if not _limit_s(item)])
    count = getattr(config, "workerinput", {}).get("workercount", 1)
    ordered: list[pytest.Item] = []
    for number in range(count):
        begun_with = long[number::count]
        size = (len(items) - len(ordered)) // (count - number)  # as xdist hands them out
        ordered += [*begun_with, *islice(others, max(0, size - len(begun_with)))]
    items[:] = ordered


def _limit_s(item: pytest.Item) -> float:
    """Return the time limit that a slow test has of its own; 0 without one."""
    limit = item.get_closest_marker("timeout")
    return limit.args[0] if limit and item.get_closest_marker("slow") else 0


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a worker tell nothing of a test's quick, uneventful setup and teardown, which are two of
    the three reports on most tests, unless something is made of them."""
    options = session.config.option
    workers = [one for one in session.config.pluginmanager.get_plugins() if _is_worker(one)]
    if not workers or options.verbose > 0 or options.durations is not None or options.xmlpath:
        return
    send = workers[0].sendevent

    def send_if_eventful(name: str, **given: Any) -> None:
        if name != "testreport" or _is_eventful(given["data"]):
            send(name, **given)

    workers[0].sendevent = send_if_eventful


def _is_worker(plugin: object) -> bool:
    return type(plugin).__name__ == "WorkerInteractor"  # xdist makes the class anew in each worker


def _is_eventful(report: dict[str, Any]) -> bool:
    return report["when"] == "call" or report["outcome"] != "passed" or bool(report["sections"])


def _migrate() -> None:
    global migrated
    with TemporaryDirectory() as folder:
        file = Path(folder) / "kith.db"
        asyncio.run(own_database.migrate(f"sqlite:///{file}"))
        migrated = file.read_bytes()


def _import_tests(places: Sequence[str]) -> None:
    """Import the test modules in these places."""
    for place in places:
        named = Path(place.partition("::")[0]).resolve()
        for module in sorted(named.rglob("test_*.py")) if named.is_dir() else [named]:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                # A worker tries again and says why.
                with suppress(Exception, pytest.skip.Exception):
                    name = ".".join(module.relative_to(ROOT).with_suffix("").parts)
                    importlib.import_module(name)


def _run(stdin: int, stdout: int) -> NoReturn:
    """Be the program that execnet starts for a worker."""
    status = 1
    try:
        for number, file in enumerate((stdin, stdout)):
            os.dup2(file, number)
            os.close(file)
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
        logging.getLogger().handlers.clear()
        sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, AssertionRewritingHook)]
        exec(eval(sys.stdin.readline()), {"__name__": "__main__"})
        threading._shutdown()
        atexit._run_exitfuncs()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
