"""Discord permissions -> Audience: the channels that everybody who reads an answer can read.

Computed from the permissions in discord.py's cache; an unknown channel is unreadable.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from utils.common.errors import BadInput
from utils.models.memory import DIRECT_MESSAGES, Audience

if TYPE_CHECKING:
    from discord.abc import MessageableChannel

Place = discord.TextChannel | discord.VoiceChannel | discord.ForumChannel
READ = discord.Permissions(view_channel=True, read_message_history=True).value


@dataclass(frozen=True, slots=True)
class _OpenChannels:
    """The open channels of a server, for its base role and for members who do not have it (yet).

    New members can view ``visible_to_all``, so an answer there may use ``to_all`` only.
    """

    base_role_id: int | None
    to_base_role: frozenset[int]
    to_all: frozenset[int]
    visible_to_all: frozenset[int]

    @classmethod
    def of(cls, guild: discord.Guild, base_role_id: int | None) -> "_OpenChannels":
        to_base_role = frozenset(open_channels(guild, base_role_id))
        if base_role_id is None:
            return cls(None, to_base_role, to_base_role, frozenset())
        visible = {
            channel.id
            for channel in guild.channels
            if channel.permissions_for(guild.default_role).view_channel
        }
        to_all = to_base_role & open_channels(guild, None)
        return cls(base_role_id, to_base_role, to_all, frozenset(visible))


class Audiences(commands.Cog):
    """Audiences by channel, with a server's open channels cached until an event changes them."""

    def __init__(self) -> None:
        self._open: dict[int, _OpenChannels] = {}

    def of(self, channel: "MessageableChannel", base_role_id: int | None) -> Audience:
        """Return who reads an answer given in that channel.

        ``base_role_id`` names the role that every ordinary member has (None: everyone).
        """
        guild = channel.guild
        if guild is None:
            return _direct(channel)
        cached = self._open.get(guild.id)
        if cached is None or cached.base_role_id != base_role_id:
            cached = self._open[guild.id] = _OpenChannels.of(guild, base_role_id)
        parent_id = channel.parent_id if isinstance(channel, discord.Thread) else channel.id
        is_visible_to_all = parent_id in cached.visible_to_all
        open_ids = cached.to_all if is_visible_to_all else cached.to_base_role
        sources = {channel.id, parent_id, *open_ids}
        is_open = source_id_of(channel) in open_ids
        return Audience(guild.id, channel.id, None, frozenset(sources), is_open=is_open)

    @commands.Cog.listener("on_guild_channel_create")
    @commands.Cog.listener("on_guild_channel_delete")
    @commands.Cog.listener("on_guild_role_create")
    @commands.Cog.listener("on_guild_role_delete")
    async def on_create_or_delete(self, target: discord.abc.GuildChannel | discord.Role) -> None:
        """Clear the cache after a channel or role was created or deleted."""
        self._open.pop(target.guild.id, None)

    @commands.Cog.listener("on_guild_channel_update")
    @commands.Cog.listener("on_guild_role_update")
    async def on_update(
        self,
        before: discord.abc.GuildChannel | discord.Role,
        after: discord.abc.GuildChannel | discord.Role,
    ) -> None:
        """Clear the cache after a channel or role was updated."""
        self._open.pop(after.guild.id, None)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    @commands.Cog.listener("on_guild_unavailable")
    @commands.Cog.listener("on_guild_remove")
    async def on_guild_change(self, guild: discord.Guild) -> None:
        """Clear the cache after the server became available, unavailable, or was sent again."""
        self._open.pop(guild.id, None)


def _direct(channel: "MessageableChannel") -> Audience:
    """Return the audience of a direct message: one person, and no other channel as a source."""
    recipient = channel.recipient if isinstance(channel, discord.DMChannel) else None
    return Audience(
        DIRECT_MESSAGES,
        channel.id,
        recipient.id if recipient else None,
        frozenset({channel.id}),
        is_open=True,
    )


def readable_by(guild: discord.Guild, person: discord.Member | discord.User) -> frozenset[int]:
    """Return the channels whose history a person can read; none for a person who left."""
    if not isinstance(person, discord.Member):
        return frozenset()
    return frozenset(
        channel.id
        for channel in guild.channels
        if channel.permissions_for(person).value & READ == READ
    )


def source_id_of(channel: "MessageableChannel") -> int:
    """Return the channel that decides who reads a message: a public thread's parent."""
    if isinstance(channel, discord.Thread) and not channel.is_private():
        return channel.parent_id
    return channel.id


def place_ids(channel: "MessageableChannel | discord.abc.GuildChannel | None") -> tuple[int, ...]:
    """Return the ids of a channel and, for any thread, of its parent."""
    if channel is None:
        return ()
    return (channel.id, channel.parent_id) if isinstance(channel, discord.Thread) else (channel.id,)


def is_age_restricted(channel: object) -> bool:
    """Return whether a channel, or a thread's parent, is age-restricted."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
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


def open_channels(guild: discord.Guild, base_role_id: int | None) -> set[int]:
    """Return the channels that the base role can read and no overwrite hides from any role or
    member.

    Returns no channel if the base role does not exist.
    """
    role = guild.default_role if base_role_id is None else guild.get_role(base_role_id)
    if role is None:
        return set()
    return {channel.id for channel in guild.channels if _is_open(channel, role)}


def _is_open(channel: discord.abc.GuildChannel, role: discord.Role) -> bool:
    everyone = channel.guild.default_role
    allowed = everyone.permissions.value | role.permissions.value
    if discord.Permissions(allowed).administrator:
        return True
    overwrites = channel.overwrites
    for target in dict.fromkeys((everyone, role)):
        allow, deny = overwrites.pop(target, discord.PermissionOverwrite()).pair()
        allowed = (allowed & ~deny.value) | allow.value
    if any(overwrite.pair()[1].value & READ for overwrite in overwrites.values()):
        return False
    return allowed & READ == READ
