"""The commands `export` and `import`."""

import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

from cogs.cli.databases import RUN_AGAIN, confirm_import, open_database
from cogs.cli.terminal import TerminalProgress
from utils.admin.archive.importer import ImportResult
from utils.app import App
from utils.common.errors import DatabaseError
from utils.common.progress import Progress

LABELS = {
    "GuildSettings": "servers' choices",
    "UserState": "members' choices",
    "Tombstone": "messages that teach nothing",
    "MemoryEvent": "messages",
    "UserMemory": "memories",
    "OpenLoop": "things to ask about",
}

T = TypeVar("T")


async def export(app: App, place: Path, guild_id: int | None, user_id: int | None) -> int:
    """Write an archive; return the exit status."""
    await app.database.open()
    archive = partial(app.admin.archive.export, guild_id=guild_id, user_id=user_id)
    manifest = await _run(archive, place)
    counts = ", ".join(f"{manifest.rows.get(name, 0):,} {label}" for name, label in LABELS.items())
    print(
        f"Exported to {place}: {counts}. "
        "It contains what people said: protect it like the database, and delete it when it is no "
        "longer needed."
    )
    return 0


async def import_(app: App, place: Path, *, is_dry_run: bool, sure: bool) -> int:
    """Import an archive after showing the operator what is new; return the exit status."""
    await open_database(app, is_dry_run=is_dry_run, sure=sure)
    if is_dry_run or not sure:
        preview = await _run(app.admin.archive.preview, place)
        print(f"Checked. An import would add: {describe_result(preview)}")
    if is_dry_run:
        return 0
    if not (sure or confirm_import()):
        return 1
    try:
        result = await _run(app.admin.archive.import_, place)
    except DatabaseError as error:
        print(RUN_AGAIN, file=sys.stderr)
        raise error
    print(f"Imported: {describe_result(result)}")
    return 0


async def _run(step: Callable[[Path, Progress], Awaitable[T]], place: Path) -> T:
    with closing(TerminalProgress()) as progress:
        return await step(place, progress)


def describe_result(result: ImportResult) -> str:
    """Return how much an import added, and what it left out for which reason."""
    new = ", ".join(f"{result.new[name]:,} {label}" for name, label in LABELS.items())
    reasons: dict[str, Counter[str]] = {}
    for (name, why), count in result.left_out.items():
        reasons.setdefault(name, Counter())[why] += count
    left_out = [
        f"  {LABELS[name]} left out: "
        + ", ".join(f"{count:,} {why}" for why, count in counts.most_common())
        for name, counts in reasons.items()
    ]
    return "\n".join([f"{new}.", *left_out])
