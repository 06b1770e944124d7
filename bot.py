"""Kith's entry point: reads the arguments, builds every service once, and runs one command."""

import os
import signal
import sys

INTERRUPTED = 130  # as shells say it of a program that Ctrl-C ended


def end_quietly(number: int, frame: object) -> None:
    """End the process without a traceback: there is nothing to close yet."""
    os._exit(INTERRUPTED)


is_started = sys.argv[0].endswith(("bot.py", "kith", "kith.exe"))
is_loading = is_started and signal.getsignal(signal.SIGINT) is signal.default_int_handler
if is_loading:
    signal.signal(signal.SIGINT, end_quietly)
# numpy's: for matrices as small as here, a second thread only waits for the first.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# pydantic's: it would read what every installed package declares, for plugins that Kith has not.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

# ruff: noqa: E402
import argparse
import asyncio
import gc
import io
import logging
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

OLDEST_PYTHON = (3, 11)
OLD_PYTHON = "Kith needs Python 3.11 or newer, and this is {version} ({program}). {how}"
NOT_INSTALLED = "The package {name} is not installed for {program}. {how}"
USE_ENVIRONMENT = "Run `{program} {command}` instead."
MAKE_ENVIRONMENT = (
    "Run these in {folder}: `python3 -m venv .venv`, then `.venv/bin/pip install -r "
    "requirements.txt`, then `.venv/bin/python {command}`."
)


def explain_environment(sentence: str, **values: object) -> str:
    """Return the sentence for a start outside Kith's environment, with the command to run."""
    folder = Path(__file__).resolve().parent
    interpreter = folder / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    is_other = interpreter.exists() and Path(sys.prefix).resolve() != (folder / ".venv").resolve()
    how = USE_ENVIRONMENT if is_other else MAKE_ENVIRONMENT
    how = how.format(program=interpreter, folder=folder, command=shlex.join(sys.argv))
    return sentence.format(program=sys.executable, how=how, **values)


if sys.version_info < OLDEST_PYTHON:
    version = ".".join(str(number) for number in sys.version_info[:3])
    sys.exit(explain_environment(OLD_PYTHON, version=version))

is_compiled = (Path(__file__).parent / "utils" / "__pycache__").exists()
if is_started and not is_compiled and sys.stderr.isatty():
    print("The first start takes some seconds: Python compiles the packages.", file=sys.stderr)

try:
    from cogs.cli.parser import NO_DATABASE, WITHOUT_DATABASE, command_line
    from utils.common.clock import Clock
    from utils.common.config import Settings, env_lines, load_settings
    from utils.common.errors import KithError, SettingsError
    from utils.common.program import as_called
    from utils.runtime.stopping import StopRequest, end_at_next_signal, on_signals
except ModuleNotFoundError as missing:
    sys.exit(explain_environment(NOT_INSTALLED, name=missing.name))
if is_loading:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if TYPE_CHECKING:
    from utils.app import App

WRONG_SETTING = 78  # EX_CONFIG of sysexits.h: a restart would change nothing
SERVING = (None, "run")
UNUSABLE = "{name} cannot be used: {why}."
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


async def run(app: "App", stopping: StopRequest) -> int:
    """Run on Discord until SIGINT or SIGTERM; a second signal ends the process at once."""
    from cogs.bot.login import run_client

    await app.start()

    def stop() -> None:
        end_at_next_signal()
        stopping.request()
        logging.getLogger(__name__).info("stopping: I finish what is under way")

    on_signals(stop)
    await run_client(app, stopping)
    return 0


async def console(app: "App", clock: Clock) -> int:
    """Chat in the terminal."""
    from cogs.console.terminal import run_console

    await app.start()
    await run_console(app, clock)
    return 0


async def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Build every service, run the chosen command, and close everything."""
    from cogs.cli import commands
    from utils.build import build

    gc.freeze()  # nothing of what was imported becomes garbage: later collections skip it
    gc.enable()
    clock = Clock()
    app = build(settings, clock)
    stopping = StopRequest(clock)
    try:
        if options.command in SERVING:
            return await run(app, stopping)
        if options.command == "console":
            return await console(app, clock)
        return await commands.run_command(app, options)
    finally:
        await app.close(within_s=stopping.left_s())


def start_logging(level: str, command: str | None) -> None:
    """Log to standard error; libraries log warnings only, which contain no messages or keys."""
    is_serving = command in SERVING  # other commands write for people
    logging.basicConfig(level=level if is_serving else "ERROR", format=LOG_FORMAT)
    for library in ("openai", "httpx2", "httpcore2", "discord", "apscheduler", "alembic"):
        logging.getLogger(library).setLevel(logging.WARNING)
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # its errors quote what servers send


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status; an error is printed as one sentence."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without the signs that Kith prints
            stream.reconfigure(errors="replace")
    command: str | None = ""  # until it is known
    try:
        options = parse(arguments)
        command = options.command
        return run_to_end(options)
    except KithError as error:
        sentence = as_called(error.for_operator)
        print(f"✗ {sentence}" if command == "doctor" else sentence, file=sys.stderr)
        is_setting = isinstance(error, SettingsError) and command in SERVING
        return WRONG_SETTING if is_setting else 1
    except ModuleNotFoundError as error:
        print(explain_environment(NOT_INSTALLED, name=error.name), file=sys.stderr)
        return 1
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    except OSError as error:
        if command in SERVING:
            raise
        discard_output()
        if not isinstance(error, BrokenPipeError):  # the reader closed the pipe: nobody is there
            print(
                UNUSABLE.format(name=error.filename or "The output", why=error.strerror or error),
                file=sys.stderr,
            )
        return 1


def run_to_end(options: argparse.Namespace) -> int:
    """Run the command and write all its output. Returns the exit status."""
    if options.command == "demo":
        from cogs.demo.command import run_demo

        start_logging("ERROR", options.command)
        asyncio.run(run_demo(partial(print, flush=True), options))
        return 0
    if options.command == "setup":
        from cogs.cli.setup import run_setup, terminal_dialogue

        start_logging("ERROR", options.command)
        run_setup(terminal_dialogue())
        return 0
    if options.command == "try-model":
        from cogs.try_model.command import run_try_model

        start_logging("ERROR", options.command)
        trial = run_try_model(
            load_settings(), options.models, options.threshold, as_json=options.json
        )
        status = asyncio.run(trial)
        write_output()
        return status
    arguments = vars(options)
    overrides = {
        key: arguments[key] for key in ("database_url", "dashboard_port") if key in arguments
    }
    settings = load_settings(**overrides)
    start_logging(settings.log_level, options.command)
    tell_ignored_lines(options.command)
    status = asyncio.run(execute(options, settings))
    write_output()
    return status


def tell_ignored_lines(command: str | None) -> None:
    """Log which lines of .env have no effect; other commands print those that look like faults.

    ``doctor`` reports them itself.
    """
    for sentence, is_fault in env_lines() if command != "doctor" else ():
        if command in SERVING:
            logging.getLogger(__name__).warning("%s", sentence)
        elif is_fault:
            print(sentence, file=sys.stderr)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line. Raises SystemExit after the help, and if it is wrong."""
    parser = command_line()
    try:
        options: argparse.Namespace = parser.parse_args(arguments)
        if options.command in WITHOUT_DATABASE and "database_url" in options:
            parser.error(NO_DATABASE.format(name=options.command))
        return options
    except SystemExit:
        write_output()
        raise


def write_output() -> None:
    """Write what was printed; Python would only try at the exit. Raises OSError."""
    if sys.stdout is not None:  # it is None where it was closed before the start
        sys.stdout.flush()


def discard_output() -> None:
    """Discard what cannot be written, or Python would try again at the exit."""
    try:
        write_output()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    gc.disable()  # during the imports, a quarter of whose time it takes; :func:`execute` enables it
    sys.exit(main())
