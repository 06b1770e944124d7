"""The text of an answer on its way from the model client to Discord, while it is written.

In it, the model marks the open loops that it asks about: ``[asked 1]``, with the item's number in
the prompt's ``Open`` line. People never see these markers.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from utils.common.links import LinkMode, shown
from utils.common.text import grapheme_floor
from utils.conversation import output_filter
from utils.models.episode import OpenLoop
from utils.models.memory import RecordOutcome

_MARKER = re.compile(r"[ \t]*\[asked[ \t:]*((?:#?[0-9]{1,3}[ \t,]*){1,8})\]", re.IGNORECASE)
_UNFINISHED = re.compile(
    r"[ \t]*\[(?:a(?:s(?:k(?:e(?:d[ \t:0-9#,]{0,40})?)?)?)?)?\Z", re.IGNORECASE
)
_NUMBER = re.compile(r"[0-9]+")
MAX_WORD_LENGTH = 60


@dataclass(eq=False, repr=False, kw_only=True)
class AnswerStream:
    """Carries the partial text of one answer. The model client pushes, the reply sender reads.

    Text is visible only after the question has been stored by this process: until then another
    process may answer it. ``on_first_text`` is called once, when the first text is pushed, and
    ``on_visible`` once, when text is visible.
    ``links`` is how links are shown. While ``may_hear`` returns False, nothing more is taken.
    """

    age_restricted: bool = False
    may_hear: Callable[[], bool] = lambda: True
    on_first_text: Callable[[], None] | None = None
    on_visible: Callable[[], None] | None = None
    links: LinkMode = LinkMode.PLAIN
    _pushed: str = ""
    _is_released: bool = False

    @cached_property
    def _changed(self) -> asyncio.Event:
        """Made with the first text: many answers that have none yet may wait for the model."""
        return asyncio.Event()

    @property
    def text(self) -> str:
        """The visible text so far."""
        return self._pushed if self._is_released else ""

    def push(self, text: str) -> None:
        """Take the whole text so far. Another request may start again, with less text."""
        if self.on_first_text is not None:
            self.on_first_text()
            self.on_first_text = None
        self._pushed = without_unfinished_marker(text)
        self.notify()

    def release(self, recording: asyncio.Future[RecordOutcome]) -> None:
        """Make the text visible if the question is stored: the callback of its recording."""
        if not recording.cancelled() and recording.exception() is None:
            self._is_released = recording.result() is RecordOutcome.STORED
            self.notify()

    def notify(self) -> None:
        """Wake the reader if there is visible text."""
        if self.text:
            self._changed.set()
            if self.on_visible is not None:
                self.on_visible()
                self.on_visible = None

    async def changed(self) -> None:
        """Return when there is visible text that has not been taken."""
        await self._changed.wait()

    def take(self) -> str:
        """Return the visible text without an unfinished last word; empty if it may not be shown."""
        self._changed.clear()
        text = whole_words(self.text)
        is_fit = output_filter.fault(text, age_restricted=self.age_restricted) is None
        return shown(text, self.links) if is_fit and self.may_hear() else ""


def whole_words(text: str) -> str:
    """Return an unfinished text without its last word."""
    if text[-1:].isspace():
        return text.rstrip()
    *before, last = text.rsplit(maxsplit=1) or [""]
    if len(last) > MAX_WORD_LENGTH:  # a script without spaces, or a link
        return text[: grapheme_floor(text, len(text) - 1)]
    return before[0] if before else ""


def without_markers(text: str) -> str:
    """Return an answer's text without the markers of open loops."""
    return _MARKER.sub("", text).rstrip() if "[" in text else text


def without_unfinished_marker(text: str) -> str:
    """Return the text of an answer so far without markers, or the beginning of one at its end."""
    return _UNFINISHED.sub("", _MARKER.sub("", text)) if "[" in text else text


def asked_loops(text: str, offered: Sequence[OpenLoop]) -> tuple[OpenLoop, ...]:
    """Return those of the loops in a prompt, in their order there, that the answer asked about."""
    numbers = {
        int(number) for match in _MARKER.finditer(text) for number in _NUMBER.findall(match[1])
    }
    return tuple(loop for place, loop in enumerate(offered, 1) if place in numbers)
