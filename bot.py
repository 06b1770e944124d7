"""Kith's entry point: reads the arguments, builds every service once, and runs one command."""

import argparse
import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cogs.cli.parser import command_line
from utils.common.clock import SystemClock
from utils.common.config import Settings, load_settings
from utils.common.errors import KithError, SettingsError
from utils.runtime.stopping import STOP_DEADLINE_S, StopRequest

if TYPE_CHECKING:
    from utils.app import App

WRONG_SETTING = 78  # EX_CONFIG of sysexits.h: a restart would change nothing
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


async def run(app: "App", stopping: StopRequest) -> int:
    """Run on Discord until SIGINT or SIGTERM; a second signal ends the process at once."""
    from cogs.bot.login import run_client

    await app.start()
    loop, stop_signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)

    def stop() -> None:
        for number in stop_signals:  # a second signal ends the process: the data is durable
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)
        stopping.request()
        logging.getLogger(__name__).info("stopping: I finish what is under way")

    with suppress(NotImplementedError):  # Windows supports only Ctrl-C
        for number in stop_signals:
            loop.add_signal_handler(number, stop)
    await run_client(app, stopping)
    return 0


async def console(app: "App", clock: SystemClock) -> int:
    """Chat in the terminal."""
    from cogs.console.terminal import run_console

    await app.start()
    await run_console(app, clock)
    return 0


async def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Build every service, run the chosen command, and close everything."""
    from cogs.cli import commands
    from utils.app import build

    gc.freeze()  # nothing of what was imported becomes garbage: later collections skip it
    gc.enable()
    clock = SystemClock()
    app = build(settings, clock)
    stopping = StopRequest(clock, STOP_DEADLINE_S)
    try:
        match options.command:
            case None | "run":
                return await run(app, stopping)
            case "console":
                return await console(app, clock)
            case _:
                return await commands.run_command(app, options)
    finally:
        await app.close(within_s=stopping.left_s())


def start_logging(level: str, command: str | None) -> None:
    """Log to standard error; libraries log warnings only, which contain no messages or keys."""
    is_serving = command in (None, "run")  # other commands write for people
    logging.basicConfig(level=level if is_serving else "ERROR", format=LOG_FORMAT)
    for library in ("openai", "httpx2", "httpcore2", "discord", "apscheduler", "alembic"):
        logging.getLogger(library).setLevel(logging.WARNING)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status; an error is printed as one sentence."""
    options = command_line().parse_args(arguments)
    overrides = {key: value for key, value in vars(options).items() if key == "database_url"}
    try:
        settings = load_settings(**overrides)
        start_logging(settings.log_level, options.command)
        status = asyncio.run(execute(options, settings))
        sys.stdout.flush()
        return status
    except KithError as error:
        sentence = error.for_operator
        print(f"✗ {sentence}" if options.command == "doctor" else sentence, file=sys.stderr)
        is_setting = isinstance(error, SettingsError) and options.command in (None, "run")
        return WRONG_SETTING if is_setting else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader closed the pipe: discard the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    gc.disable()  # during the imports, a quarter of whose time it takes; :func:`execute` enables it
    sys.exit(main())
