"""At which of its member's versions a memory was last changed.

Revision: 0014
Revises: 0013
Why: recall reads only the memories that are new or changed since it last read a member's.
"""

from pathlib import Path

from alembic import op

revision = "0014"
down_revision = "0013"

FOLDER = Path(__file__).with_suffix("")


def upgrade() -> None:
    script = (FOLDER / f"{op.get_context().dialect.name}.sql").read_text(encoding="utf-8")
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)


def downgrade() -> None:
    op.drop_index("IX_UserMemory_Changed", "UserMemory")
    op.drop_column("UserMemory", "ChangedVersion", mssql_drop_default=True)
