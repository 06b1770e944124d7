"""The roles whose members Kith answers in a server.

Revision: 0013
Revises: 0012
Why: moderators want to try Kith with some members first, or offer it to some only.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

ROLE_IDS = sa.Text().with_variant(sa.NVARCHAR(None), "mssql")  # NVARCHAR(MAX)


def upgrade() -> None:
    op.add_column("GuildSettings", sa.Column("TalkRoleIds", ROLE_IDS, nullable=True))


def downgrade() -> None:
    op.drop_column("GuildSettings", "TalkRoleIds")
