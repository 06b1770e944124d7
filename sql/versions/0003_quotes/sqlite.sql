ALTER TABLE "UserMemory" ADD COLUMN "Form" VARCHAR(20) DEFAULT 'note' NOT NULL;

ALTER TABLE "MemoryEvidence" ADD COLUMN "VerifiedBy" VARCHAR(20) DEFAULT 'rule' NOT NULL;

ALTER TABLE "MemoryEvidence" ADD COLUMN "VerifierModel" VARCHAR(100) DEFAULT '' NOT NULL;

ALTER TABLE "MemoryEvidence" ADD COLUMN "VerifierHash" VARCHAR(64) DEFAULT '' NOT NULL;

CREATE TABLE "MemoryContext" (
    "GuildId" BIGINT NOT NULL,
    "ContextMessageId" BIGINT NOT NULL,
    "ContextMemoryId" BIGINT NOT NULL,
    "MemoryId" BIGINT NOT NULL,
    CONSTRAINT "PK_MemoryContext" PRIMARY KEY ("GuildId", "ContextMessageId", "ContextMemoryId", "MemoryId")
);

CREATE INDEX "IX_MemoryContext_Memory" ON "MemoryContext" ("MemoryId");

CREATE TABLE "ProposedNote" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "MemoryId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "Note" VARCHAR(500) NOT NULL,
    "Quote" VARCHAR(500) NOT NULL,
    "Kind" VARCHAR(20) NOT NULL,
    "FactKey" VARCHAR(100) NOT NULL,
    "Topics" VARCHAR(200) NOT NULL,
    "Importance" SMALLINT NOT NULL,
    "LifetimeDays" INTEGER,
    "UntilDay" VARCHAR(10) NOT NULL,
    "ConfirmsId" BIGINT,
    "ReplacesId" BIGINT,
    "Source" VARCHAR(20) NOT NULL,
    "Method" VARCHAR(20) NOT NULL,
    "Model" VARCHAR(100) NOT NULL,
    "PromptHash" VARCHAR(64) NOT NULL,
    "Attempts" INTEGER NOT NULL,
    "CreatedAt" DATETIME NOT NULL,
    "NextTryAt" DATETIME NOT NULL,
    "ExpiresAt" DATETIME NOT NULL
);

CREATE INDEX "IX_ProposedNote_ExpiresAt" ON "ProposedNote" ("ExpiresAt");

CREATE INDEX "IX_ProposedNote_Member" ON "ProposedNote" ("GuildId", "UserId", "Id");

CREATE INDEX "IX_ProposedNote_Memory" ON "ProposedNote" ("MemoryId");

CREATE INDEX "IX_ProposedNote_Message" ON "ProposedNote" ("GuildId", "MessageId");

CREATE INDEX "IX_ProposedNote_NextTryAt" ON "ProposedNote" ("NextTryAt");
