"""Discord permissions -> Audience: the channels that everybody who reads an answer can read now.

Computed from the cached permissions at every recall; a channel that is not known is unreadable.
"""

from typing import TYPE_CHECKING

import discord

from utils.model.memory import DIRECT_MESSAGES, Audience

if TYPE_CHECKING:
    from discord.abc import MessageableChannel

READ = discord.Permissions(view_channel=True, read_message_history=True).value


def audience_of(channel: "MessageableChannel", base_role_id: int | None = None) -> Audience:
    """Return who reads an answer given in that channel.

    ``base_role_id`` names the role that every ordinary member has (None: everyone).
    """
    guild = channel.guild
    if guild is None:
        reader = (
            channel.recipient.id
            if isinstance(channel, discord.DMChannel) and (channel.recipient)
            else None
        )
        return Audience(DIRECT_MESSAGES, channel.id, reader, frozenset({channel.id}), is_open=True)
    opened = open_channels(guild, base_role_id)
    sources = {channel.id, *opened}
    if isinstance(channel, discord.Thread):
        sources.add(channel.parent_id)
    is_open = source_id_of(channel) in opened
    return Audience(guild.id, channel.id, None, frozenset(sources), is_open=is_open)


def source_id_of(channel: "MessageableChannel") -> int:
    """Return the channel whose readers may hear what is said here: a public thread's parent."""
    if isinstance(channel, discord.Thread) and not channel.is_private():
        return channel.parent_id
    return channel.id


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
