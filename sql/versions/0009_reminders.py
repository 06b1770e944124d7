"""A member's own time zone, and an index that finds the reminders that are due.

Revision: 0009
Revises: 0008
Why: members ask Kith to remind them at a time, which they mean in their own time zone.
"""

from pathlib import Path

from alembic import op
from sqlalchemy import Unicode, column, table

revision = "0009"
down_revision = "0008"

FOLDER = Path(__file__).with_suffix("")


def upgrade() -> None:
    script = (FOLDER / f"{op.get_context().dialect.name}.sql").read_text(encoding="utf-8")
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)


def downgrade() -> None:
    loop = table("OpenLoop", column("Kind", Unicode(16)))
    op.execute(loop.delete().where(loop.c.Kind == "reminder"))  # the older version cannot read them
    op.drop_index("IX_OpenLoop_DueAt", "OpenLoop")
    op.drop_column("UserState", "TimeZone", mssql_drop_default=True)
