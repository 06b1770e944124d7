"""Discord permissions -> Audience: the channels that everybody who reads an answer can read.

Computed from the permissions in discord.py's cache; an unknown channel is unreadable.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import discord
from discord.ext import commands

from cogs.bot.member_roles import MemberRoleCache
from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.guilds.channel_readers import ServerReaders
from utils.guilds.permission_rules import CONNECT, READING, VIEW, ServerChannel, ServerRole
from utils.guilds.recall_findings import RecallFinding, recall_findings
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Audience

if TYPE_CHECKING:
    from discord.abc import MessageableChannel

TextPlace = discord.TextChannel | discord.VoiceChannel | discord.StageChannel
Place = TextPlace | discord.ForumChannel
ServerPlace = TextPlace | discord.Thread
Vocal = discord.VoiceChannel | discord.StageChannel
UNCONFIGURED = GuildSettings(DIRECT_MESSAGES)  # whose base role is @everyone


class _Sources(NamedTuple):
    """The sources of a channel, and what they depend on.

    ``named`` are the people whom overwrites name, ``undecided`` those whose unknown roles cost a
    source. After ``valid_until_s`` (monotonic) some of their roles are no longer known.
    """

    channel_ids: frozenset[int]
    named: frozenset[int]
    undecided: frozenset[int]
    valid_until_s: float


@dataclass(slots=True)
class _GuildPermissions:
    """A server's permissions as they are until an event changes them, and what follows."""

    base_roles: tuple[int | None, tuple[int, ...]]
    readers: ServerReaders
    sources: dict[int, _Sources] = field(default_factory=dict)
    open_channels: _Sources | None = None


class Audiences(commands.Cog):
    """Audiences by channel, cached until an event changes a server's permissions."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._roles = MemberRoleCache(clock)
        self._servers: dict[int, _GuildPermissions] = {}

    def of(self, channel: "MessageableChannel", settings: GuildSettings = UNCONFIGURED) -> Audience:
        """Return who reads an answer given in a channel or thread of a server, or direct message.

        The server's ``settings`` name the base role and the roles that imply it.
        """
        guild = channel.guild
        if guild is None:
            return Audience(DIRECT_MESSAGES, channel.id, frozenset({channel.id}), is_open=True)
        server = self._server(guild, settings)
        parent_id = channel.parent_id if isinstance(channel, discord.Thread) else channel.id
        sources = self._sources(guild.id, server, parent_id).channel_ids
        if parent_id in sources and parent_id != channel.id:
            sources |= {channel.id}
        open_ids = self._open(guild.id, server)
        return Audience(
            guild.id,
            channel.id,
            sources,
            is_open=source_id_of(channel) in open_ids,
            open_ids=open_ids,
        )

    def may_still_hear(
        self,
        earlier: Audience,
        channel: "MessageableChannel",
        settings: GuildSettings,
        *,
        age_restricted: bool,
    ) -> bool:
        """Return whether all who read a channel now may hear what was recalled for it before.

        ``earlier`` and ``age_restricted`` are its audience and age restriction at that time.
        """
        if age_restricted and not is_age_restricted(channel):
            return False
        return not is_narrower(self.of(channel, settings), earlier, channel.guild)

    def open_channels(self, guild: discord.Guild, settings: GuildSettings) -> frozenset[int]:
        """Return the channels that all members can read who have the base role."""
        return self._open(guild.id, self._server(guild, settings))

    async def learn_members(
        self, channel: "MessageableChannel", settings: GuildSettings = UNCONFIGURED
    ) -> None:
        """Ask Discord for the roles of people that decide about this channel, if it is time to."""
        guild = channel.guild
        if guild is None:
            return
        server = self._server(guild, settings)
        parent_id = channel.parent_id if isinstance(channel, discord.Thread) else channel.id
        undecided = self._sources(guild.id, server, parent_id).undecided
        if undecided and await self._roles.fetch(guild, undecided):
            self._forget_sources(guild.id, undecided)

    async def may_quote(self, place: object, source_id: int, settings: GuildSettings) -> bool:
        """Return whether a post in ``place`` may quote what was said in a channel."""
        if not isinstance(place, ServerPlace):
            return False
        await self.learn_members(place, settings)
        return source_id in self.of(place, settings).sources

    async def findings(self, guild: discord.Guild, settings: GuildSettings) -> list[RecallFinding]:
        """Return what restricts recall in the channels that Kith can view, by reason.

        Comparing all pairs of channels takes long in a large server, so a thread does it.
        """
        visible = [
            channel.id
            for channel in guild.channels
            if channel.permissions_for(guild.me).view_channel
        ]
        readers = server_readers(guild, guild.channels, *settings.base_roles)
        named = readers.all_named_members
        roles, _ = self._roles.known(guild.id, named)
        undecided = await asyncio.to_thread(readers.undecided_anywhere, visible, roles)
        if undecided and await self._roles.fetch(guild, undecided):
            self._forget_sources(guild.id, undecided)
            roles, _ = self._roles.known(guild.id, named)
        return await asyncio.to_thread(recall_findings, readers, visible, roles)

    # --- the cache -----------------------------------------------------------------------------

    def _server(self, guild: discord.Guild, settings: GuildSettings) -> _GuildPermissions:
        server, roles = self._servers.get(guild.id), settings.base_roles
        if server is None or server.base_roles != roles:
            readers = server_readers(guild, guild.channels, *roles)
            server = self._servers[guild.id] = _GuildPermissions(roles, readers)
        return server

    def _sources(self, guild_id: int, server: _GuildPermissions, channel_id: int) -> _Sources:
        cached = server.sources.get(channel_id)
        if cached is None or cached.valid_until_s <= self._clock.monotonic():
            named = server.readers.named_members(channel_id)
            roles, valid_until_s = self._roles.known(guild_id, named)
            channel_ids = server.readers.sources(channel_id, roles)
            id_sets = (sources.channel_ids for sources in server.sources.values())
            cached = server.sources[channel_id] = _Sources(
                # The equal set that another channel has, so that it is kept once.
                next((ids for ids in id_sets if ids == channel_ids), channel_ids),
                named,
                server.readers.undecided_members(channel_id, roles),
                valid_until_s,
            )
        return cached

    def _open(self, guild_id: int, server: _GuildPermissions) -> frozenset[int]:
        cached = server.open_channels
        if cached is None or cached.valid_until_s <= self._clock.monotonic():
            named = server.readers.all_named_members
            roles, valid_until_s = self._roles.known(guild_id, named)
            channel_ids = server.readers.open_channels(roles)
            cached = server.open_channels = _Sources(channel_ids, named, frozenset(), valid_until_s)
        return cached.channel_ids

    def _forget_sources(self, guild_id: int, user_ids: Iterable[int]) -> None:
        """Forget what was computed from other roles of these people."""
        server, changed = self._servers.get(guild_id), frozenset(user_ids)
        if server is None:
            return
        for channel_id, cached in list(server.sources.items()):
            if cached.named & changed:
                del server.sources[channel_id]
        if server.open_channels is not None and server.open_channels.named & changed:
            server.open_channels = None

    def note_member(self, person: discord.Member | discord.User) -> None:
        """Remember the roles of a person as an event shows them."""
        if isinstance(person, discord.Member) and self._roles.note(person):
            self._forget_sources(person.guild.id, [person.id])

    # --- events --------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Remember the author's roles; this listener is the first, so answers know them."""
        self.note_member(message.author)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Remember the roles of a person who used a command or a button."""
        self.note_member(interaction.user)

    @commands.Cog.listener("on_guild_channel_create")
    @commands.Cog.listener("on_guild_channel_update")
    @commands.Cog.listener("on_guild_channel_delete")
    @commands.Cog.listener("on_guild_role_create")
    @commands.Cog.listener("on_guild_role_update")
    @commands.Cog.listener("on_guild_role_delete")
    @commands.Cog.listener("on_guild_update")
    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    @commands.Cog.listener("on_guild_unavailable")
    @commands.Cog.listener("on_guild_remove")
    async def on_change(
        self, *versions: discord.abc.GuildChannel | discord.Role | discord.Guild
    ) -> None:
        """Clear the cache after a channel, a role or the server changed, came or went."""
        changed = versions[-1]
        guild = changed if isinstance(changed, discord.Guild) else changed.guild
        self._servers.pop(guild.id, None)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Clear the cache after Kith's own roles changed, which decide what is hidden from it."""
        if after == after.guild.me:
            self._servers.pop(after.guild.id, None)


def server_readers(
    guild: discord.Guild,
    channels: Sequence[discord.abc.GuildChannel],
    base_role_id: int | None,
    implied_role_ids: Iterable[int],
    bot_ids: Iterable[int] = (),
) -> ServerReaders:
    """Return the permissions of a server as they are now; ``bot_ids`` are known to be bots.

    Channels that Kith cannot view are left out: Discord hides who can.

    ``_overwrites`` is discord.py's own list. The public property makes two objects of each
    overwrite, which takes 60 ms in a server with 500 channels.
    """
    everyone = guild.default_role
    roles = [
        ServerRole(role.id, role.permissions.value, role.is_bot_managed()) for role in guild.roles
    ]
    is_age_restricted = guild.nsfw_level is discord.NSFWLevel.age_restricted
    places = [
        ServerChannel(
            channel.id,
            [
                (entry.id, entry.type == entry.MEMBER, entry.allow, entry.deny)
                for entry in channel._overwrites
                if (entry.allow | entry.deny) & READING
            ],
            is_vocal=isinstance(channel, Vocal),
            is_age_restricted=is_age_restricted or bool(getattr(channel, "nsfw", False)),
        )
        for channel in channels
        if not (isinstance(channel, discord.CategoryChannel) or is_hidden(channel))
    ]
    return ServerReaders(
        guild.owner_id or 0,
        ServerRole(everyone.id, everyone.permissions.value),
        roles,
        places,
        bot_ids=[guild.me.id, *bot_ids] if guild.me else bot_ids,
        base_role_id=base_role_id,
        implied_role_ids=implied_role_ids,
    )


def opening_roles(guild: discord.Guild) -> Counter[int]:
    """Return in how many channels each role may view or connect, by an overwrite or by itself."""
    everyone = guild.default_role.permissions
    opened = Counter(
        entry.id
        for channel in guild.channels
        for entry in channel._overwrites
        if entry.type == entry.ROLE and entry.allow & (VIEW | CONNECT)
    )
    opened.update(
        role.id
        for role in guild.roles
        if role.permissions.view_channel and not everyone.view_channel
    )
    return opened


def is_narrower(now: Audience, earlier: Audience, guild: discord.Guild | None) -> bool:
    """Return whether an audience has lost a source since; what was deleted is erased anyway."""
    lost = earlier.sources - now.sources
    return guild is not None and any(map(guild.get_channel_or_thread, lost))


# --- one reader ---------------------------------------------------------------------------------


async def find_channel(guild: discord.Guild, channel_id: int) -> object:
    """Return a channel or thread of a server; None if it is gone, hidden or another server's.

    discord.py forgets a thread when it is archived, so that Discord is asked for it.
    """
    with suppress(discord.NotFound, discord.Forbidden, discord.InvalidData):
        return guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
    return None


def can_read(
    person: discord.Member | discord.User, channel: object, *, is_here: bool = False
) -> bool:
    """Return whether a person can read a channel's history; False for one who left.

    ``is_here``: the person is in that channel, which decides about private threads; otherwise
    they need *Manage Threads*.
    """
    if not isinstance(person, discord.Member) or not isinstance(
        channel, discord.abc.GuildChannel | discord.Thread
    ):
        return False
    granted = channel.permissions_for(person)
    if isinstance(channel, Vocal) and not granted.connect:
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        is_here = is_here or granted.manage_threads
        return is_here and granted.view_channel and granted.read_message_history
    return granted.view_channel and granted.read_message_history


def may_write(person: discord.Member | discord.User, channel: object) -> bool:
    """Return whether a person may write in a channel of a server now; False during a timeout."""
    return (
        isinstance(person, discord.Member)
        and isinstance(channel, discord.abc.GuildChannel | discord.Thread)
        and not missing_to_write(person, channel)
    )


def missing_to_send(channel: object) -> str:
    """Return the permission that Kith lacks to write in a channel; empty if it may."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return ""
    me = channel.guild.me
    return "" if me is None else missing_to_write(me, channel)


def missing_to_write(
    person: discord.Member, channel: discord.abc.GuildChannel | discord.Thread
) -> str:
    """Return the permission that a person lacks to write in a channel; empty if they may."""
    granted = channel.permissions_for(person)
    if not isinstance(channel, discord.Thread):
        return "" if granted.send_messages else "Send Messages"
    if channel.locked and not granted.manage_threads:
        return "Manage Threads"
    return "" if granted.send_messages_in_threads else "Send Messages in Threads"


def readable_by(
    guild: discord.Guild, person: discord.Member | discord.User, place: object = None
) -> frozenset[int]:
    """Return the channels that may be quoted to one person in an ephemeral answer.

    These are the channels whose history the person can read. Those that are age-restricted only
    count if ``place``, where the answer is shown, is so too: Discord checks the age there. So do
    those that Kith cannot view: Discord hides whether they are.
    """
    shows_all = is_age_restricted(place)
    return frozenset(
        channel.id
        for channel in guild.channels
        if can_read(person, channel)
        and (shows_all or not (is_age_restricted(channel) or is_hidden(channel)))
    )


# --- channels -----------------------------------------------------------------------------------


def source_id_of(channel: "MessageableChannel") -> int:
    """Return the channel that decides who reads a message: a public thread's parent."""
    if isinstance(channel, discord.Thread) and not channel.is_private():
        return channel.parent_id
    return channel.id


def is_hidden(channel: object) -> bool:
    """Return whether Kith cannot view a server's channel, as far as it knows its permissions.

    Of such a channel Discord tells neither the name nor the overwrites: it sends placeholders.
    """
    if not isinstance(channel, discord.abc.GuildChannel) or channel.guild.me is None:
        return False
    return not channel.permissions_for(channel.guild.me).view_channel


def place_ids(channel: "MessageableChannel | discord.abc.GuildChannel | None") -> tuple[int, ...]:
    """Return the ids of a channel and, for any thread, of its parent."""
    if channel is None:
        return ()
    return (channel.id, channel.parent_id) if isinstance(channel, discord.Thread) else (channel.id,)


def is_age_restricted(channel: object) -> bool:
    """Return whether a channel, a thread's parent, or the whole server is age-restricted."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    guild = getattr(channel, "guild", None)
    if isinstance(guild, discord.Guild) and (guild.nsfw_level is discord.NSFWLevel.age_restricted):
        return True
    return bool(getattr(parent, "nsfw", False))


def place_of(interaction: discord.Interaction, channel: Place | None) -> Place:
    """Return the chosen channel, by default the one a command was used in, or a thread's parent.

    Raises BadInput for a channel that can have no settings.
    """
    place = channel or interaction.channel
    if isinstance(place, discord.Thread):
        place = place.parent
    if not isinstance(place, Place):
        raise BadInput("Choose a text channel.")
    return place
