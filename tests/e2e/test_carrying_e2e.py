"""Carrying memory as an operator does: backup, restore, export and import, mostly as processes."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.den import Den
from utils.models.memory import Member

pytestmark = pytest.mark.timeout(180)  # each test starts several processes, one after the other


@pytest.fixture
def on_file(den: Den) -> Den:
    if not den.database_url.startswith("sqlite"):
        pytest.skip("SQL Server makes its own backups")
    return den


async def said(den: Den, *arguments: str, status: int = 0, **chosen: str) -> str:
    """Run a command in this process, and return what it wrote."""
    ended = await den.command(*arguments, **chosen)
    assert ended.status == status, ended.err
    return ended.out + ended.err


async def ran(den: Den, *arguments: str, status: int = 0, **chosen: str) -> str:
    async with den.process(*arguments, **chosen) as process:
        assert (await process.ends(b"", within_s=40)) == status, process.err
    assert "Traceback" not in process.err
    return process.out + process.err


def left_over(folder: Path) -> list[Path]:
    return list(folder.glob("*.restoring*"))


@pytest.mark.slow
async def test_a_backup_beside_the_running_bot_brings_nothing_forgotten_back(
    on_file: Den, tmp_path: Path
) -> None:
    den, file = on_file, str(tmp_path / "made.db")
    async with den.awake():
        await den.teach(den.alice, "I have a dog named Rex")
        await den.teach(den.bob, "I live in Oslo")
        assert "Backed up to" in await ran(den, "backup", file)
        assert "already exists" in await ran(den, "backup", file, status=1)
        await den.app.memory.editor.forget_all(Member(den.guild.id, den.alice.id))
        refused = await ran(den, "restore", file, "--yes", status=1)
        assert "Kith is running on this database" in refused or "open; stop it" in refused
    assert "said" in den.ledger_file.read_text()  # written when it stopped
    assert "Rex" not in den.ledger_file.read_text()
    assert "add --yes" in await ran(den, "restore", file, status=1)
    told = await ran(den, "restore", file, "--yes")
    assert "Erased again: 1 member's messages and memories" in told
    assert "kith.db.replaced-" in told
    async with den.awake():
        assert await den.known_of(den.alice) == []
        assert await den.known_of(den.bob) == ["lives in Oslo"]
        assert "Rex" not in (await den.talk(den.alice, "what do you know of me?")).content


@pytest.mark.slow
async def test_killed_amid_a_restore_the_database_is_as_it_was(
    on_file: Den, tmp_path: Path
) -> None:
    den, file = on_file, str(tmp_path / "made.db")
    async with den.awake():
        await den.teach(den.alice, "I have a dog named Rex")
    await ran(den, "backup", file)
    async with den.process("restore", file, "--yes") as process:
        await process.read_until("intact, with ")
        process.tell(signal.SIGKILL)
        await process.ends()
    with closing(sqlite3.connect(tmp_path / "kith.db")) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    await ran(den, "restore", file, "--yes")
    assert left_over(tmp_path) == []
    async with den.awake():
        assert await den.known_of(den.alice) == ["has a dog named Rex"]


async def test_what_is_exported_is_imported_elsewhere(den: Den, tmp_path: Path) -> None:
    place = str(tmp_path / "archive.zip")
    async with den.awake():
        await den.teach(den.alice, "I have a dog named Rex")
    assert "1 memories" in await ran(den, "export", place)
    other = f"sqlite:///{tmp_path / 'other' / 'kith.db'}"
    refused = await said(den, "import", place, "--yes", status=1, database_url=other)
    assert "`python bot.py migrate` creates an empty one" in refused, (
        "a mistyped name is no database"
    )
    await said(den, "migrate", database_url=other)
    assert "Imported" in await ran(den, "import", place, "--yes", DATABASE_URL=other)
    looked = await said(den, "import", place, "--dry-run", database_url=other)
    assert "An import would add" in looked
    assert "0 memories" in looked
    assert "1 already here" in looked
    assert "add --yes" in await said(den, "import", place, status=1, database_url=other)
    home, den.database_url = den.database_url, other
    async with den.awake():
        assert await den.known_of(den.alice) == ["has a dog named Rex"]
        await den.talk(den.alice, "which dog do I have?")
        assert "has a dog named Rex" in den.last_words().casefold().replace("rex", "Rex")
    den.database_url = home


async def test_for_a_server_the_commands_are_told_and_not_run(den: Den) -> None:
    address = "mssql+pyodbc://kith:secret@db.example:1444/kith?TrustServerCertificate=yes"
    told = await said(den, "backup", status=1, database_url=address)
    assert "nothing was backed up" in told
    assert "sqlcmd -S db.example,1444 -C -d master" in told
    assert "COPY_ONLY, CHECKSUM" in told
    assert "secret" not in told
    told = await said(den, "restore", "C:\\kith.bak", status=1, database_url=address)
    assert "RESTORE DATABASE [kith] FROM DISK" in told
    assert "restore --replay-only" in told
