"""The review queue of all servers: approve or reject memories that wait, or undo a decision."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import PathId, go_to, number, server_choices, server_name, show
from cogs.dashboard.pages.members import names_of
from cogs.dashboard.web.context import DashboardContext, context_of
from cogs.dashboard.web.decisions import UNDO_S, PendingDecisions
from cogs.dashboard.web.language import tr
from utils.models.admin import EventRow
from utils.models.memory import Member, Role
from utils.models.operator import OPERATOR
from utils.models.policy import Outcome, ReviewSource, WaitingMemory

router = APIRouter()

PAGE_SIZE = 40
DECIDED = {
    Outcome.APPROVED: "Approved, and used from the next reply.",
    Outcome.REJECTED: "Rejected and erased. It is not learned again.",
    Outcome.CONFIRMED: "Confirmed by another message, and already in use.",
    Outcome.REPLACED: "Corrected by its member; it needs no approval any more.",
    Outcome.EDITED: "Its text was edited; the new one is a memory of its own.",
    Outcome.GONE: "It no longer exists: it was forgotten or has expired.",
    Outcome.WAITING: "Still waiting: nothing can be approved while the server is frozen.",
}
DELAY_S = int(UNDO_S) + 1


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message before the sentence, and who wrote it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting memory with its sentence; ``pending``: it is about to be approved or rejected."""

    memory: WaitingMemory
    name: str
    server: str
    channel: str
    source: ReviewSource | None
    context: tuple[ShownMessage, ...]
    pending: bool | None


@router.get("/review")
async def queue(request: Request, guild: str = "") -> Response:
    """Show what waits, in all servers or in one; the view is recorded in the members' audits."""
    context = context_of(request)
    guild_id = number(guild, "A server")
    servers = server_choices(context)
    guild_ids = [server_id for server_id, _ in servers] if guild_id is None else [guild_id]
    waiting = await context.app.memory.reviews.waiting(*guild_ids)
    return show(
        request,
        "review.html",
        servers=servers,
        guild=guild,
        waiting=await _with_sources(request, waiting[:PAGE_SIZE]),
        more=max(0, len(waiting) - PAGE_SIZE),
        links_to_discord=context.links_to_discord,
        delay_s=DELAY_S,
    )


@router.get("/review/{guild_id}/{memory_id}")
async def decision(request: Request, guild_id: PathId, memory_id: PathId) -> Response:
    """Show what became of one memory: its buttons, *Undo*, or the decision."""
    context = context_of(request)
    review = await context.app.memory.reviews.standing(guild_id, memory_id)
    return show(
        request,
        "review_decision.html",
        guild_id=guild_id,
        memory_id=memory_id,
        pending=_decisions(request)[memory_id],
        is_waiting=review.outcome is Outcome.WAITING,
        outcome=tr(DECIDED[review.outcome]),
        delay_s=DELAY_S,
    )


@router.post("/review/{guild_id}/{memory_id}")
async def decide(
    request: Request,
    guild_id: PathId,
    memory_id: PathId,
    decision: Annotated[Literal["approve", "reject", "undo"], Form()],
    guild: Annotated[str, Form()] = "",
) -> Response:
    """Decide in a few seconds, or undo a decision; ``guild`` is the server that the list shows.

    If another moderator has decided already, that is shown instead of the buttons.
    """
    context = context_of(request)
    number(guild, "A server")
    is_part = bool(request.headers.get("hx-request"))
    if await context.app.memory.reviews.find(guild_id, memory_id) is None:
        if is_part:
            return go_to(f"/review/{guild_id}/{memory_id}")
        raise HTTPException(404)
    if decision == "undo":
        _decisions(request).undo(memory_id)
    else:
        approve = decision == "approve"
        carry_out = partial(_carry_out, context, guild_id, memory_id, approve=approve)
        _decisions(request).add(memory_id, carry_out, approve=approve)
    if is_part:
        return go_to(f"/review/{guild_id}/{memory_id}")
    return go_to(f"/review?guild={guild}#waiting-{memory_id}")


async def _carry_out(
    context: DashboardContext, guild_id: int, memory_id: int, *, approve: bool
) -> None:
    """Carry out a decision as a moderator's; one that was made before stays."""
    open_sources = await context.discord.open_sources(guild_id)
    await context.app.memory.editor.review(guild_id, memory_id, approve, OPERATOR, open_sources)


def _decisions(request: Request) -> PendingDecisions:
    decisions: PendingDecisions = request.app.state.decisions
    return decisions


async def _with_sources(request: Request, memories: Sequence[WaitingMemory]) -> list[Waiting]:
    """Return waiting memories with names and sentences; the views of all shown are recorded."""
    context = context_of(request)
    sources = await context.app.memory.reviews.sources(memories)
    turns = {turn.id: turn for source in sources.values() for turn in source.context}
    shown = {memory.member for memory in memories}
    shown |= {Member(turn.guild_id, turn.author_id) for turn in turns.values() if _is_said(turn)}
    shown |= {
        Member(turn.guild_id, user_id) for turn in turns.values() for user_id in turn.about_ids
    }
    names = await names_of(context, shown)
    await context.app.admin.browser.record_view(*shown)
    waiting = []
    for memory in memories:
        guild_id, source = memory.member.guild_id, sources.get(memory.memory_id)
        waiting.append(
            Waiting(
                memory,
                name=names[memory.member],
                server=server_name(context, guild_id),
                channel=context.channel_names(guild_id).get(memory.channel_id, ""),
                source=source,
                context=tuple(
                    ShownMessage(
                        names[Member(guild_id, turn.author_id)] if _is_said(turn) else "Kith",
                        turn.text,
                    )
                    for turn in (source.context if source else ())
                ),
                pending=_decisions(request)[memory.memory_id],
            )
        )
    return waiting


def _is_said(turn: EventRow) -> bool:
    """Whether a member wrote a message, not Kith. Pure."""
    return turn.role is Role.MEMBER
