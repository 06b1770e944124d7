"""What is wrong with the lines of .env: unreadable ones, and names that are no setting."""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from dotenv.parser import parse_stream

UNREADABLE = "{file}, line {line} cannot be read, so it is ignored: write NAME=value."
NO_VALUE = "{file}, line {line}: {name} has no value, so it is ignored: write {name}=value."
MISTYPED = "{file}, line {line}: {name} is no setting: did you mean {meant}?"
UNKNOWN = "{file}, line {line}: {name} is no setting of Kith; it is ignored."
ALIKE = 0.75

logging.getLogger("dotenv").setLevel(logging.ERROR)  # it warns in other words about the same lines


@dataclass(frozen=True, slots=True)
class EnvLine:
    """A line that has no effect, as a sentence; ``is_fault``: it was certainly meant to."""

    sentence: str
    is_fault: bool


def ignored_lines(file: Path, settings: Collection[str]) -> list[EnvLine]:
    """Return the lines of .env without effect; the sentences name settings, never values.

    ``settings`` are the known names. A missing file has no lines. Raises OSError and
    UnicodeDecodeError if it cannot be read.
    """
    if not file.is_file():
        return []
    names = {name.upper() for name in settings}
    lines = []
    with file.open(encoding="utf-8") as stream:
        for binding in parse_stream(stream):
            text, name = binding.original.string.strip(), binding.key
            skipped = len(binding.original.string) - len(binding.original.string.lstrip())
            line = binding.original.line + binding.original.string[:skipped].count("\n")
            if binding.error or (name is not None and not name.isidentifier()):
                lines.append(EnvLine(UNREADABLE.format(file=file, line=line), is_fault=True))
            elif name is not None and text:
                lines += _judge(file, line, name, names, has_value=binding.value is not None)
    return lines


def _judge(
    file: Path, line: int, name: str, names: Collection[str], *, has_value: bool
) -> list[EnvLine]:
    """Return what is wrong with a line that names ``name``, if anything."""
    if name.upper() in names:
        if has_value:
            return []
        return [EnvLine(NO_VALUE.format(file=file, line=line, name=name), is_fault=True)]
    matches = get_close_matches(name.upper(), list(names), n=1, cutoff=ALIKE)
    if matches:
        sentence = MISTYPED.format(file=file, line=line, name=name, meant=matches[0])
        return [EnvLine(sentence, is_fault=True)]
    return [EnvLine(UNKNOWN.format(file=file, line=line, name=name), is_fault=False)]
