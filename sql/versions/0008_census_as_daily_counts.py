"""The census of memories is stored as daily counts.

Revision: k0008
Revises: k0007
Why: one table holds what is counted per server and day. The next census, within an hour of the
start, counts anew, so nothing is carried over.
"""

from alembic import op

revision = "k0008"
down_revision = "k0007"


def upgrade() -> None:
    op.drop_table("Census")
