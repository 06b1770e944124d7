"""Recall reads only the new memories after a change that only added some.

Revision: k0007
Revises: k0006
Why: after each learned note, all of a member's memories were read and prepared again.
"""

import sqlalchemy as sa
from alembic import op

revision = "k0007"
down_revision = "k0006"


def upgrade() -> None:
    op.add_column(
        "UserState",
        sa.Column("Additions", sa.BigInteger, nullable=False, server_default=sa.text("'0'")),
    )
