"""Localisation on Discord: the language of a person or a server, and names of commands' options."""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from utils.common import translation
from utils.common.translation import language_file

ENGLISH = discord.Locale.american_english
PARTS = {
    Location.parameter_name: "options",
    Location.choice_name: "choices",
}
UNTRANSLATED = (Location.command_name, Location.group_name)


def tr(locale: discord.Locale, text: str, /, **values: object) -> str:
    """Return the translation of an English text, with its placeholders filled in."""
    return translation.translate(locale.value, text, **values)


def number(locale: discord.Locale, value: float, form: str) -> str:
    """Return a number as a format spec has it, with the language's separators."""
    return translation.number(locale.value, value, form)


def option_name(locale: discord.Locale, name: str) -> str:
    """Return the name of a command's option as the person who types it sees it."""
    language = language_file(locale.value)
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
        language = language_file(locale.value)  # first: discord.py asks for thirty locales a string
        if language is None:
            return None
        is_menu = isinstance(context.data, app_commands.ContextMenu)
        if context.location in UNTRANSLATED and not is_menu:
            return None
        return language[PARTS.get(context.location, "texts")].get(string.message)
