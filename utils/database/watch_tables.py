"""The tables of passive watching: channels, settings, what waits, scores, and tension."""

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

from utils.database.base import Snowflake, metadata
from utils.database.types import BoundedText, EnumText, UtcDateTime
from utils.model.memory import EVENT_LIMIT
from utils.model.watch import REASON_LIMIT, PassiveMemory, Prefilter

watched_channel = Table(
    "WatchedChannel",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("Memory", EnumText(PassiveMemory), nullable=False),
    Column("AddedAt", UtcDateTime, nullable=False),
    Column("NoticeId", Snowflake),
    PrimaryKeyConstraint("GuildId", "ChannelId"),
)

watch_settings = Table(
    "WatchSettings",
    metadata,
    Column("GuildId", Snowflake, primary_key=True, autoincrement=False),
    Column("TensionAlert", Float, nullable=False),
    Column("ToxicityAlert", Float, nullable=False),
    Column("HalfLifeHours", Float, nullable=False),
    Column("Prefilter", EnumText(Prefilter)),
    Column("PingRoleId", Snowflake),
    Column("AutoTimeout", Boolean(create_constraint=False), nullable=False),
    Column("AutoToxicity", Float, nullable=False),
    Column("AutoMinutes", Integer, nullable=False),
    Column("AutoDryRun", Boolean(create_constraint=False), nullable=False),
)

# What was said in watched channels and is not analysed yet; a row lives for a day at most.
waiting_message = Table(
    "WaitingMessage",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("PlaceId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("AuthorName", BoundedText(100), nullable=False),
    Column("Text", BoundedText(EVENT_LIMIT), nullable=False),
    Column("CreatedAt", UtcDateTime, nullable=False),
    Column("ReplyToId", Snowflake),
    Column("Revision", BigInteger, nullable=False),
    PrimaryKeyConstraint("GuildId", "MessageId"),
    Index("IX_WaitingMessage_Place", "GuildId", "PlaceId", "MessageId"),
    Index("IX_WaitingMessage_Member", "GuildId", "UserId"),
)

message_score = Table(
    "MessageScore",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("PlaceId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("SaidAt", UtcDateTime, nullable=False),
    Column("Sentiment", Float, nullable=False),
    Column("Toxicity", Float, nullable=False),
    Column("Tension", Float, nullable=False),
    Column("Reason", BoundedText(REASON_LIMIT), nullable=False),
    PrimaryKeyConstraint("GuildId", "MessageId"),
    Index("IX_MessageScore_Place", "GuildId", "PlaceId", "SaidAt"),
    Index("IX_MessageScore_Member", "GuildId", "UserId", "SaidAt"),
    Index("IX_MessageScore_SaidAt", "SaidAt"),
)

# A channel's level has no member (0), a member's no channel (0).
tension = Table(
    "Tension",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("Level", Float, nullable=False),
    Column("At", UtcDateTime, nullable=False),
    Column("Raised", Boolean(create_constraint=False), nullable=False),
    PrimaryKeyConstraint("GuildId", "ChannelId", "UserId"),
    Index("IX_Tension_At", "At"),
)

# Who said that nothing they say to others is to be noted; a row is the choice.
passive_refusal = Table(
    "PassiveRefusal",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    PrimaryKeyConstraint("GuildId", "UserId"),
)
