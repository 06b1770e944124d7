"""The first page: what is on, what is missing, and presets that say what they would change."""

from functools import partial

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.presets import PRESETS
from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.editing import SETTING_LABELS, DiffLine
from cogs.dashboard.pages.layout import go_to, page_locale, server_name, show
from cogs.dashboard.pages.setting_words import SettingWords, values_now
from cogs.dashboard.pages.write_policy import MODES, differences, form_values
from cogs.dashboard.web.context import InContext
from cogs.dashboard.web.visits import MODERATORS
from utils.models.guild import (
    POLICY,
    WATCHED,
    GuildSettings,
    Purpose,
    changes_between,
    values_of,
    values_of_places,
    with_values,
)
from utils.models.sentiment import values_of_channels

router = APIRouter(prefix=MODERATORS.home)

AT_FIRST = {
    **values_of(GuildSettings(0)),
    **values_of_places(()),
    **values_of_channels(()),
}
"""What a new server has set, of the settings that the page shows."""


@router.get("")
async def start(
    request: Request, context: InContext, moderator: InVisit, preset: str = ""
) -> Response:
    """Show the settings, what is missing, and what a preset would change."""
    service, guild_id = context.app.guilds.settings, moderator.guild_id
    words = SettingWords(context, guild_id, moderator.channel_names)
    settings = await service.latest(guild_id)
    values = await values_now(context, guild_id)
    watched = [channel_id for channel_id, _ in values[WATCHED]]
    reports = await context.discord.reports(settings, watched, page_locale())
    chosen, lines = PRESETS.get(preset), list[DiffLine]()
    if chosen is not None:
        before, after = values_of(settings), values_of(with_values(settings, chosen.values))
        policy = form_values(await service.policy(guild_id))
        lines = [
            *map(words.line, changes_between(before, after)),
            *differences(policy, policy | {"mode": chosen.write_mode.value}),
        ]
    return show(
        request,
        "mod_start.html",
        server=server_name(context, guild_id),
        facts=[
            (label, words.value(name, values[name]), values[name] != AT_FIRST[name])
            for name, label in SETTING_LABELS.items()
            if name in AT_FIRST and name != POLICY
        ],
        learning=dict(MODES)[settings.write_mode],
        reports=words.plain(reports),
        presets=PRESETS,
        has_log=bool(values[Purpose.LOG]),
        chosen=preset if chosen else "",
        lines=lines,
    )


@router.post("/presets/{name}")
async def choose(name: str, context: InContext, moderator: InVisit) -> Response:
    """Change the settings to a preset's."""
    preset = PRESETS.get(name)
    if preset is None:
        raise HTTPException(404)
    service, guild_id = context.app.guilds.settings, moderator.guild_id
    user_id = moderator.member.user_id
    await service.update(guild_id, partial(with_values, values=preset.values), user_id)
    await service.set_policy(
        guild_id, {"mode": preset.write_mode.value}, actor_id=user_id, reason=preset.name
    )
    return go_to("/mod?done=saved")
