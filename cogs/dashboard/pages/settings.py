"""The settings page: settings of the process, without its secrets, and of a server."""

from urllib.parse import urlsplit

from fastapi import APIRouter
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import number, show
from cogs.dashboard.web.context import DashboardContext, context_of
from utils.common.config import Settings
from utils.models.guild import GuildSettings

router = APIRouter()

ADDRESSES = ("database_url", "openai_base_url", "embedding_base_url", "transcription_base_url")
GROUPS = (
    ("Discord", ("discord_", "shard_")),
    ("Database", ("database_", "erasure_")),
    (
        "Language models",
        ("openai_", "chat_", "triage_", "verify_", "model_", "daily_", "embedding_"),
    ),
    ("Memory", ("memory_", "forbidden_", "burst_", "extraction_", "prune_")),
    ("Conversation", ("member_", "channel_", "line_", "stream_", "answer_")),
    ("Attachments", ("attachment", "vision_", "transcription_")),
    ("Sentiment watch", ("watch_",)),
    ("Dashboard and log", ("dashboard_", "log_")),
)


@router.get("/settings")
async def settings(request: Request, guild: str = "") -> Response:
    """Show the settings of the process and of the chosen server."""
    context = context_of(request)
    servers = [(server.id, server.name) for server in context.discord.servers()]
    guild_id = number(guild, "A server")
    if guild_id is None and servers:
        guild_id = servers[0][0]
    chosen = None if guild_id is None else await context.app.guilds.settings.latest(guild_id)
    return show(
        request,
        "settings.html",
        groups=grouped(context.app.settings),
        servers=servers,
        guild_id=guild_id,
        server=in_words(context, chosen) if chosen else (),
    )


def grouped(settings: Settings) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the name in .env and the value of every setting; secrets are masked. Pure."""
    values = {name: _shown(name, getattr(settings, name)) for name in type(settings).model_fields}
    groups = []
    for title, prefixes in GROUPS:
        names = [name for name in values if name.startswith(prefixes)]
        groups.append((title, [(name.upper(), values.pop(name)) for name in names]))
    return [*groups, *([("Other", [(n.upper(), v) for n, v in values.items()])] if values else [])]


def in_words(context: DashboardContext, chosen: GuildSettings) -> list[tuple[str, str]]:
    """Return the names and values of a server's settings."""
    names = {
        channel.id: f"#{channel.name}" for channel in context.discord.channels(chosen.guild_id)
    }
    channels = [
        f"{names.get(purpose.channel_id, purpose.channel_id)}: {purpose.purpose}"
        for purpose in chosen.channels
    ]
    modes = [
        f"{names.get(override.channel_id, override.channel_id)}: {override.mode}"
        for override in chosen.channel_modes
    ]
    return [
        ("Mode", ", ".join([chosen.mode, *modes])),
        ("Time zone", chosen.time_zone),
        ("Base role", str(chosen.base_role_id or "everyone")),
        ("Roles that imply it", ", ".join(map(str, chosen.implied_role_ids)) or "none"),
        ("Consent by default", chosen.consent_default),
        (
            "Write policy",
            f"version {chosen.policy_version}" if chosen.policy_version else "the operator's",
        ),
        ("Learning", "frozen" if chosen.frozen else "on"),
        ("Recall", "on" if chosen.recall else "off"),
        ("Moderators see members' memories", "yes" if chosen.moderators_see_members else "no"),
        ("Channels", ", ".join(channels) or "none"),
    ]


def _shown(name: str, value: object) -> str:
    if isinstance(value, SecretStr):
        return "set (not shown)"
    if value is None:
        return "not set"
    if name in ADDRESSES:
        return _without_secrets(str(value))
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)


def _without_secrets(address: str) -> str:
    """Return an address without its user, password and options. Pure."""
    parts = urlsplit(address)
    place = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{place}{parts.path}"
