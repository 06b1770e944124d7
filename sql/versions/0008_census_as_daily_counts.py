"""The census of memories is stored as daily counts.

Revision: k0008
Revises: k0007
Why: one table holds what is counted per server and day. The next census, within an hour of the
start, counts anew, so nothing is carried over.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "k0008"
down_revision = "k0007"


def upgrade() -> None:
    op.drop_table("Census")


def downgrade() -> None:
    op.create_table(
        "Census",
        sa.Column("GuildId", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("At", sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql"), nullable=False),
        sa.Column("Body", sa.Text().with_variant(mssql.NVARCHAR(None), "mssql"), nullable=False),
        sa.PrimaryKeyConstraint("GuildId", name="PK_Census"),
    )
    op.execute(
        """DELETE FROM "DailyCount" WHERE "Name" IN
        ('members', 'status', 'kind', 'importance', 'age', 'end')"""
    )
