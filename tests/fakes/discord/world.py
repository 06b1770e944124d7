"""The world: makes people, servers and threads, and announces what changes. Knows no HTTP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from . import permissions as allowed
from .clock import Clock, Snowflakes
from .errors import CannotDo
from .journal import Journal
from .things import (
    CATEGORY,
    DM,
    GROUP_DM,
    PRIVATE_THREAD,
    TEXT,
    VOCAL,
    Channel,
    Guild,
    Member,
    Message,
    Role,
    User,
)


class Announcer(Protocol):
    """What the world tells its changes to; the gateway is one."""

    def changed(self, event: str, subject: Any, **details: Any) -> None:
        """Tell every session that may see ``subject`` about an event."""


class World:
    """Everything that exists, and the announcer its changes go to."""

    def __init__(self, clock: Clock, ids: Snowflakes, journal: Journal) -> None:
        self.clock = clock
        self.ids = ids
        self.journal = journal
        self.announcers: list[Announcer] = []
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.files: dict[str, tuple[bytes, str]] = {}
        self.messages_in_order: list[Message] = []
        self.sends_least = False  # only what its documentation promises
        self.updates_in_part = False  # as Discord's did before 2025: only what an edit changes
        self.base_url = ""
        self.bot_user = self.add_user("Kith", bot=True)
        self.app_owner = self.add_user("Operator")
        self.application_id = self.bot_user.id

    def announce(self, event: str, subject: Any, **details: Any) -> None:
        """Write a change down and hand it to the announcers."""
        for announcer in self.announcers:
            announcer.changed(event, subject, **details)
        if event.startswith("CHANNEL_"):
            self._show_or_hide([subject.parent])
        elif event.startswith("GUILD_ROLE_") or event == "GUILD_MEMBER_UPDATE":
            is_other = isinstance(subject, Member) and subject.id != self.bot_user.id
            self._show_or_hide([] if is_other else list(subject.guild.channels.values()))

    def _show_or_hide(self, channels: Iterable[Channel | None]) -> None:
        """Announce those of the channels that the bot has come to view, or can no longer view."""
        for channel in channels:
            if channel is None or channel.is_thread or channel.is_seen is channel.is_viewable:
                continue
            channel.is_seen = channel.is_viewable
            self.announce("CHANNEL_UPDATE", channel)

    def add_user(self, name: str, *, bot: bool = False) -> User:
        """Make an account."""
        login = name if bot else name.lower().replace(" ", "_")
        user = User(self.ids.next(), login, name, bot)
        self.users[user.id] = user
        return user

    def add_guild(
        self,
        name: str,
        *,
        bot_permissions: int,
        owner: User | Member | None = None,
        shard: tuple[int, int] | None = None,
        with_bot: bool = True,
    ) -> Guild:
        """Make a server; with the bot in it, and on a shard ``(id, count)`` if one is named."""
        accept = None if shard is None else (lambda made: (made >> 22) % shard[1] == shard[0])
        owner_user = self.add_user(f"{name} owner") if owner is None else self.users[owner.id]
        guild = Guild(self.ids.next(accept), self, name, owner_user.id)
        guild.roles[guild.id] = Role(guild.id, guild, "@everyone", allowed.EVERYONE_DEFAULT, 0)
        guild.members[owner_user.id] = Member(owner_user, guild, self.clock.now())
        if with_bot:
            self.seat_bot(guild, bot_permissions)
        self.guilds[guild.id] = guild
        self.announce("GUILD_CREATE", guild)
        return guild

    def seat_bot(self, guild: Guild, permissions: int) -> None:
        """Put the bot and its managed role into a server; says nothing."""
        bot = self.bot_user
        role = Role(self.ids.next(), guild, bot.name, permissions, 1, managed=True, bot_id=bot.id)
        guild.roles[role.id] = role
        guild.members[bot.id] = Member(bot, guild, self.clock.now(), None, {role.id})

    def bot_guilds(self) -> Iterator[Guild]:
        """Yield the servers the bot is in."""
        return (guild for guild in self.guilds.values() if self.bot_user.id in guild.members)

    def dm_with(self, who: User | Member) -> Channel:
        """Return the direct conversation between somebody and the bot, opened if need be."""
        for channel in self.channels.values():
            if channel.recipient is not None and channel.recipient.id == who.id:
                return channel
        channel = Channel(self.ids.next(), self, DM, recipient=self.users[who.id])
        self.channels[channel.id] = channel
        return channel

    def add_group(self, people: Sequence[User | Member]) -> Channel:
        """Open a conversation of some people without the bot."""
        channel = Channel(self.ids.next(), self, GROUP_DM)
        channel.member_ids = {who.id for who in people}
        self.channels[channel.id] = channel
        return channel

    def shares_guild(self, user: User) -> bool:
        """Tell whether the bot and a user have a server in common."""
        return any(user.id in guild.members for guild in self.bot_guilds())

    def make_thread(
        self,
        parent: Channel,
        name: str,
        owner_id: int,
        type: int,
        member_ids: set[int],
        *,
        id: int | None = None,
        tags: dict[int, str] | None = None,
    ) -> Channel:
        """Open a thread under a channel and announce it."""
        if (
            parent.guild is None
            or parent.is_thread
            or parent.type in {CATEGORY, *VOCAL}
            or (type == PRIVATE_THREAD and parent.type != TEXT)
        ):
            raise CannotDo(f"no threads in {parent.label}")
        thread = Channel(
            id or self.ids.next(), self, type, name, parent.guild, parent, owner_id=owner_id
        )
        thread.member_ids = {owner_id, *member_ids}
        thread.tags = tags or {}
        parent.guild.channels[thread.id] = self.channels[thread.id] = thread
        self.announce("THREAD_CREATE", thread, newly_created=True)
        return thread

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel, its threads and its messages, and announce it."""
        if channel.guild is None:
            raise CannotDo("a direct conversation cannot be deleted")
        for thread in [t for t in channel.guild.threads if t.parent is channel]:
            self._forget_channel(thread)
        self.announce("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel)
        self._forget_channel(channel)

    def _forget_channel(self, channel: Channel) -> None:
        channel.deleted = True
        self.channels.pop(channel.id, None)
        if channel.guild is not None:
            channel.guild.channels.pop(channel.id, None)
