"""REST routes for the bot itself and its servers: login, gateway, direct conversations, lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import payloads
from . import permissions as allowed
from .errors import bad_form, missing_access, unknown
from .rest import Call, route
from .things import Guild

if TYPE_CHECKING:
    from .server import FakeDiscord


@route("GET", "/users/@me")
def get_me(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return the bot's account: the first step of a login."""
    return {
        **payloads.user(fake.bot_user),
        "verified": True,
        "mfa_enabled": True,
        "flags": 0,
        "email": None,
    }


@route("GET", "/oauth2/applications/@me")
def get_application(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return the application with its intent switches."""
    return {
        "id": str(fake.world.application_id),
        "name": fake.bot_user.name,
        "icon": None,
        "description": "",
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": payloads.user(fake.world.app_owner),
        "verify_key": "0" * 64,
        "team": None,
        "flags": fake.gateway.application_flags(),
        "approximate_guild_count": sum(1 for _ in fake.world.bot_guilds()),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "interactions_endpoint_url": None,
    }


@route("GET", "/gateway", public=True)
def get_gateway(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return where the socket is."""
    return {"url": fake.gateway_url}


@route("GET", "/gateway/bot")
def get_bot_gateway(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return where the socket is and how many shards are advised."""
    limit = {"total": 1000, "remaining": 999, "reset_after": 86400000, "max_concurrency": 1}
    return {"url": fake.gateway_url, "shards": fake.advised_shards, "session_start_limit": limit}


@route("GET", "/users/{user_id}")
def get_user(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return any account."""
    user = fake.world.users.get(call.id("user_id"))
    if user is None:
        raise unknown("user")
    return payloads.user(user)


@route("POST", "/users/@me/channels")
def open_dm(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Open a direct conversation; whether it takes messages shows when one is sent."""
    user = fake.world.users.get(int((call.body or {}).get("recipient_id") or 0))
    if user is None or user is fake.bot_user:
        raise bad_form("recipient_id", "BASE_TYPE_BAD_INT", "Invalid recipient")
    return payloads.channel(fake.world.dm_with(user))


def find_guild(fake: FakeDiscord, call: Call) -> tuple[Guild, int]:
    """Return a server the bot is in, and what it may do there."""
    guild = fake.world.guilds.get(call.id("guild_id"))
    if guild is None:
        raise unknown("guild")
    if fake.bot_user.id not in guild.members:
        raise missing_access()
    return guild, allowed.in_guild(guild.me)


@route("GET", "/users/@me/guilds")
def list_my_guilds(fake: FakeDiscord, call: Call) -> list[dict[str, Any]]:
    """Return the servers the bot is in."""
    return [payloads.guild(guild, full=False) for guild in fake.world.bot_guilds()]


@route("GET", "/guilds/{guild_id}")
def get_guild(fake: FakeDiscord, call: Call) -> dict[str, Any]:
    """Return a server."""
    return payloads.guild(find_guild(fake, call)[0], full=False)


@route("GET", "/guilds/{guild_id}/channels")
def list_channels(fake: FakeDiscord, call: Call) -> list[dict[str, Any]]:
    """Return the channels of a server that the bot can view, threads left out."""
    guild, _ = find_guild(fake, call)
    places = [channel for channel in guild.channels.values() if not channel.is_thread]
    return [payloads.channel(channel) for channel in places if channel.is_viewable]
