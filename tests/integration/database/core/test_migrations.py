"""The schema: migrations, the tables and sql/schema.sql say the same, and races end well."""

import io
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Table, create_engine, inspect
from sqlalchemy.schema import CreateIndex, CreateTable

from docs import schema_sql
from utils.common.clock import Clock
from utils.common.errors import DatabaseUnusable
from utils.database.core import drivers, migrations
from utils.database.core.engine import Connection, Database
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import AUDIT_TRIGGERS, metadata
from utils.database.schema.text_triggers import TEXT_TRIGGERS

IDENTITIES = (
    *("UserMemory", "MemoryEvent", "MemoryEvidence", "MemoryAudit"),
    *("MemoryEmbedding", "EventEmbedding"),
)


def open_later(url: str) -> Database:
    return Database(url, pool_size=2, clock=Clock())


def file_of(url: str) -> Path:
    return drivers.sqlite_file(drivers.parse_url(url))


def statements(script: str) -> set[object]:
    """Split a T-SQL script into the tables, indexes and triggers that it leaves, whitespace aside.

    A column that was added later is the table's last; what was made may be dropped again.
    """
    without_comments = re.sub(r"(?m)^--.*$|^GO$", "", script)
    made: dict[str, object] = {}  # the statement by what it makes
    for part in (" ".join(part.split()) for part in without_comments.split(";")):
        added = re.match(r"ALTER TABLE (\S+) ADD (.*)", part)
        if added:
            name, columns, keys = made[f"TABLE {added[1]} "]
            made[f"TABLE {added[1]} "] = name, (*columns, added[2]), keys
        elif dropped := re.match(r"ALTER TABLE (\S+) DROP COLUMN (\S+)", part):
            name, columns, keys = made[f"TABLE {dropped[1]} "]
            rest = tuple(column for column in columns if not column.startswith(dropped[2]))
            made[f"TABLE {dropped[1]} "] = name, rest, keys
        elif gone := re.match(r"DROP INDEX (\S+) ON (\S+)", part):
            del made[f"INDEX {gone[1]} ON {gone[2]} "]
        elif whole := re.match(r"DROP TABLE (\S+)", part):
            owned = {f"TABLE {whole[1]} ", *(name for name in made if f" ON {whole[1]} " in name)}
            made = {name: made[name] for name in made if name not in owned}
        elif part.startswith("CREATE"):
            made[part.partition("(")[0].removeprefix("CREATE ")] = parts_of(part)
    return set(made.values())


def parts_of(statement: str) -> object:
    """Return a table's name, its columns in order, and its keys in any; other statements whole."""
    if not statement.startswith("CREATE TABLE"):
        return statement
    name, _, body = statement.partition("(")
    parts = [part.strip() for part in re.split(r",(?![^(]*\))", body.rstrip().removesuffix(")"))]
    keys = frozenset(part for part in parts if part.startswith("CONSTRAINT"))
    return name.strip(), tuple(part for part in parts if part not in keys), keys


def versions(script: str) -> list[str]:
    """Return the schema versions that a script writes down, in order."""
    return re.findall(r"alembic_version.*(?:SET version_num|VALUES \()\W*(k\d{4})", script)


async def test_a_migrated_database_is_what_the_tables_say(database):
    def differences(connection: Connection) -> list[object]:
        if connection.dialect.name == "mssql":
            return differences_on_server(connection)
        return compare_metadata(
            MigrationContext.configure(
                connection, opts={"compare_type": True, "include_name": is_of_the_tables}
            ),
            metadata,
        )

    assert await database.read(differences) == []


def differences_on_server(connection: Connection) -> list[object]:
    """Compare names and columns alone: Alembic takes a server's unique keys for stray indexes.

    The types are compared with sql/schema.sql.
    """
    looked_at = inspect(connection)

    def made(name: str) -> set[object]:
        indexes = {index["name"] for index in looked_at.get_indexes(name)}
        columns = {(column["name"], column["nullable"]) for column in looked_at.get_columns(name)}
        return indexes | columns

    def wanted(table: Table) -> set[object]:
        indexes = {index.name for index in table.indexes}
        return indexes | {(column.name, column.nullable) for column in table.columns}

    return [table.name for table in metadata.sorted_tables if not wanted(table) <= made(table.name)]


def is_of_the_tables(name: str | None, kind: str, _parents: object) -> bool:
    """Leave out what only SQLite has: the full-text index with its shadows."""
    return not (kind == "table" and (name or "").startswith(fts_index.NAME))


async def test_a_migrated_sqlite_file_has_the_very_same_statements(sqlite_url):
    def made_by(script: set[str]) -> set[object]:
        return {parts_of(" ".join(sql.split()).replace('"', "")) for sql in script}

    engine = create_engine("sqlite://")
    wanted = {*AUDIT_TRIGGERS["sqlite"], *TEXT_TRIGGERS["sqlite"], *fts_index.STATEMENTS}
    for table in metadata.sorted_tables:
        wanted.add(str(CreateTable(table).compile(engine)))
        wanted |= {str(CreateIndex(index).compile(engine)) for index in table.indexes}
    with closing(sqlite3.connect(file_of(sqlite_url))) as raw:
        rows = raw.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
            " AND name NOT LIKE 'sqlite_%' AND name <> 'alembic_version'"
            f" AND name NOT GLOB '{fts_index.NAME}_*'"
        )
        assert made_by({row[0] for row in rows}) == made_by(wanted)


def test_schema_sql_is_freshly_rendered():
    assert schema_sql.SCHEMA_FILE.read_text(encoding="utf-8") == schema_sql.render(), (
        "run `python -m docs.schema_sql`"
    )


def test_the_migrations_written_out_for_sql_server_are_schema_sql():
    offline = io.StringIO()
    command.upgrade(migrations.make_config(offline), "head", sql=True)
    rendered = schema_sql.render()
    assert statements(offline.getvalue()) == statements(rendered)
    assert versions(rendered) == [migrations.head()]
    assert versions(offline.getvalue()) == sorted(migrations.known_revisions())


async def test_a_newer_schema_is_refused_and_left_alone(sqlite_url):
    file = file_of(sqlite_url)
    with closing(sqlite3.connect(file)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = 'k9999'")
        raw.commit()
    with pytest.raises(DatabaseUnusable, match="newer Kith") as raised:
        await open_later(sqlite_url).open()
    assert "k9999" in str(raised.value)
    with closing(sqlite3.connect(file)) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [("k9999",)]


async def test_a_migration_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def half(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE Half (Id INTEGER)")
        raise RuntimeError("power cut")

    monkeypatch.setattr(migrations, "upgrade", half)
    with pytest.raises(RuntimeError, match="power cut"):
        await open_later(f"sqlite:///{tmp_path}/kith.db").open()
    monkeypatch.undo()
    database = open_later(f"sqlite:///{tmp_path}/kith.db")
    await database.open()
    assert "Half" not in await database.read(lambda s: inspect(s).get_table_names())
    await database.close()


async def test_every_identity_column_counts_up_for_ever(sqlite_url):
    with closing(sqlite3.connect(file_of(sqlite_url))) as raw:
        for name in IDENTITIES:
            (sql,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
            assert "INTEGER NOT NULL" in sql
            assert "AUTOINCREMENT" in sql
