"""Run the terminal session: at a terminal, in a dumb one, or from a pipe."""

import asyncio
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from cogs.console.help import first_screen
from cogs.console.output import Output
from cogs.console.session import Console, Quit
from utils.app import App
from utils.common.clock import Clock
from utils.common.program import as_called
from utils.common.translation import ENGLISH, languages, translate
from utils.runtime.stopping import cancel, end_at_next_signal, on_signals

if TYPE_CHECKING:  # it needs prompt_toolkit, which is loaded only for a person at a terminal
    from cogs.console.line_editor import LineEditor


async def run_console(app: App, clock: Clock) -> None:
    """Talk until the input ends, ``:quit``, Ctrl-D or Ctrl-C; ``app`` must be started.

    From a pipe, each line is one message and no prompt is shown. Ctrl-C stops the answer that is
    being written, else it leaves; SIGTERM leaves. Messages are kept.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    has_person = sys.stdin.isatty()
    is_capable = has_person and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"
    output = Output(partial(print, flush=True))
    if is_capable:  # what these need is loaded only for a person at a terminal
        from rich.console import Console as RichConsole

        from cogs.console.line_editor import LineEditor
        from cogs.console.rich_output import RichOutput

        output = RichOutput(RichConsole(markup=False, emoji=False, highlight=False))
    output.is_aloud = has_person
    language = language_of(os.environ)
    console = Console(app, clock, output, language)
    lines: LineEditor | _Lines = _Lines(shows_prompt=has_person)
    if is_capable:
        lines = LineEditor(console.completions)
        app.memory.signals.erasures.connect(lines.forget_lines)
    if has_person:
        memory_count = await console.open()
        output.verbatim(
            "\n".join(first_screen(app.settings, console.name, memory_count, console.tr))
        )
    elif app.model is None:
        print(
            as_called(
                translate(
                    language,
                    "No language model is configured (`python bot.py setup` adds one): I keep what "
                    "you say about yourself, and quote it when you ask.",
                )
            ),
            file=sys.stderr,
        )
    await _Talk(console, lines).run()
    end_at_next_signal()
    if has_person:
        output.verbatim(console.tr("Bye. I'll remember."))


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that the terminal's environment names, if there are texts in it."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    code = locale.partition(".")[0].partition("_")[0]
    return code if code in languages() else ENGLISH


@dataclass(eq=False, repr=False)
class _Talk:
    """Reads and answers lines; SIGINT stops the answer under way, else it leaves like SIGTERM."""

    _console: Console
    _lines: "LineEditor | _Lines"
    _answering: asyncio.Task[None] | None = field(default=None, init=False)

    async def run(self) -> None:
        """Talk until the person leaves, then wait, within limits, until all is read."""
        task = asyncio.create_task(self._talk(), name="console")

        def interrupt() -> None:
            (self._answering or task).cancel()

        on_signals(interrupt, [signal.SIGINT])
        on_signals(lambda: task.cancel(), [signal.SIGTERM])
        with suppress(Quit, asyncio.CancelledError):
            await task
        task = asyncio.create_task(self._console.close(), name="read the rest")
        with suppress(asyncio.CancelledError):
            await task

    async def _talk(self) -> None:
        while (line := await self._lines.next(lambda: self._console.prompt)) is not None:
            await self._answer(line)

    async def _answer(self, line: str) -> None:
        self._answering = answering = asyncio.create_task(self._console.handle(line), name="line")
        try:
            await asyncio.wait([answering])
        finally:
            self._answering = None
            await cancel(answering)
        if not answering.cancelled():
            answering.result()


class _Lines:
    """Reads lines, each in a daemon thread: one that waits for input ends with the process."""

    def __init__(self, *, shows_prompt: bool) -> None:
        self._shows_prompt = shows_prompt
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")

    async def next(self, prompt: Callable[[], str]) -> str | None:
        """Return the next line, or None at the end of the input."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str | None] = loop.create_future()

        def give(line: str | None) -> None:
            if not answer.done():
                answer.set_result(line)

        def read() -> None:
            line = sys.stdin.readline() or None
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(give, line)

        if self._shows_prompt:
            print(prompt(), end="", flush=True)
        threading.Thread(target=read, name="kith-console-input", daemon=True).start()
        return await answer
