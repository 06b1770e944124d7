"""The tables of attachments and of what they say."""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from utils.database.schema.base import Identity, Snowflake, filtered_index, metadata
from utils.database.schema.column_types import BoundedText, EnumText, KeyText, LongText, UtcDateTime
from utils.models.attachment import (
    CAPTION_LIMIT,
    CHUNK_LIMIT,
    NAME_LIMIT,
    AttachmentKind,
    AttachmentState,
)

# Url is where a file can be had until it is read, and empty from then on: no file is kept.
artifact = Table(
    "Artifact",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("SourceId", Snowflake, nullable=False),
    Column("MessageId", Snowflake, nullable=False),
    Column("Position", Integer, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("Kind", EnumText(AttachmentKind), nullable=False),
    Column("Name", BoundedText(NAME_LIMIT), nullable=False),
    Column("MediaType", KeyText(100), nullable=False),
    Column("Size", BigInteger, nullable=False),
    Column("Sha256", KeyText(64), nullable=False),
    Column("Url", LongText, nullable=False),
    Column("State", EnumText(AttachmentState), nullable=False),
    Column("Attempts", Integer, nullable=False),
    Column("Caption", BoundedText(CAPTION_LIMIT), nullable=False),
    Column("CreatedAt", UtcDateTime, nullable=False),
    Column("ExpiresAt", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("Id"),
    UniqueConstraint("GuildId", "MessageId", "Position"),
    Index("IX_Artifact_Member", "GuildId", "UserId", "Id"),
    Index("IX_Artifact_Sha256", "GuildId", "Sha256"),
    filtered_index(
        "IX_Artifact_Pending", "State", "Id", where=text("State IN ('pending', 'claimed')")
    ),
    Index("IX_Artifact_ExpiresAt", "ExpiresAt"),
    sqlite_autoincrement=True,
)

artifact_text = Table(
    "ArtifactText",
    metadata,
    Column("Id", Identity, nullable=False, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("ArtifactId", BigInteger, nullable=False),
    Column("Part", Integer, nullable=False),
    Column("Text", BoundedText(CHUNK_LIMIT), nullable=False),
    Column("Stems", LongText, nullable=False),
    Column("ExpiresAt", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("Id"),
    UniqueConstraint("GuildId", "ArtifactId", "Part"),
    Index("IX_ArtifactText_Member", "GuildId", "UserId", "Id"),
    Index("IX_ArtifactText_ExpiresAt", "ExpiresAt"),
    sqlite_autoincrement=True,
)
