"""The table of linked accounts."""

from sqlalchemy import Column, PrimaryKeyConstraint, Table

from utils.database.base import Snowflake, metadata
from utils.database.types import UtcDateTime

# Two accounts of one person: the link holds while each names the other.
account_link = Table(
    "AccountLink",
    metadata,
    Column("GuildId", Snowflake, nullable=False),
    Column("UserId", Snowflake, nullable=False),
    Column("OtherId", Snowflake, nullable=False),
    Column("At", UtcDateTime, nullable=False),
    PrimaryKeyConstraint("GuildId", "UserId", "OtherId"),
)
