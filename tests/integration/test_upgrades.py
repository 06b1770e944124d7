"""Databases of every earlier version: brought forward whole, and back one step where there is one.

On a server, the rows of a version's dump are copied into tables that its migration makes there.
"""

import asyncio
import os
from collections.abc import Iterable, Iterator
from functools import partial

import pytest
from sqlalchemy import Engine, inspect

from tests import old_databases, own_database
from tests.fakes.builders import ADA, CHANNEL, GUILD
from tests.fakes.clock import ManualClock
from tests.integration.small_units import open_later
from utils.database import drivers, migrations
from utils.database.engine import Database, Session
from utils.database.tables import NO_EPISODE, memory_event, metadata
from utils.database.upsert import upsert
from utils.memory.keeper import Keeper
from utils.memory.reader import Reader
from utils.memory.search import Searcher

EARLIER = sorted(migrations.known_revisions())[:-1]
HERE = frozenset({CHANNEL})


def engine_of(url: str) -> Engine:
    return drivers.make_engine(drivers.parse_url(url), 1, 2.0)


def brought_forward(rows: old_databases.Stored, revision: str) -> old_databases.Stored:
    """What this version makes of rows: messages that are older than chapters are in none."""
    if revision >= "0008":  # where chapters began
        return rows
    at = list(memory_event.columns).index(memory_event.c.EpisodeId)
    events = [(*row[:at], NO_EPISODE, *row[at + 1 :]) for row in rows["MemoryEvent"]]
    return rows | {"MemoryEvent": events}


async def stored(database: Database, tables: Iterable[str]) -> old_databases.Stored:
    return await database.read(partial(old_databases.stored, tables=set(tables)))


@pytest.fixture
def revision(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rows(revision, tmp_path) -> old_databases.Stored:
    """Every row of a version's dump."""
    file = tmp_path / "dump.db"
    old_databases.restore(revision, file)
    engine = engine_of(f"sqlite:///{file}")
    with engine.connect() as connection:
        found = old_databases.stored(connection, set(inspect(connection).get_table_names()))
    engine.dispose()
    return found


@pytest.fixture
def old_url(revision, rows, tmp_path, sql_server) -> Iterator[str]:
    """The URL of a database as that version left it."""
    if sql_server is None:
        old_databases.restore(revision, tmp_path / "kith.db")
        yield f"sqlite:///{tmp_path / 'kith.db'}"
        return
    given = os.environ[own_database.ENVIRONMENT_NAME]
    with own_database.own_database(given, f"_{revision}") as url:
        engine = engine_of(url)
        with engine.begin() as connection:
            migrations.upgrade(connection, revision)
            old_databases.copy(rows, connection)
        engine.dispose()
        yield url


def test_every_earlier_version_has_left_a_database():
    for one in EARLIER:
        assert old_databases.dump_of(one).exists(), f"python -m tests.old_databases {one}"


@pytest.mark.parametrize("revision", EARLIER, indirect=True)
async def test_what_an_earlier_version_stored_is_there_and_of_use(revision, rows, old_url):
    assert all(rows.values()), "a table of this version has no row in the dump"
    database = open_later(old_url)
    await database.open()
    assert await database.schema_is_current()
    assert await stored(database, rows) == brought_forward(rows, revision)
    clock = ManualClock()
    reader = Reader(database, clock)
    assert [row.text for row in (await reader.show(ADA)).rows] == ["has a dog named Rex"]
    found = await Searcher(database, clock).of_server(GUILD, "dogs", HERE)
    assert [row.text for row in found.rows] == ["has a dog named Rex"]
    await use_every_table(database)
    await Keeper(database, clock).forget_all(ADA)
    assert (await reader.show(ADA)).rows == ()
    await database.close()


async def use_every_table(database: Database) -> None:
    """Write every row once more as it is: what was made later refuses nothing."""

    def unit(session: Session) -> int:
        written = 0
        for table in metadata.sorted_tables:
            keys = [column.name for column in table.primary_key.columns]
            for row in session.execute(table.select()).mappings().all():
                values = {k: v for k, v in row.items() if k not in keys}
                if table.name == "MemoryAudit":  # it may only lose its words
                    values = {"Before": None, "After": None}
                assert not upsert(session, table, {key: row[key] for key in keys}, values)
                written += 1
        return written

    assert await database.write(unit) >= 16


@pytest.mark.parametrize("revision", EARLIER[-1:], indirect=True)
async def test_every_step_can_be_taken_back_and_again(revision, rows, old_url):
    database = open_later(old_url)
    await database.open()
    for earlier in reversed(EARLIER):
        await database.write(migrations.downgrade)
        assert await database.read(migrations.current) == earlier
        assert not await database.schema_is_current()
        left = await database.read(lambda s: inspect(s).get_table_names())
        kept = {name: found for name, found in rows.items() if name in left}
        assert await stored(database, left) == kept
    assert await database.migrate() == (EARLIER[0], migrations.head())
    assert await stored(database, kept) == brought_forward(kept, EARLIER[0])
    found = await Searcher(database, ManualClock()).of_server(GUILD, "dogs", HERE)
    assert len(found.rows) == 1
    await database.close()


@pytest.mark.parametrize("revision", EARLIER[:1], indirect=True)
async def test_there_is_nothing_before_the_first_tables(revision, rows, old_url):
    database = open_later(old_url)
    await database.open(upgrade=False)
    with pytest.raises(NotImplementedError, match="backup"):
        await database.write(migrations.downgrade)
    assert await stored(database, rows) == rows
    await database.close()


@pytest.mark.parametrize("revision", EARLIER[:1], indirect=True)
async def test_of_many_who_migrate_at_once_one_does(revision, rows, old_url):
    databases = [open_later(old_url, patience_s=60) for _ in range(4)]
    for database in databases:
        await database.open(upgrade=False)
    before = [one for one, _ in await asyncio.gather(*(one.migrate() for one in databases))]
    assert sorted(before) == ["0001", *[migrations.head()] * 3]
    assert await stored(databases[0], rows) == brought_forward(rows, revision)
    for database in databases:
        await database.close()
