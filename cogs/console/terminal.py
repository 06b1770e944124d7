"""Read lines from a terminal or a pipe, off the event loop, until the person leaves."""

import asyncio
import io
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from cogs.console.session import NO_MODEL_NOTICE, Console, Quit
from utils.app import App
from utils.common.clock import SystemClock


async def run_console(app: App, clock: SystemClock) -> None:
    """Talk until the input ends, ``:quit``, Ctrl-D or Ctrl-C; ``app`` must be started.

    From a pipe, each line is one message and no prompt is shown. SIGINT and SIGTERM cancel the
    current answer; messages are kept.
    """
    interactive = sys.stdin.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    console = Console(app, clock, partial(print, flush=True))
    if interactive:
        print("Kith. Type a message, or :help. Ctrl-D leaves.")
    if app.model is None:
        print(NO_MODEL_NOTICE, file=sys.stdout if interactive else sys.stderr)
    talking = asyncio.create_task(_talk(console, _Lines(interactive)), name="console")
    with suppress(NotImplementedError):  # Windows knows only Ctrl-C
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, talking.cancel)
    with _terminal_settings_restored(interactive), suppress(Quit, asyncio.CancelledError):
        await talking
    if interactive:
        print("\nBye. I'll remember.")


async def _talk(console: Console, lines: "_Lines") -> None:
    lines.start()
    while (line := await lines.next(console.prompt)) is not None:
        await console.handle(line)


@contextmanager
def _terminal_settings_restored(interactive: bool) -> Iterator[None]:
    """Restore the terminal's settings. The reading thread may stop in mid-line with echo off."""
    try:
        import termios
    except ImportError:  # Windows
        interactive = False
    if not interactive:
        yield
        return
    before = termios.tcgetattr(sys.stdin.fileno())
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)


class _Lines(threading.Thread):
    """Reads one line at a time in a daemon thread."""

    def __init__(self, interactive: bool) -> None:
        super().__init__(name="kith-console-input", daemon=True)
        self._interactive = interactive
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[str | None] = self._loop.create_future()
        self._requests = threading.Semaphore(0)
        self._prompt = ""

    async def next(self, prompt: str) -> str | None:
        """Return the next line, or None at the end of the input."""
        self._answer = self._loop.create_future()
        self._prompt = prompt
        self._requests.release()
        return await self._answer

    def run(self) -> None:
        """Read a line each time :meth:`next` asks for one."""
        if self._interactive:
            with suppress(ImportError):
                import readline  # noqa: F401 - arrow keys and history in input()
        elif isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        while True:
            self._requests.acquire()
            try:
                line = self._read()
            except (EOFError, KeyboardInterrupt):
                line = None
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._give, line)

    def _read(self) -> str | None:
        if self._interactive:
            return input(self._prompt)
        line = sys.stdin.readline()
        return line if line else None

    def _give(self, line: str | None) -> None:
        if not self._answer.done():
            self._answer.set_result(line)
