"""Who may do what: Discord's permission bits and the way roles, overwrites and timeouts combine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from .things import Channel, Guild, Member

ALL = discord.Permissions.all().value


def perms(*names: str) -> int:
    """Return the bits of named permissions: ``perms("view_channel", "send_messages")``."""
    return discord.Permissions(**dict.fromkeys(names, True)).value


VIEW_CHANNEL = perms("view_channel")
SEND_MESSAGES = perms("send_messages")
SEND_IN_THREADS = perms("send_messages_in_threads")
READ_HISTORY = perms("read_message_history")
MANAGE_MESSAGES = perms("manage_messages")
MANAGE_CHANNELS = perms("manage_channels")
MANAGE_THREADS = perms("manage_threads")
MANAGE_GUILD = perms("manage_guild")
MODERATE_MEMBERS = perms("moderate_members")
MENTION_EVERYONE = perms("mention_everyone")
ADD_REACTIONS = perms("add_reactions")
ATTACH_FILES = perms("attach_files")
EMBED_LINKS = perms("embed_links")
USE_COMMANDS = perms("use_application_commands")
ADMINISTRATOR = perms("administrator")
CONNECT = perms("connect")

# What @everyone has in a server made today, as far as chats go (yes, with mention_everyone).
EVERYONE_DEFAULT = perms(
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "create_private_threads",
    "read_message_history",
    "embed_links",
    "attach_files",
    "add_reactions",
    "use_application_commands",
    "change_nickname",
    "mention_everyone",
    "external_emojis",
    "connect",
    "speak",
)
TIMED_OUT = VIEW_CHANNEL | READ_HISTORY
NEEDS_SENDING = MENTION_EVERYONE | ATTACH_FILES | EMBED_LINKS | perms("send_tts_messages")
DM_PERMISSIONS = perms(
    "view_channel",
    "send_messages",
    "read_message_history",
    "embed_links",
    "attach_files",
    "add_reactions",
    "use_application_commands",
    "external_emojis",
    "mention_everyone",
)

OUTSIDE = perms("attach_files", "embed_links", "mention_everyone")  # where only a person has it


def in_guild(member: Member) -> int:
    """Return a member's permissions before any channel is looked at."""
    guild = member.guild
    if guild.owner_id == member.id:
        return ALL
    bits = guild.everyone.permissions
    for role in member.roles:
        bits |= role.permissions
    if bits & ADMINISTRATOR:
        return ALL
    return bits & TIMED_OUT if member.is_timed_out() else bits


def in_channel(member: Member, channel: Channel) -> int:
    """Return a member's permissions in a channel or thread, overwrites and timeouts applied."""
    bits = in_guild(member)
    if bits & ADMINISTRATOR:
        return ALL
    base = channel.parent if channel.is_thread and channel.parent is not None else channel
    bits = _overwritten(bits, member, base, member.guild)
    if member.is_timed_out():
        bits &= TIMED_OUT
    if not bits & VIEW_CHANNEL:
        return 0
    if (
        channel.is_private_thread
        and member.id not in channel.member_ids
        and not bits & MANAGE_THREADS
    ):
        return 0
    if channel.is_vocal and not bits & CONNECT:  # nothing else counts without it, as documented
        return VIEW_CHANNEL
    sending = SEND_IN_THREADS if channel.is_thread else SEND_MESSAGES
    if not bits & sending:
        bits &= ~NEEDS_SENDING
    return bits


def _overwritten(bits: int, member: Member, channel: Channel, guild: Guild) -> int:
    overwrite = channel.overwrites.get(guild.id)
    if overwrite is not None:
        bits = bits & ~overwrite.deny | overwrite.allow
    allow = deny = 0
    for role in member.roles:
        overwrite = channel.overwrites.get(role.id)
        if overwrite is not None:
            allow |= overwrite.allow
            deny |= overwrite.deny
    bits = bits & ~deny | allow
    overwrite = channel.overwrites.get(member.id)
    if overwrite is not None:
        bits = bits & ~overwrite.deny | overwrite.allow
    return bits


def outranks(actor: Member, target: Member) -> bool:
    """Tell whether the role hierarchy lets one member act on another."""
    if target.id == target.guild.owner_id:
        return False
    if actor.id == actor.guild.owner_id:
        return True
    return actor.top_position > target.top_position
