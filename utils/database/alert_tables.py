"""The tables of alerts: incidents, the messages they are about, and what was done."""

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

from utils.database.base import Identity, Snowflake, metadata
from utils.database.types import EnumText, UtcDateTime
from utils.model.alerts import Act, AlertState
from utils.model.watch import Signal

alert = Table(
    "Alert",
    metadata,
    Column("Id", Identity, primary_key=True, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("PlaceId", Snowflake, nullable=False),
    Column("State", EnumText(AlertState), nullable=False),
    Column("Signal", EnumText(Signal), nullable=False),
    Column("Level", Float, nullable=False),
    Column("Threshold", Float, nullable=False),
    Column("OpenedAt", UtcDateTime, nullable=False),
    Column("ChangedAt", UtcDateTime, nullable=False),
    Column("PostChannelId", Snowflake),
    Column("PostId", Snowflake),
    Column("TriedAt", UtcDateTime),  # when some process last began to post it
    Column("Shown", Integer, nullable=False),  # messages and actions in the post
    Column("DecidedById", Snowflake, nullable=False),
    Column("DecidedAt", UtcDateTime),
    Index("IX_Alert_Place", "GuildId", "PlaceId", "ChangedAt"),
    Index("IX_Alert_ChangedAt", "ChangedAt"),
    sqlite_autoincrement=True,
)

# Their scores are in MessageScore: a message without one there is not part of its alert any more.
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

# Who did what to whom: UserId is the member (0: a channel or the alert), ActorId the moderator.
moderator_action = Table(
    "ModeratorAction",
    metadata,
    Column("Id", Identity, primary_key=True, autoincrement=True),
    Column("GuildId", Snowflake, nullable=False),
    Column("AlertId", BigInteger, nullable=False),
    Column("Act", EnumText(Act), nullable=False),
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
