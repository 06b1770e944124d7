"""Scores of watched messages know which revision of the message was scored.

Revision: k0013
Revises: k0012
Why: after every start, and whenever Discord reported an edited message again, its score was made
again, which cost a call and raised the tension again.
"""

import sqlalchemy as sa
from alembic import op

revision = "k0013"
down_revision = "k0012"


def upgrade() -> None:
    op.add_column(
        "MessageScore",
        sa.Column("Revision", sa.BigInteger, nullable=False, server_default=sa.text("'0'")),
    )
