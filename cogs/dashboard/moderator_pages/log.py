"""What moderators and Kith changed in a server's settings, and taking it back for a day."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.moderator_pages.words import Words
from cogs.dashboard.pages.layout import PathId, go_to, show
from cogs.dashboard.web.context import InContext
from cogs.dashboard.web.visits import MODERATORS

router = APIRouter(prefix=MODERATORS.home)

A_PAGE = 100


@router.get("/log")
async def log(request: Request, context: InContext, moderator: InVisit) -> Response:
    """Show the last changes, newest first."""
    now, words = context.app.clock.now(), Words(context, moderator)
    entries = await context.app.guilds.settings.logged(moderator.guild_id, A_PAGE)
    return show(
        request,
        "mod_log.html",
        entries=[
            (
                entry,
                words.actor(entry.actor_id),
                words.line(entry.change),
                entry.can_be_undone(now),
            )
            for entry in entries
        ],
    )


@router.post("/log/{entry_id}/undo")
async def undo(entry_id: PathId, context: InContext, moderator: InVisit) -> Response:
    """Take a change back. Raises NotFound or Conflict."""
    user_id = moderator.member.user_id
    await context.app.guilds.settings.undo(moderator.guild_id, entry_id, user_id)
    return go_to("/mod/log?done=taken-back")
