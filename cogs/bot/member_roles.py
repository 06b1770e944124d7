"""The roles of people whom channel overwrites name, as messages and Discord's answers show them.

Kith has no Members intent, so Discord announces no change of a member's roles. What is known is
used for ten minutes; the roles of people who are not known could be any.
"""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field

import discord

from cogs.bot.interactions import CONNECTION_ERRORS
from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.runtime.stopping import cancel

KNOWN_FOR_S = 600.0
MAX_KNOWN = 20_000
MAX_FETCHED = 10  # of one call; the next message fetches more
FETCH_TIMEOUT_S = 2.0
UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013  # Discord's codes
NOT_KNOWN = None, float("-inf")

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class MemberRoleCache:
    """Remembers people's roles for ten minutes, and asks Discord at most once in that time."""

    _clock: Clock
    _known: BoundedDict[tuple[int, int], tuple[frozenset[int] | None, float]] = field(
        default_factory=lambda: BoundedDict(MAX_KNOWN), init=False
    )
    """The roles of people, and since when they are known.

    They are None for bots, and empty for those who left: they may be back at any moment, without
    roles, and Discord would not say so.
    """
    _tried_at: dict[tuple[int, int], float] = field(default_factory=dict, init=False)

    def note(self, member: discord.Member) -> bool:
        """Remember a member's roles; return whether they are not what was known."""
        role_ids = None if member.bot else frozenset(role.id for role in member.roles)
        return self._keep(member.guild.id, member.id, role_ids)

    def known(
        self, guild_id: int, user_ids: Iterable[int]
    ) -> tuple[dict[int, frozenset[int] | None], float]:
        """Return the known roles of these people, and the monotonic time until which they hold."""
        now = self._clock.monotonic()
        roles: dict[int, frozenset[int] | None] = {}
        valid_until = float("inf")
        for user_id in user_ids:
            role_ids, at_s = self._known.get((guild_id, user_id), NOT_KNOWN)
            if now - at_s < KNOWN_FOR_S:
                roles[user_id] = role_ids
                valid_until = min(valid_until, at_s + KNOWN_FOR_S)
        return roles, valid_until

    async def fetch(self, guild: discord.Guild, user_ids: Iterable[int]) -> bool:
        """Ask Discord for the roles of up to MAX_FETCHED people; return whether one was new.

        Discord is asked for a person at most once in ten minutes. Late answers are lost.
        """
        now = self._clock.monotonic()
        self._tried_at = {key: at for key, at in self._tried_at.items() if now - at < KNOWN_FOR_S}
        due = [id for id in user_ids if (guild.id, id) not in self._tried_at][:MAX_FETCHED]
        if not due:
            return False
        self._tried_at.update(((guild.id, user_id), now) for user_id in due)
        tasks = [asyncio.create_task(self._fetch(guild, user_id)) for user_id in due]
        done, late = await asyncio.wait(tasks, timeout=FETCH_TIMEOUT_S)
        await cancel(*late)
        return any(task.result() for task in done)

    async def _fetch(self, guild: discord.Guild, user_id: int) -> bool:
        try:
            return self.note(await guild.fetch_member(user_id))
        except discord.NotFound as error:
            if error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER):
                return False
            return self._keep(guild.id, user_id, frozenset())
        except (discord.DiscordException, *CONNECTION_ERRORS) as error:
            _log.info("a member's roles stay unknown: %s", type(error).__name__)
            return False

    def _keep(self, guild_id: int, user_id: int, role_ids: frozenset[int] | None) -> bool:
        key, now = (guild_id, user_id), self._clock.monotonic()
        before, at_s = self._known.get(key, NOT_KNOWN)
        self._known[key] = role_ids, now
        return now - at_s >= KNOWN_FOR_S or before != role_ids
