"""Notes without a verdict are made anew from their messages, not kept in a table of their own.

Revision: k0006
Revises: k0005
Why: a burst without verdicts is put back whole, and what waits for a moderator is a memory. The
notes that waited are dropped; the quotes beside which they stood stay.
"""

from alembic import op

revision = "k0006"
down_revision = "k0005"


def upgrade() -> None:
    op.drop_table("ProposedNote")
