"""Decide whether a message is for Kith, and whether Kith may answer it there."""

import logging

import discord

from cogs.bot.audience import source_id_of
from cogs.chat.turns import replied_message
from utils.models.guild import GuildSettings, Purpose

_log = logging.getLogger(__name__)


def is_addressed(
    message: discord.Message, settings: GuildSettings, bot_user: discord.ClientUser | None
) -> bool:
    """Return whether a message is for Kith: by mention, reply, direct message or chat channel."""
    if message.guild is None or bot_user in message.mentions:
        return True
    if any(_is_role_of(role, bot_user) for role in message.role_mentions):
        return True
    replied_to = replied_message(message)
    if replied_to is not None and replied_to.author == bot_user:
        return True
    channel_ids = {message.channel.id, source_id_of(message.channel)}
    is_chat = not settings.ids_for(Purpose.CHAT).isdisjoint(channel_ids)
    has_content = bool(message.content or message.attachments)
    return is_chat and has_content and not is_for_others(message)


def is_for_others(message: discord.Message) -> bool:
    """Return whether a message replies to another person, or mentions others."""
    replied_to = replied_message(message)
    addressees = [*message.mentions, *([] if replied_to is None else [replied_to.author])]
    return (
        any(user.id != message.author.id for user in addressees)
        or bool(message.role_mentions)
        or message.mention_everyone
    )


def may_talk(message: discord.Message, settings: GuildSettings) -> bool:
    """Return whether Kith answers the author; in a server that may depend on their roles.

    Who is not known as a member is not answered there.
    """
    author = message.author
    if message.guild is None or not settings.talk_role_ids:
        return True
    return isinstance(author, discord.Member) and settings.may_talk(
        (role.id for role in author.roles),
        is_moderator=author.guild_permissions.manage_guild,
    )


def _is_role_of(role: discord.Role, bot_user: discord.ClientUser | None) -> bool:
    """Return whether Discord made a role for this bot; people mention it by mistake."""
    return role.tags is not None and bot_user is not None and role.tags.bot_id == bot_user.id


def may_send(message: discord.Message) -> bool:
    """Return whether Kith may answer in this channel; log which permission is missing."""
    if message.guild is None or message.guild.me is None:
        return True
    permissions = message.channel.permissions_for(message.guild.me)
    in_thread = isinstance(message.channel, discord.Thread)
    if permissions.send_messages_in_threads if in_thread else permissions.send_messages:
        return True
    _log.warning(
        "I was asked in channel %d but may not answer: give me the permission %r there",
        message.channel.id,
        "Send Messages in Threads" if in_thread else "Send Messages",
    )
    return False
