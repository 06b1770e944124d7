"""The program of a benchmark: its measurement's parameters are the options of its command line."""

import argparse
import asyncio
import inspect
import json
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from benchmarks.stage.measuring import table

Report: TypeAlias = dict[str, Any]


class Unusable(Exception):
    """There is nothing to measure; the message says why."""


def program(
    name: str,
    description: str | None,
    measure: Callable[..., Report | Coroutine[Any, Any, Report]],
    *,
    is_failure: Callable[[Report], object] = lambda report: False,
) -> Callable[..., int]:
    """Return what ``python -m benchmarks.NAME`` does: measure in an empty folder, and print.

    Its exit status is 2, after a sentence, where ``measure`` raises Unusable.

    Args:
        measure: gets the folder, and returns the report. Its other parameters are the options: the
            type ``Annotated[int, "how often"]`` also has the help, or more of ``add_argument``.
        is_failure: whether a report makes the exit status 1. By default a missed goal does not.
    """

    def main(arguments: list[str] | None = None) -> int:
        parser = argparse.ArgumentParser(
            prog=f"python -m benchmarks.{name}",
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        hints = get_type_hints(measure, include_extras=True)
        _, *parameters = inspect.signature(measure).parameters.values()
        for parameter in parameters:
            settings = _settings(hints[parameter.name], parameter.default)
            parser.add_argument(f"--{parameter.name.replace('_', '-')}", **settings)
        options = vars(parser.parse_args(arguments))
        is_json = options.pop("json")
        try:
            with tempfile.TemporaryDirectory(prefix="kith-benchmark-") as folder:
                report = measure(Path(folder), **options)
                if isinstance(report, Coroutine):
                    report = asyncio.run(report)
        except Unusable as error:
            print(error, file=sys.stderr)
            return 2
        print(json.dumps(report, indent=2, ensure_ascii=False) if is_json else table(report))
        return 1 if is_failure(report) else 0

    return main


def _settings(hint: Any, default: Any) -> dict[str, Any]:
    """Return the settings of a parameter's option."""
    hint, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    settings: dict[str, Any] = {"default": default}
    if default is inspect.Parameter.empty:
        settings = {"required": True}
    if NoneType in get_args(hint):  # an option without a default
        hint = get_args(hint)[0]
    if hint is bool:
        settings["action"] = "store_true"
    elif get_origin(hint) is Literal:
        settings["choices"] = get_args(hint)
    elif get_origin(hint) is tuple:
        settings |= {"nargs": "+", "type": get_args(hint)[0]}
    else:
        settings["type"] = hint
    for extra in extras:
        settings |= {"help": extra} if isinstance(extra, str) else extra
    return settings


def misses_a_goal(report: Report) -> bool:
    """Return whether a report has a goal that is not met."""
    return not all(target["met"] for target in report["goals"])
