"""The triggers that delete a vector when its text is changed or removed, by any statement.

A foreign key deletes the vector of a deleted row. The triggers cover rows that stay: memories that
are forgotten, superseded or edited, and messages whose text changes.
"""

VECTOR_TRIGGERS = {
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
    ),
}
