"""Kith's command line and composition root: builds every object once and hands it on."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cogs.command_line import command_line
from utils.clock import Clock, SystemClock
from utils.config import Settings, load_settings
from utils.errors import KithError, SettingsError

if TYPE_CHECKING:
    from utils.core import Core

WRONG_SETTING = 78  # EX_CONFIG of sysexits.h: starting again would change nothing
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def build(settings: Settings, clock: Clock, *, origins: Collection[str] = ()) -> "Core":
    """Build every object there is one of. Raises KithError when a setting makes no sense.

    ``origins`` are further addresses that attachments may be fetched from: a test's own Discord.
    """
    from utils import assembly
    from utils.acquaintances import Acquaintances
    from utils.archive import Archive
    from utils.browsing.browser import Browser
    from utils.browsing.census import CensusTaker
    from utils.budget import TokenBudget
    from utils.chat_tools import ChatTools
    from utils.conversation import Conversation
    from utils.core import Core
    from utils.database.engine import Database
    from utils.drama_tracker import DramaTracker
    from utils.drift import Drift
    from utils.guild_book import GuildBook
    from utils.health import Health
    from utils.leases import Leases
    from utils.ledger import Ledger
    from utils.link_book import LinkBook
    from utils.llm_client import LanguageModel
    from utils.memory.artifacts import ArtifactReader
    from utils.memory.episodes import Chronicler
    from utils.memory.extraction import ModelExtractor
    from utils.memory.history_import import HistoryImporter
    from utils.memory.proposals import Proposals
    from utils.memory.review_queue import ReviewQueue
    from utils.memory.rules import RuleExtractor
    from utils.memory.search import Searcher
    from utils.memory.shadow import ShadowRoom
    from utils.metrics import Metrics
    from utils.model.policy import WritePolicy
    from utils.persona_book import PersonaBook
    from utils.policy_trials import PolicyTrials
    from utils.read_policies import ReadPolicies
    from utils.tally import Tally
    from utils.upkeep import Upkeep
    from utils.watching.alert_book import AlertBook
    from utils.watching.book import WatchBook
    from utils.watching.examiner import Books
    from utils.watching.summarist import Summarist

    database = Database(settings.database_url, pool_size=settings.database_pool_size, clock=clock)
    tally = Tally(database, clock)
    metrics = Metrics(clock, tally)
    budget = TokenBudget(database, clock, settings.daily_token_budget, metrics=metrics)
    model = LanguageModel.from_settings(settings) if settings.has_model else None
    leases = Leases(database, clock)
    write_policy = WritePolicy(cap=settings.memory_cap)
    proposals = Proposals()
    embedding = assembly.embedding_maker(settings, clock, database, leases, budget)
    extractor = RuleExtractor() if model is None else ModelExtractor(model, budget)
    artifacts = ArtifactReader.from_settings(
        settings, database, clock, leases, budget, model, origins, metrics
    )
    chronicler = Chronicler(
        database,
        clock,
        leases,
        model,
        budget,
        write_policy=write_policy,
        forbidden=assembly.forbidden_categories(settings),
        proposals=proposals,
        metrics=metrics,
        read_only=settings.memory_read_only,
    )
    read_policies = ReadPolicies(database, clock)
    shadow = ShadowRoom(database, clock, read_only=settings.memory_read_only)
    awaken = [chronicler.wake, *([embedding.wake] if embedding else [])]
    recorder, reader, keeper, loops, erasures = assembly.memory_doors(
        settings,
        clock,
        database,
        leases,
        budget,
        write_policy,
        extractor,
        proposals,
        embedding,
        artifacts,
        shadow,
        on_news=lambda: [wake() for wake in awaken],
        metrics=metrics,
    )
    tools = ChatTools(keeper, reader, loops, clock)
    guilds = GuildBook(database, clock, write_policy)
    personas = PersonaBook(database, clock, guilds)
    books = Books(WatchBook(database, clock), guilds, DramaTracker(database, clock), recorder)
    return Core(
        settings=settings,
        clock=clock,
        database=database,
        model=model,
        recorder=recorder,
        chronicler=chronicler,
        reader=reader,
        keeper=keeper,
        searcher=Searcher(database, clock),
        erasures=erasures,
        guilds=guilds,
        acquaintances=Acquaintances(database, clock),
        personas=personas,
        proposals=proposals,
        reviews=ReviewQueue(database, clock),
        conversation=Conversation(
            recorder, reader, budget, clock, model, tools, personas, artifacts, metrics
        ),
        upkeep=Upkeep(
            database,
            clock,
            leases,
            write_policy,
            read_only=settings.memory_read_only,
            metrics=metrics,
        ),
        watch=books.watch,
        drama=books.drama,
        watcher=assembly.watcher(settings, clock, database, leases, books, model, budget, metrics),
        alerts=AlertBook(database, clock),
        summarist=Summarist(database, model, budget),
        artifacts=artifacts,
        embedding=embedding,
        history=HistoryImporter(
            database,
            clock,
            leases,
            extractor,
            write_policy=write_policy,
            workers=settings.extraction_workers,
            forbidden=assembly.forbidden_categories(settings),
            read_only=settings.memory_read_only,
            asks_model=model is not None,
        ),
        links=LinkBook(database, clock),
        tally=tally,
        metrics=metrics,
        health=Health(
            database,
            clock,
            metrics,
            budget,
            recorder.backlog,
            model,
            read_only=settings.memory_read_only,
        ),
        read_policies=read_policies,
        drift=Drift(database, clock, read_policies, tally, metrics),
        trials=PolicyTrials(database, clock, forbidden=assembly.forbidden_categories(settings)),
        shadow=shadow,
        ledger=Ledger(database, settings.ledger_file),
        archive=Archive(
            database,
            clock,
            write_policy,
            forbidden=assembly.forbidden_categories(settings),
            read_only=settings.memory_read_only,
            ledger_file=settings.ledger_file,
        ),
        browser=Browser(
            database,
            clock,
            guilds,
            keeper,
            reader,
            proposals,
            write_policy,
            read_only=settings.memory_read_only,
        ),
        census=CensusTaker(database, clock, leases),
    )


async def run(core: "Core") -> int:
    """Talk on Discord until SIGINT or SIGTERM; another one then ends the process at once."""
    from cogs.client import run_client

    await core.start()
    loop, told_by = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    talking = asyncio.create_task(run_client(core), name="discord")

    def stop() -> None:
        for number in told_by:  # from now on it ends the process: what counts is durable
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)
        talking.cancel()
        logging.getLogger(__name__).info("told to stop: I finish what is under way")

    with suppress(NotImplementedError):  # Windows knows only Ctrl-C
        for number in told_by:
            loop.add_signal_handler(number, stop)
    with suppress(asyncio.CancelledError):
        await talking
    return 0


async def console(core: "Core", clock: SystemClock) -> int:
    """Talk in the terminal."""
    from cogs.console.terminal import run_console

    await core.start()
    await run_console(core, clock)
    return 0


async def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Build everything, run the chosen command, and let everything go again."""
    from cogs import operating

    clock = SystemClock()
    core = build(settings, clock)
    try:
        match options.command:
            case None | "run":
                return await run(core)
            case "console":
                return await console(core, clock)
            case _:
                return await operating.operate(core, options)
    finally:
        await core.close()


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
        is_setting = isinstance(error, SettingsError) and options.command in (None, "run")
        return WRONG_SETTING if is_setting else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read this has gone, and so the rest is said to nobody
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
