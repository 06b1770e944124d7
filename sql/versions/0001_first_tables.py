"""The first tables: settings, members, memories and their evidence, leases, jobs, token use.

Revision: 0001
Revises: nothing
Why: the schema of design.md section 2. The types are written out here, for SQLite and SQL Server
both, so that a later change of utils/database/types.py cannot change what this revision made.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BINARY = "Latin1_General_100_BIN2"

SNOWFLAKE = sa.BigInteger()
IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql")
LONG = sa.UnicodeText().with_variant(mssql.NVARCHAR(None), "mssql")


# The audit is only ever appended to; erasure blanks a row's words and changes nothing else.
AUDIT_TRIGGERS = {
    "sqlite": (
        """\
CREATE TRIGGER TR_MemoryAudit_Kept BEFORE DELETE ON "MemoryAudit"
BEGIN
    SELECT RAISE(ABORT, 'MemoryAudit keeps its rows');
END""",
        """\
CREATE TRIGGER TR_MemoryAudit_OnlyBlanked BEFORE UPDATE ON "MemoryAudit"
WHEN NEW."Before" IS NOT NULL OR NEW."After" IS NOT NULL
    OR NEW."Id" <> OLD."Id" OR NEW."GuildId" <> OLD."GuildId" OR NEW."UserId" <> OLD."UserId"
    OR NEW."MemoryId" IS NOT OLD."MemoryId" OR NEW."At" <> OLD."At"
    OR NEW."ActorId" <> OLD."ActorId" OR NEW."Action" <> OLD."Action"
BEGIN
    SELECT RAISE(ABORT, 'MemoryAudit rows may only lose their words');
END""",
    ),
    "mssql": (
        """\
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
END""",
    ),
}


def words(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text for people, of at most ``limit`` UTF-16 units."""
    return sa.Unicode(limit).with_variant(mssql.NVARCHAR(limit), "mssql")


def key(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text that compares exactly."""
    return sa.String(limit).with_variant(mssql.NVARCHAR(limit, collation=BINARY), "mssql")


def upgrade() -> None:
    _create_settings()
    _create_user_state()
    _create_user_memory()
    _create_memory_event()
    _create_memory_evidence()
    _create_memory_audit()
    _create_bookkeeping()


def downgrade() -> None:
    raise NotImplementedError("There is nothing before the first tables; restore a backup instead")


def _create_settings() -> None:
    op.create_table(
        "GuildSettings",
        sa.Column("GuildId", SNOWFLAKE, nullable=False, autoincrement=False),
        sa.Column("Mode", key(50), nullable=False),
        sa.Column("TimeZone", key(64), nullable=False),
        sa.Column("BaseRoleId", SNOWFLAKE),
        sa.Column("ConsentDefault", key(20), nullable=False),
        sa.Column("PolicyVersion", sa.Integer(), nullable=False),
        sa.Column("Frozen", sa.Boolean(), nullable=False),
        sa.Column("ModeratorsSeeMembers", sa.Boolean(), nullable=False),
        sa.Column("RemovedAt", TIME),
        sa.PrimaryKeyConstraint("GuildId", name="PK_GuildSettings"),
    )
    op.create_table(
        "ChannelPurpose",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("Purpose", key(20), nullable=False),
        sa.Column("Topics", words(200)),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", "Purpose", name="PK_ChannelPurpose"),
    )
    op.create_table(
        "ChannelState",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("ResetEventId", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", name="PK_ChannelState"),
    )

    op.create_table(
        "PolicyVersion",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("Version", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("At", TIME, nullable=False),
        sa.Column("ActorId", SNOWFLAKE, nullable=False),
        sa.Column("Reason", words(200), nullable=False),
        sa.Column("Policy", LONG, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "Version", name="PK_PolicyVersion"),
    )


def _create_user_state() -> None:
    op.create_table(
        "UserState",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("UserNotes", LONG, nullable=False),
        sa.Column("NotesRowIds", LONG, nullable=False),
        sa.Column("Consent", key(20)),
        sa.Column("PassiveOptIn", sa.Boolean(), nullable=False),
        sa.Column("MemoryVersion", sa.BigInteger(), nullable=False),
        sa.Column("LastSeenAt", TIME),
        sa.Column("LeftAt", TIME),
        sa.Column("ConsentAskedAt", TIME),
        sa.Column("Ignored", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "UserId", name="PK_UserState"),
    )
    op.create_index("IX_UserState_User", "UserState", ["UserId"])


def _create_user_memory() -> None:
    op.create_table(
        "UserMemory",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("Uid", key(32), nullable=False),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("Memory", words(500), nullable=False),
        sa.Column("Topics", words(200), nullable=False),
        sa.Column("Importance", sa.SmallInteger(), nullable=False),
        sa.Column("Kind", key(20), nullable=False),
        sa.Column("FactKey", key(100), nullable=False),
        sa.Column("Source", key(20), nullable=False),
        sa.Column("Status", key(20), nullable=False),
        sa.Column("Confidence", sa.Float(), nullable=False),
        sa.Column("EvidenceCount", sa.Integer(), nullable=False),
        sa.Column("SearchStems", LONG, nullable=False),
        sa.Column("CreatedAt", TIME, nullable=False),
        sa.Column("ExpiresAt", TIME),
        sa.Column("LastConfirmedAt", TIME, nullable=False),
        sa.Column("LastUsedAt", TIME),
        sa.Column("UseCount", sa.Integer(), nullable=False),
        sa.Column("SupersededById", sa.BigInteger()),
        sa.PrimaryKeyConstraint("Id", name="PK_UserMemory", mssql_clustered=False),
        sa.CheckConstraint("Importance BETWEEN 1 AND 3", name=op.f("CK_UserMemory_Importance")),
        sa.UniqueConstraint("Uid", name="UQ_UserMemory_Uid", mssql_clustered=False),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "IX_UserMemory_Member",
        "UserMemory",
        ["GuildId", "UserId", "Id"],
        unique=True,
        mssql_clustered=True,
    )
    op.create_index(
        "IX_UserMemory_ExpiresAt",
        "UserMemory",
        ["ExpiresAt"],
        sqlite_where=sa.text("ExpiresAt IS NOT NULL"),
        mssql_where=sa.text("ExpiresAt IS NOT NULL"),
    )


def _create_memory_event() -> None:
    op.create_table(
        "MemoryEvent",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("SourceId", SNOWFLAKE, nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("Revision", sa.BigInteger(), nullable=False),
        sa.Column("ReplyToId", SNOWFLAKE),
        sa.Column("AuthorId", SNOWFLAKE, nullable=False),
        sa.Column("AuthorName", words(100), nullable=False),
        sa.Column("Role", key(20), nullable=False),
        sa.Column("Text", words(4000), nullable=False),
        sa.Column("Stems", LONG, nullable=False),
        sa.Column("AboutIds", LONG, nullable=False),
        sa.Column("EpisodeId", sa.BigInteger()),
        sa.Column("State", key(20), nullable=False),
        sa.Column("Attempts", sa.Integer(), nullable=False),
        sa.Column("CreatedAt", TIME, nullable=False),
        sa.Column("ExpiresAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_MemoryEvent"),
        sa.UniqueConstraint(
            "GuildId", "MessageId", "Revision", name="UQ_MemoryEvent_GuildId_MessageId_Revision"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_MemoryEvent_Channel", "MemoryEvent", ["GuildId", "ChannelId", "Id"])
    op.create_index("IX_MemoryEvent_Author", "MemoryEvent", ["GuildId", "AuthorId", "Id"])
    op.create_index("IX_MemoryEvent_ExpiresAt", "MemoryEvent", ["ExpiresAt"])
    op.create_index(
        "IX_MemoryEvent_ReplyTo",
        "MemoryEvent",
        ["GuildId", "ReplyToId"],
        sqlite_where=sa.text("ReplyToId IS NOT NULL"),
        mssql_where=sa.text("ReplyToId IS NOT NULL"),
    )
    op.create_index(
        "IX_MemoryEvent_Pending",
        "MemoryEvent",
        ["State", "Id"],
        sqlite_where=sa.text("State IN ('pending', 'claimed')"),
        mssql_where=sa.text("State IN ('pending', 'claimed')"),
    )


def _create_memory_evidence() -> None:
    op.create_table(
        "MemoryEvidence",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("MemoryId", sa.BigInteger(), nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("Quote", words(500), nullable=False),
        sa.Column("Method", key(20), nullable=False),
        sa.Column("Model", words(100), nullable=False),
        sa.Column("PromptHash", key(64), nullable=False),
        sa.Column("SaidAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_MemoryEvidence"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_MemoryEvidence_Memory", "MemoryEvidence", ["MemoryId"])
    op.create_index("IX_MemoryEvidence_Message", "MemoryEvidence", ["GuildId", "MessageId"])


def _create_memory_audit() -> None:
    op.create_table(
        "MemoryAudit",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("MemoryId", sa.BigInteger()),
        sa.Column("At", TIME, nullable=False),
        sa.Column("ActorId", SNOWFLAKE, nullable=False),
        sa.Column("Action", key(20), nullable=False),
        sa.Column("Before", LONG),
        sa.Column("After", LONG),
        sa.PrimaryKeyConstraint("Id", name="PK_MemoryAudit"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_MemoryAudit_Member", "MemoryAudit", ["GuildId", "UserId", "Id"])
    op.create_index("IX_MemoryAudit_Memory", "MemoryAudit", ["MemoryId"])
    for trigger in AUDIT_TRIGGERS[op.get_context().dialect.name]:
        op.execute(trigger)


def _create_bookkeeping() -> None:
    op.create_table(
        "Lease",
        sa.Column("Name", key(150), nullable=False),
        sa.Column("Owner", key(64), nullable=False),
        sa.Column("Fence", sa.BigInteger(), nullable=False),
        sa.Column("Until", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Name", name="PK_Lease"),
    )
    op.create_table(
        "JobRun",
        sa.Column("Name", key(50), nullable=False),
        sa.Column("SucceededAt", TIME, nullable=False),
        sa.Column("Report", LONG, nullable=False),
        sa.PrimaryKeyConstraint("Name", name="PK_JobRun"),
    )
    op.create_table(
        "Heartbeat",
        sa.Column("Process", key(100), nullable=False),
        sa.Column("At", TIME, nullable=False),
        sa.Column("State", words(200), nullable=False),
        sa.PrimaryKeyConstraint("Process", name="PK_Heartbeat"),
    )
    op.create_table(
        "TokenUse",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("Day", key(10), nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("Purpose", key(20), nullable=False),
        sa.Column("Calls", sa.Integer(), nullable=False),
        sa.Column("PromptTokens", sa.BigInteger(), nullable=False),
        sa.Column("CompletionTokens", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "Day", "UserId", "Purpose", name="PK_TokenUse"),
    )
    op.create_table(
        "CommandSync",
        sa.Column("ApplicationId", SNOWFLAKE, nullable=False, autoincrement=False),
        sa.Column("PayloadHash", key(64), nullable=False),
        sa.PrimaryKeyConstraint("ApplicationId", name="PK_CommandSync"),
    )
