"""Members see on Discord what was noted and what not, and where an answer comes from.

Revision: k0010
Revises: k0009
Why: a line below an answer is a copy of notes, so what marks them where is stored, and due as soon
as a note changes. Members and moderators choose how it is shown. Moderators choose whether an
answer says where it comes from. Of a message of which nothing was noted, the reason is stored.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mssql

revision = "k0010"
down_revision = "k0009"

FLAG = sa.Boolean(create_constraint=False)
TIME = sa.DateTime().with_variant(mssql.DATETIME2(6), "mssql")
MARK = sa.String(20).with_variant(mssql.NVARCHAR(20, collation="Latin1_General_100_BIN2"), "mssql")
HAS_DUE = sa.text("DueAt IS NOT NULL")
TRIGGERS = {
    "sqlite": (
        """\
CREATE TRIGGER TR_UserMemory_Noted AFTER UPDATE OF "Status", "ExpiresAt", "SearchStems"
ON "UserMemory"
BEGIN
    UPDATE "NoteMark" SET "DueAt" = '2000-01-01 00:00:00.000000' WHERE "MemoryId" = NEW."Id";
END""",
        """\
CREATE TRIGGER TR_UserMemory_NotedGone AFTER DELETE ON "UserMemory"
BEGIN
    UPDATE "NoteMark" SET "DueAt" = '2000-01-01 00:00:00.000000' WHERE "MemoryId" = OLD."Id";
END""",
    ),
    "mssql": (
        """\
CREATE TRIGGER [TR_UserMemory_Noted] ON [UserMemory] AFTER UPDATE, DELETE AS
BEGIN
    SET NOCOUNT ON;
    IF UPDATE([Status]) OR UPDATE([ExpiresAt]) OR UPDATE([SearchStems])
        OR NOT EXISTS (SELECT 1 FROM inserted)
        UPDATE mark SET [DueAt] = '2000-01-01' FROM [NoteMark] AS mark
        JOIN deleted AS old ON old.[Id] = mark.[MemoryId];
END""",
    ),
}


def upgrade() -> None:
    identity = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "NoteMark",
        sa.Column("Id", identity, nullable=False, autoincrement=True),
        sa.Column("GuildId", sa.BigInteger, nullable=False),
        sa.Column("ChannelId", sa.BigInteger, nullable=False),
        sa.Column("MessageId", sa.BigInteger, nullable=False),
        sa.Column("MemoryId", sa.BigInteger, nullable=False),
        sa.Column("Mark", MARK, nullable=False),
        sa.Column("Attempts", sa.Integer, nullable=False),
        sa.Column("DueAt", TIME),
        sa.PrimaryKeyConstraint("Id", name="PK_NoteMark"),
        sqlite_autoincrement=True,
    )
    op.create_index("IX_NoteMark_Message", "NoteMark", ["GuildId", "MessageId"])
    op.create_index("IX_NoteMark_Memory", "NoteMark", ["MemoryId"])
    op.create_index(
        "IX_NoteMark_DueAt", "NoteMark", ["DueAt"], sqlite_where=HAS_DUE, mssql_where=HAS_DUE
    )
    default = sa.text("'reaction'")
    op.add_column("GuildSettings", sa.Column("Noted", MARK, nullable=False, server_default=default))
    off = sa.Column("ShowsSources", FLAG, nullable=False, server_default=sa.text("'0'"))
    op.add_column("GuildSettings", off)
    op.add_column("UserState", sa.Column("Noted", MARK))
    op.add_column("MemoryEvent", sa.Column("Receipt", MARK))
    for trigger in TRIGGERS[op.get_context().dialect.name]:
        op.execute(trigger)
