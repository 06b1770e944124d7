"""A server's own personas, and members who refuse to be roasted."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import bindparam, delete, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import has_changed, of_member, to_row, upsert
from utils.database.schema.memory_tables import channel_mode, guild_settings, persona, roast_refusal
from utils.models.guild import Persona
from utils.models.memory import Member


def load(connection: Connection, guild_id: int, name: str) -> Persona | None:
    """Return one of a server's own personas, or None."""
    personas = load_many(connection, guild_id, {name})
    return personas[0] if personas else None


def load_many(connection: Connection, guild_id: int, names: Collection[str]) -> tuple[Persona, ...]:
    """Return a server's own personas with these names, in alphabetical order."""
    rows = connection.execute(
        select(persona)
        .where(persona.c.GuildId == guild_id, persona.c.Name.in_(list(names)))
        .order_by(persona.c.Name)
    )
    return tuple(Persona(row.Name, row.Text, row.CreatedById, row.CreatedAt) for row in rows)


def list_names(connection: Connection, guild_id: int) -> tuple[str, ...]:
    """Return the names of a server's own personas, in alphabetical order."""
    statement = select(persona.c.Name).where(persona.c.GuildId == guild_id).order_by(persona.c.Name)
    return tuple(connection.scalars(statement))


def add(connection: Connection, guild_id: int, new: Persona) -> bool:
    """Store a persona; returns False if there is one of that name."""
    if load(connection, guild_id, new.name) is not None:
        return False
    changed = {"ChangedById": new.created_by, "ChangedAt": new.created_at}
    connection.execute(
        persona.insert(),
        to_row(persona, new, GuildId=guild_id, CreatedById=new.created_by, **changed),
    )
    return True


def edit(
    connection: Connection, guild_id: int, name: str, text: str, *, actor_id: int, at: datetime
) -> bool:
    """Replace a persona's text; returns False if there is none of that name."""
    return has_changed(
        connection,
        update(persona)
        .where(persona.c.GuildId == guild_id, persona.c.Name == name)
        .values(Text=text, ChangedById=actor_id, ChangedAt=at),
    )


def remove(connection: Connection, guild_id: int, name: str, fallback: str) -> bool:
    """Delete a persona and use ``fallback`` where it was the mode; False if there was none."""
    removed = connection.execute(
        delete(persona).where(persona.c.GuildId == guild_id, persona.c.Name == name)
    )
    if not removed.rowcount:
        return False
    connection.execute(
        delete(channel_mode).where(channel_mode.c.GuildId == guild_id, channel_mode.c.Mode == name)
    )
    connection.execute(
        update(guild_settings)
        .where(guild_settings.c.GuildId == guild_id, guild_settings.c.Mode == name)
        .values(Mode=fallback)
    )
    return True


# --- roast refusals -----------------------------------------------------------------------------


def set_roast_refusal(
    connection: Connection, member: Member, *, refused: bool, at: datetime
) -> None:
    """Store whether a member refuses to be roasted."""
    keys = {"GuildId": member.guild_id, "UserId": member.user_id}
    if refused:
        upsert(connection, roast_refusal, keys, {"At": at})
    else:
        connection.execute(delete(roast_refusal).where(of_member(roast_refusal, member)))


# Built once: building costs more than running.
_REFUSAL = (
    select(roast_refusal.c.UserId)
    .where(
        roast_refusal.c.GuildId == bindparam("guild_id"),
        roast_refusal.c.UserId.in_(bindparam("user_ids", expanding=True)),
    )
    .limit(1)
)


def any_refuses_roasts(connection: Connection, guild_id: int, user_ids: Collection[int]) -> bool:
    """Return whether one of these members refuses to be roasted."""
    parameters = {"guild_id": guild_id, "user_ids": list(user_ids)}
    return connection.execute(_REFUSAL, parameters).first() is not None
