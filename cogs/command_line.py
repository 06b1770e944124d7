"""What can be typed after ``python bot.py``."""

import argparse
from pathlib import Path


def command_line() -> argparse.ArgumentParser:
    """Describe the commands."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--database",
        metavar="URL",
        dest="database_url",
        default=argparse.SUPPRESS,
        help="use this database instead of the one in .env, such as sqlite:///data/other.db",
    )
    parser = argparse.ArgumentParser(
        prog="bot.py", description="Kith, a Discord bot that remembers.", parents=[shared]
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, words in (
        ("run", "talk on Discord (the default); needs DISCORD_TOKEN"),
        ("console", "talk in the terminal; no account, key or server needed"),
        ("migrate", "bring the database's schema forward"),
        ("prune", "remove what has expired, now"),
        ("erase", "erase everything of a member, for good"),
        ("import-history", "read channels' past from DiscordChatExporter's JSON files"),
        ("backup", "copy the database to a file, while the bot runs"),
        ("restore", "put a backup in the database's place; nothing erased comes back"),
        ("export", "write what is remembered into files, to be imported elsewhere"),
        ("import", "take in what `export` wrote; what is here already stays as it is"),
        ("doctor", "check settings, database, model and Discord, and say what to do"),
    ):
        command = commands.add_parser(name, help=words, description=words, parents=[shared])
        if name == "erase":
            add_erase_options(command)
        if name == "import-history":
            add_import_options(command)
        if name == "backup":
            command.add_argument(
                "file", type=Path, nargs="?", metavar="FILE", help="default: in a folder beside it"
            )
        if name == "export":
            add_export_options(command)
        if name == "import":
            add_take_in_options(command)
        if name == "restore":
            add_restore_options(command)
        if name == "doctor":
            command.add_argument(
                "--live", action="store_true", help="only read the running bot's heartbeat"
            )
    return parser


def add_erase_options(command: argparse.ArgumentParser) -> None:
    """Say whom and where ``erase`` is about."""
    command.add_argument(
        "--member", type=discord_id, required=True, metavar="ID", help="whose traces to erase"
    )
    command.add_argument(
        "--guild", type=discord_id, metavar="ID", help="only in this server; 0: direct messages"
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def add_import_options(command: argparse.ArgumentParser) -> None:
    """Say which files ``import-history`` reads, and of whom."""
    command.add_argument("files", type=Path, nargs="+", metavar="FILE", help="an exported channel")
    command.add_argument(
        "--dry-run", action="store_true", help="only say what it would do and cost; write nothing"
    )
    command.add_argument(
        "--member",
        type=discord_id,
        action="append",
        metavar="ID",
        help="only what this member said; may be given several times",
    )
    command.add_argument(
        "--guild", type=discord_id, metavar="ID", help="refuse files of any other server"
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def add_restore_options(command: argparse.ArgumentParser) -> None:
    """Say which backup ``restore`` puts back."""
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the backup")
    command.add_argument(
        "--replay-only",
        action="store_true",
        help="a backup was put back by other means: erase again what was erased since it was made",
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def add_export_options(command: argparse.ArgumentParser) -> None:
    """Say of whom ``export`` writes, and where to."""
    command.add_argument(
        "place", type=Path, metavar="FOLDER", help="a new folder, or a zip file: NAME.zip"
    )
    command.add_argument("--guild", type=discord_id, metavar="ID", help="only of this server")
    command.add_argument("--member", type=discord_id, metavar="ID", help="only of this person")


def add_take_in_options(command: argparse.ArgumentParser) -> None:
    """Say what ``import`` takes in."""
    command.add_argument("place", type=Path, metavar="FOLDER", help="what `export` wrote")
    command.add_argument(
        "--dry-run", action="store_true", help="only check it and say what it would do"
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def discord_id(text: str) -> int:
    """Read an id as Discord copies it. Raises ArgumentTypeError with what to do."""
    if not text.isascii() or not text.isdecimal() or len(text) > 19:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no id: turn on Developer Mode in Discord, then “Copy ID”"
        )
    return int(text)
