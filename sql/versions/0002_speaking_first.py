"""The channels in which Kith may speak first, and the members who don't want that.

Revision: k0002
Revises: k0001
Why: moderators let Kith speak first in a channel (`/speak`), members refuse it (`/kith speaking`).
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "k0002"
down_revision = "k0001"

FLAG = sa.Boolean(create_constraint=False)
TIME = sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql")


def upgrade() -> None:
    op.create_table(
        "SpeakingPlace",
        sa.Column("GuildId", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("ChannelId", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("AfterMinutes", sa.Integer, nullable=False),
        sa.Column("PerDay", sa.Integer, nullable=False),
        sa.Column("QuietFrom", sa.Integer, nullable=False),
        sa.Column("QuietUntil", sa.Integer, nullable=False),
        sa.Column("LookedAt", TIME),
        sa.Column("SpokenAt", TIME),
        sa.Column("SpokenCount", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("GuildId", "ChannelId", name="PK_SpeakingPlace"),
    )
    op.add_column(
        "UserState", sa.Column("NeverFirst", FLAG, nullable=False, server_default=sa.text("'0'"))
    )
