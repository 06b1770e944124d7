"""What servers chose, read often and changed rarely: a short-lived copy of each one's settings.

While the database is away the last copy holds, however old.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, TypeVar
from zoneinfo import available_timezones

from utils import prompts
from utils.clock import Clock
from utils.database import guilds, histories, members, personas, policies
from utils.database.engine import Database, Session
from utils.errors import BadInput, Conflict, DatabaseError, NotFound
from utils.memory import choices
from utils.memory.policy import in_force
from utils.model.guild import ChannelPurpose, GuildSettings, Purpose
from utils.model.memory import DIRECT_MESSAGES, Consent, Member
from utils.model.policy import REASON_LIMIT, Effect, PolicyChange, WritePolicy, WriteVersion
from utils.text import clean, clip, clip_topics, one_line

Changed = TypeVar("Changed")
FRESH_S = 5.0
MOST_KEPT = 10_000
MOST_PREVIEWED = 500
HOLDS_OTHERWISE = (
    "Somebody changed this policy since you looked at it; nothing was saved. Look at what holds "
    "now, and choose again."
)


class GuildBook:
    """Settings by server. A change made by another process is seen within five seconds, and by
    :meth:`latest` at once."""

    def __init__(
        self, database: Database, clock: Clock, write_policy: WritePolicy | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._operators = write_policy or WritePolicy()
        self._kept: OrderedDict[int, tuple[float, GuildSettings]] = OrderedDict()
        self._loading: dict[int, asyncio.Task[GuildSettings]] = {}

    async def get(self, guild_id: int) -> GuildSettings:
        """Return a server's settings; guild 0 (direct messages) always has the defaults.

        Those who ask at the same time get them in the order they asked, from one look. Raises
        DatabaseError where the database is away and nothing was heard of the server before.
        """
        kept = self._kept.get(guild_id)
        if kept is not None and self._clock.monotonic() - kept[0] < FRESH_S:
            return kept[1]
        loading = self._loading.get(guild_id)
        if loading is None:
            loading = asyncio.create_task(self._load(guild_id, kept), name="load settings")
            self._loading[guild_id] = loading
        return await asyncio.shield(loading)

    async def latest(self, guild_id: int) -> GuildSettings:
        """Return a server's settings as they are in the database now: an answer goes by them.

        While the database is away, the copy will do. Raises DatabaseError where there is none.
        """
        try:
            return self._keep(await self._database.read(partial(_settings, guild_id=guild_id)))
        except DatabaseError:
            if guild_id in self._kept:
                return self._kept[guild_id][1]
            if guild_id != DIRECT_MESSAGES:
                raise
            return GuildSettings(guild_id)

    async def _load(self, guild_id: int, kept: tuple[float, GuildSettings] | None) -> GuildSettings:
        try:
            loaded = await self._database.read(partial(_settings, guild_id=guild_id))
        except DatabaseError:
            if kept is None and guild_id != DIRECT_MESSAGES:
                raise
            return GuildSettings(guild_id) if kept is None else kept[1]
        finally:
            del self._loading[guild_id]
        newer = self._kept.get(guild_id)
        return newer[1] if newer is not None and newer is not kept else self._keep(loaded)

    async def set_mode(
        self, guild_id: int, mode: str, channel_id: int | None = None
    ) -> GuildSettings:
        """Choose the personality of a server, or of one channel and its threads.

        Raises BadInput for one that does not exist.
        """

        def unit(session: Session) -> GuildSettings:
            policies.lock(session, guild_id)
            own = personas.names(session, guild_id)
            if mode not in {*prompts.modes(), *own}:
                there_are = ", ".join([*prompts.modes(), *own])
                raise BadInput("There is no mode of that name; choose {modes}.", modes=there_are)
            if channel_id is None:
                guilds.save(session, replace(guilds.load(session, guild_id), mode=mode))
            else:
                personas.set_channel_mode(session, guild_id, channel_id, mode)
            return _settings(session, guild_id)

        return self._keep(await self._database.write(unit))

    async def clear_mode(self, guild_id: int, channel_id: int) -> bool:
        """Let the server's mode hold in a channel again; False if it did already."""

        def unit(session: Session) -> tuple[bool, GuildSettings]:
            cleared = personas.clear_channel_mode(session, guild_id, channel_id)
            return cleared, _settings(session, guild_id)

        cleared, settings = await self._database.write(unit)
        self._keep(settings)
        return cleared

    async def set_time_zone(self, guild_id: int, name: str) -> GuildSettings:
        """Choose the server's time zone by its IANA name. Raises BadInput for an unknown one."""
        if name not in time_zones():
            raise BadInput(
                "That is no time zone I know; use a name such as Europe/Berlin, "
                "America/New_York or UTC."
            )
        return await self._change(guild_id, lambda settings: replace(settings, time_zone=name))

    async def set_consent_default(self, guild_id: int, choice: Consent) -> GuildSettings:
        """Choose how long those are remembered who have not chosen; they are told so once more.

        Raises BadInput for OFF: whoever wants nothing stored says so, or is ignored. What is
        stored already is shortened by ``Retention.hold_to_default``.
        """
        if choice is Consent.OFF:
            raise BadInput("Choose temporary or lasting; `/mod freeze` stops me from storing.")

        def unit(session: Session) -> GuildSettings:
            policies.lock(session, guild_id)
            settings = _settings(session, guild_id)
            if settings.consent_default is not choice:
                settings = replace(settings, consent_default=choice)
                guilds.save(session, settings)
                members.ask_anew(session, guild_id)
            return settings

        return self._keep(await self._database.write(unit))

    async def set_base_role(self, guild_id: int, role_id: int | None) -> GuildSettings:
        """Choose the role that every ordinary member has; None: everyone."""
        return await self._change(
            guild_id, lambda settings: replace(settings, base_role_id=role_id)
        )

    async def add_channel(
        self, guild_id: int, channel_id: int, purpose: Purpose, topics: str = ""
    ) -> GuildSettings:
        """Give a channel a purpose; ``topics`` (comma-separated) only mean something for games.

        There is one log channel: a new one takes the old one's place.
        """
        channel = ChannelPurpose(channel_id, purpose, clip_topics(topics.split(",")))

        def unit(session: Session) -> GuildSettings:
            if purpose is Purpose.LOG:
                policies.lock(session, guild_id)
                for old in _settings(session, guild_id).channels_for(Purpose.LOG):
                    guilds.remove_purpose(session, guild_id, old.channel_id, Purpose.LOG)
            guilds.set_purpose(session, guild_id, channel)
            return _settings(session, guild_id)

        return self._keep(await self._database.write(unit))

    async def remove_channel(self, guild_id: int, channel_id: int, purpose: Purpose) -> bool:
        """Take a purpose from a channel; False if it did not have it."""

        def unit(session: Session) -> tuple[bool, GuildSettings]:
            removed = guilds.remove_purpose(session, guild_id, channel_id, purpose)
            return removed, _settings(session, guild_id)

        removed, settings = await self._database.write(unit)
        self._keep(settings)
        return removed

    async def freeze(self, guild_id: int, *, frozen: bool) -> GuildSettings:
        """Stop everything from being stored or learnt in a server, at once, or let it go on."""
        return await self._change(guild_id, lambda settings: replace(settings, frozen=frozen))

    async def show_members(self, guild_id: int, *, shown: bool) -> GuildSettings:
        """Choose whether moderators may look at what is remembered of a member."""
        return await self._change(
            guild_id, lambda settings: replace(settings, moderators_see_members=shown)
        )

    async def policy(self, guild_id: int) -> WritePolicy:
        """Return the write policy that holds in a server now."""
        own = await self._database.read(partial(policies.load, guild_id=guild_id))
        return in_force(own, self._operators)

    async def set_policy(
        self,
        guild_id: int,
        chosen: Mapping[str, Any],
        *,
        actor_id: int,
        reason: str,
        only: int | None = None,
    ) -> PolicyChange:
        """Change the chosen fields of a server's write policy, in every process at once.

        What changes something is a version of its own, with who and why. ``only`` is the version
        that was looked at: it raises Conflict where another holds by now. Raises BadInput with one
        sentence for a value that makes no sense.
        """

        def choose(session: Session, before: WritePolicy, version: int) -> WritePolicy:
            if only not in (None, version):
                raise Conflict(HOLDS_OTHERWISE)
            return choices.choose(before, chosen, self._operators.cap)

        return await self._let_hold(guild_id, choose, actor_id, reason)

    async def policy_versions(self, guild_id: int) -> list[WriteVersion]:
        """Return the write policies that a server chose, newest first."""
        return await self._database.read(partial(policies.versions, guild_id=guild_id))

    async def restore_policy(
        self, guild_id: int, version: int, actor_id: int, reason: str
    ) -> PolicyChange:
        """Let an earlier write policy hold again, as a version of its own, in every process at
        once; 0 is the operator's. Raises NotFound for one that does not exist."""

        def choose(session: Session, before: WritePolicy, held: int) -> WritePolicy:
            found = policies.get(session, guild_id, version)
            if found is None and version != 0:
                raise NotFound("There is no version {version} of this policy.", version=version)
            return in_force(None if found is None else found.policy, self._operators)

        return await self._let_hold(guild_id, choose, actor_id, reason)

    async def _let_hold(
        self,
        guild_id: int,
        choose: Callable[[Session, WritePolicy, int], WritePolicy],
        actor_id: int,
        reason: str,
    ) -> PolicyChange:
        """Let a policy hold that is chosen by the one before and its version; one that changes
        something is a version of its own."""
        why, now = clip(one_line(clean(reason)), REASON_LIMIT), self._clock.now()

        def unit(session: Session) -> PolicyChange:
            before = in_force(policies.load(session, guild_id), self._operators)
            version = guilds.load(session, guild_id).policy_version
            after = choose(session, before, version)
            if after != before:
                version = policies.save(
                    session, guild_id, after, at=now, actor_id=actor_id, reason=why
                )
            return PolicyChange(before, after, version)

        change, _ = await self.change(guild_id, unit)
        return change

    async def preview_policy(self, guild_id: int, chosen: Mapping[str, Any]) -> list[Effect]:
        """Return what of a server's last MOST_PREVIEWED memories would have got another status with
        these fields changed. Raises BadInput as :meth:`set_policy` does."""

        def unit(session: Session) -> list[Effect]:
            before = in_force(policies.load(session, guild_id), self._operators)
            after = choices.choose(before, chosen, self._operators.cap)
            learnt = policies.learnt(session, guild_id, MOST_PREVIEWED)
            return choices.effects(before, after, learnt)

        return await self._database.read(unit)

    async def ignore(self, member: Member, *, ignored: bool) -> bool:
        """Choose whether to hear nothing of a member from now on; False if that was so already.

        What is remembered of them stays until it is forgotten or ends.
        """
        return await self._database.write(
            partial(members.set_ignored, member=member, ignored=ignored)
        )

    async def ignored(self, guild_id: int) -> list[int]:
        """Return whom Kith hears nothing of in a server."""
        return await self._database.read(partial(members.ignored, guild_id=guild_id))

    async def note_look(self, guild_id: int, user_ids: Collection[int], actor_id: int) -> None:
        """Note in these members' audits, where they see it, that a moderator looked at theirs."""

        def unit(session: Session) -> None:
            now = self._clock.now()
            for user_id in sorted(user_ids):  # in one order, or two of these could wait in a ring
                member = Member(guild_id, user_id)
                members.lock(session, member)
                histories.note(session, member, histories.VIEWED, now, actor_id)

        await self._database.write(unit)

    async def change(
        self, guild_id: int, unit: Callable[[Session], Changed]
    ) -> tuple[Changed, GuildSettings]:
        """Run a unit of work that changes what a server chose; the copy here follows it."""

        def whole(session: Session) -> tuple[Changed, GuildSettings]:
            policies.lock(session, guild_id)
            return unit(session), _settings(session, guild_id)

        changed, settings = await self._database.write(whole)
        return changed, self._keep(settings)

    async def _change(
        self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]
    ) -> GuildSettings:
        def unit(session: Session) -> GuildSettings:
            policies.lock(session, guild_id)
            settings = change(_settings(session, guild_id))
            guilds.save(session, settings)
            return settings

        return self._keep(await self._database.write(unit))

    def _keep(self, settings: GuildSettings) -> GuildSettings:
        self._kept[settings.guild_id] = (self._clock.monotonic(), settings)
        self._kept.move_to_end(settings.guild_id)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return settings


def _settings(session: Session, guild_id: int) -> GuildSettings:
    """Return what a server chose: its modes, and what its policy says of recall, included."""
    settings = guilds.load(session, guild_id)
    channel_modes = personas.channel_modes(session, guild_id)
    named = {settings.mode, *(channel.mode for channel in channel_modes)}.difference(
        prompts.modes()
    )
    own = personas.named(session, guild_id, named) if named else ()
    settings = replace(settings, channel_modes=channel_modes, personas=own)
    policy = policies.load(session, guild_id) if settings.policy_version else None
    return settings if policy is None else replace(settings, recall=policy.recall)


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of all time zones, in alphabetical order; read from disk once."""
    return tuple(sorted(available_timezones()))
