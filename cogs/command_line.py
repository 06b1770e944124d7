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
        ("policy", "show, try, change and take back what governs recall"),
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
        if name == "policy":
            add_policy_commands(command, shared)
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


def add_policy_commands(command: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """Say what can be done with policies."""
    doing = command.add_subparsers(dest="doing", metavar="WHAT", required=True)

    guild = argparse.ArgumentParser(add_help=False)
    guild.add_argument(
        "--guild", type=discord_id, metavar="ID", help="this server's write policy, not recall's"
    )
    why = argparse.ArgumentParser(add_help=False)
    why.add_argument("--reason", default="", metavar="TEXT", help="kept with the change")
    what = "a version's number, or a JSON file of the fields to change in the policy that holds"

    def add(name: str, words: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        return doing.add_parser(name, help=words, description=words, parents=[shared, *parents])

    show = add("show", "say what holds, and every version there was", guild)
    show.add_argument("--json", action="store_true", help="print the policy that holds as JSON")
    diff = add("diff", "say in what policies differ from the one that holds", guild)
    diff.add_argument("policy", metavar="POLICY", help=what)
    diff.add_argument("than", nargs="?", metavar="THAN", help="compare with this one instead")
    apply = add("apply", "let a policy hold from now on, in every process", guild, why)
    apply.add_argument("policy", metavar="POLICY", help=what)
    apply.add_argument(
        "--rolls-back", action="store_true", help="take it back by itself if drift shows"
    )
    add("rollback", "let the policy hold again that held before", guild, why)
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument(
        "--data",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="LoCoMo's or RealMem's JSON, several times; without it, what is recorded here",
    )
    data.add_argument("--server", type=discord_id, metavar="ID", help="only recorded there")
    evaluate = add("evaluate", "say how policies would have done, with intervals", data)
    evaluate.add_argument("policy", nargs="*", metavar="POLICY", help=what)
    tune = add("tune", "search better weights; it proposes, you apply", data)
    tune.add_argument("--minutes", type=minutes, default=10.0, help="how long to search")
    tune.add_argument("--seed", type=int, default=1, help="in which order to search")
    tune.add_argument(
        "--out", type=Path, default=Path("proposal.json"), metavar="FILE", help="where to write it"
    )
    shadow = add("shadow", "run a policy beside the one that holds, without effect", why)
    shadow.add_argument("policy", nargs="?", metavar="POLICY", help=f"{what}; none: report")
    shadow.add_argument("--days", type=int, default=7, help="for how long")
    shadow.add_argument("--end", action="store_true", help="end the shadow now")


def minutes(text: str) -> float:
    """Read a time to search for. Raises ArgumentTypeError for what is no such time."""
    try:
        given = float(text)
    except ValueError:
        given = 0.0
    if not 0.1 <= given <= 1440:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: give 0.1 to 1440 minutes")
    return given


def add_restore_options(command: argparse.ArgumentParser) -> None:
    """Say which backup ``restore`` puts back."""
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the backup")
    command.add_argument(
        "--replay-only",
        action="store_true",
        help="a backup was put back by other means: erase again what was erased since it was made",
    )
    command.add_argument(
        "--without-ledger",
        action="store_true",
        help="restore also where no erasure ledger tells what was erased since",
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
