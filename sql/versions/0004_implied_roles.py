"""The roles whose members all have a server's base role.

Revision: 0004
Revises: 0003
Why: recall asks who can read a channel. Without these roles Kith cannot know that, say, everyone
with @Staff is @Verified too, and keeps from the staff's channel what all members may read.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ROLE_IDS = sa.Text().with_variant(sa.NVARCHAR(None), "mssql")  # NVARCHAR(MAX)


def upgrade() -> None:
    op.add_column("GuildSettings", sa.Column("ImpliedRoleIds", ROLE_IDS, nullable=True))


def downgrade() -> None:
    op.drop_column("GuildSettings", "ImpliedRoleIds")
