"""The command `import-history`: read exported channels into memory, with progress and a report."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from cogs.cli.databases import RUN_AGAIN, confirm_import, open_database
from cogs.cli.terminal import TerminalProgress
from utils.app import App
from utils.common.errors import BadInput, DatabaseError, DatabaseUnusable, KithError
from utils.models.history import ImportEstimate, ImportReport, SkipReason
from utils.runtime.stopping import on_signals

INTERRUPTED = 130  # as a shell says of what Ctrl-C ended
STOPPED = f"Stopped; what was read is kept. {RUN_AGAIN}"
NOBODY = (
    "None of those who would be read has chosen to be remembered on that server; members "
    "choose with `/memory consent`."
)

Read = TypeVar("Read", ImportEstimate, ImportReport)


async def import_history(
    app: App,
    files: Sequence[Path],
    *,
    only: frozenset[int],
    guild_id: int | None,
    is_dry_run: bool,
    sure: bool,
) -> int:
    """Read exported channels into memory, once the operator confirms what that costs.

    What is wrong with one file is said in a sentence and keeps no other from being read. Returns 0
    if all were read to their ends.
    """
    importing = asyncio.current_task()
    if importing is not None:
        on_signals(importing.cancel, [signal.SIGTERM])
    progress, history = TerminalProgress(), app.memory.history
    try:
        await open_database(app, is_dry_run=is_dry_run, sure=sure)
        if is_dry_run or not sure:
            estimate = partial(history.estimate, progress=progress, only=only, guild_id=guild_id)
            describe = partial(estimate_text, asks_model=history.asks_model)
            estimates = await _read_each(files, estimate, progress, describe)
            if any(estimated.tokens for estimated in estimates):
                print(
                    "(estimated on the high side: the instructions and the tool, the messages and "
                    "what stands before them, 600 tokens for what is known already and 200 for the "
                    "answer, a call)\n"
                    f"Of a server's {app.settings.daily_token_budget:,} tokens a day "
                    "(DAILY_TOKEN_BUDGET), two fifths are for reading, and a fifth of these for "
                    "one member once half of the day's tokens are spent."
                )
            if is_dry_run:
                is_whole = not any(estimated.damage for estimated in estimates)
                return 0 if is_whole and len(estimates) == len(files) else 1
        if not (sure or confirm_import()):
            return 1
        read = partial(history.import_file, progress=progress, only=only, guild_id=guild_id)
        reports = await _read_each(files, read, progress, report_text)
        is_whole = not any(report.damage or report.waiting for report in reports)
        return 0 if is_whole and len(reports) == len(files) else 1
    except asyncio.CancelledError:
        progress.close()
        print(STOPPED, file=sys.stderr)
        return INTERRUPTED
    except DatabaseUnusable:
        raise
    except DatabaseError as error:
        raise KithError(f"{error} {RUN_AGAIN}") from error
    finally:
        progress.close()


async def _read_each(
    files: Sequence[Path],
    read: Callable[[Path], Awaitable[Read]],
    progress: TerminalProgress,
    describe: Callable[[Read], str],
) -> list[Read]:
    """Show what comes of reading each file, and return that; it is said why one cannot be read."""
    results = []
    for file in files:
        try:
            result = await read(file)
        except BadInput as error:
            progress.close()
            print(error, file=sys.stderr)
            continue
        progress.close()
        print(f"{file.name}: {describe(result)}")
        if result.damage:
            print(result.damage, file=sys.stderr)
        results.append(result)
    return results


def estimate_text(estimate: ImportEstimate, *, asks_model: bool) -> str:
    """Say what importing a file would do and cost."""
    lines = [
        f"{estimate.messages:,} messages; {estimate.accepted:,} would be read, of "
        f"{estimate.with_consent:,} members who consented ({estimate.without_consent:,} did not)",
        *_skipped_text(estimate.skipped),
    ]
    if not estimate.with_consent:
        lines.append(NOBODY)
    elif not asks_model:
        lines.append(
            "No language model is configured: recall finds the messages themselves, and what is "
            "stated in so many words, such as a name, becomes a memory. It costs nothing."
        )
    else:
        lines.append(f"model calls: {estimate.bursts:,}, tokens: about {estimate.tokens:,}")
    return "\n  ".join(lines)


def report_text(report: ImportReport) -> str:
    """Say what an import did."""
    lines = [
        f"{report.messages:,} messages checked, {report.stored:,} new ones stored, "
        f"{report.read:,} read in {report.bursts:,} bursts: {report.inserted:,} new memories, "
        f"{report.confirmed:,} confirmed",
        *_skipped_text(report.skipped),
    ]
    if report.refused:
        reasons = (f"{count:,} {reason}" for reason, count in report.refused.most_common())
        lines.append(f"not kept: {', '.join(reasons)}")
    if report.over_budget:
        lines.append(
            f"{report.over_budget:,} members have used up their share of today's token budget"
        )
    if report.waiting:
        lines.append(f"{report.waiting:,} messages wait to be read. {RUN_AGAIN}")
    return "\n  ".join(lines)


def _skipped_text(counts: dict[SkipReason, int]) -> list[str]:
    named = [f"{count:,} {why.value}" for why, count in sorted(counts.items()) if count]
    return [f"skipped: {', '.join(named)}"] if named else []
