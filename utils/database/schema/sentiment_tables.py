"""Sentiment tables: watched channels, settings, waiting messages, scores, tension and alerts."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
)

from utils.database.schema.base import Identity, Snowflake, metadata
from utils.database.schema.column_types import BoundedText, EnumText, UtcDateTime
from utils.models.alert import ActionKind, AlertState
from utils.models.memory import EVENT_LIMIT
from utils.models.sentiment import REASON_LIMIT, AlertTrigger, PassiveMemory, Prefilter

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

# Messages in watched channels that are not analysed yet; a row lives for at most one day.
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
    Column("Revision", BigInteger, nullable=False, server_default="0"),
    PrimaryKeyConstraint("GuildId", "MessageId"),
    Index("IX_MessageScore_Place", "GuildId", "PlaceId", "SaidAt"),
    Index("IX_MessageScore_Member", "GuildId", "UserId", "SaidAt"),
    Index("IX_MessageScore_SaidAt", "SaidAt"),
)

# A channel's level has UserId 0, a member's level has ChannelId 0.
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

# Members whose messages to others must not teach anything; the row itself is the choice.
passive_refusal = Table(
    "PassiveRefusal",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    PrimaryKeyConstraint("GuildId", "UserId"),
)

alert = Table(
    "Alert",
    metadata,
    Column("Id", Identity, primary_key=True, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("PlaceId", Snowflake, nullable=False),
    Column("State", EnumText(AlertState), nullable=False),
    Column("Signal", EnumText(AlertTrigger), nullable=False),
    Column("Level", Float, nullable=False),
    Column("Threshold", Float, nullable=False),
    Column("OpenedAt", UtcDateTime, nullable=False),
    Column("ChangedAt", UtcDateTime, nullable=False),
    Column("PostChannelId", Snowflake),
    Column("PostId", Snowflake),
    Column("TriedAt", UtcDateTime),  # when a process last tried to post it
    Column("Shown", Integer, nullable=False),  # messages and actions in the post
    Column("DecidedById", Snowflake, nullable=False),
    Column("DecidedAt", UtcDateTime),
    Index("IX_Alert_Place", "GuildId", "PlaceId", "ChangedAt"),
    Index("IX_Alert_ChangedAt", "ChangedAt"),
    sqlite_autoincrement=True,
)

# Scores are in MessageScore. A message without a score there no longer belongs to its alert.
alert_message = Table(
    "AlertMessage",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("AlertId", BigInteger, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    PrimaryKeyConstraint("GuildId", "AlertId", "MessageId"),
    Index("IX_AlertMessage_Member", "GuildId", "UserId"),
)

# UserId is the member acted on (0: a channel or the alert itself), ActorId the moderator.
moderator_action = Table(
    "ModeratorAction",
    metadata,
    Column("Id", Identity, primary_key=True, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("AlertId", BigInteger, nullable=False),
    Column("Act", EnumText(ActionKind), nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("ActorId", Snowflake, nullable=False),
    Column("At", UtcDateTime, nullable=False),
    Column("Amount", Integer, nullable=False),
    Column("Done", Boolean(create_constraint=False), nullable=False),
    UniqueConstraint("GuildId", "AlertId", "Act", "UserId"),
    Index("IX_ModeratorAction_Member", "GuildId", "UserId"),
    Index("IX_ModeratorAction_At", "At"),
    sqlite_autoincrement=True,
)
