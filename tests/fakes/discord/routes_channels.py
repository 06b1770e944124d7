"""REST routes for channels and threads that Kith uses: reading, changing, and opening a post."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import payloads
from . import permissions as allowed
from .errors import ApiError, bad_form, unknown
from .limits import check_message
from .rest import Call, route
from .routes_messages import find_channel, need
from .things import (
    FORUM,
    PUBLIC_THREAD,
)

if TYPE_CHECKING:
    from .server import FakeDiscord

MAX_TAGS = 5


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
        if channel.archived and body.get("archived") is None:
            raise ApiError(400, 50083, "Thread is archived")
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


@route("POST", "/channels/{channel_id}/threads")
def open_post(fake: FakeDiscord, call: Call) -> tuple[int, dict[str, Any]]:
    """Open a forum's post: a public thread and its first message, which has its id."""
    channel, bits = find_channel(fake, call.id("channel_id"))
    body: dict[str, Any] = call.body or {}
    name = body.get("name") or ""
    if not 1 <= len(name) <= 100:
        raise bad_form("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    if channel.type != FORUM:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    need(bits, allowed.SEND_MESSAGES)
    tag_ids = [int(tag_id) for tag_id in body.get("applied_tags") or []]
    if channel.requires_tag and not tag_ids:
        raise ApiError(400, 40067, "A tag is required to create a forum post in this channel")
    if any(tag_id not in channel.tags for tag_id in tag_ids):
        raise unknown("tag")
    if len(tag_ids) > MAX_TAGS:
        raise bad_form("applied_tags", "BASE_TYPE_MAX_LENGTH", "Must be 5 or fewer in length.")
    if channel.moderated_tags & set(tag_ids):
        need(bits, allowed.MANAGE_THREADS)
    check_message(body.get("message") or {}, has_files=bool(call.files))
    tags = {tag_id: channel.tags[tag_id] for tag_id in tag_ids}
    bot_id = fake.bot_user.id
    post = fake.world.make_thread(channel, name, bot_id, PUBLIC_THREAD, set(), tags=tags)
    first = fake.post.post(post, fake.bot_user, body.get("message") or {}, id=post.id)
    return 201, payloads.channel(post) | {"message": payloads.message(first, readable=True)}
