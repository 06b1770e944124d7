"""Where and when Kith may speak first: what moderators chose by channel, and members themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from utils.common.errors import BadInput, Conflict
from utils.database.core.engine import Connection, Database, DatabaseService, as_method, writes
from utils.database.guilds import speaking_places
from utils.database.memories import audit, write_policies
from utils.guilds.settings import CHANGED_SINCE
from utils.models.guild import (
    SPEAKING,
    SettingChange,
    SpeakingPlace,
    values_of_places,
)

LOOK_AGAIN_AFTER = timedelta(hours=6)
MAX_PLACES = 20


class SpeakingPlaces(DatabaseService):
    """The channels in which Kith may speak first. There is none until moderators choose one."""

    load = as_method(Database.read, speaking_places.load)

    @writes
    def choose(self, connection: Connection, place: SpeakingPlace, *, actor_id: int = 0) -> None:
        """Let Kith speak first in a channel. Raises BadInput if there are too many."""
        with self._recorded(connection, place.guild_id, actor_id) as before:
            channel_ids = {channel_id for channel_id, *_ in before}
            if place.channel_id not in channel_ids and len(channel_ids) >= MAX_PLACES:
                raise BadInput(
                    "I speak first in at most {number} channels of a server.", number=MAX_PLACES
                )
            speaking_places.save(connection, place)

    @writes
    def remove(
        self, connection: Connection, guild_id: int, channel_id: int, *, actor_id: int = 0
    ) -> bool:
        """Never speak first in a channel again; returns False if Kith did not."""
        with self._recorded(connection, guild_id, actor_id):
            return speaking_places.remove(connection, guild_id, channel_id)

    @writes
    def take_back(
        self, connection: Connection, guild_id: int, change: SettingChange, actor_id: int
    ) -> None:
        """Undo a change of these channels. Raises Conflict if they were changed since."""
        with self._recorded(connection, guild_id, actor_id) as before:
            if before != change.after:
                raise Conflict(CHANGED_SINCE)
            places = [SpeakingPlace(guild_id, *place) for place in change.before]
            for place in places:
                speaking_places.save(connection, place)
            for channel_id in change.channel_ids.difference(one.channel_id for one in places):
                speaking_places.remove(connection, guild_id, channel_id)

    @contextmanager
    def _recorded(
        self, connection: Connection, guild_id: int, actor_id: int
    ) -> Iterator[list[list[int]]]:
        """Give the channels as they were, and write into the server's audit what the block changes.

        It is ``actor_id``'s change.
        """
        now = self._clock.now()
        write_policies.lock(connection, guild_id)
        before = values_of_places(speaking_places.load(connection, guild_id))
        yield before[SPEAKING]
        after = values_of_places(speaking_places.load(connection, guild_id))
        audit.record_settings(connection, guild_id, before, after, now, actor_id)

    async def claim(self, place: SpeakingPlace) -> SpeakingPlace | None:
        """Begin to consider what to say; None if another process does."""
        now = self._clock.now()
        is_ours = await self._database.write(speaking_places.note_look, place=place, now=now)
        return replace(place, looked_at=now) if is_ours else None


def may_look(place: SpeakingPlace, last_at: datetime, now: datetime, zone: ZoneInfo) -> bool:
    """Return whether Kith may consider speaking; ``last_at`` is the time of the last message.

    It looks once after each conversation, and every few hours if nothing happens.
    """
    is_silent = now - last_at >= timedelta(minutes=place.after_minutes)
    if not is_silent or is_quiet_hour(place, now, zone):
        return False
    if spoken_today(place, now, zone) >= place.per_day:
        return False
    looked_at = place.looked_at
    return looked_at is None or last_at > looked_at or now - looked_at >= LOOK_AGAIN_AFTER


def is_quiet_hour(place: SpeakingPlace, now: datetime, zone: ZoneInfo) -> bool:
    """Return whether a time is in a channel's quiet hours, which may contain midnight."""
    hour, start, end = now.astimezone(zone).hour, place.quiet_from, place.quiet_until
    return start <= hour < end if start <= end else hour >= start or hour < end


def spoken_today(place: SpeakingPlace, now: datetime, zone: ZoneInfo) -> int:
    """Return how often Kith spoke first in a channel today."""
    if place.spoken_at is None:
        return 0
    is_today = place.spoken_at.astimezone(zone).date() == now.astimezone(zone).date()
    return place.spoken_count if is_today else 0
