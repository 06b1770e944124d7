"""Quotes beside notes: a memory's form, who verified it, its context, and proposed notes.

Revision: 0003
Revises: 0002
Why: Kith stores the member's own sentence and verifies every note about it. What was stored before
was checked by built-in rules, so existing evidence counts as verified by rule.
"""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"

FOLDER = Path(__file__).with_suffix("")
NEW_COLUMNS = {
    "UserMemory": ["Form"],
    "MemoryEvidence": ["VerifiedBy", "VerifierModel", "VerifierHash"],
}


def upgrade() -> None:
    script = (FOLDER / f"{op.get_context().dialect.name}.sql").read_text(encoding="utf-8")
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)


def downgrade() -> None:
    """Drop quotes and unverified notes, which the older schema cannot tell from verified ones."""
    op.execute(
        "DELETE FROM MemoryEvidence WHERE MemoryId IN"
        " (SELECT Id FROM UserMemory WHERE Form = 'quote')"
    )
    op.execute("DELETE FROM UserMemory WHERE Form = 'quote'")
    op.drop_table("ProposedNote")
    op.drop_table("MemoryContext")
    for table, columns in NEW_COLUMNS.items():
        for column in columns:
            op.drop_column(table, column, mssql_drop_default=True)
