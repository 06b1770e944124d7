"""SQLite's full-text index of what is remembered, kept in step by triggers; SQL Server has none.

Of each row that is neither superseded nor forgotten it holds a word for its server, the stems of
its text (the first line of SearchStems) and its topics, and nothing of what else was said. It has
no copy of the rows: the view tells it what to add, and what to take away. Porter's stemmer makes
"games" and "gaming" one topic; ``ascii`` cuts at blanks and leaves every other script whole.
"""

from sqlalchemy import Connection

from utils.errors import DatabaseUnusable

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
MOST_LOOKED_AT = 20_000  # memories that one search looks at where an index does not choose them
THERE = "full-text search"
NOT_THERE = f"no full-text index (/mod search looks at the newest {MOST_LOOKED_AT:,} memories only)"
NEEDS_FTS5 = (
    "This database has a full-text index, and this build of SQLite cannot keep it (FTS5 is "
    "missing); run Kith with a Python whose SQLite has FTS5, as those of python.org and Debian do."
)


def is_there(connection: Connection) -> bool:
    """Whether the database has the index; without it, searching looks at the newest rows only."""
    if connection.dialect.name != "sqlite":
        return False
    found = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = ?", (NAME,))
    return found.first() is not None


def in_words(connection: Connection) -> str:
    """Say for ``doctor`` whether there is one."""
    return THERE if is_there(connection) else NOT_THERE


def refuse_unusable(connection: Connection) -> None:
    """Raise DatabaseUnusable when SQLite cannot keep the index that its file has."""
    known = connection.exec_driver_sql("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
    if known.first() is None and is_there(connection):
        raise DatabaseUnusable(NEEDS_FTS5)


def shed_erased(connection: Connection) -> None:
    """Write the index anew without what was taken from it: until then it only hides that.

    About two seconds for a million rows; nothing at all when nothing has changed since.
    """
    if is_there(connection):
        merge = f'INSERT INTO "{NAME}" ("{NAME}") VALUES (\'optimize\')'  # noqa: S608 - a constant
        connection.exec_driver_sql(merge)
