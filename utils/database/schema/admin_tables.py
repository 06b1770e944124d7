"""Operator tables: daily counts, recall policies, erasure ledger, history imports, tombstones."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
)

from utils.database.schema.base import Identity, Snowflake, metadata
from utils.database.schema.column_types import BoundedText, EnumText, KeyText, LongText, UtcDateTime
from utils.models.operator import ACTOR_LIMIT, ErasureKind, PolicyRole
from utils.models.policy import REASON_LIMIT

# How often something happened in a server on one day. Charts and drift are computed from it.
daily_count = Table(
    "DailyCount",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("Day", KeyText(10), nullable=False),
    Column("Name", KeyText(30), nullable=False),
    Column("Label", KeyText(50), nullable=False),
    Column("Count", BigInteger, nullable=False),
    PrimaryKeyConstraint("GuildId", "Day", "Name", "Label"),
    Index("IX_DailyCount_Day", "Day", "Name", "Label", "Count"),  # all servers together
)

# Every recall policy that was ever active or ran in the shadow. Version 0 comes with Kith and has
# no row. Previous is the version that was active before, to which a rollback returns; it is NULL
# for a version that only ran in the shadow.
read_policy_version = Table(
    "ReadPolicyVersion",
    metadata,
    Column("Version", Integer, primary_key=True, autoincrement=False),
    Column("At", UtcDateTime, nullable=False),
    Column("Actor", BoundedText(ACTOR_LIMIT), nullable=False),
    Column("Reason", BoundedText(REASON_LIMIT), nullable=False),
    Column("Policy", LongText, nullable=False),
    Column("Previous", Integer),
)

# The active version, and the version that runs in the shadow, without effect, until a time.
read_policy_use = Table(
    "ReadPolicyUse",
    metadata,
    Column("Role", EnumText(PolicyRole), primary_key=True),
    Column("Version", Integer, nullable=False),
    Column("Since", UtcDateTime, nullable=False),
    Column("Until", UtcDateTime),
    Column("RollsBack", Boolean(create_constraint=False), nullable=False),
)

# What the shadow policy would have recalled beside the active one: ids, never text.
shadow_recall = Table(
    "ShadowRecall",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("At", UtcDateTime, nullable=False),
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("ActiveVersion", Integer, nullable=False),
    Column("ShadowVersion", Integer, nullable=False),
    Column("ActiveIds", LongText, nullable=False),
    Column("ShadowIds", LongText, nullable=False),
    Column("ActiveTokens", Integer, nullable=False),
    Column("ShadowTokens", Integer, nullable=False),
    Column("ActiveMs", Float, nullable=False),
    Column("ShadowMs", Float, nullable=False),
    PrimaryKeyConstraint("Id"),
    Index("IX_ShadowRecall_At", "At"),
    Index("IX_ShadowRecall_Member", "GuildId", "UserId"),
    sqlite_autoincrement=True,
)

# What was erased, and when: ids, never text. Rows are permanent and are also mirrored outside every
# backup, so that a restored backup brings nothing back.
erasure_ledger = Table(
    "ErasureLedger",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("At", UtcDateTime, nullable=False),
    Column("Kind", EnumText(ErasureKind), nullable=False),
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake),
    Column("ChannelId", Snowflake),
    Column("MessageId", Snowflake),
    Column("Revision", BigInteger),
    Column("Uid", KeyText(32)),
    PrimaryKeyConstraint("Id"),
    Index("IX_ErasureLedger_Member", "GuildId", "UserId", "At"),
    sqlite_autoincrement=True,
)

# How far an export of a channel's history was imported.
history_import = Table(
    "HistoryImport",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("FileKey", KeyText(64), nullable=False),
    Column("LastMessageId", Snowflake, nullable=False),
    Column("ChangedAt", UtcDateTime, nullable=False),
    Column("FinishedAt", UtcDateTime),
    PrimaryKeyConstraint("GuildId", "ChannelId", "FileKey"),
)

# Per deleted, edited or forgotten message, the last revision from which nothing may be learnt.
# A row outlives the event and the memory, so that no old export brings them back. It holds no text
# and takes 46 bytes on SQLite (4.6 MB for 100,000 rows).
tombstone = Table(
    "Tombstone",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("Revision", BigInteger, nullable=False),
    PrimaryKeyConstraint("GuildId", "MessageId"),
    sqlite_with_rowid=False,
)
