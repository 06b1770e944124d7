"""REST routes for what is said: messages, reactions, typing and pins."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from . import payloads
from . import permissions as allowed
from .errors import ApiError, bad_form, missing_access, missing_permissions, unknown
from .limits import check_message
from .rest import Call, route
from .things import DM, EPHEMERAL, LOADING, WITHOUT_CHAT, Channel, Message

if TYPE_CHECKING:
    from .server import FakeDiscord

NONCE_MEMORY_S = 300
WRITTEN = frozenset({0, 19, 20, 23})  # the types of messages that are not Discord's own


def find_channel(fake: FakeDiscord, channel_id: int) -> tuple[Channel, int]:
    """Return a channel the bot sees, and what it may do there.

    Raises
    ------
    ApiError
        10003 for a channel that is not there, 50001 for one the bot cannot see.
    """
    channel = fake.world.channels.get(channel_id)
    if channel is None:
        raise unknown("channel")
    bits = channel.permissions_of(fake.bot_user)
    if not bits & allowed.VIEW_CHANNEL:
        raise missing_access()
    return channel, bits


def find_chat(fake: FakeDiscord, channel_id: int) -> tuple[Channel, int]:
    """Return a channel whose messages the bot may read, and what it may do there.

    Raises
    ------
    ApiError
        As :func:`find_channel`; 50001 also for a voice or stage channel without Connect.
    """
    channel, bits = find_channel(fake, channel_id)
    if channel.is_vocal and not bits & allowed.CONNECT:
        raise missing_access()
    return channel, bits


def need(bits: int, *wanted: int) -> None:
    """Raise 50013 unless all the permissions are there."""
    if any(not bits & one for one in wanted):
        raise missing_permissions()


def find_message(fake: FakeDiscord, call: Call) -> tuple[Message, int]:
    """Return the message of a route and the bot's permissions around it."""
    channel, bits = find_chat(fake, call.id("channel_id"))
    message = channel.messages.get(call.id("message_id"))
    if message is None:
        raise unknown("message")
    return message, bits


def refuse_locked(channel: Channel, bits: int) -> None:
    """Raise 160005 in a locked thread, where only moderators write and edit."""
    if channel.is_thread and channel.locked and not bits & allowed.MANAGE_THREADS:
        raise ApiError(400, 160005, "This thread is locked")


def find_changeable(fake: FakeDiscord, call: Call) -> tuple[Message, int]:
    """Return the message of a route that changes it, which archived threads do not allow."""
    message, bits = find_message(fake, call)
    if message.channel.is_thread and message.channel.archived:
        raise ApiError(400, 50083, "Thread is archived")
    return message, bits


def shown(fake: FakeDiscord, message: Message) -> dict[str, Any]:
    """Return a message as a REST answer, content hidden where the intent is missing."""
    return payloads.message(message, readable=fake.gateway.rest_reads_content())


def pass_automod(channel: Channel, bits: int, body: dict[str, Any]) -> None:
    """Raise 200000 if AutoMod blocks a text; whoever manages the server is exempt."""
    text = (body.get("content") or "").lower()
    blocked = () if channel.guild is None else channel.guild.blocked_words
    if not bits & allowed.MANAGE_GUILD and any(word in text for word in blocked):
        raise ApiError(400, 200000, "Message was blocked by automatic moderation")


def stored_files(
    fake: FakeDiscord, channel: Channel, call: Call, body: dict[str, Any]
) -> list[dict[str, Any]]:
    """Store a request's uploads and return their attachment objects."""
    described = {str(a.get("id")): a for a in body.get("attachments") or [] if isinstance(a, dict)}
    made = []
    for index, (filename, data, kind) in enumerate(call.files):
        about = described.get(str(index), {})
        name = about.get("filename") or filename
        made.append(
            payloads.attachment(fake.world, channel, name, data, kind, about.get("description"))
        )
    return made


@route("POST", "/channels/{channel_id}/messages")
def create_message(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Post as the bot."""
    channel, bits = find_chat(fake, call.id("channel_id"))
    body: dict[str, Any] = call.body or {}
    if channel.type in WITHOUT_CHAT:
        raise ApiError(400, 50008, "Cannot send messages in a non-text channel")
    need(bits, allowed.SEND_IN_THREADS if channel.is_thread else allowed.SEND_MESSAGES)
    refuse_locked(channel, bits)
    if channel.recipient is not None:
        person = channel.recipient
        if person.bot or not person.accepts_dms or not fake.world.shares_guild(person):
            raise ApiError(403, 50007, "Cannot send messages to this user")
    if body.get("embeds"):
        need(bits, allowed.EMBED_LINKS)
    if call.files:
        need(bits, allowed.ATTACH_FILES)
    check_message(body, has_files=bool(call.files))
    pass_automod(channel, bits, body)
    again = _posted_before(fake, body)
    if again is not None:
        return shown(fake, again)
    body = {**body, "flags": int(body.get("flags") or 0) & ~(EPHEMERAL | LOADING)}
    reply_to = _reply_target(channel, bits, body)
    files = stored_files(fake, channel, call, body)
    made = fake.post.post(channel, fake.bot_user, body, attachments=files, reply_to=reply_to)
    if made.nonce is not None:
        fake.nonces[str(made.nonce)] = made
    return shown(fake, made)


def _posted_before(fake: FakeDiscord, body: dict[str, Any]) -> Message | None:
    nonce = body.get("nonce")
    if nonce is None or not body.get("enforce_nonce"):
        return None
    before = fake.nonces.get(str(nonce))
    oldest = fake.clock.now() - dt.timedelta(seconds=NONCE_MEMORY_S)
    if before is None or before.created_at < oldest:
        return None
    fake.journal.note(f"nonce {nonce} seen before, no second message")
    return before


def _reply_target(channel: Channel, bits: int, body: dict[str, Any]) -> Message | None:
    reference = body.get("message_reference")
    if not reference:
        return None
    if not bits & allowed.READ_HISTORY:
        raise ApiError(403, 160002, "Cannot reply without permission to read message history")
    if int(reference.get("channel_id") or channel.id) != channel.id:
        raise bad_form(
            "message_reference",
            "MESSAGE_REFERENCE_UNKNOWN_CHANNEL",
            "Message reference channel is wrong",
        )
    target = channel.messages.get(int(reference.get("message_id") or 0))
    if target is None and reference.get("fail_if_not_exists", True):
        raise bad_form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    if target is not None and target.type not in WRITTEN:
        raise bad_form(
            "message_reference",
            "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE",
            "Cannot reply to a system message",
        )
    return target


@route("GET", "/channels/{channel_id}/messages")
def list_messages(fake: FakeDiscord, call: Call) -> list[dict[str, Any]]:
    """Read history, newest first; without the permission it is empty."""
    channel, bits = find_chat(fake, call.id("channel_id"))
    limit = call.number("limit") or 50
    if not 1 <= limit <= 100:
        raise bad_form("limit", "NUMBER_TYPE_MAX", "int value should be less than or equal to 100.")
    if not bits & allowed.READ_HISTORY:
        return []
    messages = channel.history()
    before, after, around = call.number("before"), call.number("after"), call.number("around")
    if around is not None:
        older = [m for m in messages if m.id <= around][-(limit // 2 + 1) :]
        newer = [m for m in messages if m.id > around][: limit // 2]
        messages = older + newer
    elif after is not None:
        messages = [m for m in messages if m.id > after][:limit]
    elif before is not None:
        messages = [m for m in messages if m.id < before]
    return [shown(fake, message) for message in reversed(messages[-limit:])]


@route("GET", "/channels/{channel_id}/messages/{message_id}")
def get_message(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Read one message."""
    message, bits = find_message(fake, call)
    if not bits & allowed.READ_HISTORY:
        raise missing_access()
    return shown(fake, message)


@route("PATCH", "/channels/{channel_id}/messages/{message_id}")
def edit_message(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Edit the bot's own message."""
    message, bits = find_changeable(fake, call)
    refuse_locked(message.channel, bits)
    body: dict[str, Any] = call.body or {}
    if message.author is not fake.bot_user:
        if set(body) - {"flags", "allowed_mentions", "tts"}:
            raise ApiError(403, 50005, "Cannot edit a message authored by another user")
        need(bits, allowed.MANAGE_MESSAGES)
    check_message({"flags": message.flags, **body}, has_files=bool(call.files), partial=True)
    merged = {
        "content": message.sent,
        "embeds": message.embeds,
        "components": message.components,
        **body,
    }
    pass_automod(message.channel, bits, body)
    fake.buckets.count_old_edit(message.channel.id, message.created_at.timestamp())
    kept = body.get("attachments", message.attachments)
    check_message({**merged, "flags": message.flags}, has_files=bool(call.files or kept))
    files = stored_files(fake, message.channel, call, body)
    fake.post.edit(message, body, new_attachments=files)
    return shown(fake, message)


@route("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete_message(fake: FakeDiscord, call: Call) -> None:
    """Delete the bot's own message, or another's with the permission."""
    message, bits = find_changeable(fake, call)
    if message.author is not fake.bot_user:
        if message.channel.type == DM:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        need(bits, allowed.MANAGE_MESSAGES)
    fake.post.delete(message)


@route("POST", "/channels/{channel_id}/typing")
def start_typing(fake: FakeDiscord, call: Call) -> None:
    """Show the bot as typing."""
    channel, bits = find_channel(fake, call.id("channel_id"))
    need(bits, allowed.SEND_IN_THREADS if channel.is_thread else allowed.SEND_MESSAGES)
    fake.typed.append((channel, fake.clock.now_s()))


@route("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me")
def add_reaction(fake: FakeDiscord, call: Call) -> None:
    """React as the bot; a new emoji needs the permission to add."""
    message, bits = find_changeable(fake, call)
    need(bits, allowed.READ_HISTORY)
    emoji = call.ids["emoji"]
    if emoji not in message.reactions:
        need(bits, allowed.ADD_REACTIONS)
    if emoji.isascii() and ":" not in emoji:
        raise unknown("emoji")
    fake.post.react(fake.bot_user.id, message, emoji)


@route("DELETE", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/{user_id}")
def remove_reaction(fake: FakeDiscord, call: Call) -> None:
    """Take back the bot's reaction, or another's with the permission."""
    message, bits = find_changeable(fake, call)
    mine = call.ids["user_id"] == "@me"
    if not mine:
        need(bits, allowed.MANAGE_MESSAGES)
    fake.post.unreact(fake.bot_user.id if mine else call.id("user_id"), message, call.ids["emoji"])
