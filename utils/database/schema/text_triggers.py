"""The triggers that keep copies in step with a text that is changed or removed, by any statement.

They delete its vector. A foreign key deletes the vector of a deleted row; the triggers cover rows
that stay: memories that are forgotten, superseded or edited, and messages whose text changes.
The lines on Discord that show a note are due to be looked at.
"""

TEXT_TRIGGERS = {
    "sqlite": (
        """\
CREATE TRIGGER TR_UserMemory_Vector AFTER UPDATE OF "Memory", "Status" ON "UserMemory"
WHEN NEW."Memory" <> OLD."Memory" OR NEW."Status" IN ('superseded', 'forgotten')
BEGIN
    DELETE FROM "MemoryEmbedding" WHERE "MemoryId" = NEW."Id";
END""",
        """\
CREATE TRIGGER TR_MemoryEvent_Vector AFTER UPDATE OF "Text" ON "MemoryEvent"
WHEN NEW."Text" <> OLD."Text"
BEGIN
    DELETE FROM "EventEmbedding" WHERE "EventId" = NEW."Id";
END""",
        """\
CREATE TRIGGER TR_UserMemory_Noted AFTER UPDATE OF "Status", "ExpiresAt", "SearchStems"
ON "UserMemory"
BEGIN
    UPDATE "NoteMark" SET "DueAt" = '2000-01-01 00:00:00.000000' WHERE "MemoryId" = NEW."Id";
END""",
        """\
CREATE TRIGGER TR_UserMemory_NotedGone AFTER DELETE ON "UserMemory"
BEGIN
    UPDATE "NoteMark" SET "DueAt" = '2000-01-01 00:00:00.000000' WHERE "MemoryId" = OLD."Id";
END""",
    ),
    "mssql": (
        """\
CREATE TRIGGER [TR_UserMemory_Vector] ON [UserMemory] AFTER UPDATE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Memory]) OR UPDATE([Status])
        DELETE gone FROM [MemoryEmbedding] AS gone
        JOIN inserted AS new ON new.[Id] = gone.[MemoryId]
        JOIN deleted AS old ON old.[Id] = new.[Id]
        WHERE new.[Status] IN ('superseded', 'forgotten')
            OR new.[Memory] <> old.[Memory] COLLATE Latin1_General_100_BIN2;
END""",
        """\
CREATE TRIGGER [TR_MemoryEvent_Vector] ON [MemoryEvent] AFTER UPDATE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Text])
        DELETE gone FROM [EventEmbedding] AS gone
        JOIN inserted AS new ON new.[Id] = gone.[EventId]
        JOIN deleted AS old ON old.[Id] = new.[Id]
        WHERE new.[Text] <> old.[Text] COLLATE Latin1_General_100_BIN2;
END""",
        """\
CREATE TRIGGER [TR_UserMemory_Noted] ON [UserMemory] AFTER UPDATE, DELETE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Status]) OR UPDATE([ExpiresAt]) OR UPDATE([SearchStems])
        OR NOT EXISTS (SELECT 1 FROM inserted)
        UPDATE mark SET [DueAt] = '2000-01-01' FROM [NoteMark] AS mark
        JOIN deleted AS old ON old.[Id] = mark.[MemoryId];
END""",
    ),
}
