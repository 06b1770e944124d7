"""What moderators and Kith changed in a server's settings, and taking it back for a day."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.layout import PathId, actor_name, go_to, show
from cogs.dashboard.pages.setting_words import SettingWords, values_now
from cogs.dashboard.web.context import InContext, Moderator
from cogs.dashboard.web.visits import MODERATORS
from utils.common.errors import BadInput, Conflict
from utils.guilds.settings import ABSENT, CHANGED_SINCE
from utils.models.guild import SPEAKING, WATCHED, SettingChange
from utils.models.policy import WritePolicy
from utils.models.sentiment import PassiveMemory, Prefilter, WatchSettings, values_of_alerts

router = APIRouter(prefix=MODERATORS.home)

A_PAGE = 100


@router.get("/log")
async def log(request: Request, context: InContext, moderator: InVisit) -> Response:
    """Show the last changes, newest first."""
    guild_id, service = moderator.guild_id, context.app.guilds.settings
    now = context.app.clock.now()
    values = await values_now(context, guild_id)
    standard = WritePolicy(cap=context.app.settings.memory_cap)
    versions = await service.policy_versions(guild_id)
    policies = {0: standard} | {version.version: version.policy for version in versions}
    words = SettingWords(context, guild_id, moderator.channel_names, policies)
    entries = []
    for entry in await service.logged(guild_id, A_PAGE):
        is_own = entry.actor_id == moderator.member.user_id
        name = moderator.name if is_own else actor_name(context, guild_id, entry.actor_id)
        may_undo = (
            entry.can_be_undone(now)
            and _is_seen(entry.change, moderator)
            and values.get(entry.change.name, ABSENT) == entry.change.after
        )
        entries.append((entry, name, words.line(entry.change), may_undo))
    return show(request, "mod_log.html", entries=entries)


@router.post("/log/{entry_id}/undo")
async def undo(entry_id: PathId, context: InContext, moderator: InVisit) -> Response:
    """Take a change back. Raises NotFound, BadInput or Conflict."""
    app, guild_id, user_id = context.app, moderator.guild_id, moderator.member.user_id
    change = await app.guilds.settings.undoable(guild_id, entry_id)
    if not _is_seen(change, moderator):
        raise BadInput(
            "It concerns a channel that you don't see. A moderator who sees it can take it back."
        )
    if (await values_now(context, guild_id)).get(change.name, ABSENT) != change.after:
        raise Conflict(CHANGED_SINCE)
    if change.name == WATCHED:
        chosen = {channel_id: PassiveMemory(memory) for channel_id, memory in change.before}
        await context.discord.watch(guild_id, chosen, user_id)
    elif change.name == SPEAKING:
        await app.guilds.speaking.take_back(guild_id, change, user_id)
    elif change.name in values_of_alerts(WatchSettings(guild_id)):
        value = change.before
        if change.name == "prefilter" and value is not None:
            value = Prefilter(value)
        await app.sentiment.channels.change(guild_id, actor_id=user_id, **{change.name: value})
    else:
        await app.guilds.settings.take_back(guild_id, change, user_id)
    return go_to("/mod/log?done=taken-back")


def _is_seen(change: SettingChange, moderator: Moderator) -> bool:
    """Whether a change concerns only channels that the moderator sees."""
    return change.channel_ids <= moderator.channel_names.keys()
