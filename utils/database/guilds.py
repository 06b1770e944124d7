"""A server's choices, and what its channels are for."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, select, update

from utils.database.engine import Session
from utils.database.tables import channel_purpose, guild_settings
from utils.database.upsert import upsert
from utils.model.guild import ChannelPurpose, GuildSettings, Purpose
from utils.model.memory import Consent


def load(session: Session, guild_id: int) -> GuildSettings:
    """Return a server's settings; one that never chose anything has the defaults."""
    channels = _channels(session, guild_id)
    row = session.execute(
        select(guild_settings).where(guild_settings.c.GuildId == guild_id)
    ).one_or_none()
    if row is None:
        return GuildSettings(guild_id, channels=channels)
    return GuildSettings(
        guild_id,
        mode=row.Mode,
        time_zone=row.TimeZone,
        base_role_id=row.BaseRoleId,
        consent_default=row.ConsentDefault,
        policy_version=row.PolicyVersion,
        frozen=row.Frozen,
        moderators_see_members=row.ModeratorsSeeMembers,
        channels=channels,
    )


def save(
    session: Session, settings: GuildSettings, on_update: Mapping[str, Any] | None = None
) -> None:
    """Store everything but the channels, which :func:`set_purpose` keeps one by one.

    ``on_update`` is what changes instead where the server has a row already. Whoever saves what
    they loaded holds the row (:func:`utils.database.policies.lock`).
    """
    upsert(
        session,
        guild_settings,
        {"GuildId": settings.guild_id},
        {
            "Mode": settings.mode,
            "TimeZone": settings.time_zone,
            "BaseRoleId": settings.base_role_id,
            "ConsentDefault": settings.consent_default,
            "PolicyVersion": settings.policy_version,
            "Frozen": settings.frozen,
            "ModeratorsSeeMembers": settings.moderators_see_members,
        },
        on_update,
    )


def hold_to_temporary(session: Session, guild_id: int) -> None:
    """Let those who have not chosen be remembered for as short as anywhere."""
    change = update(guild_settings).where(guild_settings.c.GuildId == guild_id)
    session.execute(change.values(ConsentDefault=Consent.TEMPORARY))


def set_purpose(session: Session, guild_id: int, channel: ChannelPurpose) -> None:
    """Give a channel a purpose, or its topics anew."""
    upsert(
        session,
        channel_purpose,
        {"GuildId": guild_id, "ChannelId": channel.channel_id, "Purpose": channel.purpose},
        {"Topics": ",".join(channel.topics) or None},
    )


def remove_purpose(session: Session, guild_id: int, channel_id: int, purpose: Purpose) -> bool:
    """Take a purpose from a channel; False if it never had it."""
    columns = channel_purpose.c
    removed = session.execute(
        delete(channel_purpose).where(
            columns.GuildId == guild_id,
            columns.ChannelId == channel_id,
            columns.Purpose == purpose,
        )
    )
    return bool(removed.rowcount)


def _channels(session: Session, guild_id: int) -> tuple[ChannelPurpose, ...]:
    rows = session.execute(
        select(channel_purpose)
        .where(channel_purpose.c.GuildId == guild_id)
        .order_by(channel_purpose.c.ChannelId)
    )
    return tuple(
        ChannelPurpose(
            row.ChannelId, row.Purpose, tuple(row.Topics.split(",")) if row.Topics else ()
        )
        for row in rows
    )
