"""Backups of a SQLite file: made while it is written, checked, put back without what was erased."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from urllib.parse import quote

import pytest

from cogs.cli import backup
from tests.fakes.clock import ManualClock
from tests.integration.residue import ADA, BOB, WORD, Household
from tests.integration.small_units import add_hash, file_of, hashes, open_later
from utils.admin.backups import Backups, manifest_of
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import BadInput, DatabaseUnavailable, DatabaseUnusable, KithError
from utils.database.admin import jobs
from utils.database.core import sqlite_backup
from utils.database.core.engine import Database
from utils.database.privacy import erasure_ledger as ledger
from utils.database.schema.memory_tables import waiting_message
from utils.database.sentiment import waiting_messages
from utils.memory.privacy import erasure_ledger_file
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.models.operator import Erasure, ErasureKind

SILENT = lambda done, total: None  # noqa: E731


@pytest.fixture
async def opened(sqlite_url):
    database = open_later(sqlite_url, patience_s=2.0)
    await database.open()
    yield database
    await database.close()


@pytest.fixture
def backups(sqlite_url, opened):
    return of(sqlite_url, opened)


def of(url, database):
    ledger = ErasureLedger(database, file_of(url).with_name("ledger.jsonl"))
    return Backups(url, database, Clock(), ledger)


async def reopened(url, unit):
    database = open_later(url)
    await database.open()
    try:
        return await database.read(unit)
    finally:
        await database.close()


async def test_a_backup_is_put_back_where_a_link_leads_and_what_it_replaced_kept_aside(
    opened, sqlite_url, tmp_path
):
    (tmp_path / "link.db").symlink_to(file_of(sqlite_url))
    backups = of(f"sqlite:///{tmp_path / 'link.db'}", opened)
    await opened.write(lambda s: add_hash(s, 1))
    made = await backups.make(tmp_path / "one.db", SILENT)
    await opened.write(lambda s: add_hash(s, 2))
    assert json.loads(manifest_of(made.file).read_text()).items() >= {
        ("sha256", made.sha256),
        ("schema", made.schema),
    }
    assert (made.file.stat().st_mode & 0o777, await backups.check(made.file)) == (0o600, made)

    restored = await backups.restore(made.file)
    assert (restored.is_ledger_read, await reopened(sqlite_url, hashes)) == (True, [1])
    with closing(sqlite3.connect(restored.aside)) as raw:
        assert raw.execute("SELECT count(*) FROM CommandSync").fetchone() == (2,)
    names = {one.name for one in tmp_path.iterdir()}
    assert names == {
        *("kith.db", "link.db", "one.db", "one.db.manifest.json", restored.aside.name),
        *({"ledger.jsonl"} & names),
    }


def spoil(file):
    with file.open("r+b") as stream:
        stream.seek(4_096)
        stream.write(b"\xff" * 3_000)


async def test_what_is_no_sound_backup_is_refused_and_nothing_changes(
    backups, opened, sqlite_url, tmp_path
):
    await opened.write(lambda s: add_hash(s, 1))
    made = await backups.make(tmp_path / "one.db", SILENT)

    changed = shutil.copyfile(made.file, tmp_path / "changed.db")
    shutil.copyfile(manifest_of(made.file), manifest_of(changed))
    with closing(sqlite3.connect(changed)) as raw:
        raw.execute("DELETE FROM CommandSync")
        raw.commit()
    bare = shutil.copyfile(made.file, tmp_path / "bare.db")
    spoil(bare)
    (tmp_path / "text.db").write_text("no database at all")
    with closing(sqlite3.connect(tmp_path / "other.db")) as raw:
        raw.execute("CREATE TABLE t (x)")
    newer = shutil.copyfile(made.file, tmp_path / "newer.db")
    with closing(sqlite3.connect(newer)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = 'k9999'")
        raw.commit()
    torn = shutil.copyfile(made.file, tmp_path / "torn.db")
    manifest_of(torn).write_text('{"format": ')

    for file, error, words in (
        (changed, BadInput, "SHA-256 differs"),
        (bare, DatabaseUnusable, "damaged"),
        (tmp_path / "text.db", DatabaseUnusable, "damaged"),
        (tmp_path / "other.db", DatabaseUnusable, "no database of Kith's"),
        (newer, DatabaseUnusable, "newer Kith"),
        (torn, BadInput, "manifest"),
        (tmp_path / "none.db", BadInput, "no file"),
        (file_of(sqlite_url), BadInput, "the database itself"),
    ):
        with pytest.raises(error, match=words):
            await backups.check(file)
    with pytest.raises(BadInput, match="SHA-256 differs"):
        await backups.restore(changed)
    assert await reopened(sqlite_url, hashes) == [1]
    assert not list(tmp_path.glob("*.restoring*"))


async def test_a_database_that_somebody_has_open_is_not_replaced(
    backups, opened, sqlite_url, tmp_path
):
    await opened.write(lambda s: add_hash(s, 1))
    made = await backups.make(tmp_path / "one.db", SILENT)
    other = open_later(sqlite_url)
    await other.open()
    with pytest.raises(DatabaseUnavailable, match="has the database open"):
        await backups.restore(made.file)
    await other.write(lambda s: add_hash(s, 2))
    assert await other.read(hashes) == [1, 2]
    await other.close()


@pytest.mark.parametrize("step", ["copy", "stage", "link", "replace"])
async def test_broken_off_at_any_point_nothing_is_lost_and_again_it_works(
    backups, opened, sqlite_url, tmp_path, monkeypatch, step
):
    await opened.write(lambda s: add_hash(s, 1))
    made = await backups.make(tmp_path / "one.db", SILENT)
    await opened.write(lambda s: add_hash(s, 2))

    class Killed(BaseException):
        pass

    def die(*_):
        raise Killed

    where = {
        "copy": (shutil, "copyfile"),
        "stage": (waiting_messages, "delete_all"),
        "link": (os, "link"),
        "replace": (type(made.file), "replace"),
    }
    with monkeypatch.context() as broken:
        broken.setattr(*where[step], die)
        broken.setattr(sqlite_backup, "remove", lambda file: None)  # nobody tidies up after a kill
        with pytest.raises(Killed):
            await backups.restore(made.file)
    assert await reopened(sqlite_url, hashes) == [1, 2]

    again = open_later(sqlite_url)
    await again.open()
    await of(sqlite_url, again).restore(made.file)
    assert await reopened(sqlite_url, hashes) == [1]
    assert not list(tmp_path.glob("*.restoring*"))


@pytest.mark.parametrize("left", ["missing", "damaged"])
async def test_what_a_crash_left_beside_a_database_is_not_replayed_into_the_restored_one(
    backups, opened, sqlite_url, tmp_path, left
):
    await opened.write(lambda s: add_hash(s, 1))
    made = await backups.make(tmp_path / "one.db", SILENT)
    await opened.write(lambda s: add_hash(s, 2))
    file = file_of(sqlite_url)
    log = file.with_name(f"{file.name}-wal")
    words = log.read_bytes()
    assert words
    await opened.close()
    if left == "missing":
        file.unlink()
    else:
        file.write_bytes(b"x" * 4_096 + file.read_bytes()[4_096:])
    log.write_bytes(words)

    again = of(sqlite_url, open_later(sqlite_url))
    restored = await again.restore(made.file, without_ledger=True)
    assert not log.exists()
    assert await reopened(sqlite_url, hashes) == [1]
    if restored.aside is not None:
        assert restored.aside.with_name(f"{restored.aside.name}-wal").read_bytes() == words
    assert (restored.aside is None) == (left == "missing")


async def test_without_a_ledger_nothing_is_restored_unless_that_is_meant(
    backups, opened, sqlite_url, tmp_path, capsys
):

    made = await backups.make(tmp_path / "one.db", SILENT)
    settings = {
        "database_url": f"sqlite:///{tmp_path / 'new' / 'kith.db'}",
        "erasure_ledger": tmp_path / "typo.jsonl",
    }
    app = build(Settings(_env_file=None, **settings), Clock())
    with pytest.raises(KithError, match=r"no erasure ledger .*typo.*--without-ledger"):
        await backup.restore(app, made.file, replay_only=False, sure=True)
    assert not (tmp_path / "new" / "kith.db").exists()
    meant = {"replay_only": False, "sure": True, "without_ledger": True}
    assert await backup.restore(app, made.file, **meant) == 0
    said = capsys.readouterr()
    assert backup.LEDGER_UNREAD not in said.out  # no database was replaced
    assert "everything erased since the backup was made is back" in said.err
    await app.close()
    app = build(Settings(_env_file=None, **settings), Clock())
    with pytest.raises(KithError, match="no erasure ledger"):
        await backup.restore(app, None, replay_only=True, sure=True)
    await app.close()


async def test_a_restore_brings_nobodys_forgotten_memories_back(sqlite_url, tmp_path):
    """Also what was forgotten in the last moments, which only the replaced database knows of."""
    (folder := tmp_path / "my%20data").mkdir()
    sqlite_url = f"sqlite:///{quote(str(file_of(sqlite_url).rename(folder / 'kith.db')))}"
    assert Settings(_env_file=None, database_url=sqlite_url).ledger_file.parent == folder
    clock = ManualClock()
    database = Database(sqlite_url, pool_size=2, clock=clock)
    await database.open()
    home = Household(database, sqlite_url, clock)
    await home.move_in()
    await home.tell(f"likes {WORD}")
    late = await home.tell(f"hates {WORD}")
    await home.tell("likes tea", BOB)
    ledger = ErasureLedger(database, tmp_path / "ledger.jsonl")
    backups = Backups(sqlite_url, database, clock, ledger)
    made = await backups.make(tmp_path / "eins\udcfc.db", SILENT)  # ü of a name in Latin-1
    rows = {row.text: row.id for row in (await home.member_data.show(ADA)).rows}
    await home.keeper.forget(ADA, rows[f"likes {WORD}"])
    await ledger.mirror()
    await home.keeper.retention.retract(ADA.guild_id, [late.message_id])
    await home.recorder.close()

    restored = await backups.restore(made.file)
    assert restored.replay.replayed == {ErasureKind.MEMORY: 1, ErasureKind.MESSAGE: 1}
    restored.aside.unlink()
    made.file.unlink()
    again = Database(sqlite_url, pool_size=2, clock=clock)
    await again.open()
    after = Household(again, sqlite_url, clock)
    assert await after.residue() == []
    assert (await after.known(), await after.known(BOB)) == ([], ["likes tea"])
    await again.close()


async def test_what_waited_is_in_no_restored_database_and_no_id_since_is_given_again(
    backups, opened, sqlite_url, tmp_path
):
    waiting = dict.fromkeys(("GuildId", "MessageId", "PlaceId", "ChannelId", "UserId"), 1)
    waiting |= {"AuthorName": "Ada", "Text": WORD, "Revision": 0, "CreatedAt": Clock().now()}
    await opened.write(
        lambda s: (
            s.execute(waiting_message.insert().values(waiting)),
            s.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = 'Alert'"),
        )
    )
    made = await backups.make(tmp_path / "one.db", SILENT)
    await backups.restore(made.file)
    found = await reopened(
        sqlite_url,
        lambda s: (
            s.execute(waiting_message.select()).all(),
            s.exec_driver_sql(
                "SELECT count(*) FROM sqlite_sequence WHERE seq > strftime('%s')"
                " - strftime('%s', '2026-01-01') AND name IN ('Alert', 'UserMemory')"
            ).scalar(),
        ),
    )
    assert found == ([], 2)


async def test_signs_of_life_keep_a_restore_away(opened, sqlite_url, tmp_path):
    from cogs.cli import backup

    app = build(Settings(_env_file=None, database_url=sqlite_url), Clock())
    made = await of(sqlite_url, opened).make(tmp_path / "one.db", SILENT)
    now = Clock().now()
    await opened.write(lambda s: jobs.record_heartbeat(s, "host:1", now, "connected"))
    with pytest.raises(KithError, match="running on this database"):
        await backup.restore(app, made.file, replay_only=False, sure=True)
    await app.close()


async def test_no_backup_is_overwritten(backups, tmp_path):
    (tmp_path / "there.db").write_text("mine")
    with pytest.raises(BadInput, match="already exists"):
        await backups.make(tmp_path / "there.db", SILENT)
    assert (tmp_path / "there.db").read_text() == "mine"
    manifest_of(tmp_path / "other.db").write_text("mine")
    with pytest.raises(BadInput, match="already exists"):
        await backups.make(tmp_path / "other.db", SILENT)


async def test_replaying_says_what_it_would_erase_and_asks_first(
    opened, sqlite_url, tmp_path, capsys, monkeypatch
):

    settings = {"database_url": sqlite_url, "erasure_ledger": tmp_path / "l.jsonl"}
    app = build(Settings(_env_file=None, **settings), Clock())
    entry = Erasure(Clock().now(), ErasureKind.SAID, ADA.guild_id, ADA.user_id)
    erasure_ledger_file.append(app.admin.ledger.file, [entry])
    monkeypatch.setattr(backup, "confirm", lambda _: False)
    assert await backup.restore(app, None, replay_only=True, sure=False) == 1
    told = "This would be erased again: 1 member's messages and memories."
    assert told in capsys.readouterr().out
    assert not await app.database.read(ledger.is_recorded, entry)
    monkeypatch.setattr(backup, "confirm", lambda _: True)
    assert await backup.restore(app, None, replay_only=True, sure=False) == 0
    assert await app.database.read(ledger.is_recorded, entry)
    await app.close()


async def test_nobody_opens_the_database_while_it_is_replaced(
    backups, opened, sqlite_url, tmp_path, monkeypatch
):
    made = await backups.make(tmp_path / "one.db", SILENT)
    refused = []
    stage = Backups._stage

    async def meanwhile(self, file, staging):
        late = open_later(sqlite_url, patience_s=0.2)
        with pytest.raises(KithError) as caught:
            await late.open()
        refused.append(caught.value)
        return await stage(self, file, staging)

    monkeypatch.setattr(Backups, "_stage", meanwhile)
    await backups.restore(made.file)
    assert len(refused) == 1
