"""Write to a terminal with rich: Markdown, bold names, wrapped words, answers as they are written.

Imported only where a person sits at a terminal.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit.application import get_app_or_none, run_in_terminal
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cogs.console.output import Output
from utils.common.text import clean
from utils.conversation.answer_stream import AnswerStream

if TYPE_CHECKING:  # a third of rich's import time, not needed for the first prompt
    from rich.markdown import Markdown

NAME = "Kith"
MAX_WIDTH = 100
_HEADING = re.compile(r"^#{1,6} +(.+?)[ #]*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")


class RichOutput(Output):
    """Writes to a terminal; what is learnt while a line is being typed appears above it."""

    is_live = True

    def __init__(self, console: Console) -> None:
        super().__init__(console.print, is_aloud=True)
        self._console = console

    def answer(self, text: str) -> None:
        """Write an answer, as Markdown beside Kith's name."""
        self._console.print(_spoken(text))

    def notice(self, text: str) -> None:
        """Write the answer to a command, in Discord's Markdown."""
        self._console.print(_markdown(re.sub(r"^-# ", "", text, flags=re.MULTILINE)))

    def verbatim(self, text: str) -> None:
        """Write a text exactly as it is, for copying; the terminal wraps it."""
        self._console.print(Text(clean(text)), soft_wrap=True)

    def stopped(self, text: str, remark: str) -> None:
        """Write what there is of an answer that was stopped, and a remark that it was."""
        if text:
            self.answer(text)
        self._console.print(Padding(Text(remark, style="dim"), (0, 0, 0, len(NAME) + 2)))

    async def aside(self, lines: Sequence[str]) -> None:
        """Write short remarks dimly; above the line that is being typed, if there is one."""
        text = Text("   ".join(map(clean, lines)), style="dim")
        write = partial(self._console.print, Padding(text, (0, 0, 0, 2)))
        app = get_app_or_none()
        if app is not None and app.is_running:
            await run_in_terminal(write)
        else:
            write()

    @asynccontextmanager
    async def writing(self, stream: AnswerStream) -> AsyncIterator[None]:
        """Show a spinner, then the answer's last lines while it is written; erased at the end."""
        from rich.live import Live
        from rich.spinner import Spinner

        spinner = Spinner("dots", Text("…", style="dim"))
        with Live(spinner, console=self._console, transient=True) as live:
            show = partial(live.update, refresh=True)
            following = asyncio.create_task(_follow(stream, show), name="answer on screen")
            try:
                yield
            finally:
                following.cancel()


async def _follow(stream: AnswerStream, show: Callable[["_LastLines"], None]) -> None:
    while True:
        await stream.changed()
        if text := stream.take():
            show(_LastLines(_spoken(text)))


@dataclass(eq=False, repr=False)
class _LastLines:
    """As many of the last lines of a text as fit on the screen."""

    _content: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self._content, options.update(height=None), pad=False)
        for line in lines[-(console.height - 1) :]:
            yield from line
            yield Segment.line()


def _spoken(text: str) -> Table:
    """Return an answer beside Kith's name; its lines begin below each other."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(max_width=MAX_WIDTH)
    grid.add_row(Text(NAME, style="bold"), _markdown(text))
    return grid


def _markdown(text: str) -> "Markdown":
    """Return Markdown with Discord's line breaks, in which nothing counts as HTML."""
    from markdown_it import MarkdownIt
    from rich.markdown import Markdown

    markdown = Markdown("", hyperlinks=False)
    parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").enable("table")
    markdown.parsed = parser.parse(_with_line_breaks(clean(text)))
    return markdown


def _with_line_breaks(text: str) -> str:
    """Return Markdown in which every line break outside of code blocks is kept.

    Headings become bold lines: rich would centre them.
    """
    lines, is_code = [], False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        elif line.strip() and not is_code:
            line = _HEADING.sub(r"**\1**", line) + "  "
        lines.append(line)
    return "\n".join(lines)
