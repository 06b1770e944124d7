"""The MCP servers whose tools a Discord server's moderators switched on.

Revision: 0012
Revises: 0011
Why: the operator lists MCP servers (MCP_SERVERS); answers use them only where moderators want it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

NAMES = sa.Text().with_variant(sa.NVARCHAR(None), "mssql")  # NVARCHAR(MAX)


def upgrade() -> None:
    op.add_column("GuildSettings", sa.Column("ToolServers", NAMES, nullable=True))


def downgrade() -> None:
    op.drop_column("GuildSettings", "ToolServers")
    artifact = sa.table("Artifact", sa.column("Kind", sa.Unicode(20)), sa.column("Id"))
    text = sa.table("ArtifactText", sa.column("ArtifactId"))
    results = sa.select(artifact.c.Id).where(artifact.c.Kind == "tool")
    op.execute(text.delete().where(text.c.ArtifactId.in_(results)))
    op.execute(
        artifact.delete().where(artifact.c.Kind == "tool")
    )  # the older version cannot read them
