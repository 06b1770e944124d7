-- The full-text index of memories, where SQLite has FTS5. A blank line ends each statement.

CREATE VIEW "MemoryWords" AS
SELECT "Id", 'g_' || "GuildId" || ' '
    || substr("SearchStems", 1, instr("SearchStems" || char(10), char(10)) - 1)
    || ' ' || "Topics" AS "Words"
FROM "UserMemory" WHERE "Status" IN ('active', 'proposed', 'shadow');

CREATE VIRTUAL TABLE "MemorySearch" USING fts5("Words", content='MemoryWords', content_rowid='Id',
    detail=none, columnsize=0, tokenize="porter ascii tokenchars '._'");

CREATE TRIGGER TR_UserMemory_Searched AFTER INSERT ON "UserMemory"
BEGIN
    INSERT INTO "MemorySearch" (rowid, "Words")
    SELECT "Id", "Words" FROM "MemoryWords" WHERE "Id" = NEW."Id";
END;

CREATE TRIGGER TR_UserMemory_Unsearched BEFORE DELETE ON "UserMemory"
BEGIN
    INSERT INTO "MemorySearch" ("MemorySearch", rowid, "Words")
    SELECT 'delete', "Id", "Words" FROM "MemoryWords" WHERE "Id" = OLD."Id";
END;

CREATE TRIGGER TR_UserMemory_ToBeSearchedAnew BEFORE UPDATE
    OF "Id", "GuildId", "Status", "SearchStems", "Topics" ON "UserMemory"
WHEN OLD."Id" <> NEW."Id" OR OLD."GuildId" <> NEW."GuildId" OR OLD."Status" <> NEW."Status"
    OR OLD."SearchStems" <> NEW."SearchStems" OR OLD."Topics" <> NEW."Topics"
BEGIN
    INSERT INTO "MemorySearch" ("MemorySearch", rowid, "Words")
    SELECT 'delete', "Id", "Words" FROM "MemoryWords" WHERE "Id" = OLD."Id";
END;

CREATE TRIGGER TR_UserMemory_SearchedAnew AFTER UPDATE
    OF "Id", "GuildId", "Status", "SearchStems", "Topics" ON "UserMemory"
WHEN OLD."Id" <> NEW."Id" OR OLD."GuildId" <> NEW."GuildId" OR OLD."Status" <> NEW."Status"
    OR OLD."SearchStems" <> NEW."SearchStems" OR OLD."Topics" <> NEW."Topics"
BEGIN
    INSERT INTO "MemorySearch" (rowid, "Words")
    SELECT "Id", "Words" FROM "MemoryWords" WHERE "Id" = NEW."Id";
END;
