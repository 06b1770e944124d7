"""The table of questions whose answers are under way."""

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table, UniqueConstraint

from utils.database.schema.base import Identity, Snowflake, metadata
from utils.database.schema.column_types import IdList, UtcDateTime

# PartIds are the messages of the answer that were sent so far. The process that answers puts DueAt
# off while it lives; after that, any process may answer the question again.
pending_answer = Table(
    "PendingAnswer",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("PartIds", IdList),
    Column("Attempts", Integer, nullable=False),
    Column("AskedAt", UtcDateTime, nullable=False),
    Column("DueAt", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("Id"),
    UniqueConstraint("GuildId", "MessageId"),
    Index("IX_PendingAnswer_DueAt", "DueAt"),
    sqlite_autoincrement=True,
)
