"""What is stored comes back as it was, on either database, and what is deleted is gone."""

import asyncio
import random
import signal
import sys
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select, update

from tests.fakes import preloaded
from tests.fakes.builders import ADA, GUILD, make_event
from tests.integration.small_units import NOON, event_values, file_of, open_later
from tests.rows import each_row
from utils.database.core import scrubber
from utils.database.core.engine import Connection
from utils.database.erasure import dependants
from utils.database.messages import attachments
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import (
    heartbeat,
    job_run,
    lease,
    memory_event,
)
from utils.models.attachment import Attachment, AttachmentKind, FileDescription
from utils.models.operator import Erasure, ErasureKind

SECRET = "the walrus sings at midnight"


async def test_the_folder_is_made_and_the_file_is_private(tmp_path):
    file = tmp_path / "new" / "folder" / "kith.db"
    database = open_later(f"sqlite:///{file}")
    await database.open()
    assert file.stat().st_mode & 0o077 == 0
    await database.close()


def on_disk(url: str) -> int:
    """Count how often the secret words are in the file, its log and its journal."""
    file = file_of(url)
    parts = [file, Path(f"{file}-wal"), Path(f"{file}-journal")]
    return sum(part.read_bytes().count(SECRET.encode()) for part in parts if part.exists())


async def test_deleted_words_are_gone_from_the_disk_after_compacting(sqlite_database, sqlite_url):
    await sqlite_database.write(
        lambda connection: connection.execute(
            insert(memory_event),
            [event_values(f"{SECRET} {number}", number) for number in range(300)],
        )
    )
    await sqlite_database.compact()
    assert on_disk(sqlite_url) == 300
    await sqlite_database.write(lambda connection: connection.execute(delete(memory_event)))
    await sqlite_database.compact()
    assert on_disk(sqlite_url) == 0


async def test_rows_that_were_moved_about_leave_no_copies_behind(sqlite_database, sqlite_url):
    """With secure_delete alone, this leaves hundreds of copies in the pages' unused parts."""
    dice = random.Random(7)

    def churn(connection: Connection) -> None:
        ids = connection.execute(select(memory_event.c.Id)).scalars().all()
        texts = [f"{SECRET} " * dice.choice([1, 5, 15]) for _ in range(800)]
        first = 10_000 * len(ids)
        rows = [event_values(words, first + number) for number, words in enumerate(texts)]
        connection.execute(insert(memory_event), rows)
        for row_id in dice.sample(ids, len(ids) // 5):
            connection.execute(delete(memory_event).where(memory_event.c.Id == row_id))

    for _ in range(4):
        await sqlite_database.write(churn)
    await sqlite_database.write(
        lambda s: s.execute(delete(memory_event).where(memory_event.c.Id % 2 == 0))
    )
    await sqlite_database.write(lambda s: s.execute(update(memory_event).values(Text="")))
    await sqlite_database.compact(rebuild=False)
    assert on_disk(sqlite_url) > 0  # once this fails, rebuilding is no longer needed
    await sqlite_database.compact()
    assert on_disk(sqlite_url) == 0
    assert await sqlite_database.check()


FORGETS_AND_IS_KILLED = """
import asyncio, os, signal, sys
from tests.fakes.builders import ADA, make_memory_service
from tests.integration.small_units import open_later
from tests.integration.stored_rows import add, of
from utils.common.clock import Clock
from utils.database.schema.memory_tables import user_memory
from utils.models.memory import Status

async def main():
    _, url, *words = sys.argv
    database = open_later(url)
    await database.open()

    def tell(connection, word):
        row = {"Memory": word, "SearchStems": word, "Status": Status.ACTIVE}
        return add(connection, user_memory, **of(ADA), **row)

    ids = [await database.write(tell, word) for word in words]
    service = make_memory_service(database, Clock())
    assert await service.forget(ADA, ids[-1])
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""
CHECKS_THE_FILE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("PRAGMA integrity_check").fetchone()[0])
connection.close()
"""


async def run_program(*command: str) -> tuple[int | None, str]:
    """Run a Python program; returns its exit status and what it printed."""
    process = await preloaded.start(
        sys.executable, "-c", *command, stdout=asyncio.subprocess.PIPE, cwd=preloaded.ROOT, env={}
    )
    out, _ = await process.communicate()
    return process.returncode, out.decode()


async def test_after_a_kill_right_behind_an_erasure_the_next_start_overwrites_the_file(sqlite_url):
    """Also if another program opened the file in between, which takes its log away."""
    file, words = file_of(sqlite_url), [f"walrus{letter}{letter}" for letter in "abcdefgh"]

    def is_left() -> bool:
        parts = (file, file.with_name(f"{file.name}-wal"))
        return any(b"hh" in part.read_bytes() for part in parts if part.exists())

    status, _ = await run_program(FORGETS_AND_IS_KILLED, sqlite_url, *words)
    assert status == -signal.SIGKILL
    assert file.with_name(f"{file.name}-wal").exists()
    assert await run_program(CHECKS_THE_FILE, str(file)) == (0, "ok\n")
    assert not file.with_name(f"{file.name}-wal").exists()
    assert is_left()  # once this fails, nothing needs to be overwritten any more
    database = open_later(sqlite_url)
    await database.open()
    await database.scrub_if_owed()
    await database.finish_scrubbing()
    assert not is_left()
    await database.close()
    again = open_later(sqlite_url)
    await again.open()
    await again.scrub_if_owed()  # it was scrubbed
    assert again._scrubber._requests == 0
    await again.close()


@pytest.mark.parametrize(
    ("unit", "erased"),
    [
        (erasure_ledger.record, [Erasure(NOON, ErasureKind.SAID, GUILD, ADA.user_id)]),
        (dependants.erase_dependants, [GUILD, dependants.Erased([1]), NOON]),
    ],
)
async def test_an_erasure_marks_the_file_in_its_own_unit_of_work(sqlite_database, unit, erased):
    assert await sqlite_database.read(scrubber.owed) == 0

    def undone(connection: Connection) -> None:
        unit(connection, *erased)
        raise KeyError

    with pytest.raises(KeyError):
        await sqlite_database.write(undone)
    assert await sqlite_database.read(scrubber.owed) == 0
    await sqlite_database.write(unit, *erased)
    assert await sqlite_database.read(scrubber.owed) == 1


async def test_what_is_erased_while_the_file_is_scrubbed_is_scrubbed_later(sqlite_database):
    await sqlite_database.write(scrubber.owe)
    count = await sqlite_database.read(scrubber.owed)
    await sqlite_database.write(scrubber.owe)
    await sqlite_database.write(scrubber.settle, count)
    assert await sqlite_database.read(scrubber.owed) == 2
    await sqlite_database.compact(rebuild=False)  # copies in moved pages stay
    assert await sqlite_database.read(scrubber.owed) == 2
    await sqlite_database.compact()
    assert await sqlite_database.read(scrubber.owed) == 0


async def test_an_id_is_never_given_out_twice(database):
    def add(connection: Connection) -> int:
        key = connection.execute(
            insert(memory_event).values(event_values("hi"))
        ).inserted_primary_key
        return key[0]

    first = await database.write(add)
    await database.write(lambda connection: connection.execute(delete(memory_event)))
    assert await database.write(add) > first


@each_row(
    ("bad", "why"),
    [
        ("😀" * 101, "202 UTF-16 units"),
        ("a" * 201, "201 UTF-16 units"),
        ("nul \x00 inside", "NUL"),
        ("half \ud83d of one", "surrogate"),
    ],
)
async def test_texts_that_a_database_would_not_keep_are_refused_alike(database, bad, why):
    with pytest.raises(ValueError, match=why) as raised:
        await database.write(
            lambda connection: connection.execute(
                insert(heartbeat).values(Process="p", At=NOON, State=bad)
            )
        )
    assert bad not in str(raised.value)


async def test_keys_compare_exactly(database):
    def unit(connection: Connection) -> list[str]:
        for name in ("Job", "job", "jöb"):
            connection.execute(insert(job_run).values(Name=name, SucceededAt=NOON, Report=""))
        found = connection.execute(select(job_run.c.Name).where(job_run.c.Name == "job"))
        return list(found.scalars())

    assert await database.write(unit) == ["job"]
    with pytest.raises(ValueError, match="blank"):
        await database.read(
            lambda connection: connection.execute(select(lease).where(lease.c.Name == "job "))
        )


async def test_pages_whose_addresses_differ_in_case_are_two(database):
    event, kind = make_event(), AttachmentKind.LINK

    def unit(connection):
        page = Attachment(kind, "https://example.org/A")
        attachments.add_read(connection, event, page, FileDescription(kind, "A page"), [""], NOON)
        names = ("https://example.org/A", "https://example.org/a", "https://example.org/A ")
        return [attachments.has_attachment(connection, event, kind, name) for name in names]

    assert await database.write(unit) == [True, False, False]
