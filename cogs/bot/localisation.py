"""Localisation: English is in the code, each file in languages/ translates it.

A file is named like Discord's locale ("de.json") and maps English to its language, in three parts:
``texts`` (descriptions, labels, sentences; longer ones line by line), ``options`` (names of
commands' options, lower case) and ``choices``. Placeholders are filled in after translating.
Missing translations fall back to English; a test finds them. Names of slash commands are the same
in every language, because the texts refer to them by name; once Discord has told their ids, the
commands in texts can be clicked.
"""

import json
import re
import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

FOLDER = Path(__file__).parent / "languages"
ENGLISH = discord.Locale.american_english
PARTS = {
    Location.parameter_name: "options",
    Location.choice_name: "choices",
}
_COMMAND = re.compile(r"`/([a-z ]+)`")
_COMMA = {ord(","): ".", ord("."): ","}
_command_ids: dict[str, int] = {}  # of the running client's commands, by full name
UNTRANSLATED = (Location.command_name, Location.group_name)


@cache
def languages() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the contents of every file by the name of its locale; read once."""
    return {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(FOLDER.glob("*.json"))
    }


def tr(locale: discord.Locale, text: str, /, **values: object) -> str:
    """Return the translation of an English text, with its placeholders filled in."""
    if language := _language_of(locale.value):
        translations = language["texts"]
        if text in translations:
            text = translations[text]
        else:
            text = "\n".join(translations.get(line, line) for line in text.split("\n"))
    text = _COMMAND.sub(_clickable, text)
    return _Formatter(locale).vformat(text, (), values) if values else text


def number(locale: discord.Locale, value: float, form: str) -> str:
    """Return a number as a format spec has it, with the language's separators."""
    text = format(value, form)
    if locale is not discord.Locale.german:
        return text
    return text.translate(_COMMA).replace("%", "\N{NO-BREAK SPACE}%")


class _Formatter(string.Formatter):
    """Fills in placeholders, with numbers as the language writes them."""

    def __init__(self, locale: discord.Locale) -> None:
        self._locale = locale

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


def option_name(locale: discord.Locale, name: str) -> str:
    """Return the name of a command's option as the person who types it sees it."""
    language = _language_of(locale.value)
    return language["options"].get(name, name) if language else name


def locale_of(message: discord.Message, client: discord.Client | None = None) -> discord.Locale:
    """Return the language of what Kith says under a message: its server's.

    Discord does not tell the language of who writes a direct message, so there it is that of the
    client's servers, if all have the same.
    """
    if message.guild is not None:
        return message.guild.preferred_locale
    locales = {guild.preferred_locale for guild in client.guilds} if client else set()
    return locales.pop() if len(locales) == 1 else ENGLISH


class Localiser(app_commands.Translator):
    """Translates the names and descriptions of commands, options and choices for Discord."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """Return the translation of a name or description; None if it stays English."""
        language = _language_of(locale.value)  # first: discord.py asks for thirty locales a string
        if language is None:
            return None
        is_menu = isinstance(context.data, app_commands.ContextMenu)
        if context.location in UNTRANSLATED and not is_menu:
            return None
        return language[PARTS.get(context.location, "texts")].get(string.message)


@cache
def _language_of(locale: str) -> Mapping[str, Mapping[str, str]] | None:
    """Return the file of a locale, or of its language; None if there is none."""
    files = languages()
    return files.get(locale) or files.get(locale.partition("-")[0])
