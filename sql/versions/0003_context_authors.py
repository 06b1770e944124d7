"""Who wrote a message that a note rests on.

Revision: k0003
Revises: k0002
Why: a note has to lose the words of a message whose author has everything forgotten, also if that
message is not stored any more. For what is stored now, the author is noted.
"""

import sqlalchemy as sa
from alembic import op

revision = "k0003"
down_revision = "k0002"

FILL = """
UPDATE "MemoryContext" SET "AuthorId" = COALESCE((
    SELECT MAX("MemoryEvent"."AuthorId") FROM "MemoryEvent"
    WHERE "MemoryEvent"."GuildId" = "MemoryContext"."GuildId"
    AND "MemoryEvent"."MessageId" = "MemoryContext"."ContextMessageId"
    AND "MemoryEvent"."Role" = 'member'
), 0)
"""


def upgrade() -> None:
    op.add_column(
        "MemoryContext",
        sa.Column("AuthorId", sa.BigInteger, nullable=False, server_default=sa.text("'0'")),
    )
    op.execute(FILL)
    op.create_index("IX_MemoryContext_Author", "MemoryContext", ["GuildId", "AuthorId"])
