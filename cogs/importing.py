"""What the operator has read of servers' past: `import-history`, told and shown on the terminal."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from cogs.operating import confirmed, refuse_to_ask_nobody
from utils.core import Core
from utils.errors import BadInput, DatabaseError, KithError
from utils.model.history import Outcome, Survey, Unread

INTERRUPTED = 130  # as a shell says of what Ctrl-C ended
OLD_SCHEMA = "The database's schema is not of this version; run `python bot.py migrate` first."
GO_ON = "Run the same command again: it goes on where it stopped."
STOPPED = f"Stopped; what was read is kept. {GO_ON}"
BY_RULES = "No language model is configured: the built-in rules read them, at no cost."
HOW_COUNTED = (
    "(estimated on the high side: the instructions and the tool, the messages and what stands "
    "before them, 600 tokens for what is known already and 200 for the answer, a call)"
)
BUDGET = "A server may spend {budget:,} a day (DAILY_TOKEN_BUDGET), one member a fifth of that."
NOBODY = (
    "Nobody in it has chosen to be remembered on that server, so nothing would be read; members "
    "choose with `/memory consent`."
)

T = TypeVar("T")


class TerminalProgress:
    """A bar on the terminal's standard error; where that is no terminal, one plain line a part."""

    def __init__(self) -> None:
        self._bar: tqdm[None] | None = None

    def begin(self, words: str, total: int, unit: str) -> None:
        """Begin a part of the work."""
        self.end()
        if sys.stderr.isatty():
            self._bar = tqdm(
                desc=words, total=total, unit=unit, unit_scale=unit == "B", file=sys.stderr
            )
        else:
            print(f"{words} …", file=sys.stderr, flush=True)

    def reach(self, done: int) -> None:
        """Say how many units of it are done."""
        if self._bar is not None:
            self._bar.update(max(0, done - self._bar.n))

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


async def import_history(
    core: Core,
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
        with suppress(NotImplementedError):  # Windows knows only Ctrl-C
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, importing.cancel)
    progress = TerminalProgress()
    try:
        if not (is_dry_run or sure):
            refuse_to_ask_nobody()
        await core.database.open(upgrade=not is_dry_run)
        if is_dry_run and not await core.database.schema_is_current():
            raise KithError(OLD_SCHEMA)
        is_well = True
        if is_dry_run or not sure:
            is_well = await _survey(core, files, only, guild_id, progress)
        if is_dry_run:
            return 0 if is_well else 1
        if not sure and not confirmed("Import this?"):
            print("Nothing was imported.")
            return 1
        return 0 if await _import(core, files, only, guild_id, progress) else 1
    except asyncio.CancelledError:
        progress.end()
        print(STOPPED, file=sys.stderr)
        return INTERRUPTED
    except DatabaseError as error:
        raise KithError(f"{error} {GO_ON}") from error
    finally:
        progress.end()


async def _survey(
    core: Core,
    files: Sequence[Path],
    only: frozenset[int],
    guild_id: int | None,
    progress: TerminalProgress,
) -> bool:
    """Say what importing would do and cost; False if a file cannot be read to its end."""
    is_well, tokens = True, 0
    survey = partial(core.history.survey, progress=progress, only=only, guild_id=guild_id)
    for file in files:
        found = await _unless_bad(survey(file), progress)
        if found is None:
            is_well = False
            continue
        print(f"{file.name}: {survey_in_words(found, asks_model=core.history.asks_model)}")
        is_well = is_well and not found.damage
        tokens += found.tokens
    if tokens:
        print(HOW_COUNTED)
        print(BUDGET.format(budget=core.settings.daily_token_budget))
    return is_well


async def _import(
    core: Core,
    files: Sequence[Path],
    only: frozenset[int],
    guild_id: int | None,
    progress: TerminalProgress,
) -> bool:
    """Import file by file; False if one could not be read to its end."""
    is_well = True
    take_in = partial(core.history.take_in, progress=progress, only=only, guild_id=guild_id)
    for file in files:
        outcome = await _unless_bad(take_in(file), progress)
        if outcome is None:
            is_well = False
            continue
        print(f"{file.name}: {outcome_in_words(outcome)}")
        if outcome.damage:
            print(outcome.damage, file=sys.stderr)
        is_well = is_well and not outcome.damage and not outcome.waiting
    return is_well


async def _unless_bad(reading: Awaitable[T], progress: TerminalProgress) -> T | None:
    """Return what comes of reading a file; None, once it is said why, where it cannot be read."""
    try:
        found = await reading
    except BadInput as error:
        progress.end()
        print(error, file=sys.stderr)
        return None
    progress.end()
    return found


def survey_in_words(found: Survey, *, asks_model: bool) -> str:
    """Say what importing a file would do and cost."""
    lines = [
        f"{found.messages:,} messages; {found.taken:,} would be read, of "
        f"{found.with_leave:,} members who gave leave ({found.without_leave:,} did not)",
        *_left_out(found.left_out),
    ]
    if not found.with_leave:
        lines.append(NOBODY)
    elif not asks_model:
        lines.append(BY_RULES)
    else:
        lines.append(f"{found.bursts:,} model calls, about {found.tokens:,} tokens")
    return "\n  ".join([*lines, *([found.damage] if found.damage else [])])


def outcome_in_words(outcome: Outcome) -> str:
    """Say what an import did."""
    lines = [
        f"{outcome.messages:,} messages looked at, {outcome.stored:,} new ones stored, "
        f"{outcome.read:,} read in {outcome.bursts:,} bursts: {outcome.learnt:,} new memories, "
        f"{outcome.confirmed:,} confirmed",
        *_left_out(outcome.left_out),
    ]
    if outcome.refused:
        reasons = (f"{count:,} {reason}" for reason, count in outcome.refused.most_common())
        lines.append(f"not kept: {', '.join(reasons)}")
    if outcome.resting:
        lines.append(
            f"{outcome.resting:,} members have used up their share of today's token budget"
        )
    if outcome.waiting:
        lines.append(f"{outcome.waiting:,} messages wait to be read. {GO_ON}")
    return "\n  ".join(lines)


def _left_out(counts: dict[Unread, int]) -> list[str]:
    named = [f"{count:,} {why.value}" for why, count in sorted(counts.items()) if count]
    return [f"left out: {', '.join(named)}"] if named else []
