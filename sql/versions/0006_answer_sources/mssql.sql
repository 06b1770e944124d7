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

CREATE TABLE [LoopSource] (
    [LoopId] BIGINT NOT NULL,
    [MessageId] BIGINT NOT NULL,
    [GuildId] BIGINT NOT NULL,
    CONSTRAINT [PK_LoopSource] PRIMARY KEY ([LoopId], [MessageId]),
    CONSTRAINT [FK_LoopSource_LoopId] FOREIGN KEY([LoopId]) REFERENCES [OpenLoop] ([Id]) ON DELETE CASCADE
);

CREATE INDEX [IX_LoopSource_Message] ON [LoopSource] ([GuildId], [MessageId]);

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
