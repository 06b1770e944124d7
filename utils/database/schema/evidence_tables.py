"""The tables of what a memory rests on: evidence, context, and notes that are not verified yet."""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    PrimaryKeyConstraint,
    Table,
    or_,
)

from utils.database.schema.base import Identity, Snowflake, metadata
from utils.database.schema.column_types import BoundedText, EnumText, KeyText, UtcDateTime
from utils.models.memory import MEMORY_LIMIT, Method, VerifiedBy
from utils.models.transfer import NOT_SENT

memory_evidence = Table(
    "MemoryEvidence",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("MemoryId", BigInteger, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("Quote", BoundedText(MEMORY_LIMIT), nullable=False),
    Column("Method", EnumText(Method), nullable=False),
    Column("Model", BoundedText(100), nullable=False),
    Column("PromptHash", KeyText(64), nullable=False),
    Column("SaidAt", UtcDateTime, nullable=False),
    Column("VerifiedBy", EnumText(VerifiedBy), nullable=False, server_default="rule"),
    Column("VerifierModel", BoundedText(100), nullable=False, server_default=""),
    Column("VerifierHash", KeyText(64), nullable=False, server_default=""),
    PrimaryKeyConstraint("Id"),
    Index("IX_MemoryEvidence_Memory", "MemoryId", mssql_include=["MessageId", "SaidAt"]),
    Index("IX_MemoryEvidence_Message", "GuildId", "MessageId"),
    sqlite_autoincrement=True,
)

# What a note rests on besides its own sentence; one of the two ids is 0. When it is erased, the
# note becomes a quote again (utils/database/erasure/note_context.py). The message may be expired,
# or only watched: AuthorId (0: Kith's, or unknown) says whose words it had.
memory_context = Table(
    "MemoryContext",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ContextMessageId", Snowflake, nullable=False),
    Column("ContextMemoryId", BigInteger, nullable=False),
    Column("MemoryId", BigInteger, nullable=False),
    Column("AuthorId", Snowflake, nullable=False, server_default="0"),
    PrimaryKeyConstraint("GuildId", "ContextMessageId", "ContextMemoryId", "MemoryId"),
    Index("IX_MemoryContext_Memory", "MemoryId"),
    Index("IX_MemoryContext_Author", "GuildId", "AuthorId"),
)

# Text typed into a command is in no message, so deleting a message cannot remove it.
WAS_SENT = or_(
    memory_evidence.c.Method != Method.EXPLICIT, memory_evidence.c.Model.not_in(NOT_SENT)
)
