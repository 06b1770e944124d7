"""The settings page: settings of the process, without its secrets, and of a server."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import discord
from fastapi import APIRouter
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import Response

from cogs.bot.localisation import ENGLISH
from cogs.cli import doctor
from cogs.dashboard.pages.layout import number, server_choices, show
from cogs.dashboard.web import language
from cogs.dashboard.web.context import DashboardContext, context_of
from cogs.dashboard.web.language import tr
from utils.common.config import Settings
from utils.models.guild import WHOLE_SERVER, GuildSettings

EXPLANATIONS = {
    "discord_token": "The bot's token. Without it, only the console works.",
    "shard_count": "How many shards all processes have together. Not set: as Discord recommends.",
    "shard_ids": "The shards of this process. Not set: all of them.",
    "database_url": "Where everything is stored: SQLite or Microsoft SQL Server.",
    "database_password": "SQL Server's password, if the address has none.",
    "database_pool_size": "Threads and connections for the database.",
    "erasure_ledger": "The file that keeps erased things erased after a restore.",
    "openai_api_key": "The key of the language model's service.",
    "openai_base_url": "The address of the language model's service. Not set: OpenAI.",
    "model_endpoints": "Further endpoints by name, for lists of models.",
    "model_endpoint_keys": "The keys of these endpoints.",
    "chat_model": "The model that answers.",
    "triage_model": "The model that reads messages for memories. Not set: the one that answers.",
    "verify_model": "The model that verifies notes. Not set: the one that reads for memories.",
    "chat_timeout_s": "Seconds that an answer may take.",
    "triage_timeout_s": "Seconds that reading for memories may take.",
    "model_concurrency": "How many model calls may run at once.",
    "embedding_model": "Recall by meaning, not only by words. Not set: by words.",
    "embedding_base_url": "Another address for embeddings.",
    "embedding_api_key": "Another key for embeddings.",
    "daily_token_budget": "Tokens that each server may spend a day (UTC).",
    "model_prices": "Prices of a million tokens, by model. Then pages show money too.",
    "model_currency": "The currency of the prices.",
    "line_pause_s": "Seconds that Kith waits for a member's next line before it answers.",
    "member_cooldown_s": "Seconds between two answers to the same member.",
    "channel_queue": "How many questions may wait for an answer in one channel.",
    "stream_answers": "Whether an answer appears while it is written.",
    "answer_links": "How links in answers are shown: plain, none, or any.",
    "attachments": "Whether Kith reads attachments of messages to it.",
    "mcp_servers": "The file that lists MCP servers whose tools answers may use.",
    "mcp_tokens": "Tokens of other agents that use memory through `python bot.py mcp`.",
    "mcp_port": "The port of `python bot.py mcp` on 127.0.0.1.",
    "read_links": "Whether Kith reads the pages that messages to it link to.",
    "links_per_hour": "How many pages a member can have read in an hour.",
    "attachment_max_mb": "The largest file that Kith reads, in MB.",
    "vision_model": "The model that describes pictures. Not set: only text in them is read.",
    "transcription_model": "The model that transcribes recordings. Not set: none are.",
    "transcription_base_url": "Another address for transcription.",
    "transcription_api_key": "Another key for transcription.",
    "memory_cap": "The most memories of a member in a server.",
    "block_tokens": "The most tokens of memory in a prompt.",
    "memory_read_only": "On: nothing new is stored. Forgetting goes on.",
    "forbidden_categories": "Topics that Kith never keeps.",
    "burst_quiet_s": "Seconds of silence before messages are read for memories.",
    "extraction_workers": "How many members' messages are read for memories at once.",
    "prune_hour_utc": "The hour (UTC) in which expired things are erased.",
    "watch_batch": "How many watched messages the model reads in one call.",
    "watch_quiet_s": "Seconds of silence before fewer watched messages are read.",
    "watch_patience_s": "Seconds that a few calm watched messages wait for more.",
    "watch_prefilter": "Heated: the model only reads what looks like trouble.",
    "dashboard_token": "What logs in here and lets scripts use the API.",
    "dashboard_host": "The address where these pages are served.",
    "dashboard_port": "The port where these pages are served.",
    "dashboard_proxies": "Proxies that may say who visits.",
    "dashboard_names": "Host names under which a proxy serves these pages.",
    "dashboard_public_url": "Where members open their own pages.",
    "log_level": "How much is logged. Texts, tokens and keys never are.",
}
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
    ("Attachments", ("attachment", "read_links", "links_", "vision_", "transcription_")),
    ("Other services", ("mcp_",)),
    ("Sentiment watch", ("watch_",)),
    ("Dashboard and log", ("dashboard_", "log_")),
)


@router.get("/settings")
async def settings(request: Request, guild: str = "") -> Response:
    """Show the settings of the process and of the chosen server."""
    return await _page(request, guild)


@router.post("/settings/check")
async def check(request: Request) -> Response:
    """Run ``doctor``, and show what it says."""
    findings: list[str] = []
    is_well = await doctor.examine(context_of(request).app, findings.append, _locale())
    return await _page(request, "", is_well=is_well, findings=findings)


def _locale() -> discord.Locale:
    """Return the page's language as Discord names it."""
    page = language.current()
    return ENGLISH if page is language.ENGLISH else discord.Locale(page.code)


async def _page(
    request: Request, guild: str, *, is_well: bool = True, findings: Sequence[str] = ()
) -> Response:
    context = context_of(request)
    servers = server_choices(context)
    guild_id = number(guild, "A server")
    if guild_id is None and servers:
        guild_id = servers[0][0]
    chosen = None if guild_id is None else await context.app.guilds.settings.latest(guild_id)
    return show(
        request,
        "settings.html",
        groups=grouped(context.app.settings),
        explanations=EXPLANATIONS,
        is_well=is_well,
        findings=findings,
        servers=servers,
        guild_id=guild_id,
        server=in_words(context, chosen) if chosen else (),
    )


def grouped(settings: Settings) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the name and the value of every setting; secrets are masked. Pure."""
    values = {name: _shown(name, getattr(settings, name)) for name in type(settings).model_fields}
    groups = []
    for title, prefixes in GROUPS:
        names = [name for name in values if name.startswith(prefixes)]
        groups.append((title, [(name, values.pop(name)) for name in names]))
    return [*groups, *([("Other", list(values.items()))] if values else [])]


def in_words(context: DashboardContext, chosen: GuildSettings) -> list[tuple[str, str]]:
    """Return the names and values of a server's settings."""
    names = context.channel_names(chosen.guild_id)
    channels = [
        f"{names.get(purpose.channel_id, purpose.channel_id)}: {tr(purpose.purpose)}"
        for purpose in chosen.channels
    ]
    modes = [
        f"{names.get(override.channel_id, override.channel_id)}: {override.mode}"
        for override in chosen.channel_modes
    ]
    models = [
        choice.model
        if choice.channel_id == WHOLE_SERVER
        else f"{names.get(choice.channel_id, choice.channel_id)}: {choice.model}"
        for choice in chosen.models
    ]
    version = chosen.policy_version

    def role(role_id: int) -> str:
        name = context.discord.role_name(chosen.guild_id, role_id)
        return f"@{name}" if name else str(role_id)

    return [
        ("Personality", ", ".join([chosen.mode, *modes])),
        ("Model", ", ".join(models) or tr("the operator's")),
        ("Time zone", chosen.time_zone),
        ("Base role", role(chosen.base_role_id) if chosen.base_role_id else tr("everyone")),
        ("Roles that imply it", ", ".join(map(role, chosen.implied_role_ids)) or tr("none")),
        ("Answers members with", ", ".join(map(role, chosen.talk_role_ids)) or tr("everyone")),
        ("Consent by default", tr(chosen.consent_default)),
        (
            "Write policy",
            tr("version {number}", number=version) if version else tr("the operator's"),
        ),
        ("Learning", tr("frozen" if chosen.frozen else "on")),
        ("Recall", tr("on" if chosen.recall else "off")),
        ("Moderators see members' memories", tr("yes" if chosen.moderators_see_members else "no")),
        ("Channels", ", ".join(channels) or tr("none")),
    ]


def _shown(name: str, value: object) -> str:
    if isinstance(value, SecretStr):
        return tr("set (not shown)")
    if value is None:
        return tr("not set")
    if name in ADDRESSES:
        return _without_secrets(str(value))
    if isinstance(value, bool):
        return tr("on" if value else "off")
    if isinstance(value, Mapping):  # MODEL_PRICES
        return ", ".join(
            f"{model} {price.prompt:g}/{price.answer:g}" for model, price in value.items()
        )
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or tr("none")
    if isinstance(value, float):
        return f"{value:g}"  # as .env has it, whatever the language
    return str(value)


def _without_secrets(address: str) -> str:
    """Return an address without its user, password and options. Pure."""
    parts = urlsplit(address)
    place = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{place}{parts.path}"
