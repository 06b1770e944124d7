CREATE TABLE "PendingAnswer" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "PartIds" TEXT,
    "Attempts" INTEGER NOT NULL,
    "AskedAt" DATETIME NOT NULL,
    "DueAt" DATETIME NOT NULL,
    CONSTRAINT "UQ_PendingAnswer_GuildId_MessageId" UNIQUE ("GuildId", "MessageId")
);

CREATE INDEX "IX_PendingAnswer_DueAt" ON "PendingAnswer" ("DueAt");
