"""Plays the terminal sessions of getting-started.md again: what is typed there, on a fixed day.

``python -m docs.sessions`` writes what the console answers today into the page.
"""

import asyncio
import io
import re
from contextlib import chdir, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console as RichConsole

from cogs.console.help import first_screen
from cogs.console.rich_output import RichOutput
from cogs.console.session import Console, Quit
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import load_settings

GUIDE = Path(__file__).with_name("getting-started.md")
BEGIN = datetime(2026, 11, 22, 8, 11, tzinfo=UTC)
START = "$ python bot.py console"
TYPING = timedelta(seconds=20)
WIDTH = 96
_TYPED = re.compile(r"^[\w ]+ #[\w-]+> (.+)$", re.MULTILINE)
_BLOCK = re.compile(rf"^```\n({re.escape(START)}\n.*?)^```$", re.MULTILINE | re.DOTALL)


class FixedClock(Clock):
    """A clock that stands, until a line is typed or ``:clock`` moves it."""

    def now(self) -> datetime:
        """Return the beginning, plus what was shifted."""
        return BEGIN + self._offset


def blocks(page: str) -> list[str]:
    """Return the code blocks of a page that are sessions."""
    return _BLOCK.findall(page)


def typed_lines(block: str) -> list[list[str]]:
    """Return what is typed in a block, for each start of the console."""
    return [_TYPED.findall(part) for part in block.split(START)[1:]]


async def play(block: str, screen: RichConsole) -> None:
    """Type the lines of a block at the real console in an empty folder, and write what it shows."""
    with TemporaryDirectory() as folder, chdir(folder):
        for number, lines in enumerate(typed_lines(block)):
            if number:
                screen.print()
            screen.print(f"[bold]{START}[/bold]", markup=True)
            await _play(lines, screen)


async def _play(lines: list[str], screen: RichConsole) -> None:
    clock = FixedClock()
    settings = load_settings(None, discord_token=None, openai_api_key=None, openai_base_url=None)
    app = build(settings, clock)
    try:
        await app.start()
        output = RichOutput(screen)
        output.is_aloud = True
        console = Console(app, clock, output)
        known = await console.open()
        for text in first_screen(settings, console.name, known):
            output.notice(text)
        with suppress(Quit):
            for line in lines:
                screen.print(f"{console.prompt}[bold]{line}[/bold]", markup=True)
                await console.handle(line)
                clock.shift(TYPING)
        await console.close()
        output.notice("Bye. I'll remember.")
    finally:
        await app.close()


def transcript(block: str) -> str:
    """Return a block as the console writes it today."""
    file = io.StringIO()
    screen = RichConsole(file=file, width=WIDTH, markup=False, emoji=False, highlight=False)
    asyncio.run(play(block, screen))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def renew(page: Path) -> None:
    """Write the sessions of a page again."""
    text = page.read_text(encoding="utf-8")
    page.write_text(_BLOCK.sub(lambda m: f"```\n{transcript(m[1])}```", text), encoding="utf-8")


if __name__ == "__main__":
    renew(GUIDE)
