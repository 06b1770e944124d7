"""An upgrade from the first schema keeps every row and survives a kill.

Databases and backups with an unknown schema are refused and stay untouched.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Engine, LargeBinary, Table, insert, inspect, select, update

from tests import leftover_copies, own_database
from tests.integration.residue import files_of
from tests.integration.small_units import NOON, file_of, open_later
from utils.common.errors import DatabaseUnusable
from utils.database.core import drivers, migrations
from utils.database.core.engine import Connection
from utils.database.core.queries import upsert
from utils.database.schema.column_types import (
    BoundedText,
    EnumText,
    IdList,
    LongText,
    NameList,
    UtcDateTime,
)
from utils.database.schema.memory_tables import metadata

FIRST, LAST = "k0001", migrations.head()

Rows = dict[str, list[tuple[Any, ...]]]


def sample_value(column: Any) -> object:
    if isinstance(column.type, EnumText):
        return next(iter(column.type.enum))
    if isinstance(column.type, UtcDateTime):
        return NOON
    if isinstance(column.type, BoundedText | LongText):
        return "k"
    if isinstance(column.type, IdList):
        return (1, 2)
    if isinstance(column.type, NameList):
        return ("one", "two")
    return b"\x00\x3c" if isinstance(column.type, LargeBinary) else 1


def columns_in(connection: Connection) -> dict[str, list[str]]:
    """Return those of today's columns that a database has, by table."""
    looked_at = inspect(connection)
    stored = set(looked_at.get_table_names())
    return {
        table.name: [
            column["name"]
            for column in looked_at.get_columns(table.name)
            if column["name"] in table.c
        ]
        for table in metadata.sorted_tables
        if table.name in stored
    }


def insert_samples(connection: Connection) -> None:
    names = columns_in(connection)
    for table in metadata.sorted_tables:
        if table.name in names:
            values = {name: sample_value(table.c[name]) for name in names[table.name]}
            connection.execute(insert(table).values(values).inline())


def all_rows(connection: Connection, names: dict[str, list[str]] | None = None) -> Rows:
    """Return the rows of every table; ``names`` are the columns to read (None: all)."""
    names = names or columns_in(connection)
    tables = {table.name: table for table in metadata.sorted_tables}
    return {
        name: [
            tuple(row)
            for row in connection.execute(
                select(*(tables[name].c[column] for column in columns)).order_by(
                    *tables[name].primary_key
                )
            )
        ]
        for name, columns in names.items()
    }


def write_again(connection: Connection, table: Table) -> None:
    """Write a table's row unchanged: no trigger of a later schema may refuse it."""
    row = dict(connection.execute(table.select()).mappings().one_or_none() or {})
    if not row:  # a later schema made the table
        return
    keys = {column.name: row.pop(column.name) for column in table.primary_key.columns}
    if table.name == "MemoryAudit":  # its texts may only be blanked
        row = {"Before": None, "After": None}
    upsert(connection, table, keys, row)


@pytest.fixture
def first_url(tmp_path, sql_server) -> Iterator[str]:
    """The URL of a database with the first schema and a row in each table."""

    def fill(engine: Engine) -> None:
        with engine.begin() as connection:
            migrations.upgrade(connection, FIRST)
            insert_samples(connection)
        engine.dispose()

    if sql_server is None:
        url = f"sqlite:///{tmp_path / 'kith.db'}"
        fill(drivers.make_engine(drivers.parse_url(url), 1, 2.0))
        yield url
        return
    with own_database.own_database(os.environ[own_database.ENVIRONMENT_NAME], "_first") as url:
        fill(drivers.make_engine(drivers.parse_url(url), 1, 2.0))
        yield url


async def test_an_upgrade_keeps_every_row_writable(first_url):
    database = open_later(first_url)
    await database.open(upgrade=False)
    names = await database.read(columns_in)
    rows = await database.read(all_rows)
    assert all(rows.values())
    assert await database.migrate() == (FIRST, LAST)
    assert await database.schema_is_current()
    assert await database.read(all_rows, names) == rows
    for table in metadata.sorted_tables:
        await database.write(lambda connection, table=table: write_again(connection, table))
    await database.close()


async def test_what_was_computed_from_words_that_are_gone_goes_with_an_upgrade(first_url):
    event, memory = metadata.tables["MemoryEvent"], metadata.tables["UserMemory"]
    copies = [event.c.Stems, memory.c.Topics, memory.c.FactKey, memory.c.SearchStems]
    stale = {event.c.Text: "", memory.c.Memory: ""} | dict.fromkeys(copies, "zanzibar")
    database = open_later(first_url)
    await database.open(upgrade=False)

    def lose_words(connection):
        """Let a second message and memory lose their words, and not what was computed of them."""
        for table, vectors in ((event, "EventEmbedding"), (memory, "MemoryEmbedding")):
            names = columns_in(connection)[table.name]
            values = {name: sample_value(table.c[name]) for name in names}
            values |= {column.name: text for column, text in stale.items() if column.table is table}
            new = {"Id": 2, "MessageId": 2, "Uid": "second"}
            values |= {name: value for name, value in new.items() if name in values}
            connection.execute(insert(table).values(values).inline())
            vector = metadata.tables[vectors]
            values = {
                name: sample_value(vector.c[name]) for name in columns_in(connection)[vectors]
            }
            values |= {"Id": 2, vector.c[1].name: 2}
            connection.execute(insert(vector).values(values).inline())

    await database.write(lose_words)
    rows, names = await database.read(all_rows), await database.read(columns_in)
    assert await database.read(leftover_copies.of_connection) != []
    await database.migrate()
    assert await database.read(leftover_copies.of_connection) == []
    kept = ("MemoryEvent", "UserMemory", "EventEmbedding", "MemoryEmbedding")
    upgraded = await database.read(all_rows, {name: names[name] for name in kept})
    for name in kept:
        assert upgraded[name][0] == rows[name][0]
    await database.close()
    for file in files_of(first_url):
        assert b"zanzibar" not in file.read_bytes()


async def test_words_of_the_turn_before_go_with_an_upgrade(first_url):
    stored = "own", "own\nsource", "own\n§ source\n", "own\nsource\nzanzibar", "\n\nzanzibar"
    memory, mark = metadata.tables["UserMemory"], metadata.tables["NoteMark"]
    database = open_later(first_url)
    await database.open(upgrade=False)
    await database.write(migrations.upgrade, "k0011")

    def remember(connection):
        names = columns_in(connection)["UserMemory"]
        sample = {name: sample_value(memory.c[name]) for name in names}
        for number, stems in enumerate(stored, 2):
            values = sample | {"Id": number, "Uid": str(number), "SearchStems": stems}
            connection.execute(insert(memory).values(values).inline())
        sample = {column.name: sample_value(column) for column in mark.c}
        connection.execute(insert(mark).values(sample | {"MemoryId": 5, "DueAt": None}).inline())

    await database.write(remember)
    await database.migrate()
    due = select(mark.c.DueAt).where(mark.c.MemoryId == 5)
    assert await database.read(lambda connection: connection.scalar(due)) is None
    change = update(memory).where(memory.c.Id == 5).values(ExpiresAt=NOON)
    await database.write(lambda connection: connection.execute(change))
    assert await database.read(lambda connection: connection.scalar(due)) is not None
    stems = select(memory.c.SearchStems).where(memory.c.Id > 1).order_by(memory.c.Id)
    left = await database.read(lambda connection: connection.scalars(stems).all())
    assert left == ["own", "own\nsource", "own\n§ source", "own\nsource", "\n"]
    await database.close()
    for file in files_of(first_url):
        assert b"zanzibar" not in file.read_bytes()


@pytest.mark.parametrize("revision", ["0015", "k9999"])
async def test_an_unknown_schema_is_refused_and_stays_untouched(tmp_path, revision):
    """Development versions had revisions 0001 to 0015, whose tables have the names of today's."""
    url = f"sqlite:///{tmp_path / 'kith.db'}"
    database = open_later(url)
    await database.open()
    await database.close()
    with closing(sqlite3.connect(file_of(url))) as raw:
        raw.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        raw.commit()
    before = file_of(url).read_bytes()
    for upgrade in (False, True):
        with pytest.raises(
            DatabaseUnusable, match=f"schema {revision}, made by .*, so update Kith"
        ):
            await open_later(url).open(upgrade=upgrade)
    assert file_of(url).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kith.db"]
