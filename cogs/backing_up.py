"""`python bot.py backup` and `restore`, in words."""

import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from cogs.importing import TerminalProgress
from cogs.operating import confirmed
from utils.backups import RUNNING, Backup, Backups, Restored
from utils.core import Core
from utils.errors import BadInput, DatabaseError, KithError
from utils.model.operator import Erasing, Redone

MEGABYTE = 1 << 20
NO_FILE = "Name the backup to put back: `python bot.py restore FILE`."
BY_SERVER = (
    "A backup of SQL Server is the server's own work; I did not make one. Run this, or have your "
    "database administrator run it (the path is one of the server's):\n"
)
RESTORE_BY_SERVER = (
    "A backup of SQL Server is put back by the server; I did not do it. Stop Kith, and run this, "
    "or have your database administrator run it (the path is one of the server's):\n"
)
THEN_REPLAY = (
    "\nThen, before Kith is started again, so that nothing that was erased since comes back:\n\n"
    "  python bot.py restore --replay-only"
)
ASIDE = (
    "The database that was replaced is {aside}. It holds people's words, and nothing erases there: "
    "delete it as soon as you see that the restored one is as you want it."
)
LINGERS = "The database is busy; tonight's pruning overwrites what its file still holds."
DAMAGED = "{count:,} lines of the erasure ledger are damaged and were passed over."
LEDGER_UNREAD = (
    "No ledger of a database that was there before could be read, so what was erased in its last "
    "half minute may be back."
)
WITHOUT_LEDGER = (
    "There was no erasure ledger {file}: everything that was erased since the backup was made is "
    "back. If there is a ledger elsewhere, stop Kith, name its file in ERASURE_LEDGER, and run "
    "`python bot.py restore --replay-only`."
)


async def back_up(core: Core, file: Path | None) -> int:
    """Copy the database to a file; for SQL Server, only say how. Returns the exit status."""
    backups = _backups(core)
    if not backups.is_file:
        print(BY_SERVER + backup_command(backups.server, backups.name, core.clock.now()))
        return 1
    if not backups.file.exists():
        raise BadInput(f"There is no database {backups.file} to back up.")
    await core.database.open(upgrade=False)
    await _mirror(core)
    progress, begun = TerminalProgress(), False

    def tell(done: int, total: int) -> None:
        nonlocal begun
        if not begun:
            progress.begin("copying", total, "pages")
            begun = True
        progress.reach(done)

    try:
        made = await backups.make(file or backups.default_file(), tell)
    finally:
        progress.end()
    await _mirror(core)
    print(
        f"Backed up to {made.file}: {made.size / MEGABYTE:,.1f} MB, schema {made.schema}, checked, "
        f"SHA-256 {made.sha256}."
    )
    return 0


async def restore(
    core: Core, file: Path | None, *, replay_only: bool, sure: bool, without_ledger: bool = False
) -> int:
    """Put a backup in the database's place, once the operator confirms it; returns the exit
    status."""
    backups = _backups(core)
    if replay_only:
        return await _replay(core, backups, sure=sure)
    if file is None:
        raise BadInput(NO_FILE)
    if not backups.is_file:
        print(RESTORE_BY_SERVER + restore_command(backups.server, backups.name, file))
        print(THEN_REPLAY)
        return 1
    found = await backups.check(file)
    print(_described(found))
    if backups.file.exists():
        await _refuse_running(core)
        if not sure and not confirmed(f"Put it in the place of {backups.file}?"):
            print("Nothing was restored.")
            return 1
    restored = await backups.restore(file, without_ledger=without_ledger)
    _tell(restored, backups.file)
    if not (restored.is_ledger_read or core.ledger.file.exists()):
        print(WITHOUT_LEDGER.format(file=core.ledger.file), file=sys.stderr)
    return 0


async def _replay(core: Core, backups: Backups, *, sure: bool) -> int:
    await core.database.open()
    await _refuse_running(core, opened=True)
    if not sure:
        ahead = kinds_in_words((await backups.to_redo()).done)
        print(f"This would be erased again: {ahead or 'nothing'}.")
        if ahead and not confirmed("Erase it again?"):
            print("Nothing was changed.")
            return 1
    redone = await backups.redo()
    print(f"Nothing else was changed. {redone_in_words(redone)}")
    return 0


async def _refuse_running(core: Core, *, opened: bool = False) -> None:
    """Raise KithError while a bot runs on the database; one that cannot be read has none."""
    try:
        if not opened:
            await core.database.open(upgrade=False)
        running, _ = await core.upkeep.beats()
    except DatabaseError as error:
        print(f"The database that is there cannot be read: {error}", file=sys.stderr)
        return
    if running:
        raise KithError(RUNNING, who=", ".join(beat.process for beat in running))


def _backups(core: Core) -> Backups:
    return Backups(core.settings.database_url, core.database, core.clock, core.ledger)


async def _mirror(core: Core) -> None:
    """Bring the ledger's file up to date, where the database has one."""
    if await core.database.schema_is_current():
        await core.ledger.mirror()


def _described(found: Backup) -> str:
    if found.made_at is None:
        return f"{found.file} has no manifest; SQLite finds it sound, with schema {found.schema}."
    return (
        f"{found.file} is as it was made on {found.made_at:%d %B %Y at %H:%M} UTC, sound, with "
        f"schema {found.schema}."
    )


def _tell(restored: Restored, file: Path) -> None:
    print(f"Restored to {file}. {redone_in_words(restored.redone)}")
    if restored.aside is not None:
        print(ASIDE.format(aside=restored.aside))
    if not restored.is_ledger_read:
        print(LEDGER_UNREAD)


def kinds_in_words(counts: Mapping[Erasing, int]) -> str:
    """Say how many erasures of which kind."""
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items()))


def redone_in_words(redone: Redone) -> str:
    """Say what was erased again, in numbers."""
    kinds = kinds_in_words(redone.done)
    words = f"Erased again of what was erased since: {kinds or 'nothing'} ({redone.known:,} known)."
    if redone.damaged:
        words += f" {DAMAGED.format(count=redone.damaged)}"
    return words if redone.is_scrubbed else f"{words} {LINGERS}"


def backup_command(server: str, name: str, now: datetime) -> str:
    """Return how SQL Server makes a checked backup of its own, apart from any other series."""
    file = f"{name}-{now:%Y%m%d-%H%M%S}.bak"
    backup = (
        f"BACKUP DATABASE {_bracketed(name)} TO DISK = {_quoted(file)} WITH COPY_ONLY, CHECKSUM"
    )
    verify = f"RESTORE VERIFYONLY FROM DISK = {_quoted(file)} WITH CHECKSUM"
    return _sqlcmd(server, f"{backup}; {verify};")


def restore_command(server: str, name: str, file: Path) -> str:
    """Return how SQL Server puts a backup back."""
    alone = f"ALTER DATABASE {_bracketed(name)} SET SINGLE_USER WITH ROLLBACK IMMEDIATE"
    put = f"RESTORE DATABASE {_bracketed(name)} FROM DISK = {_quoted(str(file))}"
    return _sqlcmd(
        server,
        f"{alone}; {put} WITH REPLACE, CHECKSUM; ALTER DATABASE {_bracketed(name)} SET MULTI_USER;",
    )


def _sqlcmd(host: str, query: str) -> str:
    escaped = query.replace('"', '\\"')
    return f'\n  sqlcmd -S {host} -d master -b -Q "{escaped}"'


def _bracketed(name: str) -> str:
    return f"[{name.replace(']', ']]')}]"


def _quoted(text: str) -> str:
    return "N'{}'".format(text.replace("'", "''"))
