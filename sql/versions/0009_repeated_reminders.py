"""Reminders can be repeated.

Revision: k0009
Revises: k0008
Why: "every day at 9" was set once and confirmed. A reminder now keeps the rule of its repetition,
and how often in a row it reached nobody.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "k0009"
down_revision = "k0008"

RULE = sa.Unicode(120).with_variant(mssql.NVARCHAR(120), "mssql")


def upgrade() -> None:
    op.add_column(
        "OpenLoop", sa.Column("Repeats", RULE, nullable=False, server_default=sa.text("''"))
    )
    op.add_column(
        "OpenLoop", sa.Column("Misses", sa.Integer, nullable=False, server_default=sa.text("'0'"))
    )
