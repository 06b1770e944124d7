ALTER TABLE "UserState" ADD COLUMN "TimeZone" VARCHAR(64);

CREATE INDEX "IX_OpenLoop_DueAt" ON "OpenLoop" ("Kind", "DueAt");
