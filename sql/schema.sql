-- Kith's tables for SQL Server, as of schema k0013.
--
-- Made by `python -m docs.schema_sql` from utils/database/schema; a test compares
-- it with the migrations in sql/versions. Do not edit it: change the tables and run that again.
--
-- Kith makes these tables by itself when its login may (db_ddladmin). Run this file once in an
-- empty database where it may not; then db_datareader and db_datawriter are enough for its login:
--     sqlcmd -S server,1433 -U sa -C -d kith -b -i sql/schema.sql
--
-- Once for each database, when nobody is connected, so that readers and writers never wait for
-- each other:
--     ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON;

SET QUOTED_IDENTIFIER ON;
SET ANSI_NULLS ON;
SET XACT_ABORT ON;
GO

BEGIN TRANSACTION;

CREATE TABLE [AccountLink] (
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[OtherId] BIGINT NOT NULL,
	[At] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_AccountLink] PRIMARY KEY ([GuildId], [UserId], [OtherId])
);

CREATE TABLE [Alert] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[PlaceId] BIGINT NOT NULL,
	[State] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Signal] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Level] FLOAT NOT NULL,
	[Threshold] FLOAT NOT NULL,
	[OpenedAt] DATETIME2(6) NOT NULL,
	[ChangedAt] DATETIME2(6) NOT NULL,
	[PostChannelId] BIGINT NULL,
	[PostId] BIGINT NULL,
	[TriedAt] DATETIME2(6) NULL,
	[Shown] INTEGER NOT NULL,
	[DecidedById] BIGINT NOT NULL,
	[DecidedAt] DATETIME2(6) NULL,
	CONSTRAINT [PK_Alert] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_Alert_ChangedAt] ON [Alert] ([ChangedAt]);

CREATE INDEX [IX_Alert_Place] ON [Alert] ([GuildId], [PlaceId], [ChangedAt]);

CREATE TABLE [AlertMessage] (
	[GuildId] BIGINT NOT NULL,
	[AlertId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	CONSTRAINT [PK_AlertMessage] PRIMARY KEY ([GuildId], [AlertId], [MessageId])
);

CREATE INDEX [IX_AlertMessage_Member] ON [AlertMessage] ([GuildId], [UserId]);

CREATE TABLE [AnswerRemoval] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[Attempts] INTEGER NOT NULL,
	[DueAt] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_AnswerRemoval] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_AnswerRemoval_GuildId_MessageId] UNIQUE ([GuildId], [MessageId])
);

CREATE INDEX [IX_AnswerRemoval_DueAt] ON [AnswerRemoval] ([DueAt]);

CREATE TABLE [Artifact] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[SourceId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[Position] INTEGER NOT NULL,
	[UserId] BIGINT NOT NULL,
	[Kind] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Name] NVARCHAR(200) NOT NULL,
	[MediaType] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Size] BIGINT NOT NULL,
	[Sha256] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Url] NVARCHAR(max) NOT NULL,
	[State] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Attempts] INTEGER NOT NULL,
	[Caption] NVARCHAR(1000) NOT NULL,
	[CreatedAt] DATETIME2(6) NOT NULL,
	[ExpiresAt] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_Artifact] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_Artifact_GuildId_MessageId_Position] UNIQUE ([GuildId], [MessageId], [Position])
);

CREATE INDEX [IX_Artifact_ExpiresAt] ON [Artifact] ([ExpiresAt]);

CREATE INDEX [IX_Artifact_Member] ON [Artifact] ([GuildId], [UserId], [Id]);

CREATE INDEX [IX_Artifact_Pending] ON [Artifact] ([State], [Id]) WHERE State IN ('pending', 'claimed');

CREATE INDEX [IX_Artifact_Sha256] ON [Artifact] ([GuildId], [Sha256]);

CREATE TABLE [ArtifactText] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[ArtifactId] BIGINT NOT NULL,
	[Part] INTEGER NOT NULL,
	[Text] NVARCHAR(2000) NOT NULL,
	[Stems] NVARCHAR(max) NOT NULL,
	[ExpiresAt] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_ArtifactText] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_ArtifactText_GuildId_ArtifactId_Part] UNIQUE ([GuildId], [ArtifactId], [Part])
);

CREATE INDEX [IX_ArtifactText_ExpiresAt] ON [ArtifactText] ([ExpiresAt]);

CREATE INDEX [IX_ArtifactText_Member] ON [ArtifactText] ([GuildId], [UserId], [Id]);

CREATE TABLE [ChannelMode] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[Mode] NVARCHAR(50) COLLATE Latin1_General_100_BIN2 NOT NULL,
	CONSTRAINT [PK_ChannelMode] PRIMARY KEY ([GuildId], [ChannelId])
);

CREATE TABLE [ChannelPurpose] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[Purpose] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Topics] NVARCHAR(200) NULL,
	CONSTRAINT [PK_ChannelPurpose] PRIMARY KEY ([GuildId], [ChannelId], [Purpose])
);

CREATE TABLE [ChannelState] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[ResetEventId] BIGINT NOT NULL,
	CONSTRAINT [PK_ChannelState] PRIMARY KEY ([GuildId], [ChannelId])
);

CREATE TABLE [CommandSync] (
	[ApplicationId] BIGINT NOT NULL,
	[PayloadHash] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
	CONSTRAINT [PK_CommandSync] PRIMARY KEY ([ApplicationId])
);

CREATE TABLE [DailyCount] (
	[GuildId] BIGINT NOT NULL,
	[Day] NVARCHAR(10) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Name] NVARCHAR(30) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Label] NVARCHAR(50) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Count] BIGINT NOT NULL,
	CONSTRAINT [PK_DailyCount] PRIMARY KEY ([GuildId], [Day], [Name], [Label])
);

CREATE INDEX [IX_DailyCount_Day] ON [DailyCount] ([Day], [Name], [Label], [Count]);

CREATE TABLE [Episode] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[SourceId] BIGINT NOT NULL,
	[StartedAt] DATETIME2(6) NOT NULL,
	[LastAt] DATETIME2(6) NOT NULL,
	[FirstEventId] BIGINT NOT NULL,
	[LastEventId] BIGINT NOT NULL,
	[SummarisedId] BIGINT NOT NULL,
	[ClosedAt] DATETIME2(6) NULL,
	[ExpiresAt] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_Episode] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_Episode_Channel] ON [Episode] ([GuildId], [ChannelId], [Id]);

CREATE INDEX [IX_Episode_ExpiresAt] ON [Episode] ([ExpiresAt]);

CREATE INDEX [IX_Episode_Open] ON [Episode] ([LastAt]) WHERE ClosedAt IS NULL;

CREATE INDEX [IX_Episode_Unsummarised] ON [Episode] ([GuildId], [ChannelId], [Id]) WHERE SummarisedId = 0;

CREATE TABLE [EpisodeMember] (
	[GuildId] BIGINT NOT NULL,
	[EpisodeId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	CONSTRAINT [PK_EpisodeMember] PRIMARY KEY ([GuildId], [EpisodeId], [UserId])
);

CREATE INDEX [IX_EpisodeMember_Member] ON [EpisodeMember] ([GuildId], [UserId]);

CREATE TABLE [EpisodeSummary] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[SourceId] BIGINT NOT NULL,
	[EpisodeId] BIGINT NOT NULL,
	[Part] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[FirstEventId] BIGINT NOT NULL,
	[LastEventId] BIGINT NOT NULL,
	[Text] NVARCHAR(1500) NOT NULL,
	[Structure] NVARCHAR(max) NOT NULL,
	[Stems] NVARCHAR(max) NOT NULL,
	[SaidFrom] DATETIME2(6) NOT NULL,
	[SaidTo] DATETIME2(6) NOT NULL,
	[Model] NVARCHAR(100) NOT NULL,
	[PromptHash] NVARCHAR(64) NOT NULL,
	[CreatedAt] DATETIME2(6) NOT NULL,
	[ExpiresAt] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_EpisodeSummary] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_EpisodeSummary_Episode] ON [EpisodeSummary] ([GuildId], [EpisodeId], [Id]);

CREATE INDEX [IX_EpisodeSummary_ExpiresAt] ON [EpisodeSummary] ([ExpiresAt]);

CREATE INDEX [IX_EpisodeSummary_Newest] ON [EpisodeSummary] ([GuildId], [Id]);

CREATE TABLE [ErasureLedger] (
	[Id] BIGINT NOT NULL IDENTITY,
	[At] DATETIME2(6) NOT NULL,
	[Kind] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NULL,
	[ChannelId] BIGINT NULL,
	[MessageId] BIGINT NULL,
	[Revision] BIGINT NULL,
	[Uid] NVARCHAR(32) COLLATE Latin1_General_100_BIN2 NULL,
	CONSTRAINT [PK_ErasureLedger] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_ErasureLedger_Member] ON [ErasureLedger] ([GuildId], [UserId], [At]);

CREATE TABLE [GuildSettings] (
	[GuildId] BIGINT NOT NULL,
	[Mode] NVARCHAR(50) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[TimeZone] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[BaseRoleId] BIGINT NULL,
	[ConsentDefault] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[PolicyVersion] INTEGER NOT NULL,
	[Frozen] BIT NOT NULL,
	[ModeratorsSeeMembers] BIT NOT NULL,
	[RemovedAt] DATETIME2(6) NULL,
	[ImpliedRoleIds] NVARCHAR(max) NULL,
	[Lore] BIT NOT NULL DEFAULT '1',
	[ToolServers] NVARCHAR(max) NULL,
	[TalkRoleIds] NVARCHAR(max) NULL,
	[Noted] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT 'reaction',
	[ShowsSources] BIT NOT NULL DEFAULT '0',
	CONSTRAINT [PK_GuildSettings] PRIMARY KEY ([GuildId])
);

CREATE TABLE [Heartbeat] (
	[Process] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[At] DATETIME2(6) NOT NULL,
	[State] NVARCHAR(200) NOT NULL,
	CONSTRAINT [PK_Heartbeat] PRIMARY KEY ([Process])
);

CREATE TABLE [HistoryImport] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[FileKey] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[LastMessageId] BIGINT NOT NULL,
	[ChangedAt] DATETIME2(6) NOT NULL,
	[FinishedAt] DATETIME2(6) NULL,
	CONSTRAINT [PK_HistoryImport] PRIMARY KEY ([GuildId], [ChannelId], [FileKey])
);

CREATE TABLE [JobRun] (
	[Name] NVARCHAR(50) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[SucceededAt] DATETIME2(6) NOT NULL,
	[Report] NVARCHAR(max) NOT NULL,
	CONSTRAINT [PK_JobRun] PRIMARY KEY ([Name])
);

CREATE TABLE [Lease] (
	[Name] NVARCHAR(150) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Owner] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Fence] BIGINT NOT NULL,
	[Until] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_Lease] PRIMARY KEY ([Name])
);

CREATE TABLE [MemoryAudit] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[MemoryId] BIGINT NULL,
	[At] DATETIME2(6) NOT NULL,
	[ActorId] BIGINT NOT NULL,
	[Action] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Before] NVARCHAR(max) NULL,
	[After] NVARCHAR(max) NULL,
	CONSTRAINT [PK_MemoryAudit] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_MemoryAudit_Member] ON [MemoryAudit] ([GuildId], [UserId], [Id]);

CREATE INDEX [IX_MemoryAudit_Memory] ON [MemoryAudit] ([MemoryId]);

CREATE INDEX [IX_MemoryAudit_Newest] ON [MemoryAudit] ([GuildId], [Id]);

CREATE TABLE [MemoryContext] (
	[GuildId] BIGINT NOT NULL,
	[ContextMessageId] BIGINT NOT NULL,
	[ContextMemoryId] BIGINT NOT NULL,
	[MemoryId] BIGINT NOT NULL,
	[AuthorId] BIGINT NOT NULL DEFAULT '0',
	CONSTRAINT [PK_MemoryContext] PRIMARY KEY ([GuildId], [ContextMessageId], [ContextMemoryId], [MemoryId])
);

CREATE INDEX [IX_MemoryContext_Author] ON [MemoryContext] ([GuildId], [AuthorId]);

CREATE INDEX [IX_MemoryContext_Memory] ON [MemoryContext] ([MemoryId]);

CREATE TABLE [MemoryEvent] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[SourceId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[Revision] BIGINT NOT NULL,
	[ReplyToId] BIGINT NULL,
	[AuthorId] BIGINT NOT NULL,
	[AuthorName] NVARCHAR(100) NOT NULL,
	[Role] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Text] NVARCHAR(4000) NOT NULL,
	[Stems] NVARCHAR(max) NOT NULL,
	[AboutIds] NVARCHAR(max) NOT NULL,
	[EpisodeId] BIGINT NULL,
	[State] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Attempts] INTEGER NOT NULL,
	[CreatedAt] DATETIME2(6) NOT NULL,
	[ExpiresAt] DATETIME2(6) NOT NULL,
	[Receipt] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
	CONSTRAINT [PK_MemoryEvent] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_MemoryEvent_GuildId_MessageId_Revision] UNIQUE ([GuildId], [MessageId], [Revision])
);

CREATE INDEX [IX_MemoryEvent_Author] ON [MemoryEvent] ([GuildId], [AuthorId], [Id]);

CREATE INDEX [IX_MemoryEvent_Channel] ON [MemoryEvent] ([GuildId], [ChannelId], [CreatedAt]) INCLUDE ([State]);

CREATE INDEX [IX_MemoryEvent_ExpiresAt] ON [MemoryEvent] ([ExpiresAt]);

CREATE INDEX [IX_MemoryEvent_Pending] ON [MemoryEvent] ([State], [Id]) WHERE State IN ('pending', 'claimed');

CREATE INDEX [IX_MemoryEvent_ReplyTo] ON [MemoryEvent] ([GuildId], [ReplyToId]) WHERE ReplyToId IS NOT NULL;

CREATE INDEX [IX_MemoryEvent_Said] ON [MemoryEvent] ([GuildId], [AuthorId], [MessageId]);

CREATE INDEX [IX_MemoryEvent_Talk] ON [MemoryEvent] ([GuildId], [ChannelId], [Id]) INCLUDE ([State]) WHERE State <> 'overheard' AND State <> 'importing' AND State <> 'imported';

CREATE INDEX [IX_MemoryEvent_Undivided] ON [MemoryEvent] ([GuildId], [ChannelId], [Id]) WHERE EpisodeId IS NULL;

CREATE TABLE [MemoryEvidence] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[MemoryId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[Quote] NVARCHAR(500) NOT NULL,
	[Method] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Model] NVARCHAR(100) NOT NULL,
	[PromptHash] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[SaidAt] DATETIME2(6) NOT NULL,
	[VerifiedBy] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT 'rule',
	[VerifierModel] NVARCHAR(100) NOT NULL DEFAULT '',
	[VerifierHash] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT '',
	CONSTRAINT [PK_MemoryEvidence] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_MemoryEvidence_Memory] ON [MemoryEvidence] ([MemoryId]) INCLUDE ([MessageId], [SaidAt]);

CREATE INDEX [IX_MemoryEvidence_Message] ON [MemoryEvidence] ([GuildId], [MessageId]);

CREATE TABLE [MessageScore] (
	[GuildId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[PlaceId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[SaidAt] DATETIME2(6) NOT NULL,
	[Sentiment] FLOAT NOT NULL,
	[Toxicity] FLOAT NOT NULL,
	[Tension] FLOAT NOT NULL,
	[Reason] NVARCHAR(200) NOT NULL,
	[Revision] BIGINT NOT NULL DEFAULT '0',
	CONSTRAINT [PK_MessageScore] PRIMARY KEY ([GuildId], [MessageId])
);

CREATE INDEX [IX_MessageScore_Member] ON [MessageScore] ([GuildId], [UserId], [SaidAt]);

CREATE INDEX [IX_MessageScore_Place] ON [MessageScore] ([GuildId], [PlaceId], [SaidAt]);

CREATE INDEX [IX_MessageScore_SaidAt] ON [MessageScore] ([SaidAt]);

CREATE TABLE [ModelChoice] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[Model] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NOT NULL,
	CONSTRAINT [PK_ModelChoice] PRIMARY KEY ([GuildId], [ChannelId])
);

CREATE TABLE [ModeratorAction] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[AlertId] BIGINT NOT NULL,
	[Act] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[UserId] BIGINT NOT NULL,
	[ActorId] BIGINT NOT NULL,
	[At] DATETIME2(6) NOT NULL,
	[Amount] INTEGER NOT NULL,
	[Done] BIT NOT NULL,
	CONSTRAINT [PK_ModeratorAction] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_ModeratorAction_GuildId_AlertId_Act_UserId] UNIQUE ([GuildId], [AlertId], [Act], [UserId])
);

CREATE INDEX [IX_ModeratorAction_At] ON [ModeratorAction] ([At]);

CREATE INDEX [IX_ModeratorAction_Member] ON [ModeratorAction] ([GuildId], [UserId]);

CREATE TABLE [NoteMark] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[MemoryId] BIGINT NOT NULL,
	[Mark] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Attempts] INTEGER NOT NULL,
	[DueAt] DATETIME2(6) NULL,
	CONSTRAINT [PK_NoteMark] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_NoteMark_DueAt] ON [NoteMark] ([DueAt]) WHERE DueAt IS NOT NULL;

CREATE INDEX [IX_NoteMark_Memory] ON [NoteMark] ([MemoryId]);

CREATE INDEX [IX_NoteMark_Message] ON [NoteMark] ([GuildId], [MessageId]);

CREATE TABLE [OpenLoop] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[SourceId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[Kind] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Text] NVARCHAR(300) NOT NULL,
	[State] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[DueAt] DATETIME2(6) NULL,
	[CreatedAt] DATETIME2(6) NOT NULL,
	[ExpiresAt] DATETIME2(6) NOT NULL,
	[Offers] INTEGER NOT NULL DEFAULT '0',
	[FirstOfferedAt] DATETIME2(6) NULL,
	[LastOfferedAt] DATETIME2(6) NULL,
	[Repeats] NVARCHAR(120) NOT NULL DEFAULT '',
	[Misses] INTEGER NOT NULL DEFAULT '0',
	CONSTRAINT [PK_OpenLoop] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_OpenLoop_DueAt] ON [OpenLoop] ([Kind], [DueAt]);

CREATE INDEX [IX_OpenLoop_ExpiresAt] ON [OpenLoop] ([ExpiresAt]);

CREATE INDEX [IX_OpenLoop_Member] ON [OpenLoop] ([GuildId], [UserId], [Id]);

CREATE INDEX [IX_OpenLoop_Message] ON [OpenLoop] ([GuildId], [MessageId]);

CREATE TABLE [PassiveRefusal] (
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	CONSTRAINT [PK_PassiveRefusal] PRIMARY KEY ([GuildId], [UserId])
);

CREATE TABLE [PendingAnswer] (
	[Id] BIGINT NOT NULL IDENTITY,
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[PartIds] NVARCHAR(max) NULL,
	[Attempts] INTEGER NOT NULL,
	[AskedAt] DATETIME2(6) NOT NULL,
	[DueAt] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_PendingAnswer] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_PendingAnswer_GuildId_MessageId] UNIQUE ([GuildId], [MessageId])
);

CREATE INDEX [IX_PendingAnswer_DueAt] ON [PendingAnswer] ([DueAt]);

CREATE TABLE [Persona] (
	[GuildId] BIGINT NOT NULL,
	[Name] NVARCHAR(32) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Text] NVARCHAR(2000) NOT NULL,
	[CreatedById] BIGINT NOT NULL,
	[CreatedAt] DATETIME2(6) NOT NULL,
	[ChangedById] BIGINT NOT NULL,
	[ChangedAt] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_Persona] PRIMARY KEY ([GuildId], [Name])
);

CREATE TABLE [PolicyVersion] (
	[GuildId] BIGINT NOT NULL,
	[Version] INTEGER NOT NULL,
	[At] DATETIME2(6) NOT NULL,
	[ActorId] BIGINT NOT NULL,
	[Reason] NVARCHAR(200) NOT NULL,
	[Policy] NVARCHAR(max) NOT NULL,
	CONSTRAINT [PK_PolicyVersion] PRIMARY KEY ([GuildId], [Version])
);

CREATE TABLE [ReadPolicyUse] (
	[Role] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Version] INTEGER NOT NULL,
	[Since] DATETIME2(6) NOT NULL,
	[Until] DATETIME2(6) NULL,
	[RollsBack] BIT NOT NULL,
	CONSTRAINT [PK_ReadPolicyUse] PRIMARY KEY ([Role])
);

CREATE TABLE [ReadPolicyVersion] (
	[Version] INTEGER NOT NULL,
	[At] DATETIME2(6) NOT NULL,
	[Actor] NVARCHAR(100) NOT NULL,
	[Reason] NVARCHAR(200) NOT NULL,
	[Policy] NVARCHAR(max) NOT NULL,
	[Previous] INTEGER NULL,
	CONSTRAINT [PK_ReadPolicyVersion] PRIMARY KEY ([Version])
);

CREATE TABLE [RoastRefusal] (
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[At] DATETIME2(6) NOT NULL,
	CONSTRAINT [PK_RoastRefusal] PRIMARY KEY ([GuildId], [UserId])
);

CREATE TABLE [ShadowRecall] (
	[Id] BIGINT NOT NULL IDENTITY,
	[At] DATETIME2(6) NOT NULL,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[ActiveVersion] INTEGER NOT NULL,
	[ShadowVersion] INTEGER NOT NULL,
	[ActiveIds] NVARCHAR(max) NOT NULL,
	[ShadowIds] NVARCHAR(max) NOT NULL,
	[ActiveTokens] INTEGER NOT NULL,
	[ShadowTokens] INTEGER NOT NULL,
	[ActiveMs] FLOAT NOT NULL,
	[ShadowMs] FLOAT NOT NULL,
	CONSTRAINT [PK_ShadowRecall] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_ShadowRecall_At] ON [ShadowRecall] ([At]);

CREATE INDEX [IX_ShadowRecall_Member] ON [ShadowRecall] ([GuildId], [UserId]);

CREATE TABLE [SpeakingPlace] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[AfterMinutes] INTEGER NOT NULL,
	[PerDay] INTEGER NOT NULL,
	[QuietFrom] INTEGER NOT NULL,
	[QuietUntil] INTEGER NOT NULL,
	[LookedAt] DATETIME2(6) NULL,
	[SpokenAt] DATETIME2(6) NULL,
	[SpokenCount] INTEGER NOT NULL,
	CONSTRAINT [PK_SpeakingPlace] PRIMARY KEY ([GuildId], [ChannelId])
);

CREATE TABLE [Tension] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[Level] FLOAT NOT NULL,
	[At] DATETIME2(6) NOT NULL,
	[Raised] BIT NOT NULL,
	CONSTRAINT [PK_Tension] PRIMARY KEY ([GuildId], [ChannelId], [UserId])
);

CREATE INDEX [IX_Tension_At] ON [Tension] ([At]);

CREATE TABLE [TokenUse] (
	[GuildId] BIGINT NOT NULL,
	[Day] NVARCHAR(10) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[UserId] BIGINT NOT NULL,
	[Purpose] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Model] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT '',
	[Calls] INTEGER NOT NULL,
	[PromptTokens] BIGINT NOT NULL,
	[CompletionTokens] BIGINT NOT NULL,
	CONSTRAINT [PK_TokenUse] PRIMARY KEY ([GuildId], [Day], [UserId], [Purpose], [Model])
);

CREATE INDEX [IX_TokenUse_Day] ON [TokenUse] ([Day], [Purpose], [Model], [Calls], [PromptTokens], [CompletionTokens]);

CREATE TABLE [Tombstone] (
	[GuildId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[Revision] BIGINT NOT NULL,
	CONSTRAINT [PK_Tombstone] PRIMARY KEY ([GuildId], [MessageId])
);

CREATE TABLE [UserMemory] (
	[Id] BIGINT NOT NULL IDENTITY,
	[Uid] NVARCHAR(32) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[Memory] NVARCHAR(500) NOT NULL,
	[Topics] NVARCHAR(200) NOT NULL,
	[Importance] SMALLINT NOT NULL,
	[Kind] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[FactKey] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Source] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Status] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Confidence] FLOAT NOT NULL,
	[EvidenceCount] INTEGER NOT NULL,
	[SearchStems] NVARCHAR(max) NOT NULL,
	[CreatedAt] DATETIME2(6) NOT NULL,
	[ExpiresAt] DATETIME2(6) NULL,
	[LastConfirmedAt] DATETIME2(6) NOT NULL,
	[LastUsedAt] DATETIME2(6) NULL,
	[UseCount] INTEGER NOT NULL,
	[SupersededById] BIGINT NULL,
	[Form] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT 'note',
	CONSTRAINT [PK_UserMemory] PRIMARY KEY NONCLUSTERED ([Id]),
	CONSTRAINT [CK_UserMemory_Importance] CHECK (Importance BETWEEN 1 AND 3),
	CONSTRAINT [UQ_UserMemory_Uid] UNIQUE NONCLUSTERED ([Uid])
);

CREATE INDEX [IX_UserMemory_ExpiresAt] ON [UserMemory] ([ExpiresAt]) WHERE ExpiresAt IS NOT NULL;

CREATE UNIQUE CLUSTERED INDEX [IX_UserMemory_Member] ON [UserMemory] ([GuildId], [UserId], [Id]);

CREATE INDEX [IX_UserMemory_Names] ON [UserMemory] ([GuildId], [Id]) WHERE FactKey = 'name';

CREATE INDEX [IX_UserMemory_Newest] ON [UserMemory] ([GuildId], [Id]);

CREATE INDEX [IX_UserMemory_Waiting] ON [UserMemory] ([GuildId], [Id]) WHERE Status = 'proposed';

CREATE TABLE [UserState] (
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[UserNotes] NVARCHAR(max) NOT NULL,
	[NotesRowIds] NVARCHAR(max) NOT NULL,
	[Consent] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
	[PassiveOptIn] BIT NOT NULL,
	[MemoryVersion] BIGINT NOT NULL,
	[LastSeenAt] DATETIME2(6) NULL,
	[LeftAt] DATETIME2(6) NULL,
	[ConsentAskedAt] DATETIME2(6) NULL,
	[Ignored] BIT NOT NULL,
	[TimeZone] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NULL,
	[NeverFirst] BIT NOT NULL DEFAULT '0',
	[Additions] BIGINT NOT NULL DEFAULT '0',
	[Noted] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
	[NotFindable] BIT NOT NULL DEFAULT '0',
	CONSTRAINT [PK_UserState] PRIMARY KEY ([GuildId], [UserId])
);

CREATE INDEX [IX_UserState_User] ON [UserState] ([UserId]);

CREATE TABLE [WaitingMessage] (
	[GuildId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[PlaceId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[AuthorName] NVARCHAR(100) NOT NULL,
	[Text] NVARCHAR(4000) NOT NULL,
	[CreatedAt] DATETIME2(6) NOT NULL,
	[ReplyToId] BIGINT NULL,
	[Revision] BIGINT NOT NULL,
	CONSTRAINT [PK_WaitingMessage] PRIMARY KEY ([GuildId], [MessageId])
);

CREATE INDEX [IX_WaitingMessage_Member] ON [WaitingMessage] ([GuildId], [UserId]);

CREATE INDEX [IX_WaitingMessage_Place] ON [WaitingMessage] ([GuildId], [PlaceId], [MessageId]);

CREATE TABLE [WatchSettings] (
	[GuildId] BIGINT NOT NULL,
	[TensionAlert] FLOAT NOT NULL,
	[ToxicityAlert] FLOAT NOT NULL,
	[HalfLifeHours] FLOAT NOT NULL,
	[Prefilter] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NULL,
	[PingRoleId] BIGINT NULL,
	[AutoTimeout] BIT NOT NULL,
	[AutoToxicity] FLOAT NOT NULL,
	[AutoMinutes] INTEGER NOT NULL,
	[AutoDryRun] BIT NOT NULL,
	CONSTRAINT [PK_WatchSettings] PRIMARY KEY ([GuildId])
);

CREATE TABLE [WatchedChannel] (
	[GuildId] BIGINT NOT NULL,
	[ChannelId] BIGINT NOT NULL,
	[Memory] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[AddedAt] DATETIME2(6) NOT NULL,
	[NoticeId] BIGINT NULL,
	CONSTRAINT [PK_WatchedChannel] PRIMARY KEY ([GuildId], [ChannelId])
);

CREATE TABLE [AnswerSource] (
	[EventId] BIGINT NOT NULL,
	[Kind] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[SourceId] BIGINT NOT NULL,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[Role] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
	CONSTRAINT [PK_AnswerSource] PRIMARY KEY ([EventId], [Kind], [SourceId]),
	CONSTRAINT [FK_AnswerSource_EventId] FOREIGN KEY([EventId]) REFERENCES [MemoryEvent] ([Id]) ON DELETE CASCADE
);

CREATE INDEX [IX_AnswerSource_Member] ON [AnswerSource] ([GuildId], [UserId]);

CREATE INDEX [IX_AnswerSource_Source] ON [AnswerSource] ([GuildId], [Kind], [SourceId]);

CREATE TABLE [EventEmbedding] (
	[Id] BIGINT NOT NULL IDENTITY,
	[EventId] BIGINT NOT NULL,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[Model] NVARCHAR(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Vector] VARBINARY(max) NOT NULL,
	CONSTRAINT [PK_EventEmbedding] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_EventEmbedding_EventId] UNIQUE ([EventId]),
	CONSTRAINT [FK_EventEmbedding_EventId] FOREIGN KEY([EventId]) REFERENCES [MemoryEvent] ([Id]) ON DELETE CASCADE
);

CREATE INDEX [IX_EventEmbedding_Member] ON [EventEmbedding] ([GuildId], [UserId], [Id]);

CREATE TABLE [LoopSource] (
	[LoopId] BIGINT NOT NULL,
	[MessageId] BIGINT NOT NULL,
	[GuildId] BIGINT NOT NULL,
	CONSTRAINT [PK_LoopSource] PRIMARY KEY ([LoopId], [MessageId]),
	CONSTRAINT [FK_LoopSource_LoopId] FOREIGN KEY([LoopId]) REFERENCES [OpenLoop] ([Id]) ON DELETE CASCADE
);

CREATE INDEX [IX_LoopSource_Message] ON [LoopSource] ([GuildId], [MessageId]);

CREATE TABLE [MemoryEmbedding] (
	[Id] BIGINT NOT NULL IDENTITY,
	[MemoryId] BIGINT NOT NULL,
	[GuildId] BIGINT NOT NULL,
	[UserId] BIGINT NOT NULL,
	[Model] NVARCHAR(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
	[Vector] VARBINARY(max) NOT NULL,
	CONSTRAINT [PK_MemoryEmbedding] PRIMARY KEY ([Id]),
	CONSTRAINT [UQ_MemoryEmbedding_MemoryId] UNIQUE ([MemoryId]),
	CONSTRAINT [FK_MemoryEmbedding_MemoryId] FOREIGN KEY([MemoryId]) REFERENCES [UserMemory] ([Id]) ON DELETE CASCADE
);

CREATE INDEX [IX_MemoryEmbedding_Member] ON [MemoryEmbedding] ([GuildId], [UserId], [Id]);

GO
CREATE TRIGGER [TR_MemoryAudit_OnlyBlanked] ON [MemoryAudit] AFTER UPDATE, DELETE AS
BEGIN
    SET NOCOUNT ON;
    IF EXISTS (
        SELECT 1 FROM deleted AS old
        LEFT JOIN inserted AS new ON new.[Id] = old.[Id]
        WHERE new.[Id] IS NULL OR new.[Before] IS NOT NULL OR new.[After] IS NOT NULL
            OR EXISTS (
                SELECT new.[GuildId], new.[UserId], new.[MemoryId], new.[At], new.[ActorId],
                    new.[Action]
                EXCEPT
                SELECT old.[GuildId], old.[UserId], old.[MemoryId], old.[At], old.[ActorId],
                    old.[Action]
            )
    )
    BEGIN
        ROLLBACK TRANSACTION;
        THROW 51000, 'MemoryAudit rows stay and may only lose their words', 1;
    END
END;
GO

GO
CREATE TRIGGER [TR_UserMemory_Vector] ON [UserMemory] AFTER UPDATE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Memory]) OR UPDATE([Status])
        DELETE gone FROM [MemoryEmbedding] AS gone
        JOIN inserted AS new ON new.[Id] = gone.[MemoryId]
        JOIN deleted AS old ON old.[Id] = new.[Id]
        WHERE new.[Status] IN ('superseded', 'forgotten')
            OR new.[Memory] <> old.[Memory] COLLATE Latin1_General_100_BIN2;
END;
GO

GO
CREATE TRIGGER [TR_MemoryEvent_Vector] ON [MemoryEvent] AFTER UPDATE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Text])
        DELETE gone FROM [EventEmbedding] AS gone
        JOIN inserted AS new ON new.[Id] = gone.[EventId]
        JOIN deleted AS old ON old.[Id] = new.[Id]
        WHERE new.[Text] <> old.[Text] COLLATE Latin1_General_100_BIN2;
END;
GO

GO
CREATE TRIGGER [TR_UserMemory_Noted] ON [UserMemory] AFTER UPDATE, DELETE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Status]) OR UPDATE([ExpiresAt]) OR UPDATE([SearchStems])
        OR NOT EXISTS (SELECT 1 FROM inserted)
        UPDATE mark SET [DueAt] = '2000-01-01' FROM [NoteMark] AS mark
        JOIN deleted AS old ON old.[Id] = mark.[MemoryId];
END;
GO

IF XACT_STATE() <> 1
    OR OBJECT_ID(N'[TR_MemoryAudit_OnlyBlanked]') IS NULL
    OR OBJECT_ID(N'[TR_UserMemory_Vector]') IS NULL
    OR OBJECT_ID(N'[TR_MemoryEvent_Vector]') IS NULL
    OR OBJECT_ID(N'[TR_UserMemory_Noted]') IS NULL
BEGIN
    IF @@TRANCOUNT > 0
        ROLLBACK TRANSACTION;
    THROW 51000, N'An earlier batch failed: no schema version is set. Look at the first error.', 1;
END;

CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

INSERT INTO alembic_version (version_num) VALUES ('k0013');

COMMIT;
GO
