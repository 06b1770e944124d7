"""The operator's tables: counts for the charts, recall's policies, and what erasure has done."""

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

from utils.database.base import Identity, Snowflake, metadata
from utils.database.types import BoundedText, EnumText, KeyText, LongText, UtcDateTime
from utils.model.operator import ACTOR_LIMIT, Erasing, PolicyRole
from utils.model.policy import REASON_LIMIT

# How often something happened in a server in a day: what the charts and drift are made of.
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

# What a server's memory consisted of when it was last counted, as JSON: counting it takes seconds.
census = Table(
    "Census",
    metadata,
    Column("GuildId", Snowflake, primary_key=True, autoincrement=False),
    Column("At", UtcDateTime, nullable=False),
    Column("Body", LongText, nullable=False),
)

# Every policy of recall that ever held, or was tried in the shadow; version 0 is the one that comes
# with Kith, and has no row. Previous is what held before, and what a rollback returns to; NULL for
# one that only was in the shadow.
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

# Which of them holds, and which runs beside it without effect until a time.
read_policy_use = Table(
    "ReadPolicyUse",
    metadata,
    Column("Role", EnumText(PolicyRole), primary_key=True),
    Column("Version", Integer, nullable=False),
    Column("Since", UtcDateTime, nullable=False),
    Column("Until", UtcDateTime),
    Column("RollsBack", Boolean(create_constraint=False), nullable=False),
)

# What the policy in the shadow would have recalled where the active one did: ids, never words.
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

# What was erased, and when: ids, never words. It is kept for good, outside every backup too, so
# that restoring one brings nothing back.
erasure_ledger = Table(
    "ErasureLedger",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("At", UtcDateTime, nullable=False),
    Column("Kind", EnumText(Erasing), nullable=False),
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
