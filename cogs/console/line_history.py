"""The lines typed in the terminal, kept in a file that only its owner can read.

They are messages, too: a line is kept for 30 days, none outlives that something is forgotten, and
none of a person who has nothing stored is kept.
"""

import json
import os
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from prompt_toolkit.history import History

from utils.common.clock import Clock
from utils.memory.policy.categories import Category
from utils.memory.policy.write_policy import MAX_TEMPORARY
from utils.memory.safety.filter import refusal_reason
from utils.models.memory import Member

MAX_LINES = 1_000
OWNER_ONLY = 0o600
NO_CATEGORIES: frozenset[Category] = frozenset()
NOT_KEPT = ("secret", "contact", "address")


class LineHistory(History):
    """Lines to bring back with the arrow keys; without a file that can be written, in memory."""

    def __init__(self, file: Path, clock: Clock, may_keep: Callable[[], bool]) -> None:
        """``may_keep``: whether the person who types lets lines be stored now."""
        super().__init__()
        self._may_keep = may_keep
        self._file = file
        self._clock = clock
        self.fault: OSError | None = None

    def load_history_strings(self) -> Iterable[str]:
        """Return the lines of the last 30 days, newest first; older ones leave the file."""
        try:
            entries = [_entry(line) for line in self._file.read_text("utf-8").splitlines()]
        except (FileNotFoundError, UnicodeDecodeError):
            return []
        except OSError as error:
            self.fault = error
            return []
        now = self._clock.now()
        recent = [
            entry for entry in entries if entry is not None and now - entry[0] <= MAX_TEMPORARY
        ]
        recent = recent[-MAX_LINES:]
        if len(recent) < len(entries):
            self._overwrite([_line(at, text) for at, text in recent])
        return [text for _, text in reversed(recent)]

    def store_string(self, string: str) -> None:
        """Append a line, unless it holds what stays out of memory, too."""
        if not self._may_keep() or refusal_reason(string, NO_CATEGORIES) in NOT_KEPT:
            return
        try:
            line = _line(self._clock.now(), string)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            with os.fdopen(os.open(self._file, flags, OWNER_ONLY), "w", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            self.fault = error

    async def erase(self, member: Member, *, only_answers: bool) -> None:
        """Drop all lines: one of them may hold what is being forgotten."""
        self._loaded_strings.clear()
        self._overwrite([])

    def _overwrite(self, lines: list[str]) -> None:
        """Replace the file's contents; what was there is overwritten first."""
        try:
            with self._file.open("r+b") as file:
                file.write(b"\n" * self._file.stat().st_size)
                file.flush()
                os.fsync(file.fileno())
                file.seek(0)
                file.truncate()
                file.write("".join(lines).encode())
        except FileNotFoundError:
            return
        except OSError as error:
            self.fault = error


def _line(at: datetime, text: str) -> str:
    return json.dumps({"at": at.isoformat(), "text": text}) + "\n"


def _entry(line: str) -> tuple[datetime, str] | None:
    """Return when a line was typed and its text; None if the file's line is damaged."""
    try:
        entry = json.loads(line)
        return datetime.fromisoformat(entry["at"]), str(entry["text"])
    except (ValueError, TypeError, KeyError):
        return None
