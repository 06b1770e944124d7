"""How often an open loop was offered to answers that did not ask about it.

Revision: 0005
Revises: 0004
Why: a member who wants to be asked about something is asked. A loop is done when an answer asked
about it, not when it stood in a prompt; else it is offered again, at most three times.
"""

from pathlib import Path

from alembic import op

revision = "0005"
down_revision = "0004"

FOLDER = Path(__file__).with_suffix("")


def upgrade() -> None:
    script = (FOLDER / f"{op.get_context().dialect.name}.sql").read_text(encoding="utf-8")
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)


def downgrade() -> None:
    for column in ("Offers", "FirstOfferedAt", "LastOfferedAt"):
        op.drop_column("OpenLoop", column, mssql_drop_default=True)
