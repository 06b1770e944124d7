"""Personas that servers write, modes of single channels, and who is not to be made fun of.

Revision: 0005
Revises: 0004
Why: /mode create, /mode set with a channel, and /kith roast off. The types are written out here,
for SQLite and SQL Server both, so that a later change of utils/database/types.py cannot change
what this revision made.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0005"
down_revision = "0004"
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
    op.create_table(
        "ChannelMode",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("ChannelId", SNOWFLAKE, nullable=False),
        sa.Column("Mode", key(50), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", name="PK_ChannelMode"),
    )
    op.create_table(
        "Persona",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("Name", key(32), nullable=False),
        sa.Column("Text", words(2000), nullable=False),
        sa.Column("CreatedById", SNOWFLAKE, nullable=False),
        sa.Column("CreatedAt", TIME, nullable=False),
        sa.Column("ChangedById", SNOWFLAKE, nullable=False),
        sa.Column("ChangedAt", TIME, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "Name", name="PK_Persona"),
    )
    op.create_table(
        "RoastRefusal",
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("At", TIME, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "UserId", name="PK_RoastRefusal"),
    )


def downgrade() -> None:
    for table in ("ChannelMode", "Persona", "RoastRefusal"):
        op.drop_table(table)
