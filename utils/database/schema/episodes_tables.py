"""The tables of episodes, their members, their summaries, and open loops."""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    text,
)

from utils.database.schema.base import Identity, Snowflake, filtered_index, metadata
from utils.database.schema.column_types import BoundedText, EnumText, LongText, UtcDateTime
from utils.models.episode import (
    LOOP_LIMIT,
    REPEATS_LIMIT,
    SUMMARY_LIMIT,
    LoopKind,
    LoopState,
    SummaryPart,
)

# A literal, so that both databases use the filtered index for queries with it.
UNSUMMARISED = text("SummarisedId = 0")

# The messages of an episode are those from FirstEventId to LastEventId that carry its id.
# SummarisedId is the last event that its summaries cover; 0 if none do, or no longer do.
episode = Table(
    "Episode",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("SourceId", Snowflake, nullable=False),
    Column("StartedAt", UtcDateTime, nullable=False),
    Column("LastAt", UtcDateTime, nullable=False),
    Column("FirstEventId", BigInteger, nullable=False),
    Column("LastEventId", BigInteger, nullable=False),
    Column("SummarisedId", BigInteger, nullable=False),
    Column("ClosedAt", UtcDateTime),
    Column("ExpiresAt", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("Id"),
    Index("IX_Episode_Channel", "GuildId", "ChannelId", "Id"),
    filtered_index("IX_Episode_Open", "LastAt", where=text("ClosedAt IS NULL")),
    Index("IX_Episode_ExpiresAt", "ExpiresAt"),
    filtered_index("IX_Episode_Unsummarised", "GuildId", "ChannelId", "Id", where=UNSUMMARISED),
    sqlite_autoincrement=True,
)

# The members who spoke in an episode or were mentioned in it.
episode_member = Table(
    "EpisodeMember",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("EpisodeId", BigInteger, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    PrimaryKeyConstraint("GuildId", "EpisodeId", "UserId"),
    Index("IX_EpisodeMember_Member", "GuildId", "UserId"),
)

# Structure is JSON and only set in final summaries. A summary expires with its first message.
episode_summary = Table(
    "EpisodeSummary",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("SourceId", Snowflake, nullable=False),
    Column("EpisodeId", BigInteger, nullable=False),
    Column("Part", EnumText(SummaryPart), nullable=False),
    Column("FirstEventId", BigInteger, nullable=False),
    Column("LastEventId", BigInteger, nullable=False),
    Column("Text", BoundedText(SUMMARY_LIMIT), nullable=False),
    Column("Structure", LongText, nullable=False),
    Column("Stems", LongText, nullable=False),
    Column("SaidFrom", UtcDateTime, nullable=False),
    Column("SaidTo", UtcDateTime, nullable=False),
    Column("Model", BoundedText(100), nullable=False),
    Column("PromptHash", BoundedText(64), nullable=False),
    Column("CreatedAt", UtcDateTime, nullable=False),
    Column("ExpiresAt", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("Id"),
    Index("IX_EpisodeSummary_Episode", "GuildId", "EpisodeId", "Id"),
    Index("IX_EpisodeSummary_Newest", "GuildId", "Id"),
    Index("IX_EpisodeSummary_ExpiresAt", "ExpiresAt"),
    sqlite_autoincrement=True,
)

open_loop = Table(
    "OpenLoop",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("SourceId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("Kind", EnumText(LoopKind), nullable=False),
    Column("Text", BoundedText(LOOP_LIMIT), nullable=False),
    Column("State", EnumText(LoopState), nullable=False),
    Column("DueAt", UtcDateTime),
    Column("CreatedAt", UtcDateTime, nullable=False),
    Column("ExpiresAt", UtcDateTime, nullable=False),
    Column("Offers", Integer, nullable=False, server_default="0"),
    Column("FirstOfferedAt", UtcDateTime),
    Column("LastOfferedAt", UtcDateTime),
    Column("Repeats", BoundedText(REPEATS_LIMIT), nullable=False, server_default=""),
    Column("Misses", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("Id"),
    Index("IX_OpenLoop_Member", "GuildId", "UserId", "Id"),
    Index("IX_OpenLoop_Message", "GuildId", "MessageId"),
    Index("IX_OpenLoop_ExpiresAt", "ExpiresAt"),
    Index("IX_OpenLoop_DueAt", "Kind", "DueAt"),
    sqlite_autoincrement=True,
)
