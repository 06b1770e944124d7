"""A server's tables: settings, channel purposes and modes, personas, policies, account links."""

from sqlalchemy import BigInteger, Boolean, Column, Integer, PrimaryKeyConstraint, Table

from utils.database.schema.base import Snowflake, metadata
from utils.database.schema.column_types import (
    BoundedText,
    EnumText,
    IdList,
    KeyText,
    LongText,
    NameList,
    UtcDateTime,
)
from utils.models.guild import PERSONA_LIMIT, PERSONA_NAME_LIMIT, Purpose
from utils.models.llm import MODEL_LIMIT
from utils.models.memory import TOPICS_LIMIT, Consent, NotedMark

guild_settings = Table(
    "GuildSettings",
    metadata,
    Column("GuildId", Snowflake, primary_key=True, autoincrement=False),
    Column("Mode", KeyText(50), nullable=False),
    Column("TimeZone", KeyText(64), nullable=False),
    Column("BaseRoleId", Snowflake),
    Column("ConsentDefault", EnumText(Consent), nullable=False),
    Column("PolicyVersion", Integer, nullable=False),
    Column("Frozen", Boolean(create_constraint=False), nullable=False),
    Column("ModeratorsSeeMembers", Boolean(create_constraint=False), nullable=False),
    Column("RemovedAt", UtcDateTime),
    Column("ImpliedRoleIds", IdList),  # roles whose members all have the base role
    Column("Lore", Boolean(create_constraint=False), nullable=False, server_default="1"),
    Column("ToolServers", NameList),  # MCP servers that moderators switched on
    Column("TalkRoleIds", IdList),  # roles whose members Kith answers; none: everybody
    Column("Noted", EnumText(NotedMark), nullable=False, server_default=NotedMark.REACTION.value),
    Column("ShowsSources", Boolean(create_constraint=False), nullable=False, server_default="0"),
)

channel_purpose = Table(
    "ChannelPurpose",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("Purpose", EnumText(Purpose), nullable=False),
    Column("Topics", BoundedText(TOPICS_LIMIT)),
    PrimaryKeyConstraint("GuildId", "ChannelId", "Purpose"),
)

channel_mode = Table(
    "ChannelMode",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("Mode", KeyText(50), nullable=False),
    PrimaryKeyConstraint("GuildId", "ChannelId"),
)

# The chat model that a server's moderators chose; ChannelId 0: for the whole server.
model_choice = Table(
    "ModelChoice",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("Model", KeyText(MODEL_LIMIT), nullable=False),
    PrimaryKeyConstraint("GuildId", "ChannelId"),
)

# A channel in which Kith may speak first.
speaking_place = Table(
    "SpeakingPlace",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("AfterMinutes", Integer, nullable=False),
    Column("PerDay", Integer, nullable=False),
    Column("QuietFrom", Integer, nullable=False),
    Column("QuietUntil", Integer, nullable=False),
    Column("LookedAt", UtcDateTime),
    Column("SpokenAt", UtcDateTime),
    Column("SpokenCount", Integer, nullable=False),
    PrimaryKeyConstraint("GuildId", "ChannelId"),
)

persona = Table(
    "Persona",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("Name", KeyText(PERSONA_NAME_LIMIT), nullable=False),
    Column("Text", BoundedText(PERSONA_LIMIT), nullable=False),
    Column("CreatedById", Snowflake, nullable=False),
    Column("CreatedAt", UtcDateTime, nullable=False),
    Column("ChangedById", Snowflake, nullable=False),
    Column("ChangedAt", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("GuildId", "Name"),
)

# Members who refused to be roasted; the row itself is the choice.
roast_refusal = Table(
    "RoastRefusal",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("At", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("GuildId", "UserId"),
)

channel_state = Table(
    "ChannelState",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("ChannelId", Snowflake, nullable=False),
    Column("ResetEventId", BigInteger, nullable=False),
    PrimaryKeyConstraint("GuildId", "ChannelId"),
)

policy_version = Table(
    "PolicyVersion",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("Version", Integer, nullable=False, autoincrement=False),
    Column("At", UtcDateTime, nullable=False),
    Column("ActorId", Snowflake, nullable=False),
    Column("Reason", BoundedText(200), nullable=False),
    Column("Policy", LongText, nullable=False),
    PrimaryKeyConstraint("GuildId", "Version"),
)

# A member's claim that another account is theirs too; two claims that name each other make a link.
account_link = Table(
    "AccountLink",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("OtherId", Snowflake, nullable=False),
    Column("At", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("GuildId", "UserId", "OtherId"),
)
