"""What happens to messages, whoever does it; permissions are the caller's matter."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from .mentions import pings_of
from .things import COMPONENTS_V2, EPHEMERAL, LOADING, Channel, Message, Pings, User
from .world import World

VOICE_MESSAGE = 1 << 13
KEPT_FLAGS = EPHEMERAL | LOADING | COMPONENTS_V2 | VOICE_MESSAGE | 1 << 2 | 1 << 12
REPLY = 19
EXTRA = (
    "activity",
    "application",
    "call",
    "interaction_metadata",
    "purchase_notification",
    "role_subscription_data",
    "sticker_items",
    "webhook_id",
)


class Post:
    """Operations on the messages of a world; each announces what it did."""

    def __init__(self, world: World) -> None:
        self._world = world

    def post(
        self,
        channel: Channel,
        author: User,
        body: dict[str, Any],
        *,
        attachments: Iterable[dict[str, Any]] = (),
        reply_to: Message | None = None,
        type: int | None = None,
        interaction: dict[str, Any] | None = None,
        visible_to: int | None = None,
        at: dt.datetime | None = None,
        forwarded: Message | None = None,
        id: int | None = None,
    ) -> Message:
        """Put a message where it belongs and announce it; an ephemeral one stays out of sight.

        A forum post begins with a message that has the post's own ``id``.
        """
        world = self._world
        flags = int(body.get("flags") or 0) & KEPT_FLAGS
        components = _numbered(body.get("components") or [])
        content = body.get("content") or ""
        pings = pings_of(
            content,
            author,
            channel,
            allowed_mentions=body.get("allowed_mentions"),
            reply_to=reply_to,
            flags=flags,
            components=components,
        )
        message = Message(
            id=id or (world.ids.next() if at is None else world.ids.for_moment(at)),
            channel=channel,
            author=author,
            sent=content,
            embeds=[_embed(embed) for embed in body.get("embeds") or []],
            attachments=list(attachments),
            components=components,
            flags=flags,
            type=type
            if type is not None
            else body.get("type") or (REPLY if reply_to is not None else 0),
            nonce=body.get("nonce"),
            tts=bool(body.get("tts")),
            reply_to_id=None if reply_to is None else reply_to.id,
            pings=pings,
            mentions=pings,
            interaction=interaction,
            visible_to=visible_to,
            poll=body.get("poll"),
            forwarded=forwarded,
            extra={name: body[name] for name in EXTRA if name in body},
        )
        world.messages_in_order.append(message)
        if message.ephemeral:
            world.journal.note(f"ephemeral in {channel.label} for {visible_to}: {content[:120]!r}")
            world.announce("MESSAGE_CREATE", message)
            return message
        channel.messages[message.id] = message
        if channel.is_thread and channel.archived and not channel.locked:
            channel.archived = False
            world.announce("THREAD_UPDATE", channel)
        world.journal.note(f"message in {channel.label} by {author.name}: {content[:120]!r}")
        world.announce("MESSAGE_CREATE", message)
        return message

    def edit(
        self,
        message: Message,
        body: dict[str, Any],
        *,
        new_attachments: Iterable[dict[str, Any]] = (),
        silent: bool = False,
    ) -> None:
        """Change what the body names and announce it; ``silent`` leaves the edited mark alone."""
        message.edits.append(message.content)
        if "content" in body:
            message.sent = body["content"] or ""
            message.mentions = self.pings_for(message, body.get("allowed_mentions"))
        if "embeds" in body:
            message.embeds = [_embed(embed) for embed in body["embeds"] or []]
        if "components" in body:
            message.components = _numbered(body["components"] or [])
        if "flags" in body:
            keep = EPHEMERAL | LOADING
            message.flags = message.flags & keep | int(body["flags"] or 0) & KEPT_FLAGS & ~keep
        if "attachments" in body:
            kept = {str(a["id"]) for a in body["attachments"] or []}
            message.attachments = [a for a in message.attachments if a["id"] in kept]
        message.attachments = [*message.attachments, *new_attachments]
        if not silent:
            message.edited_at = self._world.clock.now()
        label = "ephemeral edited" if message.ephemeral else "message edited"
        self._world.journal.note(f"{label} in {message.channel.label}: {message.content[:120]!r}")
        self._world.announce("MESSAGE_UPDATE", message)

    @staticmethod
    def pings_for(message: Message, allowed_mentions: dict[str, Any] | None) -> Pings:
        """Compute the pings of a message as it reads now."""
        return pings_of(
            message.sent,
            message.author,
            message.channel,
            allowed_mentions=allowed_mentions,
            reply_to=message.reply_to,
            flags=message.flags,
            components=message.components,
        )

    def delete(self, message: Message) -> None:
        """Delete one message and announce it."""
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        self._world.journal.note(
            f"message deleted in {message.channel.label}: {message.content[:60]!r}"
        )
        self._world.announce("MESSAGE_DELETE", message)

    def bulk_delete(self, channel: Channel, messages: list[Message]) -> None:
        """Delete several messages at once and announce them together."""
        for message in messages:
            message.deleted = True
            channel.messages.pop(message.id, None)
        self._world.journal.note(f"{len(messages)} messages deleted at once in {channel.label}")
        self._world.announce(
            "MESSAGE_DELETE_BULK", channel, ids=[message.id for message in messages]
        )

    def react(self, user_id: int, message: Message, emoji: str) -> None:
        """Add somebody's reaction and announce it; the same one again does nothing."""
        who = message.reactions.setdefault(emoji, [])
        if user_id in who:
            return
        who.append(user_id)
        self._world.journal.note(
            f"{emoji} by {self._world.users[user_id].name} on {message.content[:60]!r}"
        )
        self._world.announce("MESSAGE_REACTION_ADD", message, user_id=user_id, emoji=emoji)

    def unreact(self, user_id: int, message: Message, emoji: str) -> None:
        """Take somebody's reaction away and announce it."""
        who = message.reactions.get(emoji, [])
        if user_id not in who:
            return
        who.remove(user_id)
        if not who:
            del message.reactions[emoji]
        self._world.announce("MESSAGE_REACTION_REMOVE", message, user_id=user_id, emoji=emoji)


def _embed(embed: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich", **embed}


def _numbered(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give every component the numeric id Discord gives it."""
    number = 0

    def number_one(component: dict[str, Any]) -> dict[str, Any]:
        nonlocal number
        number += 1
        made = {"id": number, **component}
        if component.get("components"):
            made["components"] = [number_one(inner) for inner in component["components"]]
        for key in ("accessory", "component"):
            if component.get(key):
                made[key] = number_one(component[key])
        return made

    return [number_one(component) for component in components]
