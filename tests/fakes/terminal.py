"""A terminal for programs under test: a real pseudo-terminal, and the screen that a person sees.

The screen understands what prompt_toolkit and rich write: moving the cursor, erasing, styles.
"""

import asyncio
import codecs
import fcntl
import os
import pty
import re
import struct
import termios
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.processes import start_program

PATIENCE_S = 30.0
ROWS, COLUMNS = 40, 80
_TOKEN = re.compile(
    r"\x1b\[(?P<arguments>[?0-9;]*)(?P<command>[A-Za-z])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>78]|(?P<character>[^\x1b])",
    re.DOTALL,
)


class Screen:
    """What stands on an endless screen after everything that was written so far."""

    def __init__(self) -> None:
        self.raw = ""
        self._rest = ""
        self._rows: list[list[str]] = [[]]
        self._row = self._column = 0

    @property
    def lines(self) -> list[str]:
        """The lines from the top, without blanks at their ends."""
        return ["".join(row).rstrip() for row in self._rows]

    @property
    def text(self) -> str:
        """All lines, without empty ones at the end."""
        return "\n".join(self.lines).rstrip("\n")

    def feed(self, text: str) -> None:
        """Write to the screen; an escape sequence may be cut anywhere."""
        self.raw += text
        text, end = self._rest + text, 0
        for match in _TOKEN.finditer(text):
            if match.start() != end:
                break
            end = match.end()
            if match["character"]:
                self._write(match["character"])
            elif match["command"]:
                self._obey(match["command"], match["arguments"])
        self._rest = text[end:]

    def _write(self, character: str) -> None:
        if character == "\n":
            self._row += 1
        elif character == "\r":
            self._column = 0
        elif character == "\b":
            self._column = max(0, self._column - 1)
        elif character != "\x07":
            row = self._current()
            row += " " * (self._column + 1 - len(row))
            row[self._column] = character
            self._column += 1
        self._current()

    def _current(self) -> list[str]:
        self._rows += [[] for _ in range(self._row + 1 - len(self._rows))]
        return self._rows[self._row]

    def _obey(self, command: str, arguments: str) -> None:
        count = int(arguments) if arguments.isdecimal() else 1
        match command:
            case "A":
                self._row = max(0, self._row - count)
            case "B":
                self._row += count
            case "C":
                self._column += count
            case "D":
                self._column = max(0, self._column - count)
            case "G":
                self._column = count - 1
            case "J":
                del self._current()[self._column :]
                del self._rows[self._row + 1 :]
            case "K":
                del self._current()[0 if arguments == "2" else self._column :]
        self._current()


class Terminal:
    """A program in a pseudo-terminal: type, and wait for what is on its screen."""

    def __init__(self, process: asyncio.subprocess.Process, file: int) -> None:
        self.process = process
        self.screen = Screen()
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._changed = asyncio.Event()
        self.has_ended = False
        asyncio.get_running_loop().add_reader(file, self._read)

    def type(self, text: str, *, enter: bool = True) -> None:
        """Type a text, and Enter."""
        os.write(self._file, text.encode() + (b"\r" if enter else b""))

    def paste(self, text: str) -> None:
        """Paste a text as terminals do that bracket what is pasted."""
        os.write(self._file, b"\x1b[200~" + text.encode() + b"\x1b[201~")

    def press(self, key: str) -> None:
        """Press a control key ("C": Ctrl-C), or send an escape sequence."""
        os.write(self._file, key.encode() if key[0] == "\x1b" else bytes([ord(key) - ord("@")]))

    async def sees(self, condition: str | Callable[[str], bool]) -> str:
        """Wait until the screen has a text, or fulfils a condition; returns the screen."""
        fulfils = condition if callable(condition) else lambda text: condition in text
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not fulfils(self.screen.text):
                    assert not self.has_ended, "the program ended"
                    self._changed.clear()
                    await self._changed.wait()
        except (TimeoutError, AssertionError) as error:
            error.add_note(f"waited for {condition!r}; on the screen:\n{self.screen.text}")
            raise
        return self.screen.text

    async def ends(self) -> int:
        """Wait for the end of the program; returns its exit status."""
        async with asyncio.timeout(PATIENCE_S):
            status = await self.process.wait()
            while not self.has_ended:
                self._changed.clear()
                await self._changed.wait()
        return status

    def _read(self) -> None:
        try:
            data = os.read(self._file, 65_536)
        except OSError:  # the program closed its side
            data = b""
        if not data:
            self.has_ended = True
            asyncio.get_running_loop().remove_reader(self._file)
        self.screen.feed(self._decoder.decode(data))
        self._changed.set()

    def close(self) -> None:
        """Close the terminal."""
        asyncio.get_running_loop().remove_reader(self._file)
        os.close(self._file)


@asynccontextmanager
async def in_terminal(
    command: list[str], environment: Mapping[str, str], folder: Path
) -> AsyncIterator[Terminal]:
    """Run a program in a pseudo-terminal; it is killed if it still runs at the end."""
    outside, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    async with start_program(
        *command,
        env={
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "PROMPT_TOOLKIT_NO_CPR": "1",  # this terminal does not answer where its cursor is
            **environment,
        },
        stdin=inside,
        stdout=inside,
        stderr=inside,
        cwd=folder,
        start_new_session=True,
        preexec_fn=_take_terminal,
    ) as process:
        os.close(inside)
        terminal = Terminal(process, outside)
        try:
            yield terminal
        finally:
            terminal.close()


def _take_terminal() -> None:
    """Make the terminal on standard input the one that Ctrl-C is sent from."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
