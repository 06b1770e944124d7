"""Indexes for the operator's lists: newest changes, waiting proposals, tokens by day.

Revision: 0002
Revises: 0001
Why: the dashboard reads these three across a whole server, or across all servers. Without an index
SQL Server and SQLite scan the tables, which takes seconds with a million rows.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TOKEN_COLUMNS = ["Day", "Purpose", "Calls", "PromptTokens", "CompletionTokens"]
PROPOSED = sa.text("Status = 'proposed'")


def upgrade() -> None:
    op.create_index("IX_MemoryAudit_Newest", "MemoryAudit", ["GuildId", "Id"])
    op.create_index("IX_TokenUse_Day", "TokenUse", TOKEN_COLUMNS)
    op.create_index(
        "IX_UserMemory_Waiting",
        "UserMemory",
        ["GuildId", "Id"],
        sqlite_where=PROPOSED,
        mssql_where=PROPOSED,
    )


def downgrade() -> None:
    op.drop_index("IX_UserMemory_Waiting", "UserMemory")
    op.drop_index("IX_TokenUse_Day", "TokenUse")
    op.drop_index("IX_MemoryAudit_Newest", "MemoryAudit")
