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
