"""The first schema: tables, indexes and triggers.

Revision: k0001
Revises: nothing
Why: an empty database needs them. The statements are SQL files, one for each database, so that a
later change of the tables in utils/database/schema cannot change what this revision creates.
"""

import re
from pathlib import Path

from alembic import op

revision = "k0001"
down_revision = None

FOLDER = Path(__file__).with_suffix("")
HAS_FTS5 = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"


def upgrade() -> None:
    dialect = op.get_context().dialect.name
    _run(f"{dialect}.sql")
    if dialect == "sqlite" and op.get_bind().exec_driver_sql(HAS_FTS5).first():
        _run("sqlite_full_text.sql")


def _run(name: str) -> None:
    """Execute the statements of a file one by one: each ends with a semicolon and a blank line."""
    script = (FOLDER / name).read_text(encoding="utf-8")
    script = re.sub(r"^--.*\n", "", script, flags=re.MULTILINE)
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)
