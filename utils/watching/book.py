"""Which channels servers have watched, and what they chose about it: one copy for the process."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from utils.clock import Clock
from utils.database import policies, tension, watching
from utils.database.engine import Database, Session
from utils.errors import BadInput
from utils.model.watch import (
    PassiveMemory,
    StoredScore,
    WatchedChannel,
    WatchSettings,
)

FRESH_S = 5.0
MOST_CHANNELS = 50
LEAST_HALF_LIFE_H, MOST_HALF_LIFE_H = 1.0, 7 * 24.0
LEAST_LEVEL = 0.1
MOST_MINUTES = 10
TOO_MANY = "{most} watched channels are the most I can do here."
NO_LEVEL = "{name} must lie between 0.1 and 1."
NO_HALF_LIFE = "The half-life must lie between 1 and 168 hours (a week)."
NO_MINUTES = "A timeout must last between 1 and 10 minutes."


class WatchBook:
    """Watched channels and settings by server. Changes of other processes are seen within a
    minute (channels) or five seconds (settings)."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._watched: dict[tuple[int, int], WatchedChannel] = {}
        self._guild_ids: set[int] = set()
        self._kept: dict[int, tuple[float, WatchSettings]] = {}

    async def load(self) -> None:
        """Learn anew which channels are watched."""
        found = await self._database.read(watching.everywhere)
        self._watched = {(one.guild_id, one.channel_id): one for one in found}
        self._guild_ids = {one.guild_id for one in found}

    def watched(self, guild_id: int, channel_id: int) -> WatchedChannel | None:
        """Return a channel if it is watched; asked for every message, it looks nothing up."""
        return self._watched.get((guild_id, channel_id))

    def watches(self, guild_id: int) -> bool:
        """Whether anything at all is watched in a server."""
        return guild_id in self._guild_ids

    # --- channels ------------------------------------------------------------------------------

    async def channels(self, guild_id: int) -> tuple[WatchedChannel, ...]:
        """Return a server's watched channels, the first watched first."""
        return await self._database.read(partial(watching.channels, guild_id=guild_id))

    async def add(
        self, guild_id: int, channel_id: int, memory: PassiveMemory = PassiveMemory.OPT_IN
    ) -> WatchedChannel:
        """Have a channel watched, or change how its notes are kept.

        Raises BadInput when a server has enough watched channels.
        """
        now = self._clock.now()

        def unit(session: Session) -> tuple[WatchedChannel, ...]:
            policies.lock(session, guild_id)
            watched = watching.channels(session, guild_id)
            is_new = channel_id not in {one.channel_id for one in watched}
            if is_new and len(watched) >= MOST_CHANNELS:
                raise BadInput(TOO_MANY, most=MOST_CHANNELS)
            watching.add_channel(session, guild_id, channel_id, memory, now)
            return watching.channels(session, guild_id)

        self._keep(guild_id, await self._database.write(unit))
        return self._watched[guild_id, channel_id]

    async def remove(self, guild_id: int, channel_id: int) -> WatchedChannel | None:
        """Watch a channel no more; returns it as it was, None if it was not watched.

        What waited for analysis goes at once; scores stay until their time is over.
        """

        def unit(session: Session) -> tuple[WatchedChannel | None, tuple[WatchedChannel, ...]]:
            before = watching.channels(session, guild_id)
            watching.remove_channel(session, guild_id, channel_id)
            was = next((one for one in before if one.channel_id == channel_id), None)
            return was, watching.channels(session, guild_id)

        was, watched = await self._database.write(unit)
        self._keep(guild_id, watched)
        return was

    async def noted(self, guild_id: int, channel_id: int, notice_id: int | None) -> bool:
        """Store which message is a channel's notice; False if it is not watched any more."""
        done = await self._database.write(
            partial(
                watching.set_notice, guild_id=guild_id, channel_id=channel_id, notice_id=notice_id
            )
        )
        self._keep(guild_id, await self.channels(guild_id))
        return done

    # --- settings ------------------------------------------------------------------------------

    async def settings(self, guild_id: int) -> WatchSettings:
        """Return what a server chose about watching."""
        kept = self._kept.get(guild_id)
        if kept is not None and self._clock.monotonic() - kept[0] < FRESH_S:
            return kept[1]
        loaded = await self._database.read(partial(watching.load_settings, guild_id=guild_id))
        return self._keep_settings(loaded)

    async def change(self, guild_id: int, **chosen: Any) -> WatchSettings:
        """Change the named settings. Raises BadInput with one sentence for an impossible value."""

        def unit(session: Session) -> WatchSettings:
            policies.lock(session, guild_id)
            settings = replace(watching.load_settings(session, guild_id), **chosen)
            check(settings)
            watching.save_settings(session, settings)
            return settings

        return self._keep_settings(await self._database.write(unit))

    # --- scores --------------------------------------------------------------------------------

    async def scores(self, guild_id: int, message_ids: Sequence[int]) -> list[StoredScore]:
        """Return the scores of messages, oldest first: for moderators only."""
        return await self._database.read(
            partial(tension.scores, guild_id=guild_id, message_ids=message_ids)
        )

    def _keep(self, guild_id: int, watched: tuple[WatchedChannel, ...]) -> None:
        others = {key: one for key, one in self._watched.items() if key[0] != guild_id}
        self._guild_ids.discard(guild_id)
        self._guild_ids.update([guild_id] if watched else [])
        self._watched = others | {(guild_id, one.channel_id): one for one in watched}

    def _keep_settings(self, settings: WatchSettings) -> WatchSettings:
        self._kept[settings.guild_id] = (self._clock.monotonic(), settings)
        return settings


def check(settings: WatchSettings) -> None:
    """Raise BadInput with one sentence if a value makes no sense."""
    for name in ("tension_alert", "toxicity_alert", "auto_toxicity"):
        if not LEAST_LEVEL <= getattr(settings, name) <= 1.0:
            raise BadInput(NO_LEVEL, name=name)
    if not LEAST_HALF_LIFE_H <= settings.half_life_hours <= MOST_HALF_LIFE_H:
        raise BadInput(NO_HALF_LIFE)
    if not 1 <= settings.auto_minutes <= MOST_MINUTES:
        raise BadInput(NO_MINUTES)
