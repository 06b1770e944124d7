"""How the terminal session writes: plain lines, as for pipes and dumb terminals."""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar

from utils.conversation.answer_stream import AnswerStream


@dataclass(eq=False, repr=False)
class Output:
    """Writes what Kith says, as plain lines; an answer is written once it is whole.

    ``is_aloud``: what Kith learns is written as well. ``is_live``: also while a line is typed.
    """

    is_live: ClassVar[bool] = False

    _write: Callable[[str], None]
    is_aloud: bool = field(default=False, kw_only=True)

    def answer(self, text: str) -> None:
        """Write an answer to a message."""
        self._write(text)

    def notice(self, text: str) -> None:
        """Write the answer to a command, which is in Discord's Markdown."""
        self._write(plain(text))

    def verbatim(self, text: str) -> None:
        """Write a text exactly as it is."""
        self._write(text)

    def stopped(self, text: str, remark: str) -> None:
        """Write what there is of an answer that was stopped, and a remark that it was."""
        self._write(f"{text} {remark}".lstrip())

    async def aside(self, lines: Sequence[str]) -> None:
        """Write short remarks in one line, beside the conversation."""
        self._write("  " + "   ".join(lines))

    @asynccontextmanager
    async def writing(self, stream: AnswerStream) -> AsyncIterator[None]:
        """Show an answer while it is written: here, nothing of it until it is whole."""
        yield


def plain(text: str) -> str:
    """Return Discord's Markdown as plain text for a terminal."""
    text = re.sub(r"^-# ", "", text, flags=re.MULTILINE)
    return re.sub(r"\\([\\*_`~|>#\-+.\[])", r"\1", re.sub(r"(?<!\\)(\*\*|[*`])", "", text))
