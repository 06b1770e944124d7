"""Writes sql/schema.sql: the tables as T-SQL, for administrators who make them by hand.

Run ``python -m docs.schema_sql`` after a change of the tables and its migration.
"""

from pathlib import Path
from typing import Any, cast

from sqlalchemy import ClauseElement, Dialect
from sqlalchemy.dialects.mssql.pyodbc import MSDialect_pyodbc
from sqlalchemy.schema import CreateIndex, CreateTable

from utils.database.core import migrations
from utils.database.schema.memory_tables import AUDIT_TRIGGERS, metadata
from utils.database.schema.text_triggers import TEXT_TRIGGERS

SCHEMA_FILE = migrations.SCRIPTS / "schema.sql"
SERVER_VERSION = (16, 0)  # SQL Server 2022; a bare dialect would write NTEXT and DATETIME

HEADER = """\
-- Kith's tables for SQL Server, as of schema {revision}.
--
-- Made by `python -m docs.schema_sql` from utils/database/schema; a test compares
-- it with the migrations in sql/versions. Do not edit it: change the tables and run that again.
--
-- Kith makes these tables by itself when its login may (db_ddladmin). Run this file once in an
-- empty database where it may not; then db_datareader and db_datawriter are enough for its login:
--     sqlcmd -S server,1433 -U sa -C -d kith -b -i sql/schema.sql
--
-- Once for each database, when nobody is connected, so that readers and writers never wait for
-- each other:
--     ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON;

SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

BEGIN TRANSACTION;
"""

# Without sqlcmd's -b, the batches after a failed one run all the same, outside of a transaction.
FOOTER = """\
IF XACT_STATE() <> 1
    OR {missing}
BEGIN
    IF @@TRANCOUNT > 0
        ROLLBACK TRANSACTION;
    THROW 51000, N'An earlier batch failed: no schema version is set. Look at the first error.', 1;
END;

CREATE TABLE alembic_version (
\tversion_num VARCHAR(32) NOT NULL,
\tCONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

INSERT INTO alembic_version (version_num) VALUES ('{revision}');

COMMIT;
GO
"""


def sql_server_dialect() -> Dialect:
    """Return the dialect as a connection to a current SQL Server would set it up."""
    dialect: Any = MSDialect_pyodbc(deprecate_large_types=True)  # type: ignore[no-untyped-call]
    dialect.server_version_info = SERVER_VERSION
    dialect._setup_version_attributes()
    return cast(Dialect, dialect)


def render() -> str:
    """Return the whole of sql/schema.sql."""
    dialect = sql_server_dialect()

    def statement(element: ClauseElement) -> str:
        lines = str(element.compile(dialect=dialect)).strip().splitlines()
        return "\n".join(line.rstrip() for line in lines) + ";\n"

    parts = [HEADER.format(revision=migrations.head())]
    for table in metadata.sorted_tables:
        parts.append(statement(CreateTable(table)))
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        parts.extend(statement(CreateIndex(index)) for index in indexes)
    # A trigger must be the only statement of its batch; the transaction goes on across batches.
    triggers = AUDIT_TRIGGERS[dialect.name] + TEXT_TRIGGERS[dialect.name]
    parts.extend(f"GO\n{trigger};\nGO\n" for trigger in triggers)
    names = [trigger.split()[2] for trigger in triggers]
    missing = "\n    OR ".join(f"OBJECT_ID(N'{name}') IS NULL" for name in names)
    parts.append(FOOTER.format(revision=migrations.head(), missing=missing))
    return "\n".join(parts)


if __name__ == "__main__":
    Path(SCHEMA_FILE).write_text(render(), encoding="utf-8")
