"""Python programs that begin with Kith already imported: a fork takes 10 ms, the imports a second.

One process of a test run has imported everything and is forked for each program, which runs as
Python itself would run it. It is a fork of pytest-xdist's process (tests/forked_workers.py); where
there is none, in a run without workers, Python starts each program. How Kith starts without a fork
is shown by the tests that start a program that says more to Python's own start, and by those of the
installed Kith.
"""

import asyncio
import atexit
import faulthandler
import fcntl
import gc
import importlib
import json
import logging
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
import traceback
from asyncio import base_subprocess
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[2]
MOST = 200_000  # bytes of a command with its environment
STREAMS = ("stdin", "stdout", "stderr")
LATE = ("alembic.command", "openai", "openai.resources.chat.completions")  # Kith imports when used
WORDS = (
    ("utils.conversation.output_filter", "lexicon"),
    ("utils.memory.recall.query", "load_words"),
    ("utils.memory.safety.filter", "load_words"),
    ("utils.without_model.wishes", "_patterns"),  # 0.6 seconds
)
AT_START = ("PYTHON", "LC_", "LANG")  # of the environment: only Python's own start heeds them

_forked_at = ""  # the address of the server that is a fork of pytest-xdist's process


def suits(command: tuple[str, ...], env: dict[str, str]) -> bool:
    """Whether this is a program of Kith without anything that only Python's own start could do."""
    is_python = command[0] == sys.executable
    is_script = command[1] in ("-c", "-m") or command[1].endswith(".py")
    said = {name for name in env if name.startswith(AT_START)} - {"PYTHONPATH"}
    imports_ours = env.get("PYTHONPATH", str(ROOT)) == str(ROOT)
    return is_python and is_script and imports_ours and not said


async def start(*command: str, **options: Any) -> asyncio.subprocess.Process:
    """Start a program as ``asyncio.create_subprocess_exec`` does, without its imports.

    In a new session it controls the terminal that is its standard input.
    """
    if not _forked_at:
        return await asyncio.create_subprocess_exec(*command, **options)
    options.pop("preexec_fn", None)  # which takes the terminal
    loop = asyncio.get_running_loop()
    protocol = asyncio.subprocess.SubprocessStreamProtocol(limit=2**16, loop=loop)
    connected = loop.create_future()
    transport = _Transport(
        loop, protocol, command, False, *_files(options), 0, waiter=connected, **options
    )
    await connected
    return asyncio.subprocess.Process(transport, protocol, loop)


def _files(options: dict[str, Any]) -> list[Any]:
    return [options.pop(name, None) for name in STREAMS]


class _Transport(base_subprocess.BaseSubprocessTransport):
    """asyncio's transport of a program that another process has forked."""

    def _start(
        self,
        args: tuple[str, ...],
        shell: bool,
        stdin: Any,
        stdout: Any,
        stderr: Any,
        bufsize: int,
        **options: Any,
    ) -> None:
        self._proc = _Forked(args, (stdin, stdout, stderr), options)
        self._loop.add_reader(self._proc.report, self._ended)

    def _ended(self) -> None:
        self._loop.remove_reader(self._proc.report)
        with self._proc.report as report:
            status = report.recv(20)
        self._process_exited(int(status) if status else -signal.SIGKILL)  # the server is gone


class _Forked:
    """What asyncio uses of a ``Popen``."""

    def __init__(
        self, command: tuple[str, ...], files: tuple[Any, Any, Any], options: dict[str, Any]
    ) -> None:
        self.stdin = self.stdout = self.stderr = self.returncode = None
        self.report, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        given, opened = [], []
        for number, (name, file) in enumerate(zip(STREAMS, files, strict=True)):
            if file == subprocess.PIPE:
                ends = os.pipe()
                file, mine = ends if number == 0 else ends[::-1]
                setattr(self, name, os.fdopen(mine, "wb" if number == 0 else "rb", buffering=0))
                opened.append(file)
            given.append(number if file is None else file)
        request = json.dumps({"command": command[1:]} | options | {"cwd": str(options["cwd"])})
        with theirs:
            socket.send_fds(_server(), [request.encode()], [*given, theirs.fileno()])
        for file in opened:
            os.close(file)
        self.pid = int(self.report.recv(20))

    def poll(self) -> int | None:
        return self.returncode

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _server() -> socket.socket:
    """Connect to the process that is forked: one for all workers of a test run."""
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connected.connect(_forked_at)
    atexit.register(connected.close)
    return connected


# --- the process that is forked --------------------------------------------------------------


def import_everything() -> None:
    """Import what any program of Kith imports, and load the words that it looks for in texts."""
    for name in (*LATE, "tests.fakes.discord.server", "bot"):
        importlib.import_module(name)
    for package in ("cogs", "utils"):
        path = [str(ROOT / package)]
        for module in pkgutil.walk_packages(path, f"{package}.", onerror=None):
            importlib.import_module(module.name)
    for name, load in WORDS:
        getattr(importlib.import_module(name), load)()


def serve(listening: socket.socket, *clients_by_now: socket.socket) -> dict[str, Any]:
    """Fork for each request and report how each ends; returns in what was forked.

    Ends the process when the last client is gone.
    """
    clients = set(clients_by_now)
    running: dict[int, tuple[int, socket.socket, socket.socket]] = {}
    with selectors.DefaultSelector() as selector:
        for connected in (listening, *clients):
            selector.register(connected, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is listening:
                    client, _address = listening.accept()
                    clients.add(client)
                    selector.register(client, selectors.EVENT_READ)
                elif key.fileobj in clients:
                    client = key.fileobj
                    request, files, *_ = socket.recv_fds(client, MOST, 4)
                    if not request:  # this worker's tests are over
                        selector.unregister(client)
                        clients.remove(client)
                        client.close()
                        for pid, _, whose in running.values():
                            if whose is client:
                                os.kill(pid, signal.SIGKILL)
                        if not clients:
                            os._exit(0)
                        continue
                    pid = os.fork()
                    report = socket.socket(fileno=files.pop())
                    if pid == 0:
                        reports = [other for _, other, _ in running.values()]
                        for end in (listening, report, *clients, *reports):
                            end.close()
                        for file in running:
                            os.close(file)
                        return {**json.loads(request), "files": files}
                    report.send(str(pid).encode())
                    for file in files:
                        os.close(file)
                    ended = os.pidfd_open(pid)
                    selector.register(ended, selectors.EVENT_READ)
                    running[ended] = pid, report, client
                else:
                    selector.unregister(key.fd)
                    pid, report, _ = running.pop(key.fd)
                    os.close(key.fd)
                    with report, suppress(BrokenPipeError):
                        report.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def become(request: dict[str, Any]) -> None:
    """Run a command as if Python had just been started with it."""
    if request.get("start_new_session"):
        os.setsid()
    for number, file in enumerate(request["files"]):
        os.dup2(file, number)
        os.close(file)
    if request.get("start_new_session") and os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    os.chdir(request["cwd"])
    _open_standard_streams()
    how, *rest = request["command"]
    if how == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif how == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [how, *rest]
        sys.path.insert(0, str(Path(how).resolve().parent))
        runpy.run_path(how, run_name="__main__")


def run_to_end(request: dict[str, Any]) -> NoReturn:
    """Run a command and end as Python does, but leave its memory to the system.

    Python would take apart every imported module: ten times what the fork itself costs.
    """
    status, is_interrupted = 0, False
    try:
        become(request)
    except SystemExit as end:
        status = _status(end.code)
    except BaseException as error:
        sys.excepthook(*sys.exc_info())
        status, is_interrupted = 1, isinstance(error, KeyboardInterrupt)
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        if not sys.stdout.closed:
            sys.stdout.flush()
    except (OSError, ValueError):
        print("Exception ignored in:", sys.stdout, file=sys.stderr)  # as Python says
        status = 120
    gc.collect()  # what was left unfinished says so
    if is_interrupted:  # Python ends itself with the signal then
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(status)


def _status(code: object) -> int:
    if code is None or isinstance(code, int):
        return (code or 0) & 0xFF
    print(code, file=sys.stderr)
    return 1


def _open_standard_streams() -> None:
    at_once = 1 if os.isatty(1) else -1
    sys.stdin = os.fdopen(0, "r", -1, "utf-8", "surrogateescape", closefd=False)
    sys.stdout = os.fdopen(1, "w", at_once, "utf-8", "surrogateescape", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def fork_server() -> Callable[[], None]:
    """Fork the process that is forked for programs, with what this process has imported.

    Returns a function that waits for its end, once the forks of this process have ended.
    """
    global _forked_at
    _forked_at = f"\0kith-forked-{os.getpid()}"
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(_forked_at)
    listening.listen(64)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if pid := os.fork():
        listening.close()
        theirs.close()

        def end() -> None:
            ours.close()
            os.waitpid(pid, 0)

        return end
    try:
        ours.close()
        os.setsid()
        _forget_pytest()
        gc.freeze()
        gc.enable()
        run_to_end(serve(listening, theirs))
    finally:
        traceback.print_exc()
        os._exit(1)


def _forget_pytest() -> None:
    """Let nothing but imported modules remain of pytest, whose process this was."""
    faulthandler.disable()
    logging.getLogger().handlers.clear()
    tempfile.tempdir = None  # which TMPDIR says
    sys.meta_path[:] = [f for f in sys.meta_path if type(f).__module__.split(".")[0] != "_pytest"]
    sys.unraisablehook, threading.excepthook = sys.__unraisablehook__, threading.__excepthook__
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), 1)
