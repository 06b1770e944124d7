"""Who a message really pings: content, allowed_mentions, roles and permissions combined."""

from __future__ import annotations

import re
from typing import Any

from . import permissions as allowed
from .errors import bad_form
from .things import COMPONENTS_V2, EPHEMERAL, Channel, Message, Pings, User

USER = re.compile(r"<@!?(\d{15,20})>")
ROLE = re.compile(r"<@&(\d{15,20})>")
EVERYONE = re.compile(r"@(everyone|here)\b")
CODE = re.compile(r"```.*?```|``.*?``|`[^`\n]+`", re.DOTALL)

KINDS = frozenset({"users", "roles", "everyone"})


def pings_of(
    content: str,
    author: User,
    channel: Channel,
    *,
    allowed_mentions: dict[str, Any] | None,
    reply_to: Message | None = None,
    flags: int = 0,
    components: list[dict[str, Any]] | None = None,
) -> Pings:
    """Compute the pings of a message that is about to be posted.

    Without ``allowed_mentions`` everything in the content pings, and so does the author replied to.

    Raises
    ------
    ApiError
        ``allowed_mentions`` contradicts itself.
    """
    rules = _checked(allowed_mentions)
    if flags & EPHEMERAL:
        return Pings()
    text = content
    if flags & COMPONENTS_V2:
        text = "\n".join(_texts(components or []))
    text = CODE.sub(" ", text)
    parse: frozenset[str] = KINDS if rules is None else frozenset(rules.get("parse") or ())
    listed = {kind: {int(i) for i in (rules or {}).get(kind) or ()} for kind in ("users", "roles")}
    loud = bool(channel.permissions_of(author) & allowed.MENTION_EVERYONE)

    users = {int(i) for i in USER.findall(text)}
    users = {i for i in users if "users" in parse or i in listed["users"]}
    replied = rules is None or bool(rules.get("replied_user", False))
    if reply_to is not None and replied and reply_to.author.id != author.id:
        users.add(reply_to.author.id)
    users &= _reachable_users(channel)

    roles: set[int] = set()
    if channel.guild is not None:
        named = {int(i) for i in ROLE.findall(text)}
        named = {i for i in named if "roles" in parse or i in listed["roles"]}
        known = (channel.guild.roles.get(i) for i in named)
        roles = {role.id for role in known if role is not None and (loud or role.mentionable)}
    everyone = (
        channel.guild is not None
        and loud
        and "everyone" in parse
        and EVERYONE.search(text) is not None
    )
    return Pings(frozenset(users), frozenset(roles), everyone)


def _checked(rules: dict[str, Any] | None) -> dict[str, Any] | None:
    if rules is None:
        return None
    parse = rules.get("parse") or []
    for kind in parse:
        if kind not in KINDS:
            raise bad_form(
                "allowed_mentions.parse",
                "BASE_TYPE_CHOICES",
                f"Value must be one of {sorted(KINDS)}.",
            )
    for kind in ("users", "roles"):
        listed = rules.get(kind) or []
        if kind in parse and listed:
            raise bad_form(
                "allowed_mentions",
                "MUTUALLY_EXCLUSIVE",
                f'"parse": ["{kind}"] and {kind} are mutually exclusive',
            )
        if len(listed) > 100:
            raise bad_form(
                f"allowed_mentions.{kind}",
                "BASE_TYPE_BAD_LENGTH",
                "Must be between 0 and 100 in length.",
            )
    return rules


def _reachable_users(channel: Channel) -> set[int]:
    world = channel.world
    if channel.guild is not None:
        return set(channel.guild.members)
    return (
        {world.bot_user.id}
        if channel.recipient is None
        else {world.bot_user.id, channel.recipient.id}
    )


def _texts(components: list[dict[str, Any]]) -> list[str]:
    found: list[str] = []
    for component in components:
        if component.get("type") == 10:
            found.append(component.get("content", ""))
        found += _texts(component.get("components", []))
    return found
