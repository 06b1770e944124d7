"""The chat models that moderators chose for a server and its channels."""

from sqlalchemy import delete, select

from utils.database.core.engine import Connection
from utils.database.core.queries import upsert
from utils.database.schema.memory_tables import model_choice
from utils.models.guild import ModelChoice


def load(connection: Connection, guild_id: int) -> tuple[ModelChoice, ...]:
    """Return a server's choices, its own first."""
    columns = model_choice.c
    rows = connection.execute(
        select(columns.ChannelId, columns.Model)
        .where(columns.GuildId == guild_id)
        .order_by(columns.ChannelId)
    )
    return tuple(ModelChoice(row.ChannelId, row.Model) for row in rows)


def choose(connection: Connection, guild_id: int, channel_id: int, model: str) -> None:
    """Store the model of a channel, or of the server."""
    keys = {"GuildId": guild_id, "ChannelId": channel_id}
    upsert(connection, model_choice, keys, {"Model": model})


def reset(connection: Connection, guild_id: int, channel_id: int) -> bool:
    """Remove the choice for a channel, or for the server; returns False if there was none."""
    columns = model_choice.c
    removed = connection.execute(
        delete(model_choice).where(columns.GuildId == guild_id, columns.ChannelId == channel_id)
    )
    return bool(removed.rowcount)
