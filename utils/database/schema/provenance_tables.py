"""The tables of what answers and open loops rest on, of answers to give or delete, and marks."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from utils.database.schema.base import Identity, Snowflake, filtered_index, metadata
from utils.database.schema.column_types import EnumText, IdList, UtcDateTime
from utils.models.memory import NotedMark
from utils.models.provenance import SourceKind, SourceRole

# EventId is an answer of Kith's; SourceId is the id of a message, memory or episode. UserId is
# whose words the source holds, 0 for the server's.
answer_source = Table(
    "AnswerSource",
    metadata,
    Column(
        "EventId",
        Identity,
        ForeignKey("MemoryEvent.Id", name="FK_AnswerSource_EventId", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("Kind", EnumText(SourceKind), nullable=False),
    Column("SourceId", BigInteger, nullable=False),
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("Role", EnumText(SourceRole), nullable=False),
    PrimaryKeyConstraint("EventId", "Kind", "SourceId"),
    Index("IX_AnswerSource_Source", "GuildId", "Kind", "SourceId"),
    Index("IX_AnswerSource_Member", "GuildId", "UserId"),
)

# The messages besides its own whose words an open loop repeats.
loop_source = Table(
    "LoopSource",
    metadata,
    Column(
        "LoopId",
        Identity,
        ForeignKey("OpenLoop.Id", name="FK_LoopSource_LoopId", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("MessageId", Snowflake, nullable=False),
    Column("GuildId", Snowflake, nullable=False),
    PrimaryKeyConstraint("LoopId", "MessageId"),
    Index("IX_LoopSource_Message", "GuildId", "MessageId"),
)

# Answers that are erased here and still stand on Discord.
answer_removal = Table(
    "AnswerRemoval",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("Attempts", Integer, nullable=False),
    Column("DueAt", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("Id"),
    UniqueConstraint("GuildId", "MessageId"),
    Index("IX_AnswerRemoval_DueAt", "DueAt"),
    sqlite_autoincrement=True,
)


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

# A note that is marked on a message on Discord: on an answer as a line, else by a reaction. DueAt
# is when to look whether the mark is still right: at the note's end, or at once after a change.
note_mark = Table(
    "NoteMark",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("MemoryId", BigInteger, nullable=False),
    Column("Mark", EnumText(NotedMark), nullable=False),
    Column("Attempts", Integer, nullable=False),
    Column("DueAt", UtcDateTime),
    PrimaryKeyConstraint("Id"),
    Index("IX_NoteMark_Message", "GuildId", "MessageId"),
    Index("IX_NoteMark_Memory", "MemoryId"),
    filtered_index("IX_NoteMark_DueAt", "DueAt", where=text("DueAt IS NOT NULL")),
    sqlite_autoincrement=True,
)
