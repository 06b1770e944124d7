"""Which event goes to whom and what it says: intents, shards and channel visibility applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import discord

from . import payloads
from . import permissions as allowed
from .things import GROUP_DM, Channel, Guild, Member, Message, Role

if TYPE_CHECKING:
    from .gateway import Session

Payload = dict[str, Any]
IN_PART = ("id", "channel_id", "guild_id", "content", "edited_timestamp", "embeds")


def _bit(**names: bool) -> int:
    return discord.Intents(**names).value


GUILDS = _bit(guilds=True)
MEMBERS = _bit(members=True)
MESSAGES = (_bit(guild_messages=True), _bit(dm_messages=True))
REACTIONS = (_bit(guild_reactions=True), _bit(dm_reactions=True))
TYPING = (_bit(guild_typing=True), _bit(dm_typing=True))


def for_session(event: str, subject: Any, details: Payload, session: Session) -> Payload | None:
    """Return the event's data for one session, or None if that session does not get it."""
    return MAKERS[event](event, subject, details, session)


def _in_channel(channel: Channel, session: Session, intents: tuple[int, int]) -> bool:
    """Tell whether a session hears what happens in a channel."""
    guild = channel.guild
    if not session.intents & intents[0 if guild is not None else 1]:
        return False
    if guild is None:
        return channel.type != GROUP_DM and session.covers(None)
    if guild.is_out:
        return False
    bits = channel.permissions_of(channel.world.bot_user)
    needed = allowed.VIEW_CHANNEL | (allowed.CONNECT if channel.is_vocal else 0)
    return session.covers(guild.id) and bits & needed == needed


def _in_guild(guild: Guild, session: Session, intent: int) -> bool:
    known = guild.world.bot_user.id in guild.members and not guild.is_out
    return known and session.covers(guild.id) and bool(session.intents & intent)


def _where(channel: Channel) -> Payload:
    made = {"channel_id": str(channel.id)}
    return made if channel.guild is None else {**made, "guild_id": str(channel.guild.id)}


def _message(event: str, message: Message, details: Payload, session: Session) -> Payload | None:
    where = _where(message.channel)
    if message.ephemeral:  # as in direct messages, wherever it is
        if not (session.covers(None) and session.intents & MESSAGES[1]):
            return None
        where.pop("guild_id", None)
    elif not _in_channel(message.channel, session, MESSAGES):
        return None
    if event == "MESSAGE_DELETE":
        return {"id": str(message.id), **where}
    made = payloads.message(message, readable=session.reads_content, gateway=True)
    if message.ephemeral:
        made.pop("guild_id", None)
        made.pop("member", None)
    if event == "MESSAGE_UPDATE" and message.channel.world.updates_in_part:
        made = {name: made[name] for name in IN_PART if name in made}
    return made


def _bulk(event: str, channel: Channel, details: Payload, session: Session) -> Payload | None:
    if not _in_channel(channel, session, MESSAGES):
        return None
    return {"ids": [str(i) for i in details["ids"]], **_where(channel)}


def _reaction(event: str, message: Message, details: Payload, session: Session) -> Payload | None:
    if not _in_channel(message.channel, session, REACTIONS):
        return None
    made: Payload = {
        "user_id": str(details["user_id"]),
        "message_id": str(message.id),
        "emoji": payloads.emoji(details["emoji"]),
        "burst": False,
        "type": 0,
        **_where(message.channel),
    }
    guild = message.channel.guild
    if event == "MESSAGE_REACTION_ADD" and not message.channel.world.sends_least:
        made["message_author_id"] = str(message.author.id)
    if (
        event == "MESSAGE_REACTION_ADD"
        and guild is not None
        and details["user_id"] in guild.members
    ):
        made["member"] = payloads.member(guild.members[details["user_id"]])
    return made


def _typing(event: str, channel: Channel, details: Payload, session: Session) -> Payload | None:
    if not _in_channel(channel, session, TYPING):
        return None
    made = {
        "user_id": str(details["user_id"]),
        "timestamp": int(channel.world.clock.now_s()),
        **_where(channel),
    }
    if channel.guild is not None:
        made["member"] = payloads.member(channel.guild.members[details["user_id"]])
    return made


def _channel(event: str, channel: Channel, details: Payload, session: Session) -> Payload | None:
    if channel.guild is None or not _in_guild(channel.guild, session, GUILDS):
        return None
    return payloads.seen_channel(channel)


def _thread(event: str, thread: Channel, details: Payload, session: Session) -> Payload | None:
    guild = thread.guild
    if guild is None or not _in_guild(guild, session, GUILDS):
        return None
    if not thread.permissions_of(guild.world.bot_user) & allowed.VIEW_CHANNEL:
        return None
    if event == "THREAD_DELETE":
        parent_id = 0 if thread.parent is None else thread.parent.id
        return {
            "id": str(thread.id),
            "guild_id": str(guild.id),
            "parent_id": str(parent_id),
            "type": thread.type,
        }
    return {**payloads.channel(thread), **details}


def _thread_members(
    event: str, thread: Channel, details: Payload, session: Session
) -> Payload | None:
    guild = thread.guild
    if guild is None or not _in_guild(guild, session, GUILDS):
        return None
    joined, left = details.get("added", []), details.get("removed", [])
    if not session.intents & MEMBERS and guild.world.bot_user.id not in (*joined, *left):
        return None
    return {
        "id": str(thread.id),
        "guild_id": str(guild.id),
        "member_count": len(thread.member_ids),
        "added_members": [payloads.thread_member(thread, user_id) for user_id in joined],
        "removed_member_ids": [str(user_id) for user_id in left],
    }


def _member(event: str, member: Member, details: Payload, session: Session) -> Payload | None:
    guild = member.guild
    own_update = event == "GUILD_MEMBER_UPDATE" and member.id == guild.world.bot_user.id
    if not _in_guild(guild, session, GUILDS if own_update else MEMBERS):
        return None
    if event == "GUILD_MEMBER_REMOVE":
        return {"guild_id": str(guild.id), "user": payloads.user(member.user)}
    return {"guild_id": str(guild.id), **payloads.member(member)}


def _role(event: str, role: Role, details: Payload, session: Session) -> Payload | None:
    if not _in_guild(role.guild, session, GUILDS):
        return None
    if event == "GUILD_ROLE_DELETE":
        return {"guild_id": str(role.guild.id), "role_id": str(role.id)}
    return {"guild_id": str(role.guild.id), "role": payloads.role(role)}


def _guild(event: str, guild: Guild, details: Payload, session: Session) -> Payload | None:
    if not session.covers(guild.id) or not session.intents & GUILDS:
        return None
    if event == "GUILD_DELETE":
        gone: Payload = {"id": str(guild.id)}
        return {**gone, "unavailable": True} if details.get("outage") else gone
    if guild.world.bot_user.id not in guild.members:
        return None
    made = payloads.guild(guild, full=event == "GUILD_CREATE")
    if event == "GUILD_CREATE" and not details.get("back"):
        made.pop("unavailable")
    return made


def _interaction(
    event: str, payload: Payload, details: Payload, session: Session
) -> Payload | None:
    guild_id = payload.get("guild_id")
    return payload if session.covers(None if guild_id is None else int(guild_id)) else None


MAKERS: dict[str, Callable[[str, Any, Payload, Any], Payload | None]] = {
    "MESSAGE_CREATE": _message,
    "MESSAGE_UPDATE": _message,
    "MESSAGE_DELETE": _message,
    "MESSAGE_DELETE_BULK": _bulk,
    "MESSAGE_REACTION_ADD": _reaction,
    "MESSAGE_REACTION_REMOVE": _reaction,
    "TYPING_START": _typing,
    "CHANNEL_CREATE": _channel,
    "CHANNEL_UPDATE": _channel,
    "CHANNEL_DELETE": _channel,
    "THREAD_CREATE": _thread,
    "THREAD_UPDATE": _thread,
    "THREAD_DELETE": _thread,
    "THREAD_MEMBERS_UPDATE": _thread_members,
    "GUILD_MEMBER_ADD": _member,
    "GUILD_MEMBER_UPDATE": _member,
    "GUILD_MEMBER_REMOVE": _member,
    "GUILD_ROLE_CREATE": _role,
    "GUILD_ROLE_UPDATE": _role,
    "GUILD_ROLE_DELETE": _role,
    "GUILD_CREATE": _guild,
    "GUILD_UPDATE": _guild,
    "GUILD_DELETE": _guild,
    "INTERACTION_CREATE": _interaction,
}
