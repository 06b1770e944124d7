"""A sense of time and things: chapters of conversation, attachments, linked accounts, history.

Revision: 0008
Revises: 0007
Why: summaries and open loops that live by the messages they were made from, what attachments say,
two accounts of one person, and how far a server's past has been read; messages in the order they
were said, which since then is not the order they were stored in; a channel's talk apart from what
was imported; and which messages teach nothing any more, for good. The types are written out here,
for SQLite and SQL Server both, so that a later change of utils/database/types.py cannot change
what this revision made.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

BINARY = "Latin1_General_100_BIN2"

SNOWFLAKE = sa.BigInteger()
IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TALK = sa.text("State <> 'overheard' AND State <> 'importing' AND State <> 'imported'")
TIME = sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql")
LONG = sa.UnicodeText().with_variant(mssql.NVARCHAR(None), "mssql")


# 2**62 is the revision after which there is no other.
DELETED = """\
INSERT INTO Tombstone (GuildId, MessageId, UserId, Revision)
SELECT GuildId, MessageId, MIN(AuthorId), 4611686018427387904 FROM MemoryEvent
WHERE Revision = 4611686018427387904
GROUP BY GuildId, MessageId"""
FORGOTTEN = """\
INSERT INTO Tombstone (GuildId, MessageId, UserId, Revision)
SELECT seen.GuildId, seen.MessageId, MIN(known.UserId), 4611686018427387904
FROM MemoryEvidence AS seen
JOIN UserMemory AS known ON known.Id = seen.MemoryId
WHERE known.Status = 'forgotten' AND NOT EXISTS (
    SELECT 1 FROM Tombstone AS laid
    WHERE laid.GuildId = seen.GuildId AND laid.MessageId = seen.MessageId
)
GROUP BY seen.GuildId, seen.MessageId"""


def key(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text that compares exactly."""
    return sa.String(limit).with_variant(mssql.NVARCHAR(limit, collation=BINARY), "mssql")


def words(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text of people's words."""
    return sa.Unicode(limit).with_variant(mssql.NVARCHAR(limit), "mssql")


def upgrade() -> None:
    make_chapters()
    make_attachments()
    make_imports()
    make_tombstones()


def make_chapters() -> None:
    """Make the tables of chapters: their members, their summaries, what is open in them."""
    op.create_table(
        "Episode",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("SourceId", SNOWFLAKE, nullable=False),
        sa.Column("StartedAt", TIME, nullable=False),
        sa.Column("LastAt", TIME, nullable=False),
        sa.Column("FirstEventId", sa.BigInteger(), nullable=False),
        sa.Column("LastEventId", sa.BigInteger(), nullable=False),
        sa.Column("SummarisedId", sa.BigInteger(), nullable=False),
        sa.Column("ClosedAt", TIME),
        sa.Column("ExpiresAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_Episode"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_Episode_Channel", "Episode", ["GuildId", "ChannelId", "Id"])
    op.create_index("IX_Episode_ExpiresAt", "Episode", ["ExpiresAt"])
    op.create_index(
        "IX_Episode_Open",
        "Episode",
        ["LastAt"],
        sqlite_where=sa.text("ClosedAt IS NULL"),
        mssql_where=sa.text("ClosedAt IS NULL"),
    )
    op.create_index(
        "IX_Episode_Unsummarised",
        "Episode",
        ["GuildId", "ChannelId", "Id"],
        sqlite_where=sa.text("SummarisedId = 0"),
        mssql_where=sa.text("SummarisedId = 0"),
    )
    op.create_table(
        "EpisodeMember",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("EpisodeId", sa.BigInteger(), nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "EpisodeId", "UserId", name="PK_EpisodeMember"),
    )
    op.create_index("IX_EpisodeMember_Member", "EpisodeMember", ["GuildId", "UserId"])
    op.create_table(
        "EpisodeSummary",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("SourceId", SNOWFLAKE, nullable=False),
        sa.Column("EpisodeId", sa.BigInteger(), nullable=False),
        sa.Column("Part", key(20), nullable=False),
        sa.Column("FirstEventId", sa.BigInteger(), nullable=False),
        sa.Column("LastEventId", sa.BigInteger(), nullable=False),
        sa.Column("Text", words(1500), nullable=False),
        sa.Column("Structure", LONG, nullable=False),
        sa.Column("Stems", LONG, nullable=False),
        sa.Column("SaidFrom", TIME, nullable=False),
        sa.Column("SaidTo", TIME, nullable=False),
        sa.Column("Model", words(100), nullable=False),
        sa.Column("PromptHash", words(64), nullable=False),
        sa.Column("CreatedAt", TIME, nullable=False),
        sa.Column("ExpiresAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_EpisodeSummary"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_EpisodeSummary_Episode", "EpisodeSummary", ["GuildId", "EpisodeId", "Id"])
    op.create_index("IX_EpisodeSummary_ExpiresAt", "EpisodeSummary", ["ExpiresAt"])
    op.create_index("IX_EpisodeSummary_Newest", "EpisodeSummary", ["GuildId", "Id"])
    op.create_table(
        "OpenLoop",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("SourceId", SNOWFLAKE, nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("Kind", key(20), nullable=False),
        sa.Column("Text", words(300), nullable=False),
        sa.Column("State", key(20), nullable=False),
        sa.Column("DueAt", TIME),
        sa.Column("CreatedAt", TIME, nullable=False),
        sa.Column("ExpiresAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_OpenLoop"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_OpenLoop_ExpiresAt", "OpenLoop", ["ExpiresAt"])
    op.create_index("IX_OpenLoop_Member", "OpenLoop", ["GuildId", "UserId", "Id"])
    op.create_index("IX_OpenLoop_Message", "OpenLoop", ["GuildId", "MessageId"])
    # Chapters begin with what is said from now on: nobody was told that a year's talk, stored
    # before there were any, would be summarised, and nobody has budgeted for it.
    op.execute("UPDATE MemoryEvent SET EpisodeId = 0")
    op.create_index(
        "IX_MemoryEvent_Undivided",
        "MemoryEvent",
        ["GuildId", "ChannelId", "Id"],
        sqlite_where=sa.text("EpisodeId IS NULL"),
        mssql_where=sa.text("EpisodeId IS NULL"),
    )


def make_attachments() -> None:
    """Make the tables of attachments and what they say."""
    op.create_table(
        "Artifact",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("SourceId", SNOWFLAKE, nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("Position", sa.Integer(), nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("Kind", key(20), nullable=False),
        sa.Column("Name", words(200), nullable=False),
        sa.Column("MediaType", key(100), nullable=False),
        sa.Column("Size", sa.BigInteger(), nullable=False),
        sa.Column("Sha256", key(64), nullable=False),
        sa.Column("Url", LONG, nullable=False),
        sa.Column("State", key(20), nullable=False),
        sa.Column("Attempts", sa.Integer(), nullable=False),
        sa.Column("Caption", words(1000), nullable=False),
        sa.Column("CreatedAt", TIME, nullable=False),
        sa.Column("ExpiresAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_Artifact"),
        sa.UniqueConstraint(
            "GuildId", "MessageId", "Position", name="UQ_Artifact_GuildId_MessageId_Position"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_Artifact_ExpiresAt", "Artifact", ["ExpiresAt"])
    op.create_index("IX_Artifact_Member", "Artifact", ["GuildId", "UserId", "Id"])
    op.create_index(
        "IX_Artifact_Pending",
        "Artifact",
        ["State", "Id"],
        sqlite_where=sa.text("State IN ('pending', 'claimed')"),
        mssql_where=sa.text("State IN ('pending', 'claimed')"),
    )
    op.create_index("IX_Artifact_Sha256", "Artifact", ["GuildId", "Sha256"])
    op.create_table(
        "ArtifactText",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("ArtifactId", sa.BigInteger(), nullable=False),
        sa.Column("Part", sa.Integer(), nullable=False),
        sa.Column("Text", words(2000), nullable=False),
        sa.Column("Stems", LONG, nullable=False),
        sa.Column("ExpiresAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_ArtifactText"),
        sa.UniqueConstraint(
            "GuildId", "ArtifactId", "Part", name="UQ_ArtifactText_GuildId_ArtifactId_Part"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_ArtifactText_ExpiresAt", "ArtifactText", ["ExpiresAt"])
    op.create_index("IX_ArtifactText_Member", "ArtifactText", ["GuildId", "UserId", "Id"])


def make_imports() -> None:
    """Make the tables of linked accounts and of imported history."""
    op.create_table(
        "AccountLink",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("OtherId", SNOWFLAKE, nullable=False),
        sa.Column("At", TIME, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "UserId", "OtherId", name="PK_AccountLink"),
    )
    op.create_table(
        "HistoryImport",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("FileKey", key(64), nullable=False),
        sa.Column("LastMessageId", SNOWFLAKE, nullable=False),
        sa.Column("ChangedAt", TIME, nullable=False),
        sa.Column("FinishedAt", TIME),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", "FileKey", name="PK_HistoryImport"),
    )
    op.create_index("IX_MemoryEvent_Said", "MemoryEvent", ["GuildId", "AuthorId", "MessageId"])
    op.drop_index("IX_MemoryEvent_Channel", "MemoryEvent")
    op.create_index(
        "IX_MemoryEvent_Channel",
        "MemoryEvent",
        ["GuildId", "ChannelId", "CreatedAt"],
        mssql_include=["State"],
    )
    op.create_index(
        "IX_MemoryEvent_Talk",
        "MemoryEvent",
        ["GuildId", "ChannelId", "Id"],
        sqlite_where=TALK,
        mssql_where=TALK,
        mssql_include=["State"],
    )


def make_tombstones() -> None:
    """Make the table of messages that teach nothing any more, and note those that are known."""
    op.create_table(
        "Tombstone",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("Revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "MessageId", name="PK_Tombstone"),
        sqlite_with_rowid=False,
    )
    op.execute(DELETED)
    op.execute(FORGOTTEN)


def downgrade() -> None:
    op.drop_table("Tombstone")
    op.drop_index("IX_MemoryEvent_Said", "MemoryEvent")
    op.drop_index("IX_MemoryEvent_Talk", "MemoryEvent")
    op.drop_index("IX_MemoryEvent_Channel", "MemoryEvent")
    op.create_index(
        "IX_MemoryEvent_Channel",
        "MemoryEvent",
        ["GuildId", "ChannelId", "Id"],
        mssql_include=["State"],
    )
    op.drop_index("IX_MemoryEvent_Undivided", "MemoryEvent")
    op.execute("UPDATE MemoryEvent SET EpisodeId = NULL")
    for table in (
        "Episode",
        "EpisodeMember",
        "EpisodeSummary",
        "OpenLoop",
        "Artifact",
        "ArtifactText",
        "AccountLink",
        "HistoryImport",
    ):
        op.drop_table(table)
