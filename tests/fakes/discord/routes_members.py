"""REST routes for members: nicknames, roles, timeouts, kicks and bans, within rank."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from . import payloads
from . import permissions as allowed
from .errors import bad_form, missing_permissions, unknown
from .rest import Call, route
from .routes_guilds import find_guild
from .routes_messages import need
from .things import (
    Guild,
    Member,
)

if TYPE_CHECKING:
    from .server import FakeDiscord

TIMEOUT_MAX = dt.timedelta(days=28)


def find_member(guild: Guild, user_id: int) -> Member:
    """Return a member of a server."""
    member = guild.members.get(user_id)
    if member is None:
        raise unknown("member")
    return member


@route("GET", "/guilds/{guild_id}/members/{user_id}")
def get_member(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return one member."""
    guild, _ = find_guild(fake, call)
    return payloads.member(find_member(guild, call.id("user_id")))


@route("PATCH", "/guilds/{guild_id}/members/{user_id}")
def edit_member(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Time out, rename or give roles, within permissions and hierarchy."""
    guild, bits = find_guild(fake, call)
    mine = call.ids["user_id"] in ("@me", str(fake.bot_user.id))
    member = guild.me if mine else find_member(guild, call.id("user_id"))
    body: dict[str, Any] = call.body or {}
    if "communication_disabled_until" in body:
        _time_out(fake, member, bits, body["communication_disabled_until"])
    if "nick" in body:
        need(bits, allowed.CHANGE_NICKNAME if mine else allowed.MANAGE_NICKNAMES)
        _need_rank(guild.me, member, itself=mine)
        if body["nick"] is not None and len(body["nick"]) > 32:
            raise bad_form("nick", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 32 in length.")
        member.nick = body["nick"] or None
    if "roles" in body:
        need(bits, allowed.MANAGE_ROLES)
        wanted = {int(role_id) for role_id in body["roles"]}
        if any(role_id not in guild.roles for role_id in wanted):
            raise unknown("role")
        changed = wanted ^ member.role_ids
        if any(
            guild.roles[i].position >= guild.me.top_position or guild.roles[i].managed
            for i in changed
        ):
            raise missing_permissions()
        member.role_ids = wanted
    fake.world.announce("GUILD_MEMBER_UPDATE", member)
    return payloads.member(member)


def _need_rank(me: Member, target: Member, *, itself: bool = False) -> None:
    if not itself and not allowed.outranks(me, target):
        raise missing_permissions()


def _time_out(fake: FakeDiscord, member: Member, bits: int, until_text: str | None) -> None:
    need(bits, allowed.MODERATE_MEMBERS)
    _need_rank(member.guild.me, member)
    if allowed.in_guild(member) & allowed.ADMINISTRATOR and until_text is not None:
        raise missing_permissions()
    until = None if until_text is None else dt.datetime.fromisoformat(until_text)
    if until is not None and until - fake.clock.now() > TIMEOUT_MAX + dt.timedelta(seconds=5):
        message = "Communication disabled timestamp must be within the next 28 days."
        raise bad_form(
            "communication_disabled_until", "GUILD_COMMUNICATION_DISABLED_TIMEOUT_INVALID", message
        )
    member.timed_out_until = until
    fake.journal.note(f"{member.name} timed out until {until}")


@route("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def give_role(fake: FakeDiscord, call: Call) -> None:
    """Give a member a role below the bot's."""
    _change_role(fake, call, give=True)


@route("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def take_role(fake: FakeDiscord, call: Call) -> None:
    """Take a role below the bot's from a member."""
    _change_role(fake, call, give=False)


def _change_role(fake: FakeDiscord, call: Call, *, give: bool) -> None:
    guild, bits = find_guild(fake, call)
    member, role = find_member(guild, call.id("user_id")), guild.roles.get(call.id("role_id"))
    if role is None:
        raise unknown("role")
    need(bits, allowed.MANAGE_ROLES)
    if role.position >= guild.me.top_position or role.managed:
        raise missing_permissions()
    (member.role_ids.add if give else member.role_ids.discard)(role.id)
    fake.world.announce("GUILD_MEMBER_UPDATE", member)


@route("DELETE", "/guilds/{guild_id}/members/{user_id}")
def kick(fake: FakeDiscord, call: Call) -> None:
    """Kick a member."""
    guild, bits = find_guild(fake, call)
    member = find_member(guild, call.id("user_id"))
    need(bits, allowed.KICK_MEMBERS)
    _need_rank(guild.me, member)
    fake.remove_member(member)


@route("PUT", "/guilds/{guild_id}/bans/{user_id}")
def ban(fake: FakeDiscord, call: Call) -> None:
    """Ban somebody, deleting their recent messages if asked."""
    guild, bits = find_guild(fake, call)
    need(bits, allowed.BAN_MEMBERS)
    user = fake.world.users.get(call.id("user_id"))
    if user is None:
        raise unknown("user")
    member = guild.members.get(user.id)
    if member is not None:
        _need_rank(guild.me, member)
    seconds = call.number("delete_message_seconds")
    if seconds is None:
        seconds = int((call.body or {}).get("delete_message_seconds") or 0)
    fake.ban_user(guild, user, delete_seconds=seconds)


@route("DELETE", "/guilds/{guild_id}/bans/{user_id}")
def unban(fake: FakeDiscord, call: Call) -> None:
    """Lift a ban."""
    guild, bits = find_guild(fake, call)
    need(bits, allowed.BAN_MEMBERS)
    if call.id("user_id") not in guild.bans:
        raise unknown("ban")
    del guild.bans[call.id("user_id")]
    fake.world.announce("GUILD_BAN_REMOVE", fake.world.users[call.id("user_id")], guild=guild)


@route("GET", "/guilds/{guild_id}/bans/{user_id}")
def get_ban(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return a ban."""
    guild, bits = find_guild(fake, call)
    need(bits, allowed.BAN_MEMBERS)
    if call.id("user_id") not in guild.bans:
        raise unknown("ban")
    return {
        "reason": guild.bans[call.id("user_id")],
        "user": payloads.user(fake.world.users[call.id("user_id")]),
    }
