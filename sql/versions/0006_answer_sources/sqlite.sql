CREATE TABLE "AnswerSource" (
    "EventId" INTEGER NOT NULL,
    "Kind" VARCHAR(20) NOT NULL,
    "SourceId" BIGINT NOT NULL,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "Role" VARCHAR(20) NOT NULL,
    CONSTRAINT "PK_AnswerSource" PRIMARY KEY ("EventId", "Kind", "SourceId"),
    CONSTRAINT "FK_AnswerSource_EventId" FOREIGN KEY("EventId") REFERENCES "MemoryEvent" ("Id") ON DELETE CASCADE
);

CREATE INDEX "IX_AnswerSource_Member" ON "AnswerSource" ("GuildId", "UserId");

CREATE INDEX "IX_AnswerSource_Source" ON "AnswerSource" ("GuildId", "Kind", "SourceId");

CREATE TABLE "LoopSource" (
    "LoopId" INTEGER NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "GuildId" BIGINT NOT NULL,
    CONSTRAINT "PK_LoopSource" PRIMARY KEY ("LoopId", "MessageId"),
    CONSTRAINT "FK_LoopSource_LoopId" FOREIGN KEY("LoopId") REFERENCES "OpenLoop" ("Id") ON DELETE CASCADE
);

CREATE INDEX "IX_LoopSource_Message" ON "LoopSource" ("GuildId", "MessageId");

CREATE TABLE "AnswerRemoval" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "Attempts" INTEGER NOT NULL,
    "DueAt" DATETIME NOT NULL,
    CONSTRAINT "UQ_AnswerRemoval_GuildId_MessageId" UNIQUE ("GuildId", "MessageId")
);

CREATE INDEX "IX_AnswerRemoval_DueAt" ON "AnswerRemoval" ("DueAt");
