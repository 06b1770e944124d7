"""Questions whose answers are under way.

Revision: 0008
Revises: 0007
Why: an answer that was broken off by a stop or a kill stood on Discord for ever, cut in the middle.
The next start removes what was sent of it and answers the question again.
"""

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = "0007"

FOLDER = Path(__file__).with_suffix("")


def upgrade() -> None:
    script = (FOLDER / f"{op.get_context().dialect.name}.sql").read_text(encoding="utf-8")
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("PendingAnswer")
