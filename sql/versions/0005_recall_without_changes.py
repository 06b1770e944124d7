"""Recall reads a member's memories again after a change, instead of those that changed.

Revision: k0005
Revises: k0004
Why: the version at which a memory changed, and SQLite's index with all columns that recall reads,
are not used any more. The index took two thirds of the space of the table itself.
"""

from alembic import op

revision = "k0005"
down_revision = "k0004"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.drop_index("IX_UserMemory_Recall", "UserMemory")
    op.drop_index("IX_UserMemory_Changed", "UserMemory")
    op.drop_column("UserMemory", "ChangedVersion", mssql_drop_default=True)
