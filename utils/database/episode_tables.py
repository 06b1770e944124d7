"""The tables of chapters of conversation: who spoke in them, what is written of them, and what is
still open in them."""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    PrimaryKeyConstraint,
    Table,
    text,
)

from utils.database.base import Identity, Snowflake, metadata
from utils.database.types import BoundedText, EnumText, LongText, UtcDateTime
from utils.model.episode import LOOP_LIMIT, SUMMARY_LIMIT, LoopKind, LoopState, Part

# Literal, so that both databases see that a query with it fits the filtered index.
UNSUMMARISED = text("SummarisedId = 0")

# An episode's messages are those of its channel from FirstEventId to LastEventId that name it;
# SummarisedId is the last of them that its summaries know of; 0: none, or none any more.
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
    Index(
        "IX_Episode_Open",
        "LastAt",
        sqlite_where=text("ClosedAt IS NULL"),
        mssql_where=text("ClosedAt IS NULL"),
    ),
    Index("IX_Episode_ExpiresAt", "ExpiresAt"),
    Index(
        "IX_Episode_Unsummarised",
        "GuildId",
        "ChannelId",
        "Id",
        sqlite_where=UNSUMMARISED,
        mssql_where=UNSUMMARISED,
    ),
    sqlite_autoincrement=True,
)

# Who spoke in an episode, or was told of in it.
episode_member = Table(
    "EpisodeMember",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("EpisodeId", BigInteger, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    PrimaryKeyConstraint("GuildId", "EpisodeId", "UserId"),
    Index("IX_EpisodeMember_Member", "GuildId", "UserId"),
)

# Structure is JSON, of final summaries only; a summary ends with the first of its messages.
episode_summary = Table(
    "EpisodeSummary",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("SourceId", Snowflake, nullable=False),
    Column("EpisodeId", BigInteger, nullable=False),
    Column("Part", EnumText(Part), nullable=False),
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
    PrimaryKeyConstraint("Id"),
    Index("IX_OpenLoop_Member", "GuildId", "UserId", "Id"),
    Index("IX_OpenLoop_Message", "GuildId", "MessageId"),
    Index("IX_OpenLoop_ExpiresAt", "ExpiresAt"),
    sqlite_autoincrement=True,
)
