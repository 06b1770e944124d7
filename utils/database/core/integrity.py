"""What a database is like: sound or not, which version, schema and driver. Only reads."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, text

from utils.common.errors import DatabaseUnusable
from utils.database.core import drivers, error_codes, migrations
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import heartbeat

TEST_ROW = "doctor:0"


def describe(connection: Connection) -> str:
    """Describe a database in one line.

    Raises DatabaseUnusable when it is damaged, or newer than this program.
    """
    if connection.dialect.name == "sqlite":
        return _describe_sqlite(connection)
    return _describe_sql_server(connection)


def quick_check(connection: Connection) -> None:
    """Raise DatabaseUnusable if a SQLite file is damaged."""
    if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
        raise DatabaseUnusable(error_codes.CORRUPT)


def write_test_row(connection: Connection) -> None:
    """Write a row and remove it again: proves that the disk has room and the login may write."""
    row = {"Process": TEST_ROW, "At": datetime.now(UTC), "State": "doctor"}
    connection.execute(delete(heartbeat).where(heartbeat.c.Process == TEST_ROW))
    connection.execute(insert(heartbeat).values(row))
    connection.execute(delete(heartbeat).where(heartbeat.c.Process == TEST_ROW))


def _schema_words(connection: Connection) -> str:
    migrations.refuse_unknown(connection)
    revision = migrations.current(connection)
    if revision == migrations.head():
        return f"schema {revision} (current)"
    return f"schema {revision or 'none'} (needs {migrations.head()}: run `python bot.py migrate`)"


def _describe_sqlite(connection: Connection) -> str:
    quick_check(connection)
    version = connection.exec_driver_sql("SELECT sqlite_version()").scalar_one()
    journal = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
    search = fts_index.describe(connection)
    return f"SQLite {version}, {_schema_words(connection)}, journal {journal}, {search}"


def _describe_sql_server(connection: Connection) -> str:
    version = ".".join(str(part) for part in connection.dialect.server_version_info or ())
    snapshot = connection.execute(
        text("SELECT is_read_committed_snapshot_on FROM sys.databases WHERE database_id = DB_ID()")
    ).scalar()
    advice = "on" if snapshot else "OFF (turn it on: see sql/schema.sql)"
    driver: Any = connection.connection.driver_connection
    return (
        f"SQL Server {version}, {_schema_words(connection)}, read committed snapshot {advice}, "
        f"{drivers.describe(connection.engine.url, driver.getinfo)}"
    )
