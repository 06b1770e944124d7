"""Tokens are counted by the model that spent them.

Revision: 0010
Revises: 0009
Why: of a list of models, any may have answered, and each has its own price. What was counted
before has no model: it stands for the first model that is configured for its purpose. The model is
part of the primary key, which SQLite cannot change, so the table is made anew.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0010"
down_revision = "0009"

KEYS = ["GuildId", "Day", "UserId", "Purpose"]
COUNTS = ["Calls", "PromptTokens", "CompletionTokens"]


def upgrade() -> None:
    rebuild([*KEYS, "Model"])


def downgrade() -> None:
    rebuild(KEYS)


def rebuild(keys: list[str]) -> None:
    """Make the table with this primary key. Rows keep no model; those of one purpose are added."""
    old = sa.table("TokenUse", *map(sa.column, [*KEYS, *COUNTS]))
    copy = op.create_table("TokenUseCopy", *map(column, [*KEYS, *COUNTS]))
    grouped = [old.c[key] for key in KEYS]
    sums = [sa.func.sum(old.c[count]) for count in COUNTS]
    rows = sa.select(*grouped, *sums).group_by(*grouped)
    op.execute(copy.insert().from_select([*KEYS, *COUNTS], rows))
    op.drop_table("TokenUse")
    key = sa.PrimaryKeyConstraint(*keys, name="PK_TokenUse")
    new = op.create_table("TokenUse", *map(column, [*keys, *COUNTS]), key)
    op.create_index("IX_TokenUse_Day", "TokenUse", ["Day", *keys[3:], *COUNTS])
    op.execute(new.insert().from_select([*KEYS, *COUNTS], sa.select(copy)))
    op.drop_table("TokenUseCopy")


def column(name: str) -> sa.Column[Any]:
    lengths = {"Day": 10, "Purpose": 20, "Model": 100}
    if name in lengths:
        length = lengths[name]
        on_server = mssql.NVARCHAR(length, collation="Latin1_General_100_BIN2")
        text = sa.String(length).with_variant(on_server, "mssql")
        default = "" if name == "Model" else None
        return sa.Column(name, text, nullable=False, server_default=default)
    kind = sa.Integer if name == "Calls" else sa.BigInteger
    return sa.Column(name, kind, nullable=False, autoincrement=False)
