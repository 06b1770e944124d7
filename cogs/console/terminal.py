"""Reading lines from a terminal or a pipe, off the event loop, until somebody leaves."""

import asyncio
import signal
import sys
import threading
from contextlib import suppress

from cogs.console.session import NO_MODEL_NOTICE, Console, Quit
from utils.clock import SystemClock
from utils.core import Core


async def run_console(core: Core, clock: SystemClock) -> None:
    """Talk until the input ends, ``:quit``, Ctrl-D or Ctrl-C; ``core`` has been started.

    From a pipe, a line is one message, and no prompt is shown.
    """
    interactive = sys.stdin.isatty()
    console = Console(core, clock, print)
    if interactive:
        print("Kith. Type a message, or :help. Ctrl-D leaves.")
    if core.model is None:
        print(NO_MODEL_NOTICE, file=sys.stdout if interactive else sys.stderr)
    lines = _Lines(interactive)
    lines.start()
    with suppress(Quit):
        while (line := await lines.next(console.prompt)) is not None:
            await console.handle(line)
    if interactive:
        print("Bye. I'll remember.")


class _Lines(threading.Thread):
    """Reads one line at a time in a thread of its own, which never keeps the process alive."""

    def __init__(self, interactive: bool) -> None:
        super().__init__(name="kith-console-input", daemon=True)
        self._interactive = interactive
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[str | None] | None = None
        self._asked = threading.Semaphore(0)
        self._prompt = ""
        with suppress(NotImplementedError, AttributeError):
            self._loop.add_signal_handler(signal.SIGINT, self._give, None)
            self._loop.add_signal_handler(signal.SIGTERM, self._give, None)

    async def next(self, prompt: str) -> str | None:
        """Return the next line, or None when there is none any more or a signal came."""
        self._answer = self._loop.create_future()
        self._prompt = prompt
        self._asked.release()
        return await self._answer

    def run(self) -> None:
        """Read a line whenever one is asked for."""
        if self._interactive:
            with suppress(ImportError):
                import readline  # noqa: F401 - arrow keys and history in input()
        elif hasattr(sys.stdin, "reconfigure"):
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
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(line)
