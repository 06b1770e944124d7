"""The operator's house: counts, a census, policies of recall with their shadow, and a ledger.

Revision: 0009
Revises: 0008
Why: a dashboard whose charts cost no scan of a million memories, a policy of recall that has
versions and can be tried in the shadow, what was erased written down so that no restored backup
brings it back, a server's audit in the order it was written, what waits there for review, and
sums of tokens.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

BINARY = "Latin1_General_100_BIN2"

SNOWFLAKE = sa.BigInteger()
IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql")
LONG = sa.UnicodeText().with_variant(mssql.NVARCHAR(None), "mssql")


def key(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text that compares exactly."""
    return sa.String(limit).with_variant(mssql.NVARCHAR(limit, collation=BINARY), "mssql")


def words(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text of people's words."""
    return sa.Unicode(limit).with_variant(mssql.NVARCHAR(limit), "mssql")


def upgrade() -> None:
    make_counts()
    make_policies()
    make_ledger()
    op.create_index("IX_MemoryAudit_Newest", "MemoryAudit", ["GuildId", "Id"])
    spent = ["Day", "Purpose", "Calls", "PromptTokens", "CompletionTokens"]
    op.create_index("IX_TokenUse_Day", "TokenUse", spent)
    waits = sa.text("Status = 'proposed'")
    op.create_index(
        "IX_UserMemory_Waiting",
        "UserMemory",
        ["GuildId", "Id"],
        sqlite_where=waits,
        mssql_where=waits,
    )


def make_counts() -> None:
    """Make what the charts are drawn from."""
    op.create_table(
        "DailyCount",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("Day", key(10), nullable=False),
        sa.Column("Name", key(30), nullable=False),
        sa.Column("Label", key(50), nullable=False),
        sa.Column("Count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "Day", "Name", "Label", name="PK_DailyCount"),
    )
    op.create_index("IX_DailyCount_Day", "DailyCount", ["Day", "Name", "Label", "Count"])
    op.create_table(
        "Census",
        sa.Column("GuildId", SNOWFLAKE, nullable=False, autoincrement=False),
        sa.Column("At", TIME, nullable=False),
        sa.Column("Body", LONG, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", name="PK_Census"),
    )


def make_policies() -> None:
    """Make the policies of recall: their versions, which holds, and what the shadow would do."""
    op.create_table(
        "ReadPolicyVersion",
        sa.Column("Version", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("At", TIME, nullable=False),
        sa.Column("Actor", words(100), nullable=False),
        sa.Column("Reason", words(200), nullable=False),
        sa.Column("Policy", LONG, nullable=False),
        sa.Column("Previous", sa.Integer()),
        sa.PrimaryKeyConstraint("Version", name="PK_ReadPolicyVersion"),
    )
    op.create_table(
        "ReadPolicyUse",
        sa.Column("Role", key(20), nullable=False),
        sa.Column("Version", sa.Integer(), nullable=False),
        sa.Column("Since", TIME, nullable=False),
        sa.Column("Until", TIME),
        sa.Column("RollsBack", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("Role", name="PK_ReadPolicyUse"),
    )
    op.create_table(
        "ShadowRecall",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("At", TIME, nullable=False),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("ActiveVersion", sa.Integer(), nullable=False),
        sa.Column("ShadowVersion", sa.Integer(), nullable=False),
        sa.Column("ActiveIds", LONG, nullable=False),
        sa.Column("ShadowIds", LONG, nullable=False),
        sa.Column("ActiveTokens", sa.Integer(), nullable=False),
        sa.Column("ShadowTokens", sa.Integer(), nullable=False),
        sa.Column("ActiveMs", sa.Float(), nullable=False),
        sa.Column("ShadowMs", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_ShadowRecall"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_ShadowRecall_At", "ShadowRecall", ["At"])
    op.create_index("IX_ShadowRecall_Member", "ShadowRecall", ["GuildId", "UserId"])


def make_ledger() -> None:
    """Make the ledger of what was erased."""
    op.create_table(
        "ErasureLedger",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("At", TIME, nullable=False),
        sa.Column("Kind", key(20), nullable=False),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE),
        sa.Column("ChannelId", SNOWFLAKE),
        sa.Column("MessageId", SNOWFLAKE),
        sa.Column("Revision", sa.BigInteger()),
        sa.Column("Uid", key(32)),
        sa.PrimaryKeyConstraint("Id", name="PK_ErasureLedger"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_ErasureLedger_Member", "ErasureLedger", ["GuildId", "UserId", "At"])


def downgrade() -> None:
    """Take the operator's tables away; versions, counts and the ledger are lost."""
    op.drop_index("IX_TokenUse_Day", table_name="TokenUse")
    op.drop_index("IX_UserMemory_Waiting", table_name="UserMemory")
    op.drop_index("IX_MemoryAudit_Newest", table_name="MemoryAudit")
    for name in (
        "ErasureLedger",
        "ShadowRecall",
        "ReadPolicyUse",
        "ReadPolicyVersion",
        "Census",
        "DailyCount",
    ):
        op.drop_table(name)
