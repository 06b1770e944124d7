"""REST routes for members: reading them, and timeouts within rank."""

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
    """Time a member out, within permissions and hierarchy."""
    guild, bits = find_guild(fake, call)
    member = find_member(guild, call.id("user_id"))
    body: dict[str, Any] = call.body or {}
    if "communication_disabled_until" in body:
        _time_out(fake, member, bits, body["communication_disabled_until"])
    fake.world.announce("GUILD_MEMBER_UPDATE", member)
    return payloads.member(member)


def _time_out(fake: FakeDiscord, member: Member, bits: int, until_text: str | None) -> None:
    need(bits, allowed.MODERATE_MEMBERS)
    if not allowed.outranks(member.guild.me, member):
        raise missing_permissions()
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
