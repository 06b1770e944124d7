"""The chat model that a server's moderators chose, for the server or a channel.

Revision: 0011
Revises: 0010
Why: moderators choose among the operator's models (`/model`).
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0011"
down_revision = "0010"

NAME = sa.String(100).with_variant(
    mssql.NVARCHAR(100, collation="Latin1_General_100_BIN2"), "mssql"
)


def upgrade() -> None:
    op.create_table(
        "ModelChoice",
        sa.Column("GuildId", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("ChannelId", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("Model", NAME, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", name="PK_ModelChoice"),
    )


def downgrade() -> None:
    op.drop_table("ModelChoice")
