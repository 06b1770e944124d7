"""REST routes for channels and threads: reading, changing, making and deleting them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import payloads
from . import permissions as allowed
from .errors import ApiError, bad_form
from .rest import Call, route
from .routes_guilds import find_guild
from .routes_messages import find_channel, find_message, need
from .things import (
    FORUM,
    NEWS,
    NEWS_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    Channel,
    Overwrite,
)

if TYPE_CHECKING:
    from .server import FakeDiscord


@route("GET", "/channels/{channel_id}")
def get_channel(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return a channel the bot sees."""
    return payloads.channel(find_channel(fake, call.id("channel_id"))[0])


@route("PATCH", "/channels/{channel_id}")
def edit_channel(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Change name, topic or slow mode of a channel, or the state of a thread."""
    channel, bits = find_channel(fake, call.id("channel_id"))
    body: dict[str, Any] = call.body or {}
    if channel.is_thread:
        is_opened = body == {"archived": False} and not channel.locked
        is_own = not set(body) - {"archived", "name"} and channel.owner_id == fake.bot_user.id
        if is_opened:
            need(bits, allowed.SEND_IN_THREADS)
        elif not is_own:
            need(bits, allowed.MANAGE_THREADS)
        channel.archived = bool(body.get("archived", channel.archived))
        channel.locked = bool(body.get("locked", channel.locked))
    else:
        need(bits, allowed.MANAGE_CHANNELS)
    slowmode_s = int(body.get("rate_limit_per_user") or 0)
    if not 0 <= slowmode_s <= 21600:
        raise bad_form(
            "rate_limit_per_user",
            "NUMBER_TYPE_MAX",
            "int value should be less than or equal to 21600.",
        )
    if "rate_limit_per_user" in body:
        channel.slowmode_s = slowmode_s
    if "nsfw" in body:
        channel.nsfw = bool(body["nsfw"])
    channel.name = body.get("name", channel.name)
    channel.topic = body.get("topic", channel.topic)
    fake.world.announce("THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel)
    return payloads.channel(channel)


@route("DELETE", "/channels/{channel_id}")
def delete_channel(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Delete a channel or a thread."""
    channel, bits = find_channel(fake, call.id("channel_id"))
    if not channel.is_dm:
        need(bits, allowed.MANAGE_THREADS if channel.is_thread else allowed.MANAGE_CHANNELS)
        fake.world.remove_channel(channel)
    return payloads.channel(channel)


@route("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def thread_from_message(fake: FakeDiscord, call: Call) -> tuple[int, dict[str, Any]]:
    """Open a public thread on a message; it shares the message's id."""
    message, bits = find_message(fake, call)
    need(bits, allowed.CREATE_PUBLIC_THREADS)
    if message.thread is not None:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    type = NEWS_THREAD if message.channel.type == NEWS else PUBLIC_THREAD
    message.thread = _open_thread(fake, message.channel, call.body or {}, type, message.id)
    message.flags |= 1 << 5
    fake.world.announce("MESSAGE_UPDATE", message)
    return 201, payloads.channel(message.thread)


@route("POST", "/channels/{channel_id}/threads")
def thread_alone(fake: FakeDiscord, call: Call) -> tuple[int, dict[str, Any]]:
    """Open a thread without a message, private unless the type says otherwise; in a forum, a post.

    A post is a public thread and its first message, which has its id.
    """
    channel, bits = find_channel(fake, call.id("channel_id"))
    body: dict[str, Any] = call.body or {}
    if channel.type == FORUM:
        need(bits, allowed.SEND_MESSAGES)
        post = _open_thread(fake, channel, body, PUBLIC_THREAD, None)
        first = fake.post.post(post, fake.bot_user, body.get("message") or {}, id=post.id)
        return 201, payloads.channel(post) | {"message": payloads.message(first, readable=True)}
    type = int(body.get("type") or PRIVATE_THREAD)
    need(
        bits,
        allowed.CREATE_PRIVATE_THREADS if type == PRIVATE_THREAD else allowed.CREATE_PUBLIC_THREADS,
    )
    return 201, payloads.channel(_open_thread(fake, channel, body, type, None))


def _open_thread(
    fake: FakeDiscord, channel: Channel, body: dict[str, Any], type: int, id: int | None
) -> Channel:
    name = body.get("name") or ""
    if not 1 <= len(name) <= 100:
        raise bad_form("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    if channel.guild is None or channel.is_thread:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    return fake.world.make_thread(channel, name, fake.bot_user.id, type, set(), id=id)


@route("PUT", "/channels/{channel_id}/thread-members/{user_id}")
def join_thread(fake: FakeDiscord, call: Call) -> None:
    """Join a thread, or add somebody."""
    thread, bits = find_channel(fake, call.id("channel_id"))
    mine = call.ids["user_id"] == "@me"
    if not mine:
        need(bits, allowed.SEND_IN_THREADS)
    user_id = fake.bot_user.id if mine else call.id("user_id")
    thread.member_ids.add(user_id)
    fake.world.announce("THREAD_MEMBERS_UPDATE", thread, added=[user_id])


@route("DELETE", "/channels/{channel_id}/thread-members/{user_id}")
def leave_thread(fake: FakeDiscord, call: Call) -> None:
    """Leave a thread, or remove somebody."""
    thread, bits = find_channel(fake, call.id("channel_id"))
    mine = call.ids["user_id"] == "@me"
    if not mine and not (thread.is_private_thread and thread.owner_id == fake.bot_user.id):
        need(bits, allowed.MANAGE_THREADS)
    user_id = fake.bot_user.id if mine else call.id("user_id")
    thread.member_ids.discard(user_id)
    fake.world.announce("THREAD_MEMBERS_UPDATE", thread, removed=[user_id])


@route("GET", "/channels/{channel_id}/thread-members")
def list_thread_members(fake: FakeDiscord, call: Call) -> list[dict[str, Any]]:
    """Return a thread's members."""
    thread, _ = find_channel(fake, call.id("channel_id"))
    return [payloads.thread_member(thread, user_id) for user_id in sorted(thread.member_ids)]


@route("POST", "/guilds/{guild_id}/channels")
def create_channel(fake: FakeDiscord, call: Call) -> tuple[int, dict[str, Any]]:
    """Make a channel."""
    guild, bits = find_guild(fake, call)
    need(bits, allowed.MANAGE_CHANNELS)
    body: dict[str, Any] = call.body or {}
    parent = guild.channels.get(int(body.get("parent_id") or 0))
    channel = guild.add_channel(
        body["name"], int(body.get("type") or TEXT), parent=parent, topic=body.get("topic")
    )
    for given in body.get("permission_overwrites") or []:
        _overwrite(channel, int(given["id"]), given)
    return 201, payloads.channel(channel)


@route("PUT", "/channels/{channel_id}/permissions/{target_id}")
def set_overwrite(fake: FakeDiscord, call: Call) -> None:
    """Set a permission overwrite."""
    channel, bits = find_channel(fake, call.id("channel_id"))
    need(bits, allowed.MANAGE_ROLES)
    _overwrite(channel, call.id("target_id"), call.body or {})


@route("DELETE", "/channels/{channel_id}/permissions/{target_id}")
def delete_overwrite(fake: FakeDiscord, call: Call) -> None:
    """Remove a permission overwrite."""
    channel, bits = find_channel(fake, call.id("channel_id"))
    need(bits, allowed.MANAGE_ROLES)
    channel.overwrites.pop(call.id("target_id"), None)
    fake.world.announce("CHANNEL_UPDATE", channel)


def _overwrite(channel: Channel, target_id: int, body: dict[str, Any]) -> None:
    allow, deny = int(body.get("allow") or 0), int(body.get("deny") or 0)
    made = Overwrite(target_id, int(body.get("type") or 0) == 1, allow, deny)
    channel.overwrites[target_id] = made
    channel.world.announce("CHANNEL_UPDATE", channel)


@route("GET", "/channels/{channel_id}/threads/archived/public")
def list_archived_threads(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return a channel's archived public threads."""
    channel, bits = find_channel(fake, call.id("channel_id"))
    need(bits, allowed.READ_HISTORY)
    threads = [] if channel.guild is None else channel.guild.threads
    found = [t for t in threads if t.parent is channel and t.archived and not t.is_private_thread]
    return {"threads": [payloads.channel(t) for t in found], "members": [], "has_more": False}
