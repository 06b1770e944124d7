"""The review queue of a moderator's server: the operator's page, with the server fixed."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.layout import PathId
from cogs.dashboard.pages.review import (
    Decision,
    Reviewer,
    rewrite,
    show_decision,
    show_queue,
    take_decision,
)
from cogs.dashboard.web.context import Moderator
from cogs.dashboard.web.visits import MODERATORS

router = APIRouter(prefix=MODERATORS.home)


def _reviewer(moderator: Moderator, guild_id: int) -> Reviewer:
    """Return the moderator as a reviewer of their server. Raises HTTPException for another's."""
    if guild_id != moderator.guild_id:
        raise HTTPException(404)
    home = f"{MODERATORS.home}/review"
    return Reviewer(home, moderator.member.user_id, moderator.readable)


@router.get("/review")
async def queue(request: Request, moderator: InVisit) -> Response:
    """Show what waits; what was said where the moderator cannot read is hidden."""
    guild_id = moderator.guild_id
    return await show_queue(request, _reviewer(moderator, guild_id), [guild_id])


@router.get("/review/{guild_id}/{memory_id}")
async def decision(
    request: Request, guild_id: PathId, memory_id: PathId, moderator: InVisit
) -> Response:
    """Show what became of one memory."""
    return await show_decision(request, _reviewer(moderator, guild_id), guild_id, memory_id)


@router.post("/review/{guild_id}/{memory_id}")
async def decide(
    request: Request,
    guild_id: PathId,
    memory_id: PathId,
    decision: Decision,
    moderator: InVisit,
) -> Response:
    """Decide as the moderator in a few seconds, or undo that."""
    reviewer = _reviewer(moderator, guild_id)
    return await take_decision(request, reviewer, guild_id, memory_id, decision)


@router.post("/review/{guild_id}/{memory_id}/text")
async def edit(
    request: Request,
    guild_id: PathId,
    memory_id: PathId,
    moderator: InVisit,
    text: Annotated[str, Form()] = "",
) -> Response:
    """Approve a memory with another text."""
    return await rewrite(request, _reviewer(moderator, guild_id), guild_id, memory_id, text)
