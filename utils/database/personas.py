"""Modes: a server's own personas, the modes of single channels, and who refused to be roasted."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, select, update

from utils.database.engine import Session
from utils.database.tables import channel_mode, guild_settings, persona, roast_refusal
from utils.database.upsert import upsert
from utils.model.guild import ChannelMode, Persona
from utils.model.memory import Member


def load(session: Session, guild_id: int, name: str) -> Persona | None:
    """Return one of a server's own personas."""
    found = named(session, guild_id, {name})
    return found[0] if found else None


def named(session: Session, guild_id: int, names: Collection[str]) -> tuple[Persona, ...]:
    """Return those of a server's own personas that have one of these names, by name."""
    columns = persona.c
    rows = session.execute(
        select(persona)
        .where(columns.GuildId == guild_id, columns.Name.in_(list(names)))
        .order_by(columns.Name)
    )
    return tuple(Persona(row.Name, row.Text, row.CreatedById, row.CreatedAt) for row in rows)


def names(session: Session, guild_id: int) -> tuple[str, ...]:
    """Return the names of a server's own personas, in alphabetical order."""
    columns = persona.c
    statement = select(columns.Name).where(columns.GuildId == guild_id).order_by(columns.Name)
    return tuple(session.scalars(statement))


def add(session: Session, guild_id: int, made: Persona) -> bool:
    """Store a persona; False if there is one of that name."""
    if load(session, guild_id, made.name) is not None:
        return False
    session.execute(
        persona.insert().values(
            GuildId=guild_id,
            Name=made.name,
            Text=made.text,
            CreatedById=made.created_by,
            CreatedAt=made.created_at,
            ChangedById=made.created_by,
            ChangedAt=made.created_at,
        )
    )
    return True


def change(
    session: Session, guild_id: int, name: str, text: str, *, actor_id: int, at: datetime
) -> bool:
    """Write a persona anew; False if there is none of that name."""
    changed = session.execute(
        update(persona)
        .where(persona.c.GuildId == guild_id, persona.c.Name == name)
        .values(Text=text, ChangedById=actor_id, ChangedAt=at)
    )
    return bool(changed.rowcount)


def remove(session: Session, guild_id: int, name: str, fallback: str) -> bool:
    """Delete a persona; where it was the mode, ``fallback`` is. False if there is none so named."""
    removed = session.execute(
        delete(persona).where(persona.c.GuildId == guild_id, persona.c.Name == name)
    )
    if not removed.rowcount:
        return False
    session.execute(
        delete(channel_mode).where(channel_mode.c.GuildId == guild_id, channel_mode.c.Mode == name)
    )
    session.execute(
        update(guild_settings)
        .where(guild_settings.c.GuildId == guild_id, guild_settings.c.Mode == name)
        .values(Mode=fallback)
    )
    return True


# --- modes of channels --------------------------------------------------------------------------


def channel_modes(session: Session, guild_id: int) -> tuple[ChannelMode, ...]:
    """Return the channels with a mode of their own, in the order of their ids."""
    columns = channel_mode.c
    rows = session.execute(
        select(columns.ChannelId, columns.Mode)
        .where(columns.GuildId == guild_id)
        .order_by(columns.ChannelId)
    )
    return tuple(ChannelMode(row.ChannelId, row.Mode) for row in rows)


def set_channel_mode(session: Session, guild_id: int, channel_id: int, mode: str) -> None:
    """Give a channel a mode of its own."""
    upsert(session, channel_mode, {"GuildId": guild_id, "ChannelId": channel_id}, {"Mode": mode})


def clear_channel_mode(session: Session, guild_id: int, channel_id: int) -> bool:
    """Take a channel's own mode away; False if it had none."""
    columns = channel_mode.c
    removed = session.execute(
        delete(channel_mode).where(columns.GuildId == guild_id, columns.ChannelId == channel_id)
    )
    return bool(removed.rowcount)


# --- who is not to be made fun of ---------------------------------------------------------------


def refuse_roasts(session: Session, member: Member, *, refused: bool, at: datetime) -> None:
    """Store whether a member refuses to be made fun of."""
    keys = {"GuildId": member.guild_id, "UserId": member.user_id}
    if refused:
        upsert(session, roast_refusal, keys, {"At": at})
    else:
        theirs = [roast_refusal.c[name] == value for name, value in keys.items()]
        session.execute(delete(roast_refusal).where(*theirs))


def any_refuses(session: Session, guild_id: int, user_ids: Collection[int]) -> bool:
    """Whether one of these people refuses to be made fun of in that server."""
    columns = roast_refusal.c
    statement = select(columns.UserId).where(
        columns.GuildId == guild_id, columns.UserId.in_(list(user_ids))
    )
    return session.execute(statement.limit(1)).first() is not None
