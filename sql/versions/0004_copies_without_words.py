"""No copies of words that are gone.

Revision: k0004
Revises: k0003
Why: Kith's answers to members of whom nothing may be stored were kept without their text, and with
its stems. What is computed from words that a row no longer has is cleared or deleted.
"""

from alembic import op

revision = "k0004"
down_revision = "k0003"

CLEAR_AND_DELETE = (
    """\
UPDATE "MemoryEvent" SET "Stems" = ''
WHERE {length}("Text") = 0 AND {length}("Stems") > 0""",
    """\
DELETE FROM "EventEmbedding" WHERE "EventId" IN (
    SELECT "Id" FROM "MemoryEvent" WHERE {length}("Text") = 0
)""",
    """\
UPDATE "UserMemory" SET "Topics" = '', "FactKey" = '', "SearchStems" = ''
WHERE {length}("Memory") = 0
AND ({length}("Topics") > 0 OR {length}("FactKey") > 0 OR {length}("SearchStems") > 0)""",
    """\
DELETE FROM "MemoryEmbedding" WHERE "MemoryId" IN (
    SELECT "Id" FROM "UserMemory" WHERE {length}("Memory") = 0
)""",
)


def upgrade() -> None:
    # Lengths, because emoji equal '' in SQL Server's older collations.
    length = "DATALENGTH" if op.get_context().dialect.name == "mssql" else "length"
    for statement in CLEAR_AND_DELETE:
        op.execute(statement.format(length=length))
