"""Python programs that begin with Kith already imported: a fork takes 10 ms, the imports a second.

``python -m tests.fakes.preloaded`` imports everything once and is forked for each program, which
runs as Python itself would run it. How Kith starts without this is shown by the tests that start a
program that says more to Python's own start, and by those of the installed Kith.
"""

import asyncio
import atexit
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import termios
import time
from asyncio import base_subprocess
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MOST = 200_000  # bytes of a command with its environment
STREAMS = ("stdin", "stdout", "stderr")
AT_START = ("PYTHON", "LC_", "LANG")  # of the environment: only Python's own start heeds them


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
    options.pop("preexec_fn", None)  # which takes the terminal
    await asyncio.to_thread(_server)
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

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


@cache
def _server() -> socket.socket:
    """Start the process that is forked; it ends with this one."""
    mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"]},
            start_new_session=True,
        )
    assert mine.recv(1), "what has Kith imported did not start"
    atexit.register(process.wait)
    atexit.register(mine.close)
    return mine


# --- the process that is forked --------------------------------------------------------------


def import_everything() -> None:
    """Import what any program of Kith imports."""
    for name in ("openai", "openai.resources.chat", "tests.fakes.discord.server", "bot"):
        importlib.import_module(name)
    for package in ("cogs", "utils"):
        path = [str(ROOT / package)]
        for module in pkgutil.walk_packages(path, f"{package}.", onerror=None):
            importlib.import_module(module.name)


def serve(control: socket.socket) -> dict[str, Any]:
    """Fork for each request and report how each ends; returns in what was forked."""
    running: dict[int, tuple[int, socket.socket]] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not control:
                    selector.unregister(key.fd)
                    pid, report = running.pop(key.fd)
                    os.close(key.fd)
                    with report, suppress(BrokenPipeError):
                        report.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
                    continue
                request, files, *_ = socket.recv_fds(control, MOST, 4)
                if not request:  # the tests are over
                    for pid, _ in running.values():
                        os.kill(pid, signal.SIGKILL)
                    os._exit(0)
                pid = os.fork()
                report = socket.socket(fileno=files.pop())
                if pid == 0:
                    for end in (control, report, *(other for _, other in running.values())):
                        end.close()
                    for file in running:
                        os.close(file)
                    return {**json.loads(request), "files": files}
                report.send(str(pid).encode())
                for file in files:
                    os.close(file)
                ended = os.pidfd_open(pid)
                selector.register(ended, selectors.EVENT_READ)
                running[ended] = pid, report


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


def _open_standard_streams() -> None:
    at_once = 1 if os.isatty(1) else -1
    sys.stdin = os.fdopen(0, "r", -1, "utf-8", "surrogateescape", closefd=False)
    sys.stdout = os.fdopen(1, "w", at_once, "utf-8", "surrogateescape", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


if __name__ == "__main__":
    gc.disable()
    import_everything()
    gc.freeze()
    gc.enable()
    with closing(socket.socket(fileno=int(sys.argv[1]))) as given:
        given.send(b"!")
        wanted = serve(given)
    become(wanted)
