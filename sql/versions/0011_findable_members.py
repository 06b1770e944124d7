"""Members are found by their notes and by the names that they give themselves.

Revision: k0011
Revises: k0010
Why: a member may choose not to be found by what they told ("who else plays chess?"), and the notes
of a server's names are read for every message.
"""

import sqlalchemy as sa
from alembic import op

revision = "k0011"
down_revision = "k0010"

FLAG = sa.Boolean(create_constraint=False)
IS_NAME = sa.text("FactKey = 'name'")


def upgrade() -> None:
    op.add_column(
        "UserState", sa.Column("NotFindable", FLAG, nullable=False, server_default=sa.text("'0'"))
    )
    op.create_index(
        "IX_UserMemory_Names",
        "UserMemory",
        ["GuildId", "Id"],
        sqlite_where=IS_NAME,
        mssql_where=IS_NAME,
    )
