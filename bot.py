"""Kith's command line and composition root: builds every object once and hands it on."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from utils.clock import Clock, SystemClock
from utils.config import Settings, load_settings
from utils.core import Core
from utils.errors import KithError

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def build(settings: Settings, clock: Clock) -> Core:
    """Build every object there is one of. Raises KithError when a setting makes no sense."""
    from utils.budget import TokenBudget
    from utils.conversation import Conversation
    from utils.database.engine import Database
    from utils.guild_book import GuildBook
    from utils.leases import Leases
    from utils.llm_client import LanguageModel
    from utils.memory.extraction import ModelExtractor
    from utils.memory.keeper import Keeper
    from utils.memory.policy import WritePolicy
    from utils.memory.reader import Reader
    from utils.memory.recorder import Recorder
    from utils.memory.rules import RuleExtractor
    from utils.upkeep import Upkeep

    database = Database(settings.database_url, pool_size=settings.database_pool_size, clock=clock)
    budget = TokenBudget(database, clock, settings.daily_token_budget)
    model = LanguageModel.from_settings(settings) if settings.has_model else None
    leases = Leases(database, clock)
    write_policy = WritePolicy(cap=settings.memory_cap)
    reader = Reader(database, clock, write_policy=write_policy)
    recorder = Recorder(
        database,
        clock,
        leases,
        RuleExtractor() if model is None else ModelExtractor(model, budget),
        write_policy=write_policy,
        quiet_s=settings.burst_quiet_s,
        workers=settings.extraction_workers,
    )
    return Core(
        settings=settings,
        clock=clock,
        database=database,
        model=model,
        recorder=recorder,
        reader=reader,
        keeper=Keeper(database, clock),
        guilds=GuildBook(database, clock),
        conversation=Conversation(recorder, reader, budget, clock, model),
        upkeep=Upkeep(database, clock, leases, write_policy),
    )


async def run(core: Core) -> int:
    """Talk on Discord until SIGINT or SIGTERM."""
    from cogs.client import run_client

    await core.start()
    talking = asyncio.create_task(run_client(core), name="discord")
    with suppress(NotImplementedError):  # Windows knows only Ctrl-C
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, talking.cancel)
    try:
        await talking
    except asyncio.CancelledError:
        logging.getLogger(__name__).info("told to stop")
    return 0


async def console(core: Core, clock: SystemClock) -> int:
    """Talk in the terminal."""
    from cogs.console.terminal import run_console

    await core.start()
    await run_console(core, clock)
    return 0


async def migrate(core: Core) -> int:
    """Bring the database's schema forward."""
    await core.database.open(upgrade=False)
    before, after = await core.database.migrate()
    print(f"The schema was at {before or 'nothing'} and is at {after} now.")
    return 0


async def prune(core: Core) -> int:
    """Remove what has expired and what is over the cap."""
    await core.database.open()
    report = await core.upkeep.prune()
    print(f"Pruned: {report}." if report else "Another process is pruning already.")
    return 0


async def doctor(core: Core, *, live: bool) -> int:
    """Check everything, one by one, and say what to do."""
    from cogs.doctor import examine, examine_live

    return 0 if await (examine_live if live else examine)(core, print) else 1


async def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Build everything, run the chosen command, and let everything go again."""
    clock = SystemClock()
    core = build(settings, clock)
    try:
        match options.command:
            case "console":
                return await console(core, clock)
            case "migrate":
                return await migrate(core)
            case "prune":
                return await prune(core)
            case "doctor":
                return await doctor(core, live=options.live)
            case _:
                return await run(core)
    finally:
        await core.close()


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
        ("doctor", "check settings, database, model and Discord, and say what to do"),
    ):
        command = commands.add_parser(name, help=words, description=words, parents=[shared])
        if name == "doctor":
            command.add_argument(
                "--live", action="store_true", help="only read the running bot's heartbeat"
            )
    return parser


def start_logging(level: str, command: str | None) -> None:
    """Log to standard error; libraries never so much that messages or keys would be in it."""
    is_talk_logged = command in (None, "run")  # elsewhere, people read standard error
    logging.basicConfig(level=level if is_talk_logged else "ERROR", format=LOG_FORMAT)
    for library in ("openai", "httpx2", "httpcore2", "discord", "apscheduler", "alembic"):
        logging.getLogger(library).setLevel(logging.WARNING)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. What goes wrong is said in one sentence."""
    options = command_line().parse_args(arguments)
    overrides = {key: value for key, value in vars(options).items() if key == "database_url"}
    try:
        settings = load_settings(**overrides)
        start_logging(settings.log_level, options.command)
        status = asyncio.run(execute(options, settings))
        sys.stdout.flush()
        return status
    except KithError as error:
        print(f"✗ {error}" if options.command == "doctor" else error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read this has gone, and so the rest is said to nobody
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
