"""Read and change the settings of servers, with a short-lived cache.

While the database is unavailable, the cached settings apply, however old they are.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from utils.common.bounded import BoundedDict
from utils.common.clock import time_zone_named
from utils.common.errors import BadInput, Conflict, DatabaseError, NotFound
from utils.common.text import clean, clip, clip_topics, one_line
from utils.database.core.engine import (
    Connection,
    Database,
    DatabaseService,
    as_method,
    reads,
    writes,
)
from utils.database.guilds import personas
from utils.database.guilds import settings as guilds
from utils.database.memories import audit, members, write_policies
from utils.llm import prompts
from utils.memory.policy import policy_form
from utils.memory.policy.write_policy import in_force
from utils.models.guild import (
    POLICY,
    ChannelPurpose,
    GuildSettings,
    Purpose,
    SettingChange,
    values_of,
    with_value,
    with_values,
)
from utils.models.memory import DIRECT_MESSAGES, Member
from utils.models.policy import REASON_LIMIT, PolicyChange, PolicyEffect, WritePolicy

Changed = TypeVar("Changed")
FRESH_S = 5.0
MAX_CACHED = 10_000
MAX_PREVIEWED = 500
ABSENT = object()
CHANGED_SINCE = "Somebody changed this setting since. Choose again on its own page."
POLICY_CHANGED = (
    "Somebody changed this policy since you looked at it; nothing was saved. Look at what holds "
    "now, and choose again."
)


@dataclass(eq=False, repr=False)
class GuildSettingsService(DatabaseService):
    """Settings by server; ``write_policy`` is the operator's default.

    :meth:`get` sees another process's change within five seconds, :meth:`latest` at once.
    """

    _default_policy: WritePolicy
    _cache: BoundedDict[int, tuple[float, GuildSettings]] = field(
        default_factory=lambda: BoundedDict(MAX_CACHED), init=False
    )
    _loading: dict[int, asyncio.Task[GuildSettings]] = field(default_factory=dict, init=False)

    async def get(self, guild_id: int) -> GuildSettings:
        """Return a server's settings; guild 0 (direct messages) always has the defaults.

        Concurrent callers share one query and are answered in the order of their calls. Raises
        DatabaseError if the database is unavailable and the cache has no settings of the server.
        """
        cached = self._cache.get(guild_id)
        if cached is not None and self._clock.monotonic() - cached[0] < FRESH_S:
            return cached[1]
        loading = self._loading.get(guild_id)
        if loading is None:
            loading = asyncio.create_task(self._load(guild_id, cached), name="load settings")
            self._loading[guild_id] = loading
        return await asyncio.shield(loading)

    async def latest(self, guild_id: int) -> GuildSettings:
        """Return a server's settings from the database; answers use these.

        While the database is unavailable, returns the cached settings. Raises DatabaseError if
        there are none.
        """
        try:
            return self._keep(await self._database.read(_settings, guild_id=guild_id))
        except DatabaseError:
            if guild_id in self._cache:
                return self._cache[guild_id][1]
            if guild_id != DIRECT_MESSAGES:
                raise
            return GuildSettings(guild_id)

    async def _load(
        self, guild_id: int, cached: tuple[float, GuildSettings] | None
    ) -> GuildSettings:
        try:
            loaded = await self._database.read(_settings, guild_id=guild_id)
        except DatabaseError:
            if cached is None and guild_id != DIRECT_MESSAGES:
                raise
            return GuildSettings(guild_id) if cached is None else cached[1]
        finally:
            del self._loading[guild_id]
        newer = self._cache.get(guild_id)
        return newer[1] if newer is not None and newer is not cached else self._keep(loaded)

    async def set_values(self, guild_id: int, *, actor_id: int = 0, **values: Any) -> GuildSettings:
        """Replace these values, named as the fields of GuildSettings; the audit says who did.

        Another base role than before is implied by none. A time zone may be named by its city.
        Raises BadInput for one that is unknown. A shorter default consent also needs
        ``Retention.apply_temporary_default``.
        """
        if "time_zone" in values:
            values["time_zone"] = time_zone_named(values["time_zone"])
        return await self.update(guild_id, lambda old: with_values(old, values), actor_id)

    async def set_mode(
        self, guild_id: int, mode: str, channel_id: int | None = None, *, actor_id: int = 0
    ) -> GuildSettings:
        """Choose the personality of a server, or of one channel and its threads.

        An empty ``mode`` makes the server's apply in a channel again. Raises BadInput for one that
        does not exist.
        """

        def change(settings: GuildSettings) -> GuildSettings:
            if channel_id is None:
                return replace(settings, mode=mode)
            return settings.with_choice("channel_modes", channel_id, mode)

        return await self.update(guild_id, change, actor_id)

    async def set_implied_role(
        self,
        guild_id: int,
        base_role_id: int,
        role_id: int,
        *,
        is_implied: bool,
        actor_id: int = 0,
    ) -> GuildSettings:
        """Say whether everybody with a role has the base role too.

        Raises Conflict if the base role is another one by now.
        """

        def change(settings: GuildSettings) -> GuildSettings:
            if settings.base_role_id != base_role_id:
                raise Conflict("The base role was changed meanwhile. Use `/config baserole` again.")
            return settings.with_switched("implied_role_ids", role_id, is_on=is_implied)

        return await self.update(guild_id, change, actor_id)

    async def add_channel(
        self,
        guild_id: int,
        channel_id: int,
        purpose: Purpose,
        topics: str = "",
        *,
        actor_id: int = 0,
    ) -> GuildSettings:
        """Give a channel a purpose; ``topics`` (comma-separated) only apply to games.

        There is one log channel: a new one replaces the old one.
        """
        chosen = ChannelPurpose(channel_id, purpose, clip_topics(topics.split(",")))

        def change(settings: GuildSettings) -> GuildSettings:
            remaining = [
                channel
                for channel in settings.channels_for(purpose)
                if channel.channel_id != channel_id and purpose is not Purpose.LOG
            ]
            return settings.with_channels(purpose, [*remaining, chosen])

        return await self.update(guild_id, change, actor_id)

    async def remove_channel(
        self, guild_id: int, channel_id: int, purpose: Purpose, *, actor_id: int = 0
    ) -> bool:
        """Remove a purpose from a channel; return False if the channel did not have it."""
        had: list[bool] = []  # the last entry: a unit of work may run again

        def change(settings: GuildSettings) -> GuildSettings:
            channels = settings.channels_for(purpose)
            remaining = [channel for channel in channels if channel.channel_id != channel_id]
            had.append(len(remaining) < len(channels))
            return settings.with_channels(purpose, remaining)

        await self.update(guild_id, change, actor_id)
        return had[-1]

    async def policy(self, guild_id: int) -> WritePolicy:
        """Return the active write policy of a server."""
        stored = await self._database.read(write_policies.load, guild_id=guild_id)
        return in_force(stored, self._default_policy)

    async def set_policy(
        self,
        guild_id: int,
        chosen: Mapping[str, Any],
        *,
        actor_id: int,
        reason: str,
        only: int | None = None,
    ) -> PolicyChange:
        """Change the chosen fields of a server's write policy; every process uses it at once.

        A change creates a new version with its actor and reason. ``only`` is the version that the
        actor saw. Raises Conflict if another version is active by now, and BadInput for an invalid
        value.
        """

        def choose(connection: Connection, before: WritePolicy) -> WritePolicy:
            return policy_form.choose(before, chosen, self._default_policy.cap)

        return await self._activate(guild_id, choose, actor_id, reason, only)

    policy_versions = as_method(Database.read, write_policies.list_versions)

    async def restore_policy(
        self,
        guild_id: int,
        version: int,
        actor_id: int,
        reason: str,
        *,
        only: int | None = None,
    ) -> PolicyChange:
        """Activate an earlier write policy as a new version; version 0 is the operator's default.

        ``only`` is as in :meth:`set_policy`. Raises NotFound for an unknown version.
        """

        def choose(connection: Connection, before: WritePolicy) -> WritePolicy:
            earlier = write_policies.load_version(connection, guild_id, version)
            if earlier is None and version != 0:
                raise NotFound("There is no version {version} of this policy.", version=version)
            return in_force(None if earlier is None else earlier.policy, self._default_policy)

        return await self._activate(guild_id, choose, actor_id, reason, only)

    async def _activate(
        self,
        guild_id: int,
        choose: Callable[[Connection, WritePolicy], WritePolicy],
        actor_id: int,
        reason: str,
        only: int | None,
    ) -> PolicyChange:
        """Activate the policy that ``choose`` makes of the current one, as a version of its own.

        Raises Conflict unless ``only``, if it is given, is the current version.
        """
        why, now = clip(one_line(clean(reason)), REASON_LIMIT), self._clock.now()

        def unit(connection: Connection) -> PolicyChange:
            before = in_force(write_policies.load(connection, guild_id), self._default_policy)
            version = guilds.load(connection, guild_id).policy_version
            if only not in (None, version):
                raise Conflict(POLICY_CHANGED)
            after = choose(connection, before)
            if after != before:
                version = write_policies.save(
                    connection, guild_id, after, at=now, actor_id=actor_id, reason=why
                )
            return PolicyChange(before, after, version)

        change, _ = await self.change(guild_id, unit, actor_id)
        return change

    @reads
    def preview_policy(
        self, connection: Connection, guild_id: int, chosen: Mapping[str, Any]
    ) -> list[PolicyEffect]:
        """Return how these changes would change the status of the last MAX_PREVIEWED memories.

        Raises BadInput as :meth:`set_policy` does.
        """
        before = in_force(write_policies.load(connection, guild_id), self._default_policy)
        after = policy_form.choose(before, chosen, self._default_policy.cap)
        learnt = write_policies.load_recent(connection, guild_id, MAX_PREVIEWED)
        return policy_form.effects(before, after, learnt)

    @writes
    def ignore(
        self, connection: Connection, member: Member, *, ignored: bool, actor_id: int = 0
    ) -> bool:
        """Start or stop ignoring a member's messages; return False if nothing changed.

        Existing memories stay until they are forgotten or expire. The member's audit says who did.
        """
        action = "ignored" if ignored else "no longer ignored"
        is_changed = members.set_ignored(connection, member, ignored=ignored)
        if is_changed:
            audit.record(connection, member, action, self._clock.now(), actor_id)
        return is_changed

    ignored = as_method(Database.read, members.list_ignored)

    @writes
    def note_look(
        self, connection: Connection, guild_id: int, user_ids: Collection[int], actor_id: int
    ) -> None:
        """Record in these members' audits, which they can read, that a moderator viewed them.

        Looks within half an hour are one visit and one entry.
        """
        now = self._clock.now()
        noted = audit.viewed_lately(connection, guild_id, user_ids, actor_id=actor_id, now=now)
        for user_id in sorted(set(user_ids) - noted):  # two of these calls cannot deadlock
            member = Member(guild_id, user_id)
            members.lock(connection, member)
            audit.record(connection, member, audit.VIEWED, now, actor_id)

    async def change(
        self, guild_id: int, unit: Callable[[Connection], Changed], actor_id: int = 0
    ) -> tuple[Changed, GuildSettings]:
        """Run a unit of work that changes a server's settings, and update the cache.

        Each setting that differs afterwards stands in the server's audit as ``actor_id``'s change.
        """

        def change_and_load(connection: Connection) -> tuple[Changed, GuildSettings]:
            write_policies.lock(connection, guild_id)
            before = _settings(connection, guild_id)
            changed, after = unit(connection), _settings(connection, guild_id)
            now, values = self._clock.now(), values_of(before)
            audit.record_settings(connection, guild_id, values, values_of(after), now, actor_id)
            return changed, after

        changed, settings = await self._database.write(change_and_load)
        return changed, self._keep(settings)

    async def update(
        self,
        guild_id: int,
        change: Callable[[GuildSettings], GuildSettings],
        actor_id: int = 0,
    ) -> GuildSettings:
        """Replace a server's settings by what ``change``, which is pure, makes of them.

        The write policy is not changed by this. Raises BadInput for a mode that does not exist.
        """

        def unit(connection: Connection) -> None:
            before = _settings(connection, guild_id)
            after = change(before)
            if chosen := after.modes - before.modes:
                modes = [*prompts.MODES, *personas.list_names(connection, guild_id)]
                if not chosen <= set(modes):
                    raise BadInput(
                        "There is no mode of that name; choose {modes}.", modes=", ".join(modes)
                    )
            guilds.store(connection, before, after)

        return (await self.change(guild_id, unit, actor_id))[1]

    logged = as_method(Database.read, audit.load_settings)

    async def undoable(self, guild_id: int, entry_id: int) -> SettingChange:
        """Return a change of the last day. Raises NotFound, or Conflict if it is too old."""
        entry = await self._database.read(audit.load_setting, guild_id=guild_id, entry_id=entry_id)
        if entry is None:
            raise NotFound("There is no such change of a setting in this server.")
        if not entry.can_be_undone(self._clock.now()):
            raise Conflict(
                "That cannot be taken back any more. Choose again on the setting's own page."
            )
        return entry.change

    async def take_back(self, guild_id: int, change: SettingChange, actor_id: int) -> None:
        """Undo a change of these settings. Raises Conflict if the setting was changed since."""
        if change.name == POLICY:
            await self.restore_policy(guild_id, change.before, actor_id, "", only=change.after)
            return

        def restore(settings: GuildSettings) -> GuildSettings:
            if values_of(settings).get(change.name, ABSENT) != change.after:
                raise Conflict(CHANGED_SINCE)
            return with_value(settings, change.name, change.before)

        await self.update(guild_id, restore, actor_id)

    def _keep(self, settings: GuildSettings) -> GuildSettings:
        self._cache[settings.guild_id] = (self._clock.monotonic(), settings)
        return settings


def _settings(connection: Connection, guild_id: int) -> GuildSettings:
    """Return a server's settings with its modes and its policy on recall."""
    settings = guilds.load(connection, guild_id)
    channel_modes = guilds.channel_modes(connection, guild_id)
    named = {settings.mode, *channel_modes.values()}.difference(prompts.MODES)
    own_personas = personas.load_many(connection, guild_id, named) if named else ()
    settings = replace(
        settings,
        channel_modes=channel_modes,
        personas=own_personas,
        models=guilds.model_choices(connection, guild_id),
    )
    policy = write_policies.load(connection, guild_id) if settings.policy_version else None
    if policy is None:
        return settings
    return replace(settings, recall=policy.recall, write_mode=policy.mode)
