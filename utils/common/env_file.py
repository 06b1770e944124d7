"""The .env file: what is wrong with its lines, and how its settings are changed.

Who changes a setting keeps the other lines and the comments; the file is replaced at once.
"""

import logging
import os
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import Binding, parse_stream

from utils.common.errors import SettingsError
from utils.common.text import clip

UNREADABLE = "{file}, line {line} cannot be read, so it is ignored: write NAME=value."
NO_VALUE = "{file}, line {line}: {name} has no value, so it is ignored: write {name}=value."
MISTYPED = "{file}, line {line}: {name} is no setting: did you mean {meant}?"
MAX_NAME = 80  # shown of a name that is no setting
REPEATED = "{file}, line {line}: {name} is set again in line {last}, which counts; remove one."
UNKNOWN = "{file}, line {line}: {name} is no setting of Kith; it is ignored."
ALIKE = 0.75

logging.getLogger("dotenv").setLevel(logging.ERROR)  # it warns in other words about the same lines
HEADER = "# Kith's settings, written by `python bot.py setup`. .env.example explains them all.\n"
PLAIN = re.compile(r"[A-Za-z0-9_./:@%+=,~-]*")
COMMENTED = re.compile(
    r"""=[^\S\r\n]*(?:(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*")(?P<quoted>[^\S\r\n]*\#[^\r\n]*)"""
    r"""|(?!['"])[^\r\n]*?(?P<plain>[^\S\r\n]+\#[^\r\n]*))[\r\n]*\Z"""
)
ONLY_OWNER = 0o600


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
        bindings = list(parse_stream(stream))
    last = {binding.key.upper(): binding for binding in bindings if binding.key}
    for binding in bindings:
        text, name = binding.original.string.strip(), binding.key
        line = _line_number(binding)
        if binding.error or (name is not None and not name.isidentifier()):
            lines.append(EnvLine(UNREADABLE.format(file=file, line=line), is_fault=True))
        elif name is None:
            continue
        elif name.upper() in names and binding.value and last[name.upper()] is not binding:
            sentence = REPEATED.format(
                file=file, line=line, name=name.upper(), last=_line_number(last[name.upper()])
            )
            lines.append(EnvLine(sentence, is_fault=True))
        elif text:
            lines += _judge(
                file, line, clip(name, MAX_NAME), names, has_value=binding.value is not None
            )
    return lines


def _line_number(binding: Binding) -> int:
    """Return the number of the line with the binding's name; blank lines before it belong to it."""
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


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


def read(file: Path) -> str:
    """Return the file's text, or a header if there is none. Raises SettingsError."""
    try:
        with file.open(encoding="utf-8", newline="") as stream:  # line ends stay as they are
            return stream.read()
    except FileNotFoundError:
        return HEADER
    except UnicodeDecodeError:
        raise SettingsError(
            "The file .env is not UTF-8 text; save it again as UTF-8, or remove it."
        ) from None


def values(text: str) -> dict[str, str]:
    """Return the settings of a file's text that are not empty, by name in capitals."""
    parsed = dotenv_values(stream=StringIO(text))
    return {name.upper(): value for name, value in parsed.items() if value}


def changed(text: str, chosen: Mapping[str, str]) -> str:
    """Return the text with these settings; each is set once, where it stood last. Pure.

    A comment behind a value stays there.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    bindings = list(parse_stream(StringIO(text)))
    last = {binding.key.upper(): index for index, binding in enumerate(bindings) if binding.key}
    lines = []
    for index, binding in enumerate(bindings):
        name = (binding.key or "").upper()
        line = binding.original.string
        if name not in chosen:
            lines.append(line)
            continue
        # The empty lines before a setting belong to its binding.
        lines.append(line[: len(line) - len(line.lstrip("\r\n"))])
        if last[name] == index:
            lines.append(_line(name, chosen[name], _comment(line)) + end)
    result = "".join(lines)
    if result and not result.endswith("\n"):
        result += end
    return result + "".join(
        _line(name, value) + end for name, value in chosen.items() if name not in last
    )


def write(file: Path, text: str) -> None:
    """Replace the file at once; only its owner can read it. A link is followed.

    Raises SettingsError if the folder cannot be written to; the old file then stays.
    """
    target = file.resolve()
    draft = target.with_name(f".env.{secrets.token_hex(8)}")
    try:
        try:
            with open(draft, "xb", opener=_open_for_owner) as out:
                out.write(text.encode())
                out.flush()
                os.fsync(out.fileno())
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise SettingsError(
            "{file} cannot be written ({reason}); nothing was changed.",
            file=target,
            reason=error.strerror,
        ) from None


def _open_for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, ONLY_OWNER)


def _comment(line: str) -> str:
    """Return the comment behind a setting's value, with the blanks before it."""
    match = COMMENTED.search(line)
    comment = (match["quoted"] or match["plain"]) if match else ""
    return f" {comment}" if comment.startswith("#") else comment


def _line(name: str, value: str, comment: str = "") -> str:
    if PLAIN.fullmatch(value) and (value or not comment):  # without a value it would become one
        return f"{name}={value}{comment}"
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}='{escaped}'{comment}"
