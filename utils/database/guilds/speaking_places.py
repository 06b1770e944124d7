"""The channels in which Kith may speak first, and when it last did."""

from datetime import datetime

from sqlalchemy import delete, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import from_row, has_changed, upsert
from utils.database.schema.memory_tables import speaking_place
from utils.models.guild import SpeakingPlace

_COLUMNS = speaking_place.c


def load(connection: Connection, guild_id: int | None = None) -> list[SpeakingPlace]:
    """Return the channels of one server, or of all."""
    chosen = select(speaking_place).order_by(_COLUMNS.GuildId, _COLUMNS.ChannelId)
    if guild_id is not None:
        chosen = chosen.where(_COLUMNS.GuildId == guild_id)
    return [from_row(SpeakingPlace, row) for row in connection.execute(chosen)]


def save(connection: Connection, place: SpeakingPlace) -> None:
    """Store what moderators chose for a channel; what happened there before stays."""
    chosen = {
        "AfterMinutes": place.after_minutes,
        "PerDay": place.per_day,
        "QuietFrom": place.quiet_from,
        "QuietUntil": place.quiet_until,
    }
    keys = {"GuildId": place.guild_id, "ChannelId": place.channel_id}
    upsert(connection, speaking_place, keys, {**chosen, "SpokenCount": 0}, chosen)


def remove(connection: Connection, guild_id: int, channel_id: int) -> bool:
    """Forget a channel; returns False if Kith does not speak first there."""
    return has_changed(
        connection,
        delete(speaking_place).where(
            _COLUMNS.GuildId == guild_id, _COLUMNS.ChannelId == channel_id
        ),
    )


def note_look(connection: Connection, place: SpeakingPlace, now: datetime) -> bool:
    """Note that a process considers to speak; returns False if another one was faster."""
    return _change(connection, place, place.looked_at, LookedAt=now)


def note_spoken(
    connection: Connection, place: SpeakingPlace, looked_at: datetime, now: datetime, count: int
) -> bool:
    """Note that Kith speaks; returns False if the channel was muted after ``looked_at``."""
    return _change(connection, place, looked_at, SpokenAt=now, SpokenCount=count)


def _change(
    connection: Connection, place: SpeakingPlace, looked_at: datetime | None, **values: object
) -> bool:
    """Change a channel's row if no process has looked since; returns whether it was changed."""
    return has_changed(
        connection,
        update(speaking_place)
        .where(
            _COLUMNS.GuildId == place.guild_id,
            _COLUMNS.ChannelId == place.channel_id,
            _COLUMNS.LookedAt.is_(None) if looked_at is None else _COLUMNS.LookedAt == looked_at,
        )
        .values(values),
    )
