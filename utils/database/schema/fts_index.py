"""SQLite's full-text index of memories, updated by triggers; SQL Server has none.

For each memory that is neither superseded nor forgotten, it indexes a word for the server, the
stems of the text (the first line of SearchStems) and the topics. It stores no copy of the rows: a
view supplies the words. Porter's stemmer makes "games" and "gaming" one topic. The ``ascii``
tokenizer splits at blanks and keeps words of other scripts whole.
"""

from sqlalchemy import Connection

from utils.common.errors import DatabaseUnusable

NAME = "MemorySearch"
VIEW = """\
CREATE VIEW "MemoryWords" AS
SELECT "Id", 'g_' || "GuildId" || ' '
    || substr("SearchStems", 1, instr("SearchStems" || char(10), char(10)) - 1)
    || ' ' || "Topics" AS "Words"
FROM "UserMemory" WHERE "Status" IN ('active', 'proposed', 'shadow')"""
TABLE = """\
CREATE VIRTUAL TABLE "MemorySearch" USING fts5("Words", content='MemoryWords', content_rowid='Id',
    detail=none, columnsize=0, tokenize="porter ascii tokenchars '._'")"""
TRIGGERS = {
    "TR_UserMemory_Searched": """\
CREATE TRIGGER TR_UserMemory_Searched AFTER INSERT ON "UserMemory"
BEGIN
    INSERT INTO "MemorySearch" (rowid, "Words")
    SELECT "Id", "Words" FROM "MemoryWords" WHERE "Id" = NEW."Id";
END""",
    "TR_UserMemory_Unsearched": """\
CREATE TRIGGER TR_UserMemory_Unsearched BEFORE DELETE ON "UserMemory"
BEGIN
    INSERT INTO "MemorySearch" ("MemorySearch", rowid, "Words")
    SELECT 'delete', "Id", "Words" FROM "MemoryWords" WHERE "Id" = OLD."Id";
END""",
    "TR_UserMemory_ToBeSearchedAnew": """\
CREATE TRIGGER TR_UserMemory_ToBeSearchedAnew BEFORE UPDATE
    OF "Id", "GuildId", "Status", "SearchStems", "Topics" ON "UserMemory"
WHEN OLD."Id" <> NEW."Id" OR OLD."GuildId" <> NEW."GuildId" OR OLD."Status" <> NEW."Status"
    OR OLD."SearchStems" <> NEW."SearchStems" OR OLD."Topics" <> NEW."Topics"
BEGIN
    INSERT INTO "MemorySearch" ("MemorySearch", rowid, "Words")
    SELECT 'delete', "Id", "Words" FROM "MemoryWords" WHERE "Id" = OLD."Id";
END""",
    "TR_UserMemory_SearchedAnew": """\
CREATE TRIGGER TR_UserMemory_SearchedAnew AFTER UPDATE
    OF "Id", "GuildId", "Status", "SearchStems", "Topics" ON "UserMemory"
WHEN OLD."Id" <> NEW."Id" OR OLD."GuildId" <> NEW."GuildId" OR OLD."Status" <> NEW."Status"
    OR OLD."SearchStems" <> NEW."SearchStems" OR OLD."Topics" <> NEW."Topics"
BEGIN
    INSERT INTO "MemorySearch" (rowid, "Words")
    SELECT "Id", "Words" FROM "MemoryWords" WHERE "Id" = NEW."Id";
END""",
}
STATEMENTS = (VIEW, TABLE, *TRIGGERS.values())
MAX_EXAMINED = 20_000  # memories that one search looks at where an index does not choose them
THERE = "full-text search"
NOT_THERE = f"no full-text index (/mod search looks at the newest {MAX_EXAMINED:,} memories only)"


def exists(connection: Connection) -> bool:
    """Return whether the database has the index; without it, search scans the newest rows only."""
    if connection.dialect.name != "sqlite":
        return False
    row = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = ?", (NAME,))
    return row.first() is not None


def describe(connection: Connection) -> str:
    """Return for ``doctor`` whether there is an index."""
    return THERE if exists(connection) else NOT_THERE


def refuse_unusable(connection: Connection) -> None:
    """Raise DatabaseUnusable when SQLite cannot keep the index that its file has."""
    fts5 = connection.exec_driver_sql("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
    if fts5.first() is None and exists(connection):
        raise DatabaseUnusable(
            "This database has a full-text index, and this build of SQLite cannot keep it (FTS5 is "
            "missing); run Kith with a Python whose SQLite has FTS5, as those of python.org and "
            "Debian do."
        )


def optimize(connection: Connection) -> None:
    """Rewrite the index without deleted entries, which it only hides until then.

    Takes about two seconds for a million rows, and no time if nothing has changed.
    """
    if exists(connection):
        merge = f'INSERT INTO "{NAME}" ("{NAME}") VALUES (\'optimize\')'  # noqa: S608 - a constant
        connection.exec_driver_sql(merge)
