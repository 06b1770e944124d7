"""What answers and open loops rest on, and answers to delete on Discord.

Revision: 0006
Revises: 0005
Why: what a member erases came back through Kith's earlier answers. Each answer now names the
messages, memories and episodes that its prompt held, and goes with any of them. Answers that are
stored already name none; they still go with the members whom they are about.
"""

from pathlib import Path

from alembic import op

revision = "0006"
down_revision = "0005"

FOLDER = Path(__file__).with_suffix("")


def upgrade() -> None:
    script = (FOLDER / f"{op.get_context().dialect.name}.sql").read_text(encoding="utf-8")
    for statement in script.strip().removesuffix(";").split(";\n\n"):
        op.execute(statement)


def downgrade() -> None:
    for table in ("AnswerRemoval", "LoopSource", "AnswerSource"):
        op.drop_table(table)
