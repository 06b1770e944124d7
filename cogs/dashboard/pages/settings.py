"""What is configured: the process's settings, secrets only as set or not; a server's choices."""

from urllib.parse import urlsplit

from fastapi import APIRouter
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import House
from cogs.dashboard.pages.layout import house_of, number, show
from utils.config import Settings
from utils.model.guild import GuildSettings

router = APIRouter()

ADDRESSES = ("database_url", "openai_base_url", "embedding_base_url", "transcription_base_url")
GROUPS = (
    ("Discord", ("discord_", "shard_")),
    ("Database", ("database_",)),
    ("Language models", ("openai_", "chat_", "triage_", "model_", "daily_", "embedding_")),
    ("Memory", ("memory_", "forbidden_", "burst_", "extraction_", "prune_")),
    ("Talking", ("member_", "channel_", "stream_")),
    ("Attachments", ("attachment", "vision_", "transcription_")),
    ("Watching", ("watch_",)),
    ("Dashboard and log", ("dashboard_", "log_")),
)


@router.get("/settings")
async def settings(request: Request, guild: str = "") -> Response:
    """Show the process's settings, and those of the server that was chosen."""
    house = house_of(request)
    servers = [(one.id, one.name) for one in house.discord.servers()]
    guild_id = number(guild, "A server")
    if guild_id is None and servers:
        guild_id = servers[0][0]
    chosen = None if guild_id is None else await house.core.guilds.latest(guild_id)
    return show(
        request,
        "settings.html",
        groups=grouped(house.core.settings),
        servers=servers,
        guild_id=guild_id,
        server=in_words(house, chosen) if chosen else (),
    )


def grouped(settings: Settings) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return every setting by its name in .env, and its value; a secret's never. Pure."""
    shown = {name: _shown(name, getattr(settings, name)) for name in type(settings).model_fields}
    groups = []
    for title, prefixes in GROUPS:
        names = [name for name in shown if name.startswith(prefixes)]
        groups.append((title, [(name.upper(), shown.pop(name)) for name in names]))
    return [*groups, *([("Others", [(n.upper(), v) for n, v in shown.items()])] if shown else [])]


def in_words(house: House, chosen: GuildSettings) -> list[tuple[str, str]]:
    """Return what a server chose."""
    names = {one.id: f"#{one.name}" for one in house.discord.channels(chosen.guild_id)}
    channels = [
        f"{names.get(one.channel_id, one.channel_id)}: {one.purpose}" for one in chosen.channels
    ]
    modes = [
        f"{names.get(one.channel_id, one.channel_id)}: {one.mode}" for one in chosen.channel_modes
    ]
    return [
        ("Mode", ", ".join([chosen.mode, *modes])),
        ("Time zone", chosen.time_zone),
        ("Base role", str(chosen.base_role_id or "everyone")),
        ("Consent by default", chosen.consent_default),
        (
            "Write policy",
            f"version {chosen.policy_version}" if chosen.policy_version else "the operator's",
        ),
        ("Learning", "frozen" if chosen.frozen else "goes on"),
        ("Recall", "on" if chosen.recall else "off"),
        ("Moderators see members' memories", "yes" if chosen.moderators_see_members else "no"),
        ("Channels", ", ".join(channels) or "none of its own"),
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
