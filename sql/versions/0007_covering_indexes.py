"""Two indexes of the reply path that hold all that is asked of them, on SQL Server.

Revision: 0007
Revises: 0006
Why: recall looks for what stands before each of a member's messages, and for the messages behind
each of their memories; without these columns SQL Server fetches a row for every one of them.
SQLite has no such columns, and nothing changes there.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INDEXES = {
    "IX_MemoryEvent_Channel": ("MemoryEvent", ["GuildId", "ChannelId", "Id"], ["State"]),
    "IX_MemoryEvidence_Memory": ("MemoryEvidence", ["MemoryId"], ["MessageId", "SaidAt"]),
}


def upgrade() -> None:
    _make_anew(covering=True)


def downgrade() -> None:
    _make_anew(covering=False)


def _make_anew(*, covering: bool) -> None:
    if op.get_context().dialect.name != "mssql":
        return
    for name, (table, columns, included) in INDEXES.items():
        op.drop_index(name, table)
        op.create_index(name, table, columns, mssql_include=included if covering else [])
