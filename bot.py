"""Kith's command line and composition root: builds every object once and hands it on."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from utils.clock import Clock, SystemClock
from utils.config import Settings, load_settings
from utils.core import Core

EXIT_WRONG = 1


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
        leases=leases,
        model=model,
        budget=budget,
        write_policy=write_policy,
        recorder=recorder,
        reader=reader,
        keeper=Keeper(database, clock),
        guilds=GuildBook(database, clock),
        conversation=Conversation(recorder, reader, budget, clock, model),
    )


async def console(settings: Settings) -> int:
    """Talk in the terminal."""
    from cogs.console.terminal import run_console

    clock = SystemClock()
    core = build(settings, clock)
    await core.start()
    try:
        await run_console(core, clock)
    finally:
        await core.close()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="bot.py", description=__doc__)
    parser.add_argument("--database", metavar="URL", help="use this database instead of .env's")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("console", help="talk in the terminal; no accounts needed")
    chosen = parser.parse_args(arguments)
    settings = load_settings()
    return asyncio.run(console(settings))


if __name__ == "__main__":
    sys.exit(main())
