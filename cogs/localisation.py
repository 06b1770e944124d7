"""Kith's languages. English stands in the code; each file in languages/ says it in another one.

A file is named like Discord's locale ("de.json") and maps English to its language, in three parts:
``texts`` (descriptions, labels, sentences; longer ones line by line), ``options`` (names of
commands' options, small letters) and ``choices``. Braces are filled after translating. What a file
lacks is said in English; a test finds it. Names of slash commands are the same in every language,
because the texts call them by name.
"""

import json
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
UNTRANSLATED = (Location.command_name, Location.group_name)


@cache
def languages() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return what every file says, by the name of its locale; read once."""
    return {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(FOLDER.glob("*.json"))
    }


def tr(locale: discord.Locale, text: str, **values: object) -> str:
    """Return an English text in a language, if Kith speaks it, with its braces filled."""
    if found := _file_of(locale.value):
        known = found["texts"]
        if text in known:
            text = known[text]
        else:
            text = "\n".join(known.get(line, line) for line in text.split("\n"))
    return text.format(**values) if values else text


class Localiser(app_commands.Translator):
    """Tells Discord what commands, options and choices are called in every language."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        """Return a name or description in a language; None: it stays English."""
        known = _file_of(locale.value)  # first: discord.py asks for some thirty languages a string
        if known is None:
            return None
        is_menu = isinstance(context.data, app_commands.ContextMenu)
        if context.location in UNTRANSLATED and not is_menu:
            return None
        return known[PARTS.get(context.location, "texts")].get(string.message)


@cache
def _file_of(locale: str) -> Mapping[str, Mapping[str, str]] | None:
    """Return what a locale's file says, or its language's; None for a language that has none."""
    known = languages()
    return known.get(locale) or known.get(locale.partition("-")[0])
