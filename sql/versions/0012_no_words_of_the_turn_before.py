"""Memories lose the stems of the message before their own.

Revision: k0012
Revises: k0011
Why: that message may be another member's, and ends or is erased before the memory does. Recall
takes its words from the message itself, as long as that is stored.
"""

from alembic import op

revision = "k0012"
down_revision = "k0011"

SQLITE = """
UPDATE "UserMemory" SET "SearchStems" = substr("SearchStems", 1, instr("SearchStems", char(10))
    + instr(substr("SearchStems", instr("SearchStems", char(10)) + 1), char(10)) - 1)
WHERE instr(substr("SearchStems", instr("SearchStems", char(10)) + 1), char(10)) > 0
"""
SQL_SERVER = """
UPDATE [UserMemory] SET [SearchStems] = LEFT([SearchStems],
    CHARINDEX(CHAR(10), [SearchStems], CHARINDEX(CHAR(10), [SearchStems]) + 1) - 1)
WHERE CHARINDEX(CHAR(10), [SearchStems], CHARINDEX(CHAR(10), [SearchStems]) + 1) > 0
"""


def upgrade() -> None:
    op.execute(SQL_SERVER if op.get_context().dialect.name == "mssql" else SQLITE)
