"""Faults: what passes is tried again, what does not ends as one sentence that says what to do."""

import os
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError

from tests.fakes.faulty import COMMIT, faulty, lost_connection, server_fault
from tests.integration.small_units import NOON, add_hash, back, file_of, hashes, open_later
from tests.rows import each_row
from utils.common.errors import DatabaseUnavailable, DatabaseUnusable
from utils.database.core import opening
from utils.database.core.engine import Connection
from utils.database.schema.memory_tables import job_run


def passing_fault(number: int = 1205) -> DBAPIError:
    words = (
        f"[40001] [Microsoft][ODBC Driver 18 for SQL Server]deadlock ({number}) (SQLExecDirectW)"
    )
    return DBAPIError("UPDATE t", None, Exception("40001", words))


async def test_a_passing_fault_runs_the_whole_unit_again(database):
    tries = 0

    def unit(connection: Connection) -> int:
        nonlocal tries
        tries += 1
        add_hash(connection, tries)
        if tries < 3:
            raise passing_fault()
        return tries

    assert await database.write(unit) == 3
    assert await database.read(hashes) == [3]


async def test_a_locked_database_can_be_read_and_says_why_it_cannot_be_written(sqlite_url):
    database = open_later(sqlite_url, patience_s=0.3)
    await database.open()
    with closing(sqlite3.connect(file_of(sqlite_url), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await database.read(hashes) == []
        with pytest.raises(DatabaseUnavailable, match="locked"):
            await database.write(add_hash, 1)
        other.execute("ROLLBACK")
    await back(database)
    await database.write(add_hash, 1)
    await database.close()


async def test_a_full_disk_is_named_and_nothing_is_lost(sqlite_url):
    database = open_later(sqlite_url)
    await database.open()

    def fill(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count=1").close()
        connection.execute(
            insert(job_run).values(Name="big", SucceededAt=NOON, Report="x" * 2_000_000)
        )

    with pytest.raises(DatabaseUnavailable, match="full"):
        await database.write(fill)
    await database.close()
    again = open_later(sqlite_url)
    await again.open()
    await again.write(lambda connection: add_hash(connection, 1))
    assert await again.read(lambda s: s.execute(select(job_run.c.Name)).scalars().all()) == []
    await again.close()


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
async def test_a_file_that_may_not_be_written_is_named_and_no_log_is_made(
    sqlite_url, monkeypatch, suffix
):
    refused = file_of(sqlite_url).with_name(f"{file_of(sqlite_url).name}{suffix}")
    refused.touch()
    before = sorted(file.name for file in refused.parent.iterdir())
    may = os.access  # root may write to every file
    monkeypatch.setattr(
        opening.os,
        "access",
        lambda name, mode: may(name, mode) and (name, mode) != (refused, os.W_OK),
    )
    with pytest.raises(DatabaseUnusable, match="read-only") as raised:
        await open_later(sqlite_url).open()
    assert f"{refused} " in str(raised.value)
    assert sorted(file.name for file in refused.parent.iterdir()) == before


@pytest.mark.parametrize("damage", ["not a database", "a damaged page"])
async def test_a_damaged_file_is_refused_when_opened(sqlite_url, damage):
    file = file_of(sqlite_url)
    if damage == "not a database":
        file.write_text("Dear diary, " * 1000, encoding="utf-8")
    else:
        whole = bytearray(file.read_bytes())
        whole[4096 : 4096 * 3] = b"\x5a" * (4096 * 2)
        file.write_bytes(whole)
    with pytest.raises(DatabaseUnusable, match="damaged"):
        await open_later(sqlite_url).open()


async def test_another_programs_database_is_refused_and_stays_as_it_is(tmp_path):
    file = tmp_path / "photos.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE Photo (Id INTEGER PRIMARY KEY)")
        other.commit()
    before = file.read_bytes()
    with pytest.raises(DatabaseUnusable, match="another program's database"):
        await open_later(f"sqlite:///{file}").open()
    assert file.read_bytes() == before


async def test_a_new_database_appears_whole_and_only_its_owner_reads_it(tmp_path, monkeypatch):
    for has_links in (True, False):
        file = tmp_path / f"new-{has_links}.db"
        if not has_links:
            monkeypatch.setattr(os, "link", _no_links)
        database = open_later(f"sqlite:///{file}")
        await database.open()
        await database.close()
        assert file.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob("*.new"))


def _no_links(*_: object) -> None:
    raise OSError(95, "Operation not supported")


@each_row(
    "url", ["nonsense", "postgresql://user:hunter2@host/x", "sqlite://", "sqlite:///:memory:"]
)
def test_an_address_that_makes_no_sense_is_refused_without_quoting_it(url):
    with pytest.raises(DatabaseUnusable, match="DATABASE_URL") as raised:
        open_later(url)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "fault", [lost_connection(), server_fault(10054), server_fault(40197), server_fault(-2)]
)
async def test_a_commit_whose_answer_was_lost_is_not_tried_again(database, fault):
    """Whether it was kept is unknown, so running it again might do it twice."""
    with faulty(database) as made:
        made.begin((0, COMMIT), [fault])
        with pytest.raises(DatabaseUnavailable, match="look whether it was kept"):
            await database.write(add_hash, 1)
        assert made.steps.count((0, COMMIT)) == 1
