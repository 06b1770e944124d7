ALTER TABLE [UserMemory] ADD [Form] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT 'note';

ALTER TABLE [MemoryEvidence] ADD [VerifiedBy] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT 'rule';

ALTER TABLE [MemoryEvidence] ADD [VerifierModel] NVARCHAR(100) NOT NULL DEFAULT '';

ALTER TABLE [MemoryEvidence] ADD [VerifierHash] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL DEFAULT '';

CREATE TABLE [MemoryContext] (
    [GuildId] BIGINT NOT NULL,
    [ContextMessageId] BIGINT NOT NULL,
    [ContextMemoryId] BIGINT NOT NULL,
    [MemoryId] BIGINT NOT NULL,
    CONSTRAINT [PK_MemoryContext] PRIMARY KEY ([GuildId], [ContextMessageId], [ContextMemoryId], [MemoryId])
);

CREATE INDEX [IX_MemoryContext_Memory] ON [MemoryContext] ([MemoryId]);

CREATE TABLE [ProposedNote] (
    [Id] BIGINT NOT NULL IDENTITY,
    [GuildId] BIGINT NOT NULL,
    [UserId] BIGINT NOT NULL,
    [MemoryId] BIGINT NOT NULL,
    [MessageId] BIGINT NOT NULL,
    [Note] NVARCHAR(500) NOT NULL,
    [Quote] NVARCHAR(500) NOT NULL,
    [Kind] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [FactKey] NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [Topics] NVARCHAR(200) NOT NULL,
    [Importance] SMALLINT NOT NULL,
    [LifetimeDays] INTEGER NULL,
    [UntilDay] NVARCHAR(10) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [ConfirmsId] BIGINT NULL,
    [ReplacesId] BIGINT NULL,
    [Source] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [Method] NVARCHAR(20) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [Model] NVARCHAR(100) NOT NULL,
    [PromptHash] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
    [Attempts] INTEGER NOT NULL,
    [CreatedAt] DATETIME2(6) NOT NULL,
    [NextTryAt] DATETIME2(6) NOT NULL,
    [ExpiresAt] DATETIME2(6) NOT NULL,
    CONSTRAINT [PK_ProposedNote] PRIMARY KEY ([Id])
);

CREATE INDEX [IX_ProposedNote_ExpiresAt] ON [ProposedNote] ([ExpiresAt]);

CREATE INDEX [IX_ProposedNote_Member] ON [ProposedNote] ([GuildId], [UserId], [Id]);

CREATE INDEX [IX_ProposedNote_Memory] ON [ProposedNote] ([MemoryId]);

CREATE INDEX [IX_ProposedNote_Message] ON [ProposedNote] ([GuildId], [MessageId]);

CREATE INDEX [IX_ProposedNote_NextTryAt] ON [ProposedNote] ([NextTryAt]);
