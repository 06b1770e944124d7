"""The help page of the command line, and sentences about what was mistyped."""

import argparse
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from utils.common.program import VERSION, calling_name

WRONG_USAGE = 2
WIDTH = 98
COLUMN = 18

EXIT_STATUS = (
    ("0", "done"),
    ("1", "not done, or doctor found a fault; a sentence says why"),
    ("2", "the command line is wrong"),
    ("78", "`run` only: a setting is wrong, so a restart would change nothing"),
    ("130", "interrupted with Ctrl-C"),
)


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """What the help says about a command; ``examples`` are arguments and what they do."""

    name: str
    description: str
    examples: tuple[tuple[str, str], ...] = ()


GROUPS: dict[str, tuple[CommandHelp, ...]] = {
    "Talk": (
        CommandHelp("run", "talk on Discord (also without a command); needs DISCORD_TOKEN"),
        CommandHelp("console", "talk in the terminal; no account, key or server needed"),
    ),
    "Look": (
        CommandHelp(
            "demo",
            "open the dashboard of a made-up community; no account, key or server needed",
            (("demo --open", "have a look, in your browser"),),
        ),
        CommandHelp("dashboard", "open the dashboard over the database, without Discord"),
    ),
    "Work with others": (
        CommandHelp(
            "mcp",
            "let other agents of yours use memory, over the Model Context Protocol",
            (("mcp --guild 111 --member 222", "for the agent that starts it"),),
        ),
    ),
    "Set up and check": (
        CommandHelp(
            "doctor",
            "check settings, database, model and Discord, and say what to do",
            (("doctor --live", "is the running bot well?"),),
        ),
        CommandHelp(
            "try-model",
            "play thirty short conversations and show what a model learns; nothing is stored",
            (("try-model small large", "compare two models"),),
        ),
        CommandHelp("setup", "ask for a Discord token and a language model, try both, write .env"),
        CommandHelp("migrate", "create the database, or upgrade its schema"),
    ),
    "Look after the data": (
        CommandHelp(
            "backup",
            "copy the database to a file, while the bot runs",
            (("backup /backups/kith.db", "copy it to this file"),),
        ),
        CommandHelp(
            "restore",
            "replace the database with a backup; nothing erased comes back",
            (("restore /backups/kith.db", "put a backup back"),),
        ),
        CommandHelp("prune", "remove what has expired, now"),
        CommandHelp(
            "erase",
            "erase everything of a member, for good",
            (("erase --member 80351110224678912", "in every server, after a question"),),
        ),
    ),
    "Move memory": (
        CommandHelp(
            "export",
            "write memory into files that can be imported elsewhere",
            (("export memory.zip", "everything, as one file"),),
        ),
        CommandHelp(
            "import",
            "import what `export` wrote; existing rows stay as they are",
            (("import memory.zip --dry-run", "what would it add?"),),
        ),
        CommandHelp(
            "import-history",
            "read channel history from DiscordChatExporter's JSON files",
            (("import-history general.json --dry-run", "what would it cost?"),),
        ),
    ),
    "Tune recall": (
        CommandHelp(
            "policy",
            "show, try, change and roll back the recall policy",
            (("policy show", "the active policy and every earlier version"),),
        ),
    ),
}
EXAMPLES = (
    ("console", "try it here and now"),
    ("doctor", "is everything set up?"),
    ("run", "talk on Discord"),
    *(example for group in GROUPS.values() for command in group for example in command.examples),
)


class Parser(argparse.ArgumentParser):
    """A parser that suggests which command may have been meant, and answers in sentences."""

    def __init__(self, **options: Any) -> None:
        shape: dict[str, Any] = {
            "allow_abbrev": False,
            "formatter_class": argparse.RawDescriptionHelpFormatter,
        }
        super().__init__(**shape | options)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where the help is, and exit."""
        text = message.removeprefix("argument ").rstrip(".")
        end = "" if text.endswith("?") else "."
        sentence = f"{text[0].upper()}{text[1:]}{end}"
        self.exit(WRONG_USAGE, f"{sentence} `{self.prog} --help` shows how to write it.\n")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; name the first unknown one, without its value."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            name = unknown[0].partition("=")[0]
            is_option = name.startswith("-")
            chosen = (getattr(options, dest, None) for dest in ("command", "doing"))
            self.prog = " ".join([self.prog, *filter(None, chosen)])  # its help has the options
            self.error(f"{name!r} is {'no option' if is_option else 'one argument too many'}")
        return options

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            matches = get_close_matches(value, list(action.choices), n=1)
            suggestion = f": did you mean {matches[0]!r}?" if matches else ""
            self.error(f"there is no command {value!r}{suggestion}")


def front_page() -> str:
    """Return what ``--help`` prints: the commands by use, with examples."""
    name = calling_name()
    parts = [
        f"Kith {VERSION}, a Discord bot that remembers.",
        f"usage: {name} [COMMAND] [OPTIONS]",
        *(
            _section(title, ((command.name, command.description) for command in commands))
            for title, commands in GROUPS.items()
        ),
        _section(
            "Options",
            (
                ("--database URL", "use this database, such as sqlite:////var/lib/kith/kith.db"),
                ("--version", "print the version"),
                ("--help", f"this page; `{name} COMMAND --help` for one command"),
            ),
        ),
        _section("Examples", ((f"{name} {words}", text) for words, text in EXAMPLES)),
        _section("Exit status", EXIT_STATUS),
    ]
    return "\n\n".join(parts) + "\n"


def command_epilog(command: CommandHelp) -> str:
    """Return the examples of one command, as text below its options."""
    rows = [(f"{calling_name()} {words}", text) for words, text in command.examples]
    return _section("examples:", rows) if rows else ""


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    rows = list(rows)
    column = max(COLUMN, *(len(term) + 4 for term, _ in rows))
    lines = [
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=f"  {term}".ljust(column),
            subsequent_indent=" " * column,
        )
        for term, text in rows
    ]
    return "\n".join([title, *lines])
