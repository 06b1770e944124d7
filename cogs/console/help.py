"""What can be typed in the terminal: the first screen, the help, the command meant, completions."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from urllib.parse import urlsplit

from cogs.bot.texts import Translate, in_english
from utils.common.config import Settings
from utils.common.errors import BadInput
from utils.common.program import as_called
from utils.common.translation import languages
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
CONSOLE_HELP = """\
Talking
  Just write, for example:  Hi! My name is Sam and I live in Lisbon.
  Ask:                      where do I live?   what do you know about me?
  Let me forget:            forget that I live in Lisbon
What I remember
  /memory show [page]       everything I know about you, with numbers
  /memory search dog        what has these words, or answers a question
  /memory why 3             the sentence that number 3 comes from
  /memory correct 3 likes tea  ·  /memory undo 3  ·  /memory forget 3 (or all)
  /memory consent off       how long I remember you: lasting, temporary or off
  /memory export            all of it as text;  /privacy says what I keep
Trying things
  :as Robin                 speak as another person
  :channel games            speak in another channel;  /reset starts it afresh
  :channel private-plans    not everybody reads channels named private…
  :clock +8d                move time (m, h, d, w);  :prune removes what expired
  :prompt                   the memory that the last answer was given
  :why                      what the last answer comes from
  /mode set NAME            change how I sound;  /mode show lists the modes
  :language de              speak another language: en or de
A language model
  python bot.py setup       connects one, so that I can chat; leave first
Leaving
  :quit, exit or Ctrl-D leaves;  Ctrl-C stops an answer;  :help shows this"""


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
        return BadInput("There is no command {word}; :help lists all commands.", word=word)
    return BadInput(
        "There is no command {word}. Did you mean {meant}? :help lists all commands.",
        word=word,
        meant=names[meant[0]],
    )


def completions(line: str, people: Sequence[str], channels: Sequence[str]) -> list[str]:
    """Return the words that the last word of a line may become; none for a message.

    ``people`` and ``channels`` are the names that were used in this session.
    """
    if not line.startswith((":", "/")):
        return []
    *before, prefix = line.split(" ")
    options: Sequence[str] = COMMANDS
    if before:
        names = {":as": people, ":channel": channels, "/mode set": prompts.MODES}
        typed = " ".join(before)
        options = names.get(typed) or _ARGUMENTS.get(typed, ())
    return [option for option in options if option.casefold().startswith(prefix.casefold())]


def first_screen(
    settings: Settings, name: str, memory_count: int, tr: Translate = in_english
) -> list[str]:
    """Return the first lines, at most seven; ``memory_count``: memories about the speaker.

    They say which language model answers, or how to choose one, and where memory is kept.
    """
    if memory_count:
        lines = [
            tr(
                "Welcome back, {name}! I keep 1 thing you told me: /memory show lists it."
                if memory_count == 1
                else "Welcome back, {name}! I keep {count} things you told me: /memory show lists "
                "them.",
                name=name,
                count=memory_count,
            ),
            tr("Ask me: what do you know about me?   :help shows everything else, Ctrl-D leaves."),
        ]
    else:
        lines = [
            tr("Hello! I'm Kith. I remember what you tell me about yourself."),
            tr(
                "Try: Hi! My name is Sam and I live in Lisbon.  Then ask: where do I live?\n"
                ":help shows everything else, Ctrl-D leaves."
            ),
        ]
    if settings.has_model:
        model = settings.models_of(settings.chat_model)[0]
        addresses = settings.model_endpoints or {}
        base_url = addresses.get(model.endpoint, settings.openai_base_url)
        lines.append(
            tr(
                "Answers come from the language model {model} at {place}.",
                model=model.name,
                place="api.openai.com" if base_url is None else urlsplit(str(base_url)).netloc,
            )
        )
    else:
        line = tr("No language model: I quote what you told me. `python bot.py setup` adds one.")
        lines.append(as_called(line))
    file = settings.sqlite_file
    if file is not None:
        return [*lines, tr("What you tell me is kept in {file}, on this computer only.", file=file)]
    return [*lines, tr("What you tell me is kept in the SQL Server database of DATABASE_URL.")]
