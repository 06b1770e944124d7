"""Reading lines from a terminal or a pipe, off the event loop, until somebody leaves."""

import asyncio
import io
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from cogs.console.session import NO_MODEL_NOTICE, Console, Quit
from utils.clock import SystemClock
from utils.core import Core


async def run_console(core: Core, clock: SystemClock) -> None:
    """Talk until the input ends, ``:quit``, Ctrl-D or Ctrl-C; ``core`` has been started.

    From a pipe, a line is one message, and no prompt is shown. SIGINT and SIGTERM break off the
    answer under way; what was said is kept.
    """
    interactive = sys.stdin.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    console = Console(core, clock, partial(print, flush=True))
    if interactive:
        print("Kith. Type a message, or :help. Ctrl-D leaves.")
    if core.model is None:
        print(NO_MODEL_NOTICE, file=sys.stdout if interactive else sys.stderr)
    talking = asyncio.create_task(_talk(console, _Lines(interactive)), name="console")
    with suppress(NotImplementedError):  # Windows knows only Ctrl-C
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, talking.cancel)
    with _terminal_kept(interactive), suppress(Quit, asyncio.CancelledError):
        await talking
    if interactive:
        print("\nBye. I'll remember.")


async def _talk(console: Console, lines: "_Lines") -> None:
    lines.start()
    while (line := await lines.next(console.prompt)) is not None:
        await console.handle(line)


@contextmanager
def _terminal_kept(interactive: bool) -> Iterator[None]:
    """Put the terminal back as it was: the thread that reads may be left in the middle of a line,
    with echo switched off."""
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
    """Reads one line at a time in a thread of its own, which never keeps the process alive."""

    def __init__(self, interactive: bool) -> None:
        super().__init__(name="kith-console-input", daemon=True)
        self._interactive = interactive
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[str | None] = self._loop.create_future()
        self._asked = threading.Semaphore(0)
        self._prompt = ""

    async def next(self, prompt: str) -> str | None:
        """Return the next line, or None when there is none any more."""
        self._answer = self._loop.create_future()
        self._prompt = prompt
        self._asked.release()
        return await self._answer

    def run(self) -> None:
        """Read a line whenever one is asked for."""
        if self._interactive:
            with suppress(ImportError):
                import readline  # noqa: F401 - arrow keys and history in input()
        elif isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        while True:
            self._asked.acquire()
            try:
                line = self._read()
            except (EOFError, KeyboardInterrupt):
                line = None
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._give, line)

    def _read(self) -> str | None:
        if self._interactive:
            return input(self._prompt)
        line = sys.stdin.readline()
        return line if line else None

    def _give(self, line: str | None) -> None:
        if not self._answer.done():
            self._answer.set_result(line)
