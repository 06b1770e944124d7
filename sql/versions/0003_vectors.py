"""Vectors of memories and messages, for recall by meaning.

Revision: 0003
Revises: 0002
Why: EMBEDDING_MODEL may name a model that compares texts by meaning; its vectors are kept beside
what they stand for, and must go with it, whoever takes it away: by foreign keys where a row is
deleted, by triggers where it is blanked, forgotten or superseded.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BINARY = "Latin1_General_100_BIN2"

SNOWFLAKE = sa.BigInteger()
IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MODEL = sa.String(200).with_variant(mssql.NVARCHAR(200, collation=BINARY), "mssql")

VECTOR_TRIGGERS = {
    "sqlite": (
        """\
CREATE TRIGGER TR_UserMemory_Vector AFTER UPDATE OF "Memory", "Status" ON "UserMemory"
WHEN NEW."Memory" <> OLD."Memory" OR NEW."Status" IN ('superseded', 'forgotten')
BEGIN
    DELETE FROM "MemoryEmbedding" WHERE "MemoryId" = NEW."Id";
END""",
        """\
CREATE TRIGGER TR_MemoryEvent_Vector AFTER UPDATE OF "Text" ON "MemoryEvent"
WHEN NEW."Text" <> OLD."Text"
BEGIN
    DELETE FROM "EventEmbedding" WHERE "EventId" = NEW."Id";
END""",
    ),
    "mssql": (
        """\
CREATE TRIGGER [TR_UserMemory_Vector] ON [UserMemory] AFTER UPDATE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Memory]) OR UPDATE([Status])
        DELETE gone FROM [MemoryEmbedding] AS gone
        JOIN inserted AS new ON new.[Id] = gone.[MemoryId]
        JOIN deleted AS old ON old.[Id] = new.[Id]
        WHERE new.[Status] IN ('superseded', 'forgotten')
            OR new.[Memory] <> old.[Memory] COLLATE Latin1_General_100_BIN2;
END""",
        """\
CREATE TRIGGER [TR_MemoryEvent_Vector] ON [MemoryEvent] AFTER UPDATE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Text])
        DELETE gone FROM [EventEmbedding] AS gone
        JOIN inserted AS new ON new.[Id] = gone.[EventId]
        JOIN deleted AS old ON old.[Id] = new.[Id]
        WHERE new.[Text] <> old.[Text] COLLATE Latin1_General_100_BIN2;
END""",
    ),
}


def upgrade() -> None:
    _create_vectors("MemoryEmbedding", "MemoryId", "UserMemory")
    _create_vectors("EventEmbedding", "EventId", "MemoryEvent")
    for trigger in VECTOR_TRIGGERS[op.get_context().dialect.name]:
        op.execute(trigger)


def downgrade() -> None:
    op.execute("DROP TRIGGER TR_UserMemory_Vector")
    op.execute("DROP TRIGGER TR_MemoryEvent_Vector")
    op.drop_table("EventEmbedding")
    op.drop_table("MemoryEmbedding")


def _create_vectors(name: str, id_column: str, of: str) -> None:
    op.create_table(
        name,
        sa.Column("Id", IDENTITY, nullable=False, autoincrement=True),
        sa.Column(id_column, IDENTITY, nullable=False),
        sa.Column("GuildId", SNOWFLAKE, nullable=False),
        sa.Column("UserId", SNOWFLAKE, nullable=False),
        sa.Column("Model", MODEL, nullable=False),
        sa.Column("Vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("Id", name=f"PK_{name}"),
        sa.UniqueConstraint(id_column, name=f"UQ_{name}_{id_column}"),
        sa.ForeignKeyConstraint(
            [id_column], [f"{of}.Id"], name=f"FK_{name}_{id_column}", ondelete="CASCADE"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(f"IX_{name}_Member", name, ["GuildId", "UserId", "Id"])
