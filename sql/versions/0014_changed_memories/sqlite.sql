ALTER TABLE "UserMemory" ADD COLUMN "ChangedVersion" BIGINT DEFAULT '0' NOT NULL;

CREATE INDEX "IX_UserMemory_Changed" ON "UserMemory" ("GuildId", "UserId", "ChangedVersion", "Status", "ExpiresAt");
