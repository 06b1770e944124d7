"""The .env file: what is wrong with its lines, and how its settings are changed.

Who changes a setting keeps the other lines; the file is replaced at once.
"""

import logging
import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values, set_key
from dotenv.parser import Binding, parse_stream

from utils.common.errors import SettingsError
from utils.common.text import clip

UNREADABLE = "{file}, line {line} cannot be read, so it is ignored: write NAME=value."
NO_VALUE = "{file}, line {line}: {name} has no value, so it is ignored: write {name}=value."
MISTYPED = "{file}, line {line}: {name} is no setting: did you mean {meant}?"
REPEATED = "{file}, line {line}: {name} is set again in line {last}, which counts; remove one."
MAX_NAME = 80  # shown of a name that is no setting
UNKNOWN = "{file}, line {line}: {name} is no setting of Kith; it is ignored."
ALIKE = 0.75

logging.getLogger("dotenv").setLevel(logging.ERROR)  # it warns in other words about the same lines
PLAIN = re.compile(r"[A-Za-z0-9_./:@%+=,~-]*")


def ignored_lines(file: Path, settings: Collection[str]) -> list[tuple[str, bool]]:
    """Return the lines of .env without effect, as sentences, and whether each is a fault.

    A fault was certainly meant to have an effect. The sentences name settings, never values.
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
        if binding.error or (binding.key is not None and not binding.key.isidentifier()):
            lines.append(_ignored(UNREADABLE, file, binding))
        elif binding.key is None:
            continue
        elif (name := binding.key.upper()) in names:
            if binding.value and last[name] is not binding:
                last_line = _line_number(last[name])
                lines.append(_ignored(REPEATED, file, binding, name=name, last=last_line))
            elif binding.value is None:
                lines.append(_ignored(NO_VALUE, file, binding))
        elif matches := get_close_matches(name, names, n=1, cutoff=ALIKE):
            lines.append(_ignored(MISTYPED, file, binding, meant=matches[0]))
        else:
            lines.append(_ignored(UNKNOWN, file, binding))
    return lines


def _ignored(sentence: str, file: Path, binding: Binding, **values: object) -> tuple[str, bool]:
    name = clip(binding.key or "", MAX_NAME)
    words = {"file": file, "line": _line_number(binding), "name": name} | values
    return sentence.format(**words), sentence is not UNKNOWN


def _line_number(binding: Binding) -> int:
    """Return the number of the line with the binding's name; blank lines before it belong to it."""
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


def values(file: Path) -> dict[str, str]:
    """Return the file's settings that are not empty, by name in capitals. Raises SettingsError."""
    try:
        parsed = dotenv_values(file)
    except UnicodeDecodeError:
        raise SettingsError(
            "The file .env is not UTF-8 text; save it again as UTF-8, or remove it."
        ) from None
    return {name.upper(): value for name, value in parsed.items() if value}


def change(file: Path, chosen: Mapping[str, str]) -> None:
    """Set these settings, and leave all other lines as they are; only the owner can read the file.

    A link is followed. Raises SettingsError if the folder cannot be written to.
    """
    target = file.resolve()
    spelled = {name.upper(): name for name in dotenv_values(target)}
    draft = target.with_name(f"{target.name}.draft")
    try:
        draft.unlink(missing_ok=True)  # of a setup that was killed
        draft.touch(0o600)  # before it holds a token
        if target.exists():
            draft.write_bytes(target.read_bytes())
        try:
            for name, value in chosen.items():
                # Docker takes quotes for a part of the value.
                quote_mode = "never" if PLAIN.fullmatch(value) else "always"
                set_key(draft, spelled.get(name, name), value, quote_mode)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise SettingsError(
            "{file} cannot be written ({reason}); nothing was changed.",
            file=target,
            reason=error.strerror,
        ) from None
