"""Memories lose the stems of the message before their own.

Revision: k0012
Revises: k0011
Why: that message may be another member's, and ends or is erased before the memory does. Recall
takes its words from the message itself, as long as that is stored. The marks of what was noted do
not change with them, so their trigger rests meanwhile.
"""

from alembic import op

revision = "k0012"
down_revision = "k0011"

SQLITE = (
    "DROP TRIGGER TR_UserMemory_Noted",
    """
UPDATE "UserMemory" SET "SearchStems" = substr("SearchStems", 1, instr("SearchStems", char(10))
    + instr(substr("SearchStems", instr("SearchStems", char(10)) + 1), char(10)) - 1)
WHERE instr(substr("SearchStems", instr("SearchStems", char(10)) + 1), char(10)) > 0
""",
    """\
CREATE TRIGGER TR_UserMemory_Noted AFTER UPDATE OF "Status", "ExpiresAt", "SearchStems"
ON "UserMemory"
BEGIN
    UPDATE "NoteMark" SET "DueAt" = '2000-01-01 00:00:00.000000' WHERE "MemoryId" = NEW."Id";
END""",
)
STEMS = "[SearchStems] COLLATE Latin1_General_100_BIN2"  # others may take a line's end for nothing
SECOND_END = f"CHARINDEX(CHAR(10), {STEMS}, CHARINDEX(CHAR(10), {STEMS}) + 1)"
SQL_SERVER = (
    "ALTER TABLE [UserMemory] DISABLE TRIGGER [TR_UserMemory_Noted]",
    f"""
UPDATE [UserMemory] SET [SearchStems] = LEFT([SearchStems], NULLIF({SECOND_END}, 0) - 1)
WHERE {SECOND_END} > 0
""",  # noqa: S608
    "ALTER TABLE [UserMemory] ENABLE TRIGGER [TR_UserMemory_Noted]",
)


def upgrade() -> None:
    for statement in SQL_SERVER if op.get_context().dialect.name == "mssql" else SQLITE:
        op.execute(statement)
