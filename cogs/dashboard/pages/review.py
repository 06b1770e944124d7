"""The review queue: what waits for a decision in a server, approved or rejected here."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import House
from cogs.dashboard.pages.layout import PathId, house_of, number, show
from cogs.dashboard.pages.members import names_of
from utils.model.operator import OPERATOR
from utils.model.policy import Outcome

router = APIRouter()

DECIDED = {
    Outcome.APPROVED: "Memory #{id} is approved, and in use from the next reply on.",
    Outcome.REJECTED: "Memory #{id} is rejected: its text is erased, and not learnt again.",
    Outcome.CONFIRMED: "Memory #{id} was said again meanwhile, surely enough: it is in use.",
    Outcome.GONE: "Memory #{id} is gone: it was forgotten, or came to its end.",
    Outcome.WAITING: "Memory #{id} still waits.",
}
ALREADY = "Somebody else was quicker. "


@router.get("/review")
async def queue(request: Request, guild: str = "") -> Response:
    """Show what waits in a server, the first one unless another is chosen."""
    house = house_of(request)
    return await _page(request, _chosen(house, number(guild, "A server")))


@router.post("/review/{guild_id}/{memory_id}")
async def decide(
    request: Request,
    guild_id: PathId,
    memory_id: PathId,
    decision: Annotated[Literal["approve", "reject"], Form()],
) -> Response:
    """Carry out a decision, and show what still waits."""
    house = house_of(request)
    review = await house.core.keeper.review(
        guild_id,
        memory_id,
        decision == "approve",
        OPERATOR,
        await house.discord.open_sources(guild_id),
    )
    told = DECIDED[review.outcome].format(id=memory_id)
    return await _page(
        request, guild_id, told=told if review.is_new else ALREADY + told, told_well=review.is_new
    )


async def _page(
    request: Request, guild_id: int | None, *, told: str = "", told_well: bool = True
) -> Response:
    house = house_of(request)
    waiting = [] if guild_id is None else await _waiting(house, guild_id)
    return show(
        request,
        "review.html",
        servers=[(one.id, one.name) for one in house.discord.servers()],
        guild_id=guild_id,
        waiting=waiting,
        told=told,
        told_well=told_well,
    )


async def _waiting(house: House, guild_id: int) -> list[dict[str, Any]]:
    """Return what waits, and what its members are called; that they were looked at is noted."""
    found = await house.core.reviews.waiting(guild_id)
    names = await names_of(house, (one.member for one in found))
    await house.core.browser.note_view(*names)
    return [
        {
            **{name: getattr(one, name) for name in one.__slots__},
            "name": names[one.member],
        }
        for one in found
    ]


def _chosen(house: House, guild_id: int | None) -> int | None:
    """Return the server that was chosen, else the first one."""
    servers = house.discord.servers()
    return guild_id if guild_id is not None else (servers[0].id if servers else None)
