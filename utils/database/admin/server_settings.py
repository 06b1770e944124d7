"""SQL Server's settings that matter to Kith, and what to change; `doctor` prints them."""

from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

from sqlalchemy import Connection, text

from utils.common.grouping import grouped
from utils.database.core import drivers, error_codes, migrations
from utils.database.core.sqlcmd import bracketed
from utils.database.schema.memory_tables import metadata
from utils.models.operator import DatabaseSetting

OLDEST_LEVEL = 130  # SQL Server 2016's
ROUND_TRIPS = 5
SLOW_TRIP_MS = 5.0
TABLE_RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE")

SETTINGS = text(
    "SELECT name, is_read_committed_snapshot_on, compatibility_level, collation_name, "
    "is_read_only, USER_NAME() AS user_name, "
    "HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'CREATE TABLE') AS may_create, "
    "HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME()), N'SCHEMA', N'ALTER') AS may_alter "
    "FROM sys.databases WHERE database_id = DB_ID()"
)
_TABLE = "QUOTENAME(SCHEMA_NAME()) + N'.' + QUOTENAME(name)"
_ANSWERS = ", ".join(
    f"HAS_PERMS_BY_NAME({_TABLE}, N'OBJECT', N'{right}') AS may_{right.lower()}"
    for right in TABLE_RIGHTS
)
RIGHTS = text(f"SELECT name, {_ANSWERS} FROM sys.tables WHERE schema_id = SCHEMA_ID()")  # noqa: S608


def load(connection: Connection, monotonic: Callable[[], float]) -> list[DatabaseSetting]:
    """Return the settings, none on SQLite; ``monotonic`` times the round trips."""
    if connection.dialect.name == "sqlite":
        return []
    row = connection.execute(SETTINGS).one()
    driver: Any = connection.connection.driver_connection
    described = drivers.describe(connection.engine.url, driver.getinfo)
    driver_name, _, encryption = described.rpartition(", ")
    encrypted, _, encryption_advice = encryption.partition(" (")
    trips_ms = []
    for _ in range(ROUND_TRIPS):
        began = monotonic()
        connection.execute(text("SELECT 1")).all()
        trips_ms.append((monotonic() - began) * 1000)
    trip_ms = median(trips_ms)
    is_slow = trip_ms > SLOW_TRIP_MS
    advice = "run Kith nearer to the server (docs/internals/scaling.md)" if is_slow else ""
    version = ".".join(str(part) for part in connection.dialect.server_version_info or ())
    server = f"SQL Server {version}, database {row.name}, user {row.user_name}"
    return [
        DatabaseSetting("server", server),
        DatabaseSetting("driver", driver_name),
        DatabaseSetting("encryption", encrypted, encryption_advice.removesuffix(")")),
        DatabaseSetting("round trip", f"{trip_ms:.1f} ms", advice),
        *_database_settings(row),
        *_rights(connection, row.user_name),
        # NULL: the server cannot say.
        _migration_right(connection, 0 not in (row.may_create, row.may_alter), row.user_name),
    ]


def _database_settings(row: Any) -> Iterator[DatabaseSetting]:
    """Yield what an administrator sets for a database, with the statement that changes it."""

    def setting(name: str, value: str, change: str, *, is_fault: bool = False) -> DatabaseSetting:
        advice = f"ALTER DATABASE {bracketed(row.name)} SET {change};" if change else ""
        return DatabaseSetting(name, value, advice, is_fault)

    snapshot, level = row.is_read_committed_snapshot_on, row.compatibility_level
    turn_on = "" if snapshot else "READ_COMMITTED_SNAPSHOT ON WITH ROLLBACK IMMEDIATE"
    yield setting("read committed snapshot", "on" if snapshot else "off", turn_on)
    raise_level = "" if level >= OLDEST_LEVEL else f"COMPATIBILITY_LEVEL = {OLDEST_LEVEL}"
    yield setting("compatibility level", str(level), raise_level)
    yield setting("collation", f"{row.collation_name} (keys have a binary one of their own)", "")
    if row.is_read_only:
        yield setting("access", "read-only", "READ_WRITE", is_fault=True)
    else:
        yield setting("access", "read and write", "")


def _rights(connection: Connection, user: str) -> Iterator[DatabaseSetting]:
    """Yield each right, with the tables on which it is missing.

    With another schema than this program's, none: which tables there will be is not known.
    """
    is_current = migrations.current(connection) == migrations.head()
    rights = {name: answers for name, *answers in connection.execute(RIGHTS)}
    none_seen = [0] * len(TABLE_RIGHTS)  # who has no right sees no table
    missing = grouped(
        (right, table.name)
        for table in (metadata.sorted_tables if is_current else ())
        for right, answer in zip(TABLE_RIGHTS, rights.get(table.name, none_seen), strict=True)
        if answer == 0  # NULL: the server cannot say
    )
    for right in TABLE_RIGHTS:
        tables = missing[right]
        role = error_codes.ROLES[right]
        advice = f"ALTER ROLE {role} ADD MEMBER {bracketed(user)};" if tables else ""
        yield DatabaseSetting(f"right {right}", _summary(tables), advice, is_fault=bool(tables))


def _summary(tables: Sequence[str]) -> str:
    if not tables:
        return "on every table"
    more = f" and {len(tables) - 1} more" if len(tables) > 1 else ""
    return f"missing on {tables[0]}{more}"


def _migration_right(connection: Connection, may_migrate: bool, user: str) -> DatabaseSetting:
    name = "right to change tables"
    if may_migrate:
        return DatabaseSetting(name, "granted")
    if migrations.current(connection) == migrations.head():
        return DatabaseSetting(name, "not granted; only `python bot.py migrate` needs it")
    advice = f"ALTER ROLE db_ddladmin ADD MEMBER {bracketed(user)};"
    return DatabaseSetting(name, "missing", advice, is_fault=True)
