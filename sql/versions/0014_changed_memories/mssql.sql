ALTER TABLE [UserMemory] ADD [ChangedVersion] BIGINT NOT NULL DEFAULT '0';

CREATE INDEX [IX_UserMemory_Changed] ON [UserMemory] ([GuildId], [UserId], [ChangedVersion], [Status], [ExpiresAt]);
