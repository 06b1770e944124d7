"""The command line of ``python bot.py``: commands and options."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cogs.cli.help import GROUPS, Parser, command_epilog, front_page
from utils.common.config import SUPPORTED_DATABASES
from utils.common.program import VERSION, calling_name

WITHOUT_DATABASE = ("demo", "setup", "try-model")  # or with one of their own
NO_DATABASE = "{name} takes no --database"
MAX_ID = (1 << 63) - 1  # of a BIGINT; Discord's ids are far below

Option = tuple[tuple[str, ...], dict[str, Any]]


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
        _add(options, OPTIONS.get(command.name, ()))
        if command.name == "policy":
            actions = options.add_subparsers(dest="doing", metavar="WHAT", required=True)
            for name, (text, own_options) in POLICY_OPTIONS.items():
                action = actions.add_parser(name, help=text, description=text, parents=[shared])
                _add(action, own_options)
    return parser


def _add(command: argparse.ArgumentParser, options: tuple[Option, ...]) -> None:
    for names, settings in options:
        command.add_argument(*names, **settings)


def option(*names: str, **settings: Any) -> Option:
    """Return an option or argument of a command, as ``add_argument`` takes it."""
    return names, settings


def flag(name: str, text: str) -> Option:
    """Return an option that is given or not."""
    return option(name, action="store_true", help=text)


# --- types ------------------------------------------------------------------------------------


def whole(text: str) -> int:
    """Parse digits and nothing else. Raises ValueError."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(text)
    return int(text)


def number(kind: Callable[[str], float], what: str, low: float, high: float) -> Any:
    """Return the type of a number within limits, which raises ArgumentTypeError for any other."""

    def parse(text: str) -> float:
        try:
            parsed = kind(text)
        except ValueError:
            parsed = math.nan
        if not low <= parsed <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not {what}: give {low} to {high}")
        return parsed

    return parse


def database_url(text: str) -> str:
    """Return a database's URL, which may hold a password. Raises ArgumentTypeError."""
    if not text.startswith(SUPPORTED_DATABASES):
        raise argparse.ArgumentTypeError(
            "a database is a URL: sqlite:///data/other.db (four slashes before a path from the "
            "root), or one that begins with mssql+pyodbc://"
        )
    return text


def named_path(text: str) -> Path:
    """Parse the path of a file or folder. Raises ArgumentTypeError if it has no name."""
    path = Path(text) if Path(text).name else Path(text).resolve()
    if not (text and path.name):
        raise argparse.ArgumentTypeError(f"{text!r} names no file or folder")
    return path


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


# --- options by command -----------------------------------------------------------------------

PORT = number(whole, "a port", 0, 65_535)

FILE: dict[str, Any] = {"type": named_path, "metavar": "FILE"}
ID: dict[str, Any] = {"type": discord_id, "metavar": "ID"}
MEMBER_ID: dict[str, Any] = {"type": member_id, "metavar": "ID"}
YES = flag("--yes", "do not ask for confirmation")
OPTIONS: dict[str, tuple[Option, ...]] = {
    "demo": (
        option(
            "--port",
            type=PORT,
            default=0,
            metavar="N",
            help="the dashboard's; default: any free one",
        ),
        flag("--open", "open the dashboard in a browser"),
        flag("--keep", "keep the database afterwards"),
    ),
    "dashboard": (
        option(
            "--port",
            type=PORT,
            dest="dashboard_port",
            default=argparse.SUPPRESS,
            metavar="N",
            help="use this port instead of DASHBOARD_PORT; 0: any free one",
        ),
        flag("--open", "open it in a browser"),
    ),
    "mcp": (
        option(
            "--guild",
            **MEMBER_ID,
            help="serve the program that starts this one, about this server; default: MCP_TOKENS",
        ),
        option("--member", **MEMBER_ID, help="with --guild: for this member"),
    ),
    "try-model": (
        option(
            "models",
            nargs="*",
            metavar="MODEL",
            help="a model, or NAME@ENDPOINT of MODEL_ENDPOINTS; default: the configured ones",
        ),
        option(
            "--threshold",
            type=number(whole, "a percentage", 0, 100),
            default=80,
            metavar="PERCENT",
            help="exit with status 1 if fewer judgements are right; default: 80",
        ),
        flag("--json", "print everything as JSON"),
    ),
    "doctor": (flag("--live", "only read the running bot's heartbeat"),),
    "backup": (option("file", **FILE, nargs="?", help="default: in a folder beside it"),),
    "restore": (
        option("file", **FILE, nargs="?", help="the backup"),
        flag(
            "--replay-only",
            "the backup was restored by other means: only repeat the erasures made since",
        ),
        flag("--without-ledger", "restore even if no erasure ledger lists what was erased since"),
        YES,
    ),
    "prune": (
        flag(
            "--clock-is-right",
            "prune even if nothing happened here for 45 days, or the clock has jumped",
        ),
    ),
    "erase": (
        option("--member", **MEMBER_ID, required=True, help="whose data to erase"),
        option("--guild", **ID, help="only in this server; 0: direct messages"),
        YES,
    ),
    "export": (
        option(
            "place", type=named_path, metavar="FOLDER", help="a new folder, or a zip file: NAME.zip"
        ),
        option("--guild", **ID, help="only of this server"),
        option("--member", **MEMBER_ID, help="only of this person"),
    ),
    "import": (
        option("place", type=named_path, metavar="FOLDER", help="what `export` wrote"),
        flag("--dry-run", "only check the archive and show what would be imported"),
        YES,
    ),
    "import-history": (
        option("files", **FILE, nargs="+", help="an exported channel"),
        flag("--dry-run", "only show what it would do and cost; write nothing"),
        option(
            "--member",
            **MEMBER_ID,
            action="append",
            help="only what this member said; may be given several times",
        ),
        option("--guild", **ID, help="refuse files of any other server"),
        YES,
    ),
}

A_POLICY = "a version number, or a JSON file of the fields to change in the active policy"
POLICY: dict[str, Any] = {"metavar": "POLICY", "help": A_POLICY}
REASON = option("--reason", default="", metavar="TEXT", help="kept with the change")
SERVER = option("--server", **ID, help="only exchanges recorded there")
POLICY_OPTIONS: dict[str, tuple[str, tuple[Option, ...]]] = {
    "show": (
        "show the active policy and every earlier version",
        (flag("--json", "print the active policy as JSON"),),
    ),
    "diff": (
        "show how a policy differs from the active one",
        (
            option("policy", **POLICY),
            option("than", nargs="?", metavar="THAN", help="compare with this one instead"),
        ),
    ),
    "apply": (
        "activate a policy in every process",
        (
            REASON,
            option("policy", **POLICY),
            flag("--rolls-back", "roll it back automatically if recall drifts"),
        ),
    ),
    "rollback": ("activate the previous policy again", (REASON,)),
    "compare": (
        "show how policies do on recorded exchanges",
        (SERVER, option("policy", **POLICY, nargs="*")),
    ),
    "tune": (
        "search for better weights; it proposes, you apply",
        (
            SERVER,
            option(
                "--minutes",
                type=number(float, "a number of minutes", 0.1, 1440),
                default=10.0,
                help="how long to search",
            ),
            option("--out", **FILE, default=Path("proposal.json"), help="where to write it"),
        ),
    ),
    "shadow": (
        "run a policy beside the active one, without effect",
        (
            REASON,
            option("policy", **POLICY | {"nargs": "?", "help": f"{A_POLICY}; none: report"}),
            option(
                "--days",
                type=number(whole, "a whole number", 0, 999_999_999),
                default=7,
                help="for how long",
            ),
            flag("--end", "end the shadow now"),
        ),
    ),
}
