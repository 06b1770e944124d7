"""Alerts: incidents in watched channels, their messages, and what moderators did about them.

Revision: 0006
Revises: 0005
Why: alerts whose buttons survive a restart and work once, and the record of who did what. The
types are written out here, for SQLite and SQL Server both, so that a later change of
utils/database/types.py cannot change what this revision made.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

BINARY = "Latin1_General_100_BIN2"

SNOWFLAKE = sa.BigInteger()
IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql")


def key(limit: int) -> sa.types.TypeEngine[str]:
    """Return a text that compares exactly."""
    return sa.String(limit).with_variant(mssql.NVARCHAR(limit, collation=BINARY), "mssql")


def upgrade() -> None:
    make_alerts()
    make_actions()


def make_alerts() -> None:
    """Make the tables of incidents and their messages."""
    op.create_table(
        "Alert",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("PlaceId", SNOWFLAKE, nullable=False),
        sa.Column("State", key(20), nullable=False),
        sa.Column("Signal", key(20), nullable=False),
        sa.Column("Level", sa.Float(), nullable=False),
        sa.Column("Threshold", sa.Float(), nullable=False),
        sa.Column("OpenedAt", TIME, nullable=False),
        sa.Column("ChangedAt", TIME, nullable=False),
        sa.Column("PostChannelId", SNOWFLAKE),
        sa.Column("PostId", SNOWFLAKE),
        sa.Column("TriedAt", TIME),
        sa.Column("Shown", sa.Integer(), nullable=False),
        sa.Column("DecidedById", SNOWFLAKE, nullable=False),
        sa.Column("DecidedAt", TIME),
        sa.PrimaryKeyConstraint("Id", name="PK_Alert"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_Alert_Place", "Alert", ["GuildId", "PlaceId", "ChangedAt"])
    op.create_index("IX_Alert_ChangedAt", "Alert", ["ChangedAt"])
    op.create_table(
        "AlertMessage",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("AlertId", sa.BigInteger(), nullable=False),
        sa.Column("MessageId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "AlertId", "MessageId", name="PK_AlertMessage"),
    )
    op.create_index("IX_AlertMessage_Member", "AlertMessage", ["GuildId", "UserId"])


def make_actions() -> None:
    """Make the record of what was done; a row's key lets each button work once."""
    op.create_table(
        "ModeratorAction",
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("AlertId", sa.BigInteger(), nullable=False),
        sa.Column("Act", key(20), nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("ActorId", SNOWFLAKE, nullable=False),
        sa.Column("At", TIME, nullable=False),
        sa.Column("Amount", sa.Integer(), nullable=False),
        sa.Column("Done", sa.Boolean(create_constraint=False), nullable=False),
        sa.PrimaryKeyConstraint("Id", name="PK_ModeratorAction"),
        sa.UniqueConstraint(
            "GuildId",
            "AlertId",
            "Act",
            "UserId",
            name="UQ_ModeratorAction_GuildId_AlertId_Act_UserId",
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_ModeratorAction_Member", "ModeratorAction", ["GuildId", "UserId"])
    op.create_index("IX_ModeratorAction_At", "ModeratorAction", ["At"])


def downgrade() -> None:
    for table in ("Alert", "AlertMessage", "ModeratorAction"):
        op.drop_table(table)
