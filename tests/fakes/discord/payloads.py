"""How things look on the wire: plain dictionaries as Discord's API sends them."""

from __future__ import annotations

import mimetypes
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from . import permissions as allowed
from .clock import iso, timestamp_of
from .things import DM, FORUM, GROUP_DM, TEXT, Channel, Guild, Member, Message, Role, User
from .world import World

REQUIRE_TAG, OBFUSCATED = 1 << 4, 1 << 17
# by a field that only such objects have: whatever has a type, members, READY
OPTIONAL = {
    "type": (
        *("position", "bitrate", "user_limit", "message_count", "member_count"),
        *("components", "attachment_size_limit"),
    ),
    "joined_at": ("flags",),
    "session_id": ("shard",),
}


def user(who: User) -> dict[str, Any]:
    """Return a user object."""
    return {
        "id": str(who.id),
        "username": who.name,
        "global_name": None if who.bot else who.global_name,
        "discriminator": "0000" if who.bot else "0",
        "avatar": None,
        "bot": who.bot,
        "public_flags": 0,
    }


def member(
    who: Member, *, with_user: bool = True, permissions: int | None = None
) -> dict[str, Any]:
    """Return a member object; interactions add the permissions in the channel."""
    made: dict[str, Any] = {
        "nick": who.nick,
        "roles": [str(role_id) for role_id in who.role_ids],
        "joined_at": iso(who.joined_at),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "avatar": None,
        "flags": 0,
        "communication_disabled_until": None
        if who.timed_out_until is None
        else iso(who.timed_out_until),
    }
    if with_user:
        made["user"] = user(who.user)
    if permissions is not None:
        made["permissions"] = str(permissions)
    return made


def role(of: Role) -> dict[str, Any]:
    """Return a role object."""
    made: dict[str, Any] = {
        "id": str(of.id),
        "name": of.name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": of.position,
        "permissions": str(of.permissions),
        "managed": of.managed,
        "mentionable": of.mentionable,
        "flags": 0,
    }
    if of.bot_id is not None:
        made["tags"] = {"bot_id": str(of.bot_id)}
    if of.is_booster:
        made["tags"] = {"premium_subscriber": None}  # present means yes
    return made


def least(made: dict[str, Any]) -> dict[str, Any]:
    """Return an object without what Discord's documentation calls optional."""
    left_out = next((OPTIONAL[key] for key in OPTIONAL if key in made), ())
    return {key: value for key, value in made.items() if key not in left_out}


def channel(of: Channel) -> dict[str, Any]:
    """Return a channel object of any kind."""
    last = max(of.messages, default=None)
    made: dict[str, Any] = {
        "id": str(of.id),
        "type": of.type,
        "last_message_id": None if last is None else str(last),
        "flags": 0,
    }
    if of.type == DM:
        assert of.recipient is not None
        return {**made, "recipients": [user(of.recipient)]}
    if of.type == GROUP_DM:
        people = [user(of.world.users[user_id]) for user_id in sorted(of.member_ids)]
        owner = {"owner_id": people[0]["id"], "name": None, "icon": None}
        return {**made, **owner, "recipients": people}
    assert of.guild is not None
    made |= {"guild_id": str(of.guild.id), "name": of.name, "rate_limit_per_user": of.slowmode_s}
    made["parent_id"] = None if of.parent is None else str(of.parent.id)
    if of.is_thread:
        return made | _thread(of)
    made |= {"position": of.position, "topic": of.topic, "nsfw": of.nsfw}
    made["permission_overwrites"] = [
        {"id": str(o.id), "type": int(o.is_member), "allow": str(o.allow), "deny": str(o.deny)}
        for o in of.overwrites.values()
    ]
    if of.is_vocal:
        made |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if of.type == FORUM:
        tags = [
            {"id": str(tag_id), "name": name, "moderated": tag_id in of.moderated_tags}
            for tag_id, name in of.tags.items()
        ]
        nothing = {"emoji_id": None, "emoji_name": None}
        made |= {"available_tags": [tag | nothing for tag in tags]}
        made |= {"flags": REQUIRE_TAG if of.requires_tag else 0}
        made |= {"default_reaction_emoji": None, "default_sort_order": None}
    return made


def seen_channel(of: Channel) -> dict[str, Any]:
    """Return a channel as the gateway sends it: what the bot cannot view is obfuscated.

    Since 16 November 2026, of such a channel only its id, type, position and category are true.
    """
    of.is_seen = of.is_viewable
    made = channel(of)
    if of.is_seen or of.guild is None:
        return made
    hidden = {"id": str(of.guild.id), "type": 0, "allow": "0", "deny": str(allowed.VIEW_CHANNEL)}
    made |= {"name": "___hidden___", "flags": OBFUSCATED, "permission_overwrites": [hidden]}
    made |= {"topic": None, "nsfw": False, "last_message_id": None, "rate_limit_per_user": 0}
    return made | ({"available_tags": []} if of.type == FORUM else {})


def _thread(of: Channel) -> dict[str, Any]:
    made: dict[str, Any] = {
        "owner_id": str(of.owner_id),
        "applied_tags": [str(tag_id) for tag_id in of.tags],
        "message_count": len(of.messages),
        "total_message_sent": len(of.messages),
        "member_count": len(of.member_ids),
        "thread_metadata": {
            "archived": of.archived,
            "auto_archive_duration": of.auto_archive_minutes,
            "archive_timestamp": iso(timestamp_of(of.id)),
            "locked": of.locked,
            "invitable": True,
            "create_timestamp": iso(timestamp_of(of.id)),
        },
    }
    if of.world.bot_user.id in of.member_ids:
        made["member"] = thread_member(of, of.world.bot_user.id)
    return made


def thread_member(of: Channel, user_id: int) -> dict[str, Any]:
    """Return a thread member object."""
    joined = iso(timestamp_of(of.id))
    return {"id": str(of.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}


def partial_channel(of: Channel, permissions: int) -> dict[str, Any]:
    """Return the channel object that interactions carry."""
    made = channel(of)
    made.pop("permission_overwrites", None)
    return made | {"permissions": str(permissions)}


def guild(of: Guild, *, full: bool = True) -> dict[str, Any]:
    """Return a guild object; the full one is GUILD_CREATE's, with the bot as its only member."""
    made: dict[str, Any] = {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "owner_id": str(of.owner_id),
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "roles": [role(r) for r in of.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "vanity_url_code": None,
        "description": None,
        "banner": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": of.locale,
        "nsfw_level": 3 if of.age_restricted else 0,
        "premium_progress_bar_enabled": False,
        "max_members": 500000,
        "max_presences": None,
    }
    if not full:
        return made | {"approximate_member_count": len(of.members), "approximate_presence_count": 1}
    visible = [
        t for t in of.threads if not t.archived and t.permissions_of(of.me) & allowed.VIEW_CHANNEL
    ]
    return made | {
        "joined_at": iso(of.me.joined_at),
        "large": len(of.members) > 250,
        "unavailable": False,
        "member_count": len(of.members),
        "voice_states": [],
        "members": [member(of.me)],
        "channels": [seen_channel(c) for c in of.channels.values() if not c.is_thread],
        "threads": [channel(t) for t in visible],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [{}] if of.world.sends_least else [],
    }


def message(
    of: Message, *, readable: bool, nested: bool = False, gateway: bool = False
) -> dict[str, Any]:
    """Return a message object.

    ``readable`` is whether the receiver's Message Content intent is on; without it everything that
    Discord hides is empty, unless the message is in a DM, mentions the bot or is the bot's own.
    """
    world, where = of.channel.world, of.channel
    shown = readable or is_exempt(of)
    made: dict[str, Any] = {
        "id": str(of.id),
        "channel_id": str(where.id),
        "type": of.type,
        "author": user(of.author),
        "timestamp": iso(of.created_at),
        "edited_timestamp": None if of.edited_at is None else iso(of.edited_at),
        "tts": of.tts,
        "pinned": of.pinned,
        "flags": of.flags,
        "content": of.sent if shown else "",
        "embeds": of.embeds if shown else [],
        "attachments": of.attachments if shown else [],
        "components": of.components if shown else [],
        "mention_everyone": of.mentions.everyone,
        "mention_roles": [str(role_id) for role_id in sorted(of.mentions.roles)],
        "mentions": [
            _mentioned(world, where.guild, user_id) for user_id in sorted(of.mentions.users)
        ],
    }
    made |= of.extra  # sent whatever the intents are
    if of.poll is not None and shown:
        made["poll"] = of.poll
    if of.nonce is not None:
        made["nonce"] = of.nonce
    if of.reactions:
        made["reactions"] = [_reaction(world, emoji, who) for emoji, who in of.reactions.items()]
    if of.interaction is not None:
        made |= of.interaction
        made["application_id"] = str(world.application_id)
    if of.thread is not None and not of.thread.deleted:
        made["thread"] = channel(of.thread)
    if gateway and where.guild is not None:
        made["guild_id"] = str(where.guild.id)
        author = where.guild.members.get(of.author.id)
        if author is not None:
            made["member"] = member(author, with_user=False)
    if of.forwarded is not None:
        made |= _forward(of.forwarded, shown)
    if of.reply_to_id is not None:
        made["message_reference"] = {
            "type": 0,
            "message_id": str(of.reply_to_id),
            "channel_id": str(where.id),
        }
        if where.guild is not None:
            made["message_reference"]["guild_id"] = str(where.guild.id)
        if not nested and not (gateway and world.sends_least):
            target = of.reply_to
            made["referenced_message"] = (
                None if target is None else message(target, readable=readable, nested=True)
            )
    return made


def _forward(of: Message, shown: bool) -> dict[str, Any]:
    """Return the reference and snapshot that a forwarding message carries."""
    snapshot: dict[str, Any] = {
        "type": of.type,
        "content": of.sent if shown else "",
        "embeds": of.embeds if shown else [],
        "attachments": of.attachments if shown else [],
        "components": of.components if shown else [],
        "timestamp": iso(of.created_at),
        "edited_timestamp": None if of.edited_at is None else iso(of.edited_at),
        "flags": of.flags,
        "mentions": [],
        "mention_roles": [],
        "sticker_items": of.extra.get("sticker_items", []),
    }
    reference = {"type": 1, "message_id": str(of.id), "channel_id": str(of.channel.id)}
    if of.channel.guild is not None:
        reference["guild_id"] = str(of.channel.guild.id)
    return {"message_reference": reference, "message_snapshots": [{"message": snapshot}]}


def is_exempt(of: Message) -> bool:
    """Tell whether the bot reads a message whatever its intents: DMs, mentions, its own."""
    bot_id = of.channel.world.bot_user.id
    return of.channel.is_dm or of.author.id == bot_id or bot_id in of.mentions.users


def _mentioned(world: World, where: Guild | None, user_id: int) -> dict[str, Any]:
    made = user(world.users[user_id])
    known = None if where is None else where.members.get(user_id)
    return made if known is None else {**made, "member": member(known, with_user=False)}


def emoji(text: str) -> dict[str, Any]:
    """Return a partial emoji for a unicode character or ``name:id``."""
    name, _, emoji_id = text.strip("<>").removeprefix("a:").lstrip(":").partition(":")
    return {"id": emoji_id or None, "name": name}


def _reaction(world: World, text: str, who: list[int]) -> dict[str, Any]:
    return {
        "emoji": emoji(text),
        "count": len(who),
        "count_details": {"burst": 0, "normal": len(who)},
        "me": world.bot_user.id in who,
        "me_burst": False,
        "burst_colors": [],
    }


def attachment(
    world: World,
    where: Channel,
    filename: str,
    data: bytes,
    kind: str | None,
    description: str | None = None,
) -> dict[str, Any]:
    """Store a file and return its attachment object; its URL is served by the fake.

    A name with other than Latin letters loses them, and its stem is the title (discord-api-types).
    """
    title = "" if filename.isascii() else PurePosixPath(filename).stem
    filename = filename.encode("ascii", "ignore").decode() or "unknown"
    made_id = world.ids.next()
    path = f"/attachments/{where.id}/{made_id}/{filename}"
    guessed = kind or mimetypes.guess_type(filename)[0] or "application/octet-stream"
    world.files[path] = (data, guessed)
    made: dict[str, Any] = {
        "id": str(made_id),
        "filename": filename,
        "size": len(data),
        "url": world.base_url + quote(path),
        "proxy_url": world.base_url + quote(path),
        "content_type": guessed,
    }
    if title:
        made["title"] = title
    if description is not None:
        made["description"] = description
    if guessed.startswith("image/"):
        made |= {"width": 64, "height": 64}
    return made


__all__ = [
    "TEXT",
    "attachment",
    "channel",
    "emoji",
    "guild",
    "is_exempt",
    "member",
    "message",
    "partial_channel",
    "role",
    "seen_channel",
    "thread_member",
    "user",
]
