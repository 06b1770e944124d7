ALTER TABLE [UserState] ADD [TimeZone] NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NULL;

CREATE INDEX [IX_OpenLoop_DueAt] ON [OpenLoop] ([Kind], [DueAt]);
