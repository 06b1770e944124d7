"""Searching a server's memories: an index of the newest, and on SQLite a full-text index.

Revision: 0002
Revises: 0001
Why: a moderator's search must answer at once in a server with a million memories. SQL Server looks
at the newest by the plain index; SQLite has FTS5, kept in step by triggers so that no write can
forget it, and filled here from the rows there are. A SQLite without FTS5 does as SQL Server does.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

FULL_TEXT = (
    """\
CREATE VIEW "MemoryWords" AS
SELECT "Id", 'g_' || "GuildId" || ' '
    || substr("SearchStems", 1, instr("SearchStems" || char(10), char(10)) - 1)
    || ' ' || "Topics" AS "Words"
FROM "UserMemory" WHERE "Status" IN ('active', 'proposed', 'shadow')""",
    """\
CREATE VIRTUAL TABLE "MemorySearch" USING fts5("Words", content='MemoryWords', content_rowid='Id',
    detail=none, columnsize=0, tokenize="porter ascii tokenchars '._'")""",
    """\
CREATE TRIGGER TR_UserMemory_Searched AFTER INSERT ON "UserMemory"
BEGIN
    INSERT INTO "MemorySearch" (rowid, "Words")
    SELECT "Id", "Words" FROM "MemoryWords" WHERE "Id" = NEW."Id";
END""",
    """\
CREATE TRIGGER TR_UserMemory_Unsearched BEFORE DELETE ON "UserMemory"
BEGIN
    INSERT INTO "MemorySearch" ("MemorySearch", rowid, "Words")
    SELECT 'delete', "Id", "Words" FROM "MemoryWords" WHERE "Id" = OLD."Id";
END""",
    """\
CREATE TRIGGER TR_UserMemory_ToBeSearchedAnew BEFORE UPDATE
    OF "Id", "GuildId", "Status", "SearchStems", "Topics" ON "UserMemory"
WHEN OLD."Id" <> NEW."Id" OR OLD."GuildId" <> NEW."GuildId" OR OLD."Status" <> NEW."Status"
    OR OLD."SearchStems" <> NEW."SearchStems" OR OLD."Topics" <> NEW."Topics"
BEGIN
    INSERT INTO "MemorySearch" ("MemorySearch", rowid, "Words")
    SELECT 'delete', "Id", "Words" FROM "MemoryWords" WHERE "Id" = OLD."Id";
END""",
    """\
CREATE TRIGGER TR_UserMemory_SearchedAnew AFTER UPDATE
    OF "Id", "GuildId", "Status", "SearchStems", "Topics" ON "UserMemory"
WHEN OLD."Id" <> NEW."Id" OR OLD."GuildId" <> NEW."GuildId" OR OLD."Status" <> NEW."Status"
    OR OLD."SearchStems" <> NEW."SearchStems" OR OLD."Topics" <> NEW."Topics"
BEGIN
    INSERT INTO "MemorySearch" (rowid, "Words")
    SELECT "Id", "Words" FROM "MemoryWords" WHERE "Id" = NEW."Id";
END""",
)
FILL = 'INSERT INTO "MemorySearch" ("MemorySearch") VALUES (\'rebuild\')'
HAS_FTS5 = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"


def upgrade() -> None:
    op.create_index("IX_UserMemory_Newest", "UserMemory", ["GuildId", "Id"])
    if op.get_context().dialect.name == "sqlite":
        _create_full_text_index()


def downgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        _drop_full_text_index()
    op.drop_index("IX_UserMemory_Newest", "UserMemory")


def _create_full_text_index() -> None:
    connection = op.get_bind()
    if connection.exec_driver_sql(HAS_FTS5).first() is None:
        return
    for statement in (*FULL_TEXT, FILL):
        connection.exec_driver_sql(statement)


def _drop_full_text_index() -> None:
    for trigger in ("Searched", "Unsearched", "ToBeSearchedAnew", "SearchedAnew"):
        op.execute(f"DROP TRIGGER IF EXISTS TR_UserMemory_{trigger}")
    op.execute('DROP TABLE IF EXISTS "MemorySearch"')
    op.execute('DROP VIEW IF EXISTS "MemoryWords"')
