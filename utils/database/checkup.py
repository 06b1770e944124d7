"""What a database is like: sound or not, which version, schema and driver. Only reads."""

from typing import Any

from sqlalchemy import Connection, text

from utils.database import drivers, faults, migrations, search_index
from utils.errors import DatabaseUnusable


def describe(session: Connection) -> str:
    """Describe a database in one line.

    Raises DatabaseUnusable when it is damaged, or newer than this program.
    """
    if session.dialect.name == "sqlite":
        return _describe_sqlite(session)
    return _describe_sql_server(session)


def quick_check(session: Connection) -> None:
    """Raise DatabaseUnusable if a SQLite file is damaged."""
    if session.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
        raise DatabaseUnusable(faults.CORRUPT)


def _schema_words(session: Connection) -> str:
    migrations.refuse_foreign(session)
    revision = migrations.current(session)
    if revision == migrations.head():
        return f"schema {revision} (current)"
    return f"schema {revision or 'none'} (needs {migrations.head()}: run `python bot.py migrate`)"


def _describe_sqlite(session: Connection) -> str:
    quick_check(session)
    version = session.exec_driver_sql("SELECT sqlite_version()").scalar_one()
    journal = session.exec_driver_sql("PRAGMA journal_mode").scalar_one()
    search = search_index.in_words(session)
    return f"SQLite {version}, {_schema_words(session)}, journal {journal}, {search}"


def _describe_sql_server(session: Connection) -> str:
    version = ".".join(str(part) for part in session.dialect.server_version_info or ())
    snapshot = session.execute(
        text("SELECT is_read_committed_snapshot_on FROM sys.databases WHERE database_id = DB_ID()")
    ).scalar()
    advice = "on" if snapshot else "OFF (turn it on: see sql/schema.sql)"
    driver: Any = session.connection.driver_connection
    return (
        f"SQL Server {version}, {_schema_words(session)}, read committed snapshot {advice}, "
        f"{drivers.in_words(session.engine.url, driver.getinfo)}"
    )
