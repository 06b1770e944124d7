"""Discord permissions -> Audience: the channels that everybody who reads an answer can read now.

Computed from the cached permissions of now; a channel that is not known is unreadable.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from utils.errors import BadInput
from utils.model.memory import DIRECT_MESSAGES, Audience

if TYPE_CHECKING:
    from discord.abc import MessageableChannel

Place = discord.TextChannel | discord.VoiceChannel | discord.ForumChannel
READ = discord.Permissions(view_channel=True, read_message_history=True).value


@dataclass(frozen=True, slots=True)
class _Open:
    """What is open in a server: to its base role, and to those who do not have it (yet).

    Whoever has just joined reads ``entered_by_all``, so what is told there is open to them too.
    """

    base_role_id: int | None
    to_base_role: frozenset[int]
    to_all: frozenset[int]
    entered_by_all: frozenset[int]

    @classmethod
    def of(cls, guild: discord.Guild, base_role_id: int | None) -> "_Open":
        to_base_role = frozenset(open_channels(guild, base_role_id))
        if base_role_id is None:
            return cls(None, to_base_role, to_base_role, frozenset())
        entered = {
            channel.id
            for channel in guild.channels
            if channel.permissions_for(guild.default_role).view_channel
        }
        to_all = to_base_role & open_channels(guild, None)
        return cls(base_role_id, to_base_role, to_all, frozenset(entered))


class Audiences(commands.Cog):
    """Audiences by channel. What is open in a server is worked out anew whenever Discord says that
    a channel, a role or the server has changed."""

    def __init__(self) -> None:
        self._open: dict[int, _Open] = {}

    def of(self, channel: "MessageableChannel", base_role_id: int | None) -> Audience:
        """Return who reads an answer given in that channel.

        ``base_role_id`` names the role that every ordinary member has (None: everyone).
        """
        guild = channel.guild
        if guild is None:
            return _direct(channel)
        known = self._open.get(guild.id)
        if known is None or known.base_role_id != base_role_id:
            known = self._open[guild.id] = _Open.of(guild, base_role_id)
        place_id = channel.parent_id if isinstance(channel, discord.Thread) else channel.id
        opened = known.to_all if place_id in known.entered_by_all else known.to_base_role
        sources = {channel.id, place_id, *opened}
        is_open = source_id_of(channel) in opened
        return Audience(guild.id, channel.id, None, frozenset(sources), is_open=is_open)

    @commands.Cog.listener("on_guild_channel_create")
    @commands.Cog.listener("on_guild_channel_delete")
    @commands.Cog.listener("on_guild_role_create")
    @commands.Cog.listener("on_guild_role_delete")
    async def on_place(self, place: discord.abc.GuildChannel | discord.Role) -> None:
        """Work out anew what is open: a channel or role came or went."""
        self._open.pop(place.guild.id, None)

    @commands.Cog.listener("on_guild_channel_update")
    @commands.Cog.listener("on_guild_role_update")
    async def on_change(
        self,
        before: discord.abc.GuildChannel | discord.Role,
        after: discord.abc.GuildChannel | discord.Role,
    ) -> None:
        """Work out anew what is open: a channel or role changed."""
        self._open.pop(after.guild.id, None)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    @commands.Cog.listener("on_guild_unavailable")
    @commands.Cog.listener("on_guild_remove")
    async def on_server(self, guild: discord.Guild) -> None:
        """Work out anew what is open: the server itself came, went, or was told anew."""
        self._open.pop(guild.id, None)


def _direct(channel: "MessageableChannel") -> Audience:
    """Return the audience of direct messages: one person, and nothing from elsewhere."""
    recipient = channel.recipient if isinstance(channel, discord.DMChannel) else None
    return Audience(
        DIRECT_MESSAGES,
        channel.id,
        recipient.id if recipient else None,
        frozenset({channel.id}),
        is_open=True,
    )


def readable_by(guild: discord.Guild, person: discord.Member | discord.User) -> frozenset[int]:
    """Return the channels whose history a person can read now; none for one who is not there."""
    if not isinstance(person, discord.Member):
        return frozenset()
    return frozenset(
        channel.id
        for channel in guild.channels
        if channel.permissions_for(person).value & READ == READ
    )


def source_id_of(channel: "MessageableChannel") -> int:
    """Return the channel whose readers may hear what is said here: a public thread's parent."""
    if isinstance(channel, discord.Thread) and not channel.is_private():
        return channel.parent_id
    return channel.id


def place_ids(channel: "MessageableChannel | discord.abc.GuildChannel | None") -> tuple[int, ...]:
    """Return a channel, and for a thread, public or not, the channel it belongs to."""
    if channel is None:
        return ()
    return (channel.id, channel.parent_id) if isinstance(channel, discord.Thread) else (channel.id,)


def is_age_restricted(channel: object) -> bool:
    """Whether only adults read a channel; a thread is as its channel is, and no DM is."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    return bool(getattr(parent, "nsfw", False))


def place_of(interaction: discord.Interaction, channel: Place | None) -> Place:
    """Return the channel that was chosen, else the one a command was used in, or its parent.

    Raises BadInput where that is no channel that settings can be about.
    """
    place = channel or interaction.channel
    if isinstance(place, discord.Thread):
        place = place.parent
    if not isinstance(place, Place):
        raise BadInput("Choose a text channel.")
    return place


def open_channels(guild: discord.Guild, base_role_id: int | None) -> set[int]:
    """Return the channels that the base role can see and read, with no overwrite that denies it.

    A base role that does not exist opens nothing.
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
