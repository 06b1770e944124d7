"""The review queue: approve or reject the memories that wait in a server."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import PathId, number, show
from cogs.dashboard.pages.members import names_of
from cogs.dashboard.web.context import DashboardContext, context_of
from cogs.dashboard.web.language import tr
from utils.models.operator import OPERATOR
from utils.models.policy import Outcome

router = APIRouter()

DECIDED = {
    Outcome.APPROVED: "Memory #{id} is approved and used from the next reply.",
    Outcome.REJECTED: "Memory #{id} is rejected. Its text is erased and is not learned again.",
    Outcome.CONFIRMED: "Memory #{id} was confirmed by another message and is already in use.",
    Outcome.REPLACED: "Memory #{id} was corrected by its member and needs no approval any more.",
    Outcome.GONE: "Memory #{id} no longer exists: it was forgotten or has expired.",
    Outcome.WAITING: "Memory #{id} is still waiting.",
}
ALREADY = "Somebody else decided first."


@router.get("/review")
async def queue(request: Request, guild: str = "") -> Response:
    """Show the queue of a server, by default the first one."""
    context = context_of(request)
    return await _page(request, _chosen(context, number(guild, "A server")))


@router.post("/review/{guild_id}/{memory_id}")
async def decide(
    request: Request,
    guild_id: PathId,
    memory_id: PathId,
    decision: Annotated[Literal["approve", "reject"], Form()],
) -> Response:
    """Carry out a decision, and show what is still waiting."""
    context = context_of(request)
    review = await context.app.memory.editor.review(
        guild_id,
        memory_id,
        decision == "approve",
        OPERATOR,
        await context.discord.open_sources(guild_id),
    )
    message = tr(DECIDED[review.outcome], id=memory_id)
    return await _page(
        request,
        guild_id,
        message=message if review.is_new else f"{tr(ALREADY)} {message}",
        is_success=review.is_new,
    )


async def _page(
    request: Request, guild_id: int | None, *, message: str = "", is_success: bool = True
) -> Response:
    context = context_of(request)
    waiting = [] if guild_id is None else await _waiting(context, guild_id)
    return show(
        request,
        "review.html",
        servers=[(server.id, server.name) for server in context.discord.servers()],
        guild_id=guild_id,
        waiting=waiting,
        message=message,
        is_success=is_success,
    )


async def _waiting(context: DashboardContext, guild_id: int) -> list[dict[str, Any]]:
    """Return the waiting reviews with their members' names; the view is recorded in the audit."""
    reviews = await context.app.memory.reviews.waiting(guild_id)
    names = await names_of(context, (review.member for review in reviews))
    await context.app.admin.browser.record_view(*names)
    return [
        {
            **{name: getattr(review, name) for name in review.__slots__},
            "name": names[review.member],
        }
        for review in reviews
    ]


def _chosen(context: DashboardContext, guild_id: int | None) -> int | None:
    """Return the chosen server, or the first one."""
    servers = context.discord.servers()
    return guild_id if guild_id is not None else (servers[0].id if servers else None)
