"""The command line of ``python bot.py``: commands and options."""

import argparse
from collections.abc import Callable
from pathlib import Path

from cogs.cli.help import GROUPS, Parser, command_epilog, front_page
from utils.common.config import SUPPORTED_DATABASES
from utils.common.program import VERSION, calling_name

NOT_A_DATABASE = (
    "a database is a URL: sqlite:///data/other.db (four slashes before a path from the root), or "
    "one that begins with mssql+pyodbc://"
)
WITHOUT_DATABASE = ("demo", "setup")  # demo makes a database of its own
NO_DATABASE = "{name} takes no --database"
MAX_PORT = 65_535
MAX_ID = (1 << 63) - 1  # of a BIGINT; Discord's ids are far below


def command_line() -> Parser:
    """Return the parser of all commands."""
    shared = Parser(add_help=False)
    shared.add_argument(
        "--database",
        type=database_url,
        metavar="URL",
        dest="database_url",
        default=argparse.SUPPRESS,
        help="use this database instead of the one in .env, such as sqlite:///data/other.db",
    )
    parser = Parser(prog=calling_name(), parents=[shared])
    parser.add_argument("--version", action="version", version=f"Kith {VERSION}")
    parser.format_help = front_page  # type: ignore[method-assign]
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog=calling_name())
    for command in (command for group in GROUPS.values() for command in group):
        options = commands.add_parser(
            command.name,
            description=f"{command.name}: {command.description}",
            epilog=command_epilog(command),
            parents=[] if command.name in WITHOUT_DATABASE else [shared],
        )
        if command.name == "policy":
            add_policy_commands(options, shared)
        elif command.name in OPTIONS:
            OPTIONS[command.name](options)
    return parser


def add_prune_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``prune``."""
    command.add_argument(
        "--clock-is-right",
        action="store_true",
        help="prune even if nothing happened here for 45 days, or the clock has jumped",
    )


def add_doctor_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``doctor``."""
    command.add_argument(
        "--live", action="store_true", help="only read the running bot's heartbeat"
    )


def add_backup_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``backup``."""
    command.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="default: in a folder beside it"
    )


def add_demo_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``demo``."""
    command.add_argument(
        "--port", type=port, default=0, metavar="N", help="the dashboard's; default: any free one"
    )
    command.add_argument("--open", action="store_true", help="open the dashboard in a browser")
    command.add_argument("--keep", action="store_true", help="keep the database afterwards")


def add_dashboard_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``dashboard``."""
    command.add_argument(
        "--port",
        type=port,
        dest="dashboard_port",
        default=argparse.SUPPRESS,
        metavar="N",
        help="use this port instead of DASHBOARD_PORT; 0: any free one",
    )
    command.add_argument("--open", action="store_true", help="open it in a browser")


def port(text: str) -> int:
    """Parse a port. Raises ArgumentTypeError outside 0 to 65535."""
    if not (text.isascii() and text.isdecimal() and int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give 0 to {MAX_PORT}")
    return int(text)


def add_erase_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``erase``."""
    command.add_argument(
        "--member", type=member_id, required=True, metavar="ID", help="whose data to erase"
    )
    command.add_argument(
        "--guild", type=discord_id, metavar="ID", help="only in this server; 0: direct messages"
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def add_import_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``import-history``."""
    command.add_argument("files", type=Path, nargs="+", metavar="FILE", help="an exported channel")
    command.add_argument(
        "--dry-run", action="store_true", help="only show what it would do and cost; write nothing"
    )
    command.add_argument(
        "--member",
        type=member_id,
        action="append",
        metavar="ID",
        help="only what this member said; may be given several times",
    )
    command.add_argument(
        "--guild", type=discord_id, metavar="ID", help="refuse files of any other server"
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def add_policy_commands(command: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """Add the subcommands of ``policy``."""
    actions = command.add_subparsers(dest="doing", metavar="WHAT", required=True)

    guild = argparse.ArgumentParser(add_help=False)
    guild.add_argument(
        "--guild", type=discord_id, metavar="ID", help="this server's write policy, not recall's"
    )
    reason = argparse.ArgumentParser(add_help=False)
    reason.add_argument("--reason", default="", metavar="TEXT", help="kept with the change")
    policy_help = "a version number, or a JSON file of the fields to change in the active policy"

    def add(name: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=text, description=text, parents=[shared, *parents])

    show = add("show", "show the active policy and every earlier version", guild)
    show.add_argument("--json", action="store_true", help="print the active policy as JSON")
    diff = add("diff", "show how a policy differs from the active one", guild)
    diff.add_argument("policy", metavar="POLICY", help=policy_help)
    diff.add_argument("than", nargs="?", metavar="THAN", help="compare with this one instead")
    apply = add("apply", "activate a policy in every process", guild, reason)
    apply.add_argument("policy", metavar="POLICY", help=policy_help)
    apply.add_argument(
        "--rolls-back", action="store_true", help="roll it back automatically if recall drifts"
    )
    add("rollback", "activate the previous policy again", guild, reason)
    data = _exchanges_options()
    evaluate = add("evaluate", "show how policies would have done, with confidence intervals", data)
    evaluate.add_argument("policy", nargs="*", metavar="POLICY", help=policy_help)
    tune = add("tune", "search for better weights; it proposes, you apply", data)
    tune.add_argument("--minutes", type=minutes, default=10.0, help="how long to search")
    tune.add_argument(
        "--seed", type=whole_number, default=1, help="seed of the random search order"
    )
    tune.add_argument(
        "--out", type=Path, default=Path("proposal.json"), metavar="FILE", help="where to write it"
    )
    shadow = add("shadow", "run a policy beside the active one, without effect", reason)
    shadow.add_argument("policy", nargs="?", metavar="POLICY", help=f"{policy_help}; none: report")
    shadow.add_argument("--days", type=whole_number, default=7, help="for how long")
    shadow.add_argument("--end", action="store_true", help="end the shadow now")


def _exchanges_options() -> argparse.ArgumentParser:
    """Return the options that choose the exchanges on which policies are tried."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument(
        "--data",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a file of exchanges (see docs/internals/policy.md); repeatable. Default: recorded "
        "exchanges",
    )
    options.add_argument("--server", type=discord_id, metavar="ID", help="only recorded there")
    return options


def minutes(text: str) -> float:
    """Parse a search time in minutes. Raises ArgumentTypeError outside 0.1 to 1440."""
    try:
        search_minutes = float(text)
    except ValueError:
        search_minutes = 0.0
    if not 0.1 <= search_minutes <= 1440:
        raise argparse.ArgumentTypeError(f"{text!r} is not a valid time: give 0.1 to 1440 minutes")
    return search_minutes


def add_restore_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``restore``."""
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the backup")
    command.add_argument(
        "--replay-only",
        action="store_true",
        help="the backup was restored by other means: only repeat the erasures made since",
    )
    command.add_argument(
        "--without-ledger",
        action="store_true",
        help="restore even if no erasure ledger lists what was erased since",
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def add_export_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``export``."""
    command.add_argument(
        "place", type=Path, metavar="FOLDER", help="a new folder, or a zip file: NAME.zip"
    )
    command.add_argument("--guild", type=discord_id, metavar="ID", help="only of this server")
    command.add_argument("--member", type=member_id, metavar="ID", help="only of this person")


def add_archive_import_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``import``."""
    command.add_argument("place", type=Path, metavar="FOLDER", help="what `export` wrote")
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="only check the archive and show what would be imported",
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def database_url(text: str) -> str:
    """Return a database's URL, which may hold a password. Raises ArgumentTypeError."""
    if not text.startswith(SUPPORTED_DATABASES):
        raise argparse.ArgumentTypeError(NOT_A_DATABASE)
    return text


def discord_id(text: str) -> int:
    """Parse a Discord id; 0 stands for direct messages. Raises ArgumentTypeError."""
    if not text.isascii() or not text.isdecimal() or len(text) > 19 or int(text) > MAX_ID:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an id: turn on Developer Mode in Discord, then “Copy ID”"
        )
    return int(text)


def member_id(text: str) -> int:
    """Parse a person's Discord id. Raises ArgumentTypeError."""
    id_ = discord_id(text)
    if not id_:
        raise argparse.ArgumentTypeError("0 is nobody's id")
    return id_


def whole_number(text: str) -> int:
    """Parse a whole number. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number: give 0 to 999999999")
    return int(text)


def add_mcp_options(command: argparse.ArgumentParser) -> None:
    """Add the options of ``mcp``."""
    command.add_argument(
        "--guild",
        type=member_id,
        metavar="ID",
        help="serve the program that starts this one, about this server; default: MCP_TOKENS",
    )
    command.add_argument(
        "--member", type=member_id, metavar="ID", help="with --guild: for this member"
    )


OPTIONS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "demo": add_demo_options,
    "dashboard": add_dashboard_options,
    "doctor": add_doctor_options,
    "backup": add_backup_options,
    "restore": add_restore_options,
    "prune": add_prune_options,
    "erase": add_erase_options,
    "export": add_export_options,
    "import": add_archive_import_options,
    "import-history": add_import_options,
    "mcp": add_mcp_options,
}
