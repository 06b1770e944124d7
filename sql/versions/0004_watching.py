"""Passive watching: watched channels, settings, what waits for analysis, scores, tension.

Revision: 0004
Revises: 0003
Why: the sentiment cog. The types are written out here, for SQLite and SQL Server both, so that a
later change of utils/database/types.py cannot change what this revision made.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BINARY = "Latin1_General_100_BIN2"

SNOWFLAKE = sa.BigInteger()
TIME = sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql")


def words(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text for people, of at most ``limit`` UTF-16 units."""
    return sa.Unicode(limit).with_variant(mssql.NVARCHAR(limit), "mssql")


def key(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text that compares exactly."""
    return sa.String(limit).with_variant(mssql.NVARCHAR(limit, collation=BINARY), "mssql")


def upgrade() -> None:
    make_choices()
    make_queue()
    make_scores()


def downgrade() -> None:
    for table in (
        *("WatchedChannel", "WatchSettings", "PassiveRefusal"),
        *("WaitingMessage", "MessageScore", "Tension"),
    ):
        op.drop_table(table)


def make_choices() -> None:
    """Make the tables of what moderators and members chose."""
    op.create_table(
        "WatchedChannel",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("Memory", key(20), nullable=False),
        sa.Column("AddedAt", TIME, nullable=False),
        sa.Column("NoticeId", SNOWFLAKE),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", name="PK_WatchedChannel"),
    )
    op.create_table(
        "WatchSettings",
        sa.Column("GuildId", SNOWFLAKE, autoincrement=False, nullable=False),
        sa.Column("TensionAlert", sa.Float(), nullable=False),
        sa.Column("ToxicityAlert", sa.Float(), nullable=False),
        sa.Column("HalfLifeHours", sa.Float(), nullable=False),
        sa.Column("Prefilter", key(20)),
        sa.Column("PingRoleId", SNOWFLAKE),
        sa.Column("AutoTimeout", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("AutoToxicity", sa.Float(), nullable=False),
        sa.Column("AutoMinutes", sa.Integer(), nullable=False),
        sa.Column("AutoDryRun", sa.Boolean(create_constraint=False), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", name="PK_WatchSettings"),
    )
    op.create_table(
        "PassiveRefusal",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "UserId", name="PK_PassiveRefusal"),
    )


def make_queue() -> None:
    """Make the table of what waits for analysis."""
    op.create_table(
        "WaitingMessage",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("PlaceId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("AuthorName", words(100), nullable=False),
        sa.Column("Text", words(4000), nullable=False),
        sa.Column("CreatedAt", TIME, nullable=False),
        sa.Column("ReplyToId", SNOWFLAKE),
        sa.Column("Revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "MessageId", name="PK_WaitingMessage"),
    )
    op.create_index(
        "IX_WaitingMessage_Place", "WaitingMessage", ["GuildId", "PlaceId", "MessageId"]
    )
    op.create_index("IX_WaitingMessage_Member", "WaitingMessage", ["GuildId", "UserId"])


def make_scores() -> None:
    """Make the tables of what came of it."""
    op.create_table(
        "MessageScore",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("PlaceId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("SaidAt", TIME, nullable=False),
        sa.Column("Sentiment", sa.Float(), nullable=False),
        sa.Column("Toxicity", sa.Float(), nullable=False),
        sa.Column("Tension", sa.Float(), nullable=False),
        sa.Column("Reason", words(200), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "MessageId", name="PK_MessageScore"),
    )
    op.create_index("IX_MessageScore_Place", "MessageScore", ["GuildId", "PlaceId", "SaidAt"])
    op.create_index("IX_MessageScore_Member", "MessageScore", ["GuildId", "UserId", "SaidAt"])
    op.create_index("IX_MessageScore_SaidAt", "MessageScore", ["SaidAt"])
    op.create_table(
        "Tension",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("Level", sa.Float(), nullable=False),
        sa.Column("At", TIME, nullable=False),
        sa.Column("Raised", sa.Boolean(create_constraint=False), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", "UserId", name="PK_Tension"),
    )
    op.create_index("IX_Tension_At", "Tension", ["At"])
