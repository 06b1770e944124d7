"""Translation: English is in the code, each file in languages/ translates it.

A file is named like Discord's locale ("de.json") and maps English to its language, in three parts:
``texts`` (descriptions, labels, sentences; longer ones line by line), ``options`` (names of
commands' options, lower case) and ``choices``. Placeholders are filled in after translating.
Missing translations fall back to English; a test finds them. Names of slash commands are the same
in every language, because the texts refer to them by name; once Discord has told their ids, the
commands in texts can be clicked. The terminal translates too, without loading discord.py.
"""

import json
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "languages"
ENGLISH = "en"
COMMAND = re.compile(r"`/([a-z ]+)`")
COMMA = {ord(","): ".", ord("."): ","}
_command_ids: dict[str, int] = {}  # of the running client's commands, by full name


@cache
def languages() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the contents of every file by the name of its locale; read once."""
    return {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(FOLDER.glob("*.json"))
    }


@cache
def language_file(locale: str) -> Mapping[str, Mapping[str, str]] | None:
    """Return the file of a locale, or of its language; None if there is none."""
    files = languages()
    return files.get(locale) or files.get(locale.partition("-")[0])


def translate(locale: str, text: str, /, **values: object) -> str:
    """Return an English text in the language of a locale ("de"), and filled in."""
    if language := language_file(locale):
        translations = language["texts"]
        if text in translations:
            text = translations[text]
        else:
            text = "\n".join(translations.get(line, line) for line in text.split("\n"))
    text = COMMAND.sub(_clickable, text)
    return _Formatter(locale).vformat(text, (), values) if values else text


def number(locale: str, value: float, form: str) -> str:
    """Return a number as a format spec has it, with the language's separators."""
    text = format(value, form)
    return text if locale != "de" else text.translate(COMMA).replace("%", "\N{NO-BREAK SPACE}%")


@dataclass(eq=False, repr=False)
class _Formatter(string.Formatter):
    """Fills in placeholders, with numbers as the language writes them."""

    _locale: str

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value as text."""
        if format_spec and isinstance(value, int | float):
            return number(self._locale, value, format_spec)
        return format(value, format_spec)


def set_command_ids(command_ids: Mapping[str, int]) -> None:
    """Make these commands clickable in texts: ids by full name, as of the running client."""
    _command_ids.clear()
    _command_ids.update(command_ids)


def _clickable(command: re.Match[str]) -> str:
    command_id = _command_ids.get(command[1])
    return command[0] if command_id is None else f"</{command[1]}:{command_id}>"
