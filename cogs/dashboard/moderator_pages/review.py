"""The review queue of a moderator's server: the operator's page, with the server fixed."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.layout import PathId
from cogs.dashboard.pages.review import Reviewer, add_decisions, rewrite, show_queue
from cogs.dashboard.web.visits import MODERATORS

router = APIRouter(prefix=MODERATORS.home)


def reviewer_of(moderator: InVisit, guild_id: PathId) -> Reviewer:
    """Return the moderator as a reviewer of their server. Raises HTTPException for another's."""
    if guild_id != moderator.guild_id:
        raise HTTPException(404)
    home = f"{MODERATORS.home}/review"
    return Reviewer(home, moderator.member.user_id, moderator.readable)


add_decisions(router, reviewer_of)


@router.get("/review")
async def queue(request: Request, moderator: InVisit) -> Response:
    """Show what waits; what was said where the moderator cannot read is hidden."""
    guild_id = moderator.guild_id
    return await show_queue(request, reviewer_of(moderator, guild_id), [guild_id])


@router.post("/review/{guild_id}/{memory_id}/text")
async def edit(
    request: Request,
    guild_id: PathId,
    memory_id: PathId,
    reviewer: Annotated[Reviewer, Depends(reviewer_of)],
    text: Annotated[str, Form()] = "",
) -> Response:
    """Approve a memory with another text."""
    return await rewrite(request, reviewer, guild_id, memory_id, text)
