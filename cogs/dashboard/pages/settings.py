"""The settings page: settings of the process, without its secrets, and of a server."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from fastapi import APIRouter
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import Response

from cogs.cli import doctor
from cogs.dashboard.pages.editing import SETTING_LABELS
from cogs.dashboard.pages.layout import number, page_locale, server_choices, show
from cogs.dashboard.pages.setting_words import SettingWords
from cogs.dashboard.web.context import DashboardContext, context_of
from cogs.dashboard.web.language import tr
from utils.common.config import Settings, setting_texts
from utils.common.grouping import grouped
from utils.common.prices import Price
from utils.models.guild import GuildSettings, values_of

router = APIRouter()

ADDRESSES = ("database_url", "openai_base_url", "embedding_base_url", "transcription_base_url")


@router.get("/settings")
async def settings(request: Request, guild: str = "") -> Response:
    """Show the settings of the process and of the chosen server."""
    return await _page(request, guild)


@router.post("/settings/check")
async def check(request: Request) -> Response:
    """Run ``doctor``, and show what it says."""
    findings: list[str] = []
    is_well = await doctor.examine(context_of(request).app, findings.append, page_locale())
    return await _page(request, "", is_well=is_well, findings=findings)


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
        groups=by_section(context.app.settings),
        texts=setting_texts(),
        is_well=is_well,
        findings=findings,
        servers=servers,
        guild_id=guild_id,
        server=in_words(context, chosen) if chosen else (),
    )


def by_section(settings: Settings) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the name and the value of every setting by section; secrets are masked. Pure."""
    return grouped(
        (text.section, (name, _shown(name, getattr(settings, name))))
        for name, text in setting_texts().items()
    )


def in_words(context: DashboardContext, chosen: GuildSettings) -> list[tuple[str, str]]:
    """Return the labels and values of a server's settings."""
    words = SettingWords(context, chosen.guild_id, context.channel_names(chosen.guild_id))
    values = values_of(chosen)
    named = [(label, name) for name, label in SETTING_LABELS.items() if name in values]
    return [
        *((label, words.value(name, values[name])) for label, name in named),
        ("Recall", tr("on" if chosen.recall else "off")),
    ]


def _shown(name: str, value: object) -> str:
    if isinstance(value, SecretStr):
        return tr("set (not shown)")
    if value is None:
        return tr("not set")
    if name in ADDRESSES:
        parts = urlsplit(str(value))
        place = parts.netloc.rpartition("@")[2]  # without user, password and options
        return f"{parts.scheme}://{place}{parts.path}"
    if isinstance(value, bool):
        return tr("on" if value else "off")
    if isinstance(value, Mapping):  # MODEL_PRICES, REASONING_EFFORT
        return ", ".join(f"{model} {_shown(name, item)}".strip() for model, item in value.items())
    if isinstance(value, Price):
        return f"{value.prompt:g}/{value.answer:g}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or tr("none")
    # A number as .env has it, whatever the language
    return f"{value:g}" if isinstance(value, float) else str(value)
