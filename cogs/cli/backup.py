"""The commands `backup` and `restore`."""

import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from cogs.cli.databases import require_database
from cogs.cli.terminal import TerminalProgress, confirm
from utils.admin.backups import RUNNING, Backups
from utils.app import App
from utils.common.errors import BadInput, DatabaseError, KithError
from utils.common.program import as_called
from utils.database.core import sqlcmd
from utils.models.operator import ErasureKind, ReplayResult

MEGABYTE = 1 << 20
LEDGER_UNREAD = (
    "The replaced database's ledger could not be read, so what was erased in its last half minute "
    "may be back."
)
ERASED = {
    ErasureKind.MESSAGE: ("message", "messages"),
    ErasureKind.MEMORY: ("memory", "memories"),
    ErasureKind.LOOP: ("thing to ask about", "things to ask about"),
    ErasureKind.SAID: ("member's messages and memories", "members' messages and memories"),
    ErasureKind.MEMBER: ("member with their choices", "members with their choices"),
    ErasureKind.CHANNEL: ("channel", "channels"),
    ErasureKind.CHAPTER: ("open chapter", "open chapters"),
    ErasureKind.SERVER: ("server", "servers"),
    ErasureKind.SHORTER: ("change to temporary consent", "changes to temporary consent"),
    ErasureKind.OFF: ("consent turned off", "consents turned off"),
    ErasureKind.UNHEARD: ("choice not to be watched", "choices not to be watched"),
    ErasureKind.UNLINKED: ("ended link", "ended links"),
}
"""What was erased, one of it and several."""


async def backup_database(app: App, file: Path | None) -> int:
    """Copy the database to a file; for SQL Server, only print how. Return the exit status."""
    backups = Backups(app.settings.database_url, app.database, app.clock, app.admin.ledger)
    if not backups.is_file:
        print(
            "SQL Server makes its own backups; nothing was backed up. Run this, or have your "
            "database administrator run it (the path is on the server, and `-U NAME` logs in by "
            f"name):\n\n  {sqlcmd.backup_command(backups.url, app.clock.now())}"
        )
        return 1
    await app.database.open(upgrade=False)
    await _update_ledger_file(app)
    has_started = False

    def on_progress(finished: int, total: int) -> None:
        nonlocal has_started
        if not has_started:
            progress.begin("copying", total, "pages")
            has_started = True
        progress.reach(finished)

    with closing(TerminalProgress()) as progress:
        backup = await backups.make(file or backups.default_file(), on_progress)
    await _update_ledger_file(app)
    print(
        f"Backed up to {backup.file}: {backup.size / MEGABYTE:,.1f} MB, schema {backup.schema}, "
        f"checked, SHA-256 {backup.sha256}."
    )
    return 0


async def restore(
    app: App, file: Path | None, *, replay_only: bool, sure: bool, without_ledger: bool = False
) -> int:
    """Replace the database with a backup after a confirmation; return the exit status."""
    backups = Backups(app.settings.database_url, app.database, app.clock, app.admin.ledger)
    if replay_only:
        require_database(app)
        return await _replay(app, backups, sure=sure)
    if file is None:
        raise BadInput("Name the backup to put back: `python bot.py restore FILE`.")
    if not backups.is_file:
        print(
            "SQL Server restores its own backups; nothing was restored. Stop Kith and run this, "
            "or have your database administrator run it (the path is on the server, and `-U NAME` "
            f"logs in by name):\n\n  {sqlcmd.restore_command(backups.url, file)}\n\n"
            "Then, before you start Kith again, repeat the erasures made since that backup:\n\n"
            + as_called("  python bot.py restore --replay-only")
        )
        return 1
    progress = TerminalProgress()
    with progress.part(f"checking {file.name}"):
        backup = await backups.check(file)
    state = f"{backup.file} has no manifest; SQLite finds it intact"
    if backup.made_at is not None:
        made_at = f"{backup.made_at:%d %B %Y at %H:%M} UTC"
        state = f"{backup.file} is unchanged since {made_at} and intact"
    print(f"{state}, with schema {backup.schema}.")
    if backups.file.exists():
        await _refuse_running(app)
        if not sure and not confirm(f"Replace {backups.file} with it?"):
            print("Nothing was restored.")
            return 1
    with progress.part("restoring"):
        restored = await backups.restore(file, without_ledger=without_ledger)
    print(f"Restored to {backups.file}. {describe_replay(restored.replay)}")
    if restored.aside is not None:
        print(
            f"The replaced database is {restored.aside}. It contains what people said, and no "
            "erasure reaches it: delete it as soon as you have checked the restored one."
        )
        if not restored.is_ledger_read:
            print(LEDGER_UNREAD)
    if not (restored.is_ledger_read or app.admin.ledger.file.exists()):
        text = as_called(
            "There is no erasure ledger {file}: everything erased since the backup was made is "
            "back. If the ledger is somewhere else, stop Kith, name its file in ERASURE_LEDGER, "
            "and run `python bot.py restore --replay-only`."
        )
        print(text.format(file=app.admin.ledger.file), file=sys.stderr)
    return 0


async def _replay(app: App, backups: Backups, *, sure: bool) -> int:
    await app.database.open()
    await _refuse_running(app, opened=True)
    if not sure:
        ahead = describe_counts((await backups.preview_replay()).replayed)
        print(f"This would be erased again: {ahead or 'nothing'}.")
        if ahead and not confirm("Erase it again?"):
            print("Nothing was changed.")
            return 1
    with TerminalProgress().part("erasing again"):
        redone = await backups.replay()
    print(f"Nothing else was changed. {describe_replay(redone)}")
    return 0


async def _refuse_running(app: App, *, opened: bool = False) -> None:
    """Raise KithError while a bot runs on the database. An unreadable one has none."""
    try:
        if not opened:
            await app.database.open(upgrade=False)
        running, _ = await app.admin.job_runs.heartbeats()
    except DatabaseError as error:
        print(f"The existing database cannot be read: {error}", file=sys.stderr)
        return
    if running:
        raise KithError(RUNNING, who=", ".join(heartbeat.process for heartbeat in running))


async def _update_ledger_file(app: App) -> None:
    """Write the database's ledger to its file, if the schema has one."""
    if await app.database.schema_is_current():
        await app.admin.ledger.mirror()


def describe_counts(counts: Mapping[ErasureKind, int]) -> str:
    """Return how much was erased, in words: "2 messages, 1 member's messages and memories"."""
    return ", ".join(
        f"{count:,} {ERASED[kind][count != 1]}" for kind, count in sorted(counts.items())
    )


def describe_replay(redone: ReplayResult) -> str:
    """Return how much was erased again, as text."""
    kinds = describe_counts(redone.replayed)
    words = f"Erased again: {kinds or 'nothing'} (erasures known: {redone.already_erased:,})."
    if redone.damaged:
        words += f" {redone.damaged:,} lines of the erasure ledger are damaged and were skipped."
    if not redone.is_scrubbed:
        words += (
            " The database is busy; the nightly pruning overwrites what its file still contains."
        )
    return words
