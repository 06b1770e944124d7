"""What can be typed in the terminal: the first screen, the help, the command meant, completions."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from urllib.parse import urlsplit

from cogs.bot.texts import Translate, in_english
from cogs.bot.translation import languages
from cogs.console import console_text
from utils.common.config import Settings
from utils.common.errors import BadInput
from utils.common.program import as_called
from utils.llm import prompts
from utils.models.memory import Consent

COMMANDS = (
    *(":help", ":as", ":channel", ":clock", ":prompt", ":why", ":prune"),
    *(":language", ":quit", ":exit"),
    *("/memory", "/mode", "/reset", "/privacy", "/help"),
)
WORDS = {"help": ":help", "?": ":help", "exit": ":quit", "quit": ":quit"}  # whole lines
_ARGUMENTS: dict[str, tuple[str, ...]] = {
    ":clock": ("+90m", "+8h", "+1d", "+8d", "+5w"),
    "/memory": ("show", "search", "why", "correct", "undo", "forget", "consent", "export"),
    "/memory consent": tuple(consent.value for consent in Consent),
    "/memory forget": ("all",),
    "/mode": ("show", "set"),
    ":language": ("en", *languages()),
}


def command_in(line: str) -> tuple[str, list[str]] | None:
    """Return the command that a line is, and its arguments; None if the line is a message."""
    word, *arguments = line.split() or [""]
    if not arguments and line.strip().casefold() in WORDS:
        return WORDS[line.strip().casefold()], []
    return (word, arguments) if re.fullmatch(r"[:/][a-z]{2,}", word) else None


def unknown_command(word: str) -> BadInput:
    """Return the error for a command that does not exist, with the one that was meant."""
    names = {command[1:]: command for command in reversed(COMMANDS)} | {"hilfe": ":help"}
    meant = get_close_matches(word[1:], names, n=1)
    if not meant:
        return BadInput(console_text.NO_COMMAND, word=word)
    return BadInput(console_text.DID_YOU_MEAN, word=word, meant=names[meant[0]])


def completions(line: str, people: Sequence[str], channels: Sequence[str]) -> list[str]:
    """Return the words that the last word of a line may become; none for a message.

    ``people`` and ``channels`` are the names that were used in this session.
    """
    if not line.startswith((":", "/")):
        return []
    *before, prefix = line.split(" ")
    options: Sequence[str] = COMMANDS
    if before:
        names = {":as": people, ":channel": channels, "/mode set": prompts.modes()}
        typed = " ".join(before)
        options = names.get(typed) or _ARGUMENTS.get(typed, ())
    return [option for option in options if option.casefold().startswith(prefix.casefold())]


def first_screen(
    settings: Settings, name: str, memory_count: int, tr: Translate = in_english
) -> list[str]:
    """Return the first lines, at most seven; ``memory_count``: memories about the speaker."""
    if memory_count:
        greeting = console_text.WELCOME_BACK_ONE if memory_count == 1 else console_text.WELCOME_BACK
        first = [tr(greeting, name=name, count=memory_count), tr(console_text.ASK_ME)]
    else:
        first = [tr(console_text.HELLO), tr(console_text.TRY)]
    return [*first, model_line(settings, tr), data_line(settings, tr)]


def model_line(settings: Settings, tr: Translate = in_english) -> str:
    """Return which language model answers, or that none does and how to choose one."""
    if not settings.has_model:
        return as_called(tr(console_text.NO_MODEL_LINE))
    model = settings.models_of(settings.chat_model)[0]
    addresses = settings.model_endpoints or {}
    base_url = addresses.get(model.endpoint, settings.openai_base_url)
    place = "api.openai.com" if base_url is None else urlsplit(str(base_url)).netloc
    return tr(console_text.MODEL_LINE, model=model.name, place=place)


def data_line(settings: Settings, tr: Translate = in_english) -> str:
    """Return where memory is kept."""
    if not settings.database_url.startswith("sqlite"):
        return tr(console_text.KEPT_IN_SQL_SERVER)
    file = settings.database_url.removeprefix("sqlite:///").removeprefix("file:")
    return tr(console_text.KEPT_IN_FILE, file=file.partition("?")[0])
