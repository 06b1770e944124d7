-- Kith's first schema for SQLite. A blank line ends each statement.
-- The full-text index stands apart in sqlite_full_text.sql: not every SQLite has FTS5.

CREATE TABLE "AccountLink" (
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "OtherId" BIGINT NOT NULL,
    "At" DATETIME NOT NULL,
    CONSTRAINT "PK_AccountLink" PRIMARY KEY ("GuildId", "UserId", "OtherId")
);

CREATE TABLE "Alert" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "PlaceId" BIGINT NOT NULL,
    "State" VARCHAR(20) NOT NULL,
    "Signal" VARCHAR(20) NOT NULL,
    "Level" FLOAT NOT NULL,
    "Threshold" FLOAT NOT NULL,
    "OpenedAt" DATETIME NOT NULL,
    "ChangedAt" DATETIME NOT NULL,
    "PostChannelId" BIGINT,
    "PostId" BIGINT,
    "TriedAt" DATETIME,
    "Shown" INTEGER NOT NULL,
    "DecidedById" BIGINT NOT NULL,
    "DecidedAt" DATETIME
);

CREATE INDEX "IX_Alert_ChangedAt" ON "Alert" ("ChangedAt");

CREATE INDEX "IX_Alert_Place" ON "Alert" ("GuildId", "PlaceId", "ChangedAt");

CREATE TABLE "AlertMessage" (
    "GuildId" BIGINT NOT NULL,
    "AlertId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    CONSTRAINT "PK_AlertMessage" PRIMARY KEY ("GuildId", "AlertId", "MessageId")
);

CREATE INDEX "IX_AlertMessage_Member" ON "AlertMessage" ("GuildId", "UserId");

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

CREATE TABLE "Artifact" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "SourceId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "Position" INTEGER NOT NULL,
    "UserId" BIGINT NOT NULL,
    "Kind" VARCHAR(20) NOT NULL,
    "Name" VARCHAR(200) NOT NULL,
    "MediaType" VARCHAR(100) NOT NULL,
    "Size" BIGINT NOT NULL,
    "Sha256" VARCHAR(64) NOT NULL,
    "Url" TEXT NOT NULL,
    "State" VARCHAR(20) NOT NULL,
    "Attempts" INTEGER NOT NULL,
    "Caption" VARCHAR(1000) NOT NULL,
    "CreatedAt" DATETIME NOT NULL,
    "ExpiresAt" DATETIME NOT NULL,
    CONSTRAINT "UQ_Artifact_GuildId_MessageId_Position" UNIQUE ("GuildId", "MessageId", "Position")
);

CREATE INDEX "IX_Artifact_ExpiresAt" ON "Artifact" ("ExpiresAt");

CREATE INDEX "IX_Artifact_Member" ON "Artifact" ("GuildId", "UserId", "Id");

CREATE INDEX "IX_Artifact_Pending" ON "Artifact" ("State", "Id") WHERE State IN ('pending', 'claimed');

CREATE INDEX "IX_Artifact_Sha256" ON "Artifact" ("GuildId", "Sha256");

CREATE TABLE "ArtifactText" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "ArtifactId" BIGINT NOT NULL,
    "Part" INTEGER NOT NULL,
    "Text" VARCHAR(2000) NOT NULL,
    "Stems" TEXT NOT NULL,
    "ExpiresAt" DATETIME NOT NULL,
    CONSTRAINT "UQ_ArtifactText_GuildId_ArtifactId_Part" UNIQUE ("GuildId", "ArtifactId", "Part")
);

CREATE INDEX "IX_ArtifactText_ExpiresAt" ON "ArtifactText" ("ExpiresAt");

CREATE INDEX "IX_ArtifactText_Member" ON "ArtifactText" ("GuildId", "UserId", "Id");

CREATE TABLE "Census" (
    "GuildId" BIGINT NOT NULL,
    "At" DATETIME NOT NULL,
    "Body" TEXT NOT NULL,
    CONSTRAINT "PK_Census" PRIMARY KEY ("GuildId")
);

CREATE TABLE "ChannelMode" (
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "Mode" VARCHAR(50) NOT NULL,
    CONSTRAINT "PK_ChannelMode" PRIMARY KEY ("GuildId", "ChannelId")
);

CREATE TABLE "ChannelPurpose" (
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "Purpose" VARCHAR(20) NOT NULL,
    "Topics" VARCHAR(200),
    CONSTRAINT "PK_ChannelPurpose" PRIMARY KEY ("GuildId", "ChannelId", "Purpose")
);

CREATE TABLE "ChannelState" (
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "ResetEventId" BIGINT NOT NULL,
    CONSTRAINT "PK_ChannelState" PRIMARY KEY ("GuildId", "ChannelId")
);

CREATE TABLE "CommandSync" (
    "ApplicationId" BIGINT NOT NULL,
    "PayloadHash" VARCHAR(64) NOT NULL,
    CONSTRAINT "PK_CommandSync" PRIMARY KEY ("ApplicationId")
);

CREATE TABLE "DailyCount" (
    "GuildId" BIGINT NOT NULL,
    "Day" VARCHAR(10) NOT NULL,
    "Name" VARCHAR(30) NOT NULL,
    "Label" VARCHAR(50) NOT NULL,
    "Count" BIGINT NOT NULL,
    CONSTRAINT "PK_DailyCount" PRIMARY KEY ("GuildId", "Day", "Name", "Label")
);

CREATE INDEX "IX_DailyCount_Day" ON "DailyCount" ("Day", "Name", "Label", "Count");

CREATE TABLE "Episode" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "SourceId" BIGINT NOT NULL,
    "StartedAt" DATETIME NOT NULL,
    "LastAt" DATETIME NOT NULL,
    "FirstEventId" BIGINT NOT NULL,
    "LastEventId" BIGINT NOT NULL,
    "SummarisedId" BIGINT NOT NULL,
    "ClosedAt" DATETIME,
    "ExpiresAt" DATETIME NOT NULL
);

CREATE INDEX "IX_Episode_Channel" ON "Episode" ("GuildId", "ChannelId", "Id");

CREATE INDEX "IX_Episode_ExpiresAt" ON "Episode" ("ExpiresAt");

CREATE INDEX "IX_Episode_Open" ON "Episode" ("LastAt") WHERE ClosedAt IS NULL;

CREATE INDEX "IX_Episode_Unsummarised" ON "Episode" ("GuildId", "ChannelId", "Id") WHERE SummarisedId = 0;

CREATE TABLE "EpisodeMember" (
    "GuildId" BIGINT NOT NULL,
    "EpisodeId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    CONSTRAINT "PK_EpisodeMember" PRIMARY KEY ("GuildId", "EpisodeId", "UserId")
);

CREATE INDEX "IX_EpisodeMember_Member" ON "EpisodeMember" ("GuildId", "UserId");

CREATE TABLE "EpisodeSummary" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "SourceId" BIGINT NOT NULL,
    "EpisodeId" BIGINT NOT NULL,
    "Part" VARCHAR(20) NOT NULL,
    "FirstEventId" BIGINT NOT NULL,
    "LastEventId" BIGINT NOT NULL,
    "Text" VARCHAR(1500) NOT NULL,
    "Structure" TEXT NOT NULL,
    "Stems" TEXT NOT NULL,
    "SaidFrom" DATETIME NOT NULL,
    "SaidTo" DATETIME NOT NULL,
    "Model" VARCHAR(100) NOT NULL,
    "PromptHash" VARCHAR(64) NOT NULL,
    "CreatedAt" DATETIME NOT NULL,
    "ExpiresAt" DATETIME NOT NULL
);

CREATE INDEX "IX_EpisodeSummary_Episode" ON "EpisodeSummary" ("GuildId", "EpisodeId", "Id");

CREATE INDEX "IX_EpisodeSummary_ExpiresAt" ON "EpisodeSummary" ("ExpiresAt");

CREATE INDEX "IX_EpisodeSummary_Newest" ON "EpisodeSummary" ("GuildId", "Id");

CREATE TABLE "ErasureLedger" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "At" DATETIME NOT NULL,
    "Kind" VARCHAR(20) NOT NULL,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT,
    "ChannelId" BIGINT,
    "MessageId" BIGINT,
    "Revision" BIGINT,
    "Uid" VARCHAR(32)
);

CREATE INDEX "IX_ErasureLedger_Member" ON "ErasureLedger" ("GuildId", "UserId", "At");

CREATE TABLE "GuildSettings" (
    "GuildId" BIGINT NOT NULL,
    "Mode" VARCHAR(50) NOT NULL,
    "TimeZone" VARCHAR(64) NOT NULL,
    "BaseRoleId" BIGINT,
    "ConsentDefault" VARCHAR(20) NOT NULL,
    "PolicyVersion" INTEGER NOT NULL,
    "Frozen" BOOLEAN NOT NULL,
    "ModeratorsSeeMembers" BOOLEAN NOT NULL,
    "RemovedAt" DATETIME,
    "ImpliedRoleIds" TEXT,
    "Lore" BOOLEAN DEFAULT '1' NOT NULL,
    "ToolServers" TEXT,
    "TalkRoleIds" TEXT,
    CONSTRAINT "PK_GuildSettings" PRIMARY KEY ("GuildId")
);

CREATE TABLE "Heartbeat" (
    "Process" VARCHAR(100) NOT NULL,
    "At" DATETIME NOT NULL,
    "State" VARCHAR(200) NOT NULL,
    CONSTRAINT "PK_Heartbeat" PRIMARY KEY ("Process")
);

CREATE TABLE "HistoryImport" (
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "FileKey" VARCHAR(64) NOT NULL,
    "LastMessageId" BIGINT NOT NULL,
    "ChangedAt" DATETIME NOT NULL,
    "FinishedAt" DATETIME,
    CONSTRAINT "PK_HistoryImport" PRIMARY KEY ("GuildId", "ChannelId", "FileKey")
);

CREATE TABLE "JobRun" (
    "Name" VARCHAR(50) NOT NULL,
    "SucceededAt" DATETIME NOT NULL,
    "Report" TEXT NOT NULL,
    CONSTRAINT "PK_JobRun" PRIMARY KEY ("Name")
);

CREATE TABLE "Lease" (
    "Name" VARCHAR(150) NOT NULL,
    "Owner" VARCHAR(64) NOT NULL,
    "Fence" BIGINT NOT NULL,
    "Until" DATETIME NOT NULL,
    CONSTRAINT "PK_Lease" PRIMARY KEY ("Name")
);

CREATE TABLE "MemoryAudit" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "MemoryId" BIGINT,
    "At" DATETIME NOT NULL,
    "ActorId" BIGINT NOT NULL,
    "Action" VARCHAR(20) NOT NULL,
    "Before" TEXT,
    "After" TEXT
);

CREATE INDEX "IX_MemoryAudit_Member" ON "MemoryAudit" ("GuildId", "UserId", "Id");

CREATE INDEX "IX_MemoryAudit_Memory" ON "MemoryAudit" ("MemoryId");

CREATE INDEX "IX_MemoryAudit_Newest" ON "MemoryAudit" ("GuildId", "Id");

CREATE TABLE "MemoryContext" (
    "GuildId" BIGINT NOT NULL,
    "ContextMessageId" BIGINT NOT NULL,
    "ContextMemoryId" BIGINT NOT NULL,
    "MemoryId" BIGINT NOT NULL,
    CONSTRAINT "PK_MemoryContext" PRIMARY KEY ("GuildId", "ContextMessageId", "ContextMemoryId", "MemoryId")
);

CREATE INDEX "IX_MemoryContext_Memory" ON "MemoryContext" ("MemoryId");

CREATE TABLE "MemoryEvent" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "SourceId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "Revision" BIGINT NOT NULL,
    "ReplyToId" BIGINT,
    "AuthorId" BIGINT NOT NULL,
    "AuthorName" VARCHAR(100) NOT NULL,
    "Role" VARCHAR(20) NOT NULL,
    "Text" VARCHAR(4000) NOT NULL,
    "Stems" TEXT NOT NULL,
    "AboutIds" TEXT NOT NULL,
    "EpisodeId" BIGINT,
    "State" VARCHAR(20) NOT NULL,
    "Attempts" INTEGER NOT NULL,
    "CreatedAt" DATETIME NOT NULL,
    "ExpiresAt" DATETIME NOT NULL,
    CONSTRAINT "UQ_MemoryEvent_GuildId_MessageId_Revision" UNIQUE ("GuildId", "MessageId", "Revision")
);

CREATE INDEX "IX_MemoryEvent_Author" ON "MemoryEvent" ("GuildId", "AuthorId", "Id");

CREATE INDEX "IX_MemoryEvent_Channel" ON "MemoryEvent" ("GuildId", "ChannelId", "CreatedAt");

CREATE INDEX "IX_MemoryEvent_ExpiresAt" ON "MemoryEvent" ("ExpiresAt");

CREATE INDEX "IX_MemoryEvent_Pending" ON "MemoryEvent" ("State", "Id") WHERE State IN ('pending', 'claimed');

CREATE INDEX "IX_MemoryEvent_ReplyTo" ON "MemoryEvent" ("GuildId", "ReplyToId") WHERE ReplyToId IS NOT NULL;

CREATE INDEX "IX_MemoryEvent_Said" ON "MemoryEvent" ("GuildId", "AuthorId", "MessageId");

CREATE INDEX "IX_MemoryEvent_Talk" ON "MemoryEvent" ("GuildId", "ChannelId", "Id") WHERE State <> 'overheard' AND State <> 'importing' AND State <> 'imported';

CREATE INDEX "IX_MemoryEvent_Undivided" ON "MemoryEvent" ("GuildId", "ChannelId", "Id") WHERE EpisodeId IS NULL;

CREATE TABLE "MemoryEvidence" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "MemoryId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "Quote" VARCHAR(500) NOT NULL,
    "Method" VARCHAR(20) NOT NULL,
    "Model" VARCHAR(100) NOT NULL,
    "PromptHash" VARCHAR(64) NOT NULL,
    "SaidAt" DATETIME NOT NULL,
    "VerifiedBy" VARCHAR(20) DEFAULT 'rule' NOT NULL,
    "VerifierModel" VARCHAR(100) DEFAULT '' NOT NULL,
    "VerifierHash" VARCHAR(64) DEFAULT '' NOT NULL
);

CREATE INDEX "IX_MemoryEvidence_Memory" ON "MemoryEvidence" ("MemoryId");

CREATE INDEX "IX_MemoryEvidence_Message" ON "MemoryEvidence" ("GuildId", "MessageId");

CREATE TABLE "MessageScore" (
    "GuildId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "PlaceId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "SaidAt" DATETIME NOT NULL,
    "Sentiment" FLOAT NOT NULL,
    "Toxicity" FLOAT NOT NULL,
    "Tension" FLOAT NOT NULL,
    "Reason" VARCHAR(200) NOT NULL,
    CONSTRAINT "PK_MessageScore" PRIMARY KEY ("GuildId", "MessageId")
);

CREATE INDEX "IX_MessageScore_Member" ON "MessageScore" ("GuildId", "UserId", "SaidAt");

CREATE INDEX "IX_MessageScore_Place" ON "MessageScore" ("GuildId", "PlaceId", "SaidAt");

CREATE INDEX "IX_MessageScore_SaidAt" ON "MessageScore" ("SaidAt");

CREATE TABLE "ModelChoice" (
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "Model" VARCHAR(100) NOT NULL,
    CONSTRAINT "PK_ModelChoice" PRIMARY KEY ("GuildId", "ChannelId")
);

CREATE TABLE "ModeratorAction" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "AlertId" BIGINT NOT NULL,
    "Act" VARCHAR(20) NOT NULL,
    "UserId" BIGINT NOT NULL,
    "ActorId" BIGINT NOT NULL,
    "At" DATETIME NOT NULL,
    "Amount" INTEGER NOT NULL,
    "Done" BOOLEAN NOT NULL,
    CONSTRAINT "UQ_ModeratorAction_GuildId_AlertId_Act_UserId" UNIQUE ("GuildId", "AlertId", "Act", "UserId")
);

CREATE INDEX "IX_ModeratorAction_At" ON "ModeratorAction" ("At");

CREATE INDEX "IX_ModeratorAction_Member" ON "ModeratorAction" ("GuildId", "UserId");

CREATE TABLE "OpenLoop" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "SourceId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "Kind" VARCHAR(20) NOT NULL,
    "Text" VARCHAR(300) NOT NULL,
    "State" VARCHAR(20) NOT NULL,
    "DueAt" DATETIME,
    "CreatedAt" DATETIME NOT NULL,
    "ExpiresAt" DATETIME NOT NULL,
    "Offers" INTEGER DEFAULT '0' NOT NULL,
    "FirstOfferedAt" DATETIME,
    "LastOfferedAt" DATETIME
);

CREATE INDEX "IX_OpenLoop_DueAt" ON "OpenLoop" ("Kind", "DueAt");

CREATE INDEX "IX_OpenLoop_ExpiresAt" ON "OpenLoop" ("ExpiresAt");

CREATE INDEX "IX_OpenLoop_Member" ON "OpenLoop" ("GuildId", "UserId", "Id");

CREATE INDEX "IX_OpenLoop_Message" ON "OpenLoop" ("GuildId", "MessageId");

CREATE TABLE "PassiveRefusal" (
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    CONSTRAINT "PK_PassiveRefusal" PRIMARY KEY ("GuildId", "UserId")
);

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

CREATE TABLE "Persona" (
    "GuildId" BIGINT NOT NULL,
    "Name" VARCHAR(32) NOT NULL,
    "Text" VARCHAR(2000) NOT NULL,
    "CreatedById" BIGINT NOT NULL,
    "CreatedAt" DATETIME NOT NULL,
    "ChangedById" BIGINT NOT NULL,
    "ChangedAt" DATETIME NOT NULL,
    CONSTRAINT "PK_Persona" PRIMARY KEY ("GuildId", "Name")
);

CREATE TABLE "PolicyVersion" (
    "GuildId" BIGINT NOT NULL,
    "Version" INTEGER NOT NULL,
    "At" DATETIME NOT NULL,
    "ActorId" BIGINT NOT NULL,
    "Reason" VARCHAR(200) NOT NULL,
    "Policy" TEXT NOT NULL,
    CONSTRAINT "PK_PolicyVersion" PRIMARY KEY ("GuildId", "Version")
);

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

CREATE TABLE "ReadPolicyUse" (
    "Role" VARCHAR(20) NOT NULL,
    "Version" INTEGER NOT NULL,
    "Since" DATETIME NOT NULL,
    "Until" DATETIME,
    "RollsBack" BOOLEAN NOT NULL,
    CONSTRAINT "PK_ReadPolicyUse" PRIMARY KEY ("Role")
);

CREATE TABLE "ReadPolicyVersion" (
    "Version" INTEGER NOT NULL,
    "At" DATETIME NOT NULL,
    "Actor" VARCHAR(100) NOT NULL,
    "Reason" VARCHAR(200) NOT NULL,
    "Policy" TEXT NOT NULL,
    "Previous" INTEGER,
    CONSTRAINT "PK_ReadPolicyVersion" PRIMARY KEY ("Version")
);

CREATE TABLE "RoastRefusal" (
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "At" DATETIME NOT NULL,
    CONSTRAINT "PK_RoastRefusal" PRIMARY KEY ("GuildId", "UserId")
);

CREATE TABLE "ShadowRecall" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "At" DATETIME NOT NULL,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "ActiveVersion" INTEGER NOT NULL,
    "ShadowVersion" INTEGER NOT NULL,
    "ActiveIds" TEXT NOT NULL,
    "ShadowIds" TEXT NOT NULL,
    "ActiveTokens" INTEGER NOT NULL,
    "ShadowTokens" INTEGER NOT NULL,
    "ActiveMs" FLOAT NOT NULL,
    "ShadowMs" FLOAT NOT NULL
);

CREATE INDEX "IX_ShadowRecall_At" ON "ShadowRecall" ("At");

CREATE INDEX "IX_ShadowRecall_Member" ON "ShadowRecall" ("GuildId", "UserId");

CREATE TABLE "Tension" (
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "Level" FLOAT NOT NULL,
    "At" DATETIME NOT NULL,
    "Raised" BOOLEAN NOT NULL,
    CONSTRAINT "PK_Tension" PRIMARY KEY ("GuildId", "ChannelId", "UserId")
);

CREATE INDEX "IX_Tension_At" ON "Tension" ("At");

CREATE TABLE "TokenUse" (
    "GuildId" BIGINT NOT NULL,
    "Day" VARCHAR(10) NOT NULL,
    "UserId" BIGINT NOT NULL,
    "Purpose" VARCHAR(20) NOT NULL,
    "Model" VARCHAR(100) DEFAULT '' NOT NULL,
    "Calls" INTEGER NOT NULL,
    "PromptTokens" BIGINT NOT NULL,
    "CompletionTokens" BIGINT NOT NULL,
    CONSTRAINT "PK_TokenUse" PRIMARY KEY ("GuildId", "Day", "UserId", "Purpose", "Model")
);

CREATE INDEX "IX_TokenUse_Day" ON "TokenUse" ("Day", "Purpose", "Model", "Calls", "PromptTokens", "CompletionTokens");

CREATE TABLE "Tombstone" (
    "GuildId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "Revision" BIGINT NOT NULL,
    CONSTRAINT "PK_Tombstone" PRIMARY KEY ("GuildId", "MessageId")
)
 WITHOUT ROWID;

CREATE TABLE "UserMemory" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "Uid" VARCHAR(32) NOT NULL,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "Memory" VARCHAR(500) NOT NULL,
    "Topics" VARCHAR(200) NOT NULL,
    "Importance" SMALLINT NOT NULL,
    "Kind" VARCHAR(20) NOT NULL,
    "FactKey" VARCHAR(100) NOT NULL,
    "Source" VARCHAR(20) NOT NULL,
    "Status" VARCHAR(20) NOT NULL,
    "Confidence" FLOAT NOT NULL,
    "EvidenceCount" INTEGER NOT NULL,
    "SearchStems" TEXT NOT NULL,
    "CreatedAt" DATETIME NOT NULL,
    "ExpiresAt" DATETIME,
    "LastConfirmedAt" DATETIME NOT NULL,
    "LastUsedAt" DATETIME,
    "UseCount" INTEGER NOT NULL,
    "SupersededById" BIGINT,
    "Form" VARCHAR(20) DEFAULT 'note' NOT NULL,
    "ChangedVersion" BIGINT DEFAULT '0' NOT NULL,
    CONSTRAINT "CK_UserMemory_Importance" CHECK (Importance BETWEEN 1 AND 3),
    CONSTRAINT "UQ_UserMemory_Uid" UNIQUE ("Uid")
);

-- The first, because SQLite prefers the last where several would do, and this one is the largest.
CREATE INDEX "IX_UserMemory_Recall" ON "UserMemory" ("GuildId", "UserId", "Id", "ChannelId", "Memory", "Topics", "Importance", "Kind", "Status", "Confidence", "SearchStems", "CreatedAt", "LastConfirmedAt", "ExpiresAt", "Form");

CREATE INDEX "IX_UserMemory_Changed" ON "UserMemory" ("GuildId", "UserId", "ChangedVersion", "Status", "ExpiresAt");

CREATE INDEX "IX_UserMemory_ExpiresAt" ON "UserMemory" ("ExpiresAt") WHERE ExpiresAt IS NOT NULL;

CREATE UNIQUE INDEX "IX_UserMemory_Member" ON "UserMemory" ("GuildId", "UserId", "Id");

CREATE INDEX "IX_UserMemory_Newest" ON "UserMemory" ("GuildId", "Id");

CREATE INDEX "IX_UserMemory_Waiting" ON "UserMemory" ("GuildId", "Id") WHERE Status = 'proposed';

CREATE TABLE "UserState" (
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "UserNotes" TEXT NOT NULL,
    "NotesRowIds" TEXT NOT NULL,
    "Consent" VARCHAR(20),
    "PassiveOptIn" BOOLEAN NOT NULL,
    "MemoryVersion" BIGINT NOT NULL,
    "LastSeenAt" DATETIME,
    "LeftAt" DATETIME,
    "ConsentAskedAt" DATETIME,
    "Ignored" BOOLEAN NOT NULL,
    "TimeZone" VARCHAR(64),
    CONSTRAINT "PK_UserState" PRIMARY KEY ("GuildId", "UserId")
);

CREATE INDEX "IX_UserState_User" ON "UserState" ("UserId");

CREATE TABLE "WaitingMessage" (
    "GuildId" BIGINT NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "PlaceId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "AuthorName" VARCHAR(100) NOT NULL,
    "Text" VARCHAR(4000) NOT NULL,
    "CreatedAt" DATETIME NOT NULL,
    "ReplyToId" BIGINT,
    "Revision" BIGINT NOT NULL,
    CONSTRAINT "PK_WaitingMessage" PRIMARY KEY ("GuildId", "MessageId")
);

CREATE INDEX "IX_WaitingMessage_Member" ON "WaitingMessage" ("GuildId", "UserId");

CREATE INDEX "IX_WaitingMessage_Place" ON "WaitingMessage" ("GuildId", "PlaceId", "MessageId");

CREATE TABLE "WatchSettings" (
    "GuildId" BIGINT NOT NULL,
    "TensionAlert" FLOAT NOT NULL,
    "ToxicityAlert" FLOAT NOT NULL,
    "HalfLifeHours" FLOAT NOT NULL,
    "Prefilter" VARCHAR(20),
    "PingRoleId" BIGINT,
    "AutoTimeout" BOOLEAN NOT NULL,
    "AutoToxicity" FLOAT NOT NULL,
    "AutoMinutes" INTEGER NOT NULL,
    "AutoDryRun" BOOLEAN NOT NULL,
    CONSTRAINT "PK_WatchSettings" PRIMARY KEY ("GuildId")
);

CREATE TABLE "WatchedChannel" (
    "GuildId" BIGINT NOT NULL,
    "ChannelId" BIGINT NOT NULL,
    "Memory" VARCHAR(20) NOT NULL,
    "AddedAt" DATETIME NOT NULL,
    "NoticeId" BIGINT,
    CONSTRAINT "PK_WatchedChannel" PRIMARY KEY ("GuildId", "ChannelId")
);

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

CREATE TABLE "EventEmbedding" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "EventId" INTEGER NOT NULL,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "Model" VARCHAR(200) NOT NULL,
    "Vector" BLOB NOT NULL,
    CONSTRAINT "UQ_EventEmbedding_EventId" UNIQUE ("EventId"),
    CONSTRAINT "FK_EventEmbedding_EventId" FOREIGN KEY("EventId") REFERENCES "MemoryEvent" ("Id") ON DELETE CASCADE
);

CREATE INDEX "IX_EventEmbedding_Member" ON "EventEmbedding" ("GuildId", "UserId", "Id");

CREATE TABLE "LoopSource" (
    "LoopId" INTEGER NOT NULL,
    "MessageId" BIGINT NOT NULL,
    "GuildId" BIGINT NOT NULL,
    CONSTRAINT "PK_LoopSource" PRIMARY KEY ("LoopId", "MessageId"),
    CONSTRAINT "FK_LoopSource_LoopId" FOREIGN KEY("LoopId") REFERENCES "OpenLoop" ("Id") ON DELETE CASCADE
);

CREATE INDEX "IX_LoopSource_Message" ON "LoopSource" ("GuildId", "MessageId");

CREATE TABLE "MemoryEmbedding" (
    "Id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "MemoryId" INTEGER NOT NULL,
    "GuildId" BIGINT NOT NULL,
    "UserId" BIGINT NOT NULL,
    "Model" VARCHAR(200) NOT NULL,
    "Vector" BLOB NOT NULL,
    CONSTRAINT "UQ_MemoryEmbedding_MemoryId" UNIQUE ("MemoryId"),
    CONSTRAINT "FK_MemoryEmbedding_MemoryId" FOREIGN KEY("MemoryId") REFERENCES "UserMemory" ("Id") ON DELETE CASCADE
);

CREATE INDEX "IX_MemoryEmbedding_Member" ON "MemoryEmbedding" ("GuildId", "UserId", "Id");

CREATE TRIGGER TR_MemoryAudit_Kept BEFORE DELETE ON "MemoryAudit"
BEGIN
    SELECT RAISE(ABORT, 'MemoryAudit keeps its rows');
END;

CREATE TRIGGER TR_MemoryAudit_OnlyBlanked BEFORE UPDATE ON "MemoryAudit"
WHEN NEW."Before" IS NOT NULL OR NEW."After" IS NOT NULL
    OR NEW."Id" <> OLD."Id" OR NEW."GuildId" <> OLD."GuildId" OR NEW."UserId" <> OLD."UserId"
    OR NEW."MemoryId" IS NOT OLD."MemoryId" OR NEW."At" <> OLD."At"
    OR NEW."ActorId" <> OLD."ActorId" OR NEW."Action" <> OLD."Action"
BEGIN
    SELECT RAISE(ABORT, 'MemoryAudit rows may only lose their words');
END;

CREATE TRIGGER TR_UserMemory_Vector AFTER UPDATE OF "Memory", "Status" ON "UserMemory"
WHEN NEW."Memory" <> OLD."Memory" OR NEW."Status" IN ('superseded', 'forgotten')
BEGIN
    DELETE FROM "MemoryEmbedding" WHERE "MemoryId" = NEW."Id";
END;

CREATE TRIGGER TR_MemoryEvent_Vector AFTER UPDATE OF "Text" ON "MemoryEvent"
WHEN NEW."Text" <> OLD."Text"
BEGIN
    DELETE FROM "EventEmbedding" WHERE "EventId" = NEW."Id";
END;
