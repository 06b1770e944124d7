"""Backups and exports of killed processes, in whatever folder: the next start removes them."""

import asyncio
import os
import sys
import time
from functools import partial

import pytest

from tests.e2e.den import ROOT
from tests.fakes import preloaded
from tests.fakes.clock import ManualClock
from utils.admin import leftovers
from utils.admin.leftovers import OLD_AFTER_S, part_of
from utils.database.admin import jobs
from utils.database.core.engine import Database

WRITES_AND_STOPS = """
import asyncio, sys
from pathlib import Path
from utils.admin.archive.files import ArchiveWriter
from utils.admin.backups import Backups
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.database.core import sqlite_backup

_, url, what, target = sys.argv

def stop(*_given):
    print("half of it is written", flush=True)
    sys.stdin.readline()

async def main():
    app = build(Settings(_env_file=None, database_url=url), Clock())
    await app.database.open()
    if what == "backup":
        sqlite_backup.check_file = stop
        backups = Backups(url, app.database, app.clock, app.admin.ledger)
        await backups.make(Path(target), lambda finished, total: None)
    else:
        ArchiveWriter.finish = stop
        await app.admin.archive.export(Path(target))

asyncio.run(main())
"""


def age(path):
    """Make a file or folder look as if nobody had written to it for an hour."""
    then = time.time() - OLD_AFTER_S - 1
    for file in (path, *(path.iterdir() if path.is_dir() else ())):
        os.utime(file, (then, then))


@pytest.fixture
async def kith(sqlite_url):
    database = Database(sqlite_url, pool_size=1, clock=ManualClock())
    await database.open()
    yield database
    await database.close()


@pytest.mark.parametrize("what", ["backup", "export"])
async def test_what_was_killed_in_another_folder_is_removed_by_the_next_start(
    kith, sqlite_url, tmp_path, what
):
    target = tmp_path / "elsewhere" / "copy"
    writing = await preloaded.start(
        *(sys.executable, "-c", WRITES_AND_STOPS, sqlite_url, what, str(target)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={},
    )
    assert await writing.stdout.readline() == b"half of it is written\n"
    writing.kill()
    await writing.wait()
    part = part_of(target)
    assert part.exists()
    await leftovers.remove_all(kith, ManualClock(), sqlite_url)
    assert part.exists()  # another process may still write it
    age(part)
    await leftovers.remove_all(kith, ManualClock(), sqlite_url)
    assert list(target.parent.iterdir()) == []
    assert await kith.read(jobs.unfinished_files) == []


async def test_only_parts_are_removed_whatever_is_recorded(kith, sqlite_url, tmp_path):
    diary, linked = tmp_path / "diary", tmp_path / "linked.part"
    diary.write_text("dear diary")
    linked.symlink_to(diary)
    age(diary)
    for path in (diary, linked):
        await kith.write(partial(jobs.begin_file, path=str(path), at=ManualClock().now()))
    await leftovers.remove_all(kith, ManualClock(), sqlite_url)
    assert diary.exists() and linked.exists()
