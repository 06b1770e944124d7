"""What there is: people, servers, roles, channels, threads and messages, as plain objects."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import permissions as allowed
from .clock import timestamp_of

if TYPE_CHECKING:
    from .world import World

TEXT, DM, VOICE, GROUP_DM, CATEGORY, NEWS = 0, 1, 2, 3, 4, 5
NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM, MEDIA = 10, 11, 12, 13, 15, 16
THREADS = frozenset({NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD})
VOCAL = frozenset({VOICE, STAGE})
WITHOUT_CHAT = frozenset({CATEGORY, FORUM, MEDIA})

EPHEMERAL, LOADING, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 15


def as_typed(text: str) -> str:
    """Return a text with the commands that can be clicked as they are typed."""
    return re.sub(r"</([a-z ]+):[0-9]+>", r"`/\1`", text)


@dataclass(eq=False, slots=True, repr=False)
class User:
    """An account; ``has_app``: it installed the bot's application for itself."""

    id: int
    name: str
    global_name: str | None = None
    bot: bool = False
    accepts_dms: bool = True
    locale: str = "en-US"
    has_app: bool = False

    def __repr__(self) -> str:
        return f"<User {self.name} {self.id}>"

    @property
    def mention(self) -> str:
        """Return the text that mentions this user."""
        return f"<@{self.id}>"


@dataclass(eq=False, slots=True, repr=False)
class Role:
    """A server's role; the one with the server's id is @everyone.

    ``bot_id`` names the bot that it came with, ``is_booster`` marks the one of those who boost.
    """

    id: int
    guild: Guild
    name: str
    permissions: int
    position: int
    mentionable: bool = False
    managed: bool = False
    bot_id: int | None = None
    is_booster: bool = False

    def __repr__(self) -> str:
        return f"<Role {self.name} {self.id}>"

    @property
    def mention(self) -> str:
        """Return the text that mentions this role."""
        return f"<@&{self.id}>"


@dataclass(eq=False, slots=True, repr=False)
class Overwrite:
    """What one role or member is allowed and denied in one channel."""

    id: int
    is_member: bool
    allow: int = 0
    deny: int = 0

    def __repr__(self) -> str:
        return f"<Overwrite {self.id} +{self.allow} -{self.deny}>"


@dataclass(eq=False, slots=True, repr=False)
class Member:
    """A user in a server."""

    user: User
    guild: Guild
    joined_at: dt.datetime
    nick: str | None = None
    role_ids: set[int] = field(default_factory=set)
    timed_out_until: dt.datetime | None = None

    def __repr__(self) -> str:
        return f"<Member {self.name} {self.id}>"

    @property
    def id(self) -> int:
        """Return the user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """Return the name shown in this server."""
        return self.nick or self.user.global_name or self.user.name

    @property
    def mention(self) -> str:
        """Return the text that mentions this member."""
        return self.user.mention

    @property
    def roles(self) -> list[Role]:
        """Return the roles besides @everyone."""
        return [
            self.guild.roles[role_id] for role_id in self.role_ids if role_id in self.guild.roles
        ]

    @property
    def top_position(self) -> int:
        """Return the position of the highest role."""
        return max((role.position for role in self.roles), default=0)

    def is_timed_out(self) -> bool:
        """Tell whether a timeout is running."""
        until = self.timed_out_until
        return until is not None and until > self.guild.world.clock.now()


@dataclass(frozen=True, slots=True)
class Pings:
    """Who is really notified by a message."""

    users: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    everyone: bool = False

    def __bool__(self) -> bool:
        return bool(self.users or self.roles or self.everyone)


@dataclass(eq=False, slots=True, repr=False)
class Message:
    """A message; ``pings`` is whom it notified when sent, ``mentions`` whom it names now.

    ``sent`` is the text as it was sent; ``content`` is what a person reads. ``extra`` are fields
    that Discord sends as they are, such as ``sticker_items``.
    """

    id: int
    channel: Channel
    author: User
    sent: str = ""
    embeds: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    flags: int = 0
    type: int = 0
    nonce: str | int | None = None
    tts: bool = False
    pinned: bool = False
    edited_at: dt.datetime | None = None
    reply_to_id: int | None = None
    pings: Pings = Pings()
    mentions: Pings = Pings()
    reactions: dict[str, list[int]] = field(default_factory=dict)
    interaction: dict[str, Any] | None = None
    edits: list[str] = field(default_factory=list)
    deleted: bool = False
    thread: Channel | None = None
    visible_to: int | None = None
    poll: dict[str, Any] | None = None
    forwarded: Message | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Message {self.id} by {self.author.name}: {self.content[:80]!r}>"

    @property
    def content(self) -> str:
        """Return its text and its cards' texts, with commands as they are typed."""
        cards = (card.get("description", "") for card in self.embeds)
        return as_typed("\n".join(filter(None, (self.sent, *cards))))

    @property
    def created_at(self) -> dt.datetime:
        """Return when it was sent."""
        return timestamp_of(self.id)

    @property
    def ephemeral(self) -> bool:
        """Tell whether only one person sees it."""
        return bool(self.flags & EPHEMERAL)

    @property
    def reply_to(self) -> Message | None:
        """Return the message this one answers, if it still exists."""
        return None if self.reply_to_id is None else self.channel.messages.get(self.reply_to_id)

    @property
    def jump_url(self) -> str:
        """Return the link to it."""
        where = "@me" if self.channel.guild is None else self.channel.guild.id
        return f"https://discord.com/channels/{where}/{self.channel.id}/{self.id}"


@dataclass(eq=False, slots=True, repr=False)
class Channel:
    """A channel, a thread or a direct conversation; ``tags`` are a forum's, or a post's.

    In a forum that ``requires_tag``, each post needs one; ``moderated_tags`` only moderators give.
    """

    id: int
    world: World
    type: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    position: int = 0
    topic: str | None = None
    nsfw: bool = False
    slowmode_s: int = 0
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    recipient: User | None = None
    owner_id: int | None = None
    member_ids: set[int] = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    deleted: bool = False
    is_seen: bool = True  # by the bot, when it was last told of it
    tags: dict[int, str] = field(default_factory=dict)
    moderated_tags: set[int] = field(default_factory=set)
    requires_tag: bool = False

    def __repr__(self) -> str:
        return f"<Channel {self.label} {self.id}>"

    @property
    def mention(self) -> str:
        """Return the text that links to this channel."""
        return f"<#{self.id}>"

    @property
    def is_thread(self) -> bool:
        """Tell whether this is a thread."""
        return self.type in THREADS

    @property
    def is_private_thread(self) -> bool:
        """Tell whether this is a private thread."""
        return self.type == PRIVATE_THREAD

    @property
    def is_vocal(self) -> bool:
        """Tell whether people talk here: a voice or stage channel, with its chat."""
        return self.type in VOCAL

    @property
    def is_viewable(self) -> bool:
        """Tell whether the bot can view this; a category is seen with any channel in it."""
        bot = self.world.bot_user
        places = (self, *self._children())
        return any(place.permissions_of(bot) & allowed.VIEW_CHANNEL for place in places)

    @property
    def is_synced(self) -> bool:
        """Tell whether this has the overwrites of its category."""
        if self.parent is None or self.parent.type != CATEGORY:
            return False
        return _values(self.overwrites) == _values(self.parent.overwrites)

    @property
    def is_dm(self) -> bool:
        """Tell whether this is a direct conversation."""
        return self.type == DM

    @property
    def label(self) -> str:
        """Return how reports name this channel."""
        return f"DM with {self.recipient.name}" if self.recipient is not None else f"#{self.name}"

    def history(self) -> list[Message]:
        """Return the messages, oldest first."""
        return sorted(self.messages.values(), key=lambda message: message.id)

    def permissions_of(self, who: User | Member) -> int:
        """Return what somebody may do here; 0 for strangers."""
        if self.type == GROUP_DM:
            return allowed.DM_PERMISSIONS if who.id in self.member_ids else 0
        if self.guild is None:
            known = self.recipient is not None and who.id in (
                self.recipient.id,
                self.world.bot_user.id,
            )
            return allowed.DM_PERMISSIONS if known else 0
        member = self.guild.members.get(who.id)
        return 0 if member is None else allowed.in_channel(member, self)

    def overwrite(self, target: Role | Member | User, *, allow: int = 0, deny: int = 0) -> None:
        """Set a permission overwrite for a role or a member and announce it; zeros remove it.

        A category's go to the channels that are synced with it.
        """
        synced = [channel for channel in self._children() if channel.is_synced]
        for channel in (self, *synced):
            if allow or deny:
                made = Overwrite(target.id, not isinstance(target, Role), allow, deny)
                channel.overwrites[target.id] = made
            else:
                channel.overwrites.pop(target.id, None)
            self.world.announce("CHANNEL_UPDATE", channel)

    def _children(self) -> list[Channel]:
        if self.guild is None or self.type != CATEGORY:
            return []
        return [channel for channel in self.guild.channels.values() if channel.parent is self]

    def move(self, category: Channel | None, *, sync: bool = False) -> None:
        """Move a channel to a category (None: out of all) and announce it.

        It keeps its overwrites, or takes the category's.
        """
        self.parent = category
        if sync and category is not None:
            self.overwrites = dict(category.overwrites)
        self.world.announce("CHANNEL_UPDATE", self)

    def restrict_age(self, restricted: bool = True) -> None:
        """Make a channel age-restricted, or open it to all ages again, and announce it."""
        self.nsfw = restricted
        self.world.announce("CHANNEL_UPDATE", self)

    def add_thread(
        self,
        name: str,
        *,
        owner: User | Member | None = None,
        private: bool = False,
        members: Iterable[User | Member] = (),
    ) -> Channel:
        """Open a thread here; the owner and the members named are in it."""
        owner_id = self.world.bot_user.id if owner is None else owner.id
        return self.world.make_thread(
            self,
            name,
            owner_id,
            PRIVATE_THREAD if private else PUBLIC_THREAD,
            {m.id for m in members},
        )


def _values(overwrites: dict[int, Overwrite]) -> dict[int, tuple[int, int]]:
    return {target_id: (one.allow, one.deny) for target_id, one in overwrites.items()}


@dataclass(eq=False, slots=True, repr=False)
class Guild:
    """A server."""

    id: int
    world: World
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    locale: str = "en-US"
    blocked_words: set[str] = field(default_factory=set)  # AutoMod's, in small letters
    age_restricted: bool = False
    is_out: bool = False  # unavailable

    def __repr__(self) -> str:
        return f"<Guild {self.name} {self.id}>"

    @property
    def everyone(self) -> Role:
        """Return the @everyone role."""
        return self.roles[self.id]

    @property
    def bot_role(self) -> Role:
        """Return the managed role that came with the bot."""
        bot_id = self.world.bot_user.id
        return next(role for role in self.roles.values() if role.bot_id == bot_id)

    @property
    def me(self) -> Member:
        """Return the bot's member."""
        return self.members[self.world.bot_user.id]

    @property
    def owner(self) -> Member:
        """Return the owner's member."""
        return self.members[self.owner_id]

    @property
    def threads(self) -> list[Channel]:
        """Return the threads."""
        return [channel for channel in self.channels.values() if channel.is_thread]

    def add_channel(
        self,
        name: str,
        type: int = TEXT,
        *,
        parent: Channel | None = None,
        topic: str | None = None,
    ) -> Channel:
        """Make a channel and announce it; in a category it is synced with it."""
        world = self.world
        position = len(self.channels)
        channel = Channel(world.ids.next(), world, type, name, self, parent, position, topic)
        if parent is not None:
            channel.overwrites = dict(parent.overwrites)
        self.channels[channel.id] = world.channels[channel.id] = channel
        world.announce("CHANNEL_CREATE", channel)
        return channel

    def add_text_channel(
        self,
        name: str,
        *,
        parent: Channel | None = None,
        topic: str | None = None,
        private: bool = False,
    ) -> Channel:
        """Make a text channel; a private one is hidden from @everyone."""
        channel = self.add_channel(name, TEXT, parent=parent, topic=topic)
        if private:
            channel.overwrite(self.everyone, deny=allowed.VIEW_CHANNEL)
        return channel

    def add_bot(self, name: str, permissions: int = 0) -> Member:
        """Let another bot join, with the role that Discord makes for it, and announce both."""
        role = self.add_role(name, permissions)
        bot = self.add_member(name, roles=[role], bot=True)
        role.managed, role.bot_id = True, bot.id
        self.world.announce("GUILD_ROLE_UPDATE", role)
        return bot

    def add_member(
        self,
        who: str | User | Member,
        *,
        nick: str | None = None,
        roles: Iterable[Role] = (),
        bot: bool = False,
    ) -> Member:
        """Let a new person (a name) or a known one join, and announce it."""
        if isinstance(who, str):
            user = self.world.add_user(who, bot=bot)
        else:
            user = self.world.users[who.id]
        member = Member(user, self, self.world.clock.now(), nick, {role.id for role in roles})
        self.members[user.id] = member
        self.world.announce("GUILD_MEMBER_ADD", member)
        return member

    def add_role(
        self,
        name: str,
        permissions: int = 0,
        *,
        mentionable: bool = False,
        position: int | None = None,
    ) -> Role:
        """Make a role, on top unless a position is given, and announce it."""
        if position is None:
            position = max(role.position for role in self.roles.values()) + 1
        role = Role(self.world.ids.next(), self, name, permissions, position, mentionable)
        self.roles[role.id] = role
        self.world.announce("GUILD_ROLE_CREATE", role)
        return role
