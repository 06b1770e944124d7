"""The engine: units of work run whole, or not at all, and never on the event loop."""

import asyncio
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.fakes import preloaded
from tests.integration.small_units import (
    add_counter,
    add_hash,
    counted,
    file_of,
    hashes,
    lock_then_count,
    open_later,
)
from utils.common.errors import StaleFence
from utils.database.core.engine import Connection, Database

ROOT = Path(__file__).parents[4]
READS_AND_PAUSES = """
import asyncio, sys
from sqlalchemy import update
from tests.integration.small_units import counted, open_later
from utils.database.schema.memory_tables import user_state

def unit(connection):
    before = counted(connection)
    print("read", before, flush=True)
    sys.stdin.readline()
    connection.execute(update(user_state).values(MemoryVersion=before + 1))

async def main():
    database = open_later(sys.argv[1])
    await database.open()
    await database.write(unit)
    await database.close()

asyncio.run(main())
"""


@pytest.mark.parametrize("error", [StaleFence(), ValueError("mine"), KeyError("mine")])
async def test_what_a_unit_raises_passes_unchanged_and_undoes_the_unit(database, error):
    def unit(connection: Connection) -> None:
        add_hash(connection, 7)
        raise error

    with pytest.raises(type(error)) as raised:
        await database.write(unit)
    assert raised.value is error
    assert await database.read(hashes) == []


async def test_a_reading_unit_that_writes_is_refused_and_keeps_nothing(database):
    with pytest.raises(RuntimeError, match="read"):
        await database.read(add_hash, 7)
    assert await database.read(hashes) == []


async def test_a_read_sees_one_snapshot(sqlite_database):
    started, written = threading.Event(), threading.Event()

    def reading(connection: Connection) -> tuple[list[int], list[int]]:
        before = hashes(connection)
        started.set()
        written.wait(5)
        return before, hashes(connection)

    async def writing() -> None:
        await asyncio.to_thread(started.wait, 5)
        await sqlite_database.write(add_hash, 7)
        written.set()

    (before, after), _ = await asyncio.gather(sqlite_database.read(reading), writing())
    assert before == after == []


async def test_increments_of_four_workers_are_all_kept(database, database_url):
    await database.write(add_counter)
    workers = [open_later(database_url, patience_s=30) for _ in range(4)]

    async def work(worker: Database) -> None:
        await worker.open()
        for _ in range(50):
            await worker.write(lock_then_count)
        await worker.close()

    await asyncio.gather(*(work(worker) for worker in workers))
    assert await database.read(counted) == 200


async def test_a_write_keeps_another_process_out_before_it_reads(sqlite_database, sqlite_url):
    await sqlite_database.write(add_counter)
    process = await preloaded.start(
        *(sys.executable, "-c", READS_AND_PAUSES, sqlite_url),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={},
    )
    assert await process.stdout.readline() == b"read 0\n"
    with (
        closing(sqlite3.connect(file_of(sqlite_url), timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("UPDATE UserState SET MemoryVersion = MemoryVersion + 10")
    printed, _ = await process.communicate(b"go on\n")
    assert (process.returncode, printed) == (0, b"")  # it read once: nothing was to be repeated
    assert await sqlite_database.read(counted) == 1
