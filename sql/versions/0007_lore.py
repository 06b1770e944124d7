"""Whether a server's shared stories are noted and used for tone.

Revision: 0007
Revises: 0006
Why: lore is written now, and moderators can switch it off (`/config lore`).
"""

from pathlib import Path

from alembic import op

revision = "0007"
down_revision = "0006"

FOLDER = Path(__file__).with_suffix("")


def upgrade() -> None:
    script = (FOLDER / f"{op.get_context().dialect.name}.sql").read_text(encoding="utf-8")
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)


def downgrade() -> None:
    op.drop_column("GuildSettings", "Lore", mssql_drop_default=True)
