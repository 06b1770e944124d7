"""The review queue: approve or reject memories that wait, or undo a decision.

The operator sees all servers' here; moderators see their own server's on their pages.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import PathId, go_to, number, server_choices, server_name, show
from cogs.dashboard.pages.members import names_of
from cogs.dashboard.web.context import DashboardContext, InContext, context_of
from cogs.dashboard.web.decisions import UNDO_S, PendingDecisions
from cogs.dashboard.web.language import tr
from cogs.moderation.review_texts import HIDDEN
from utils.common.errors import Conflict
from utils.models.admin import MemoryEdit
from utils.models.memory import Form as MemoryForm
from utils.models.memory import Member, Memory, Role, Status
from utils.models.operator import OPERATOR
from utils.models.policy import Outcome, ReviewSource

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
class Reviewer:
    """Who decides: the operator, or a moderator, who is shown only what they can read.

    ``home`` is the path of the list. With ``readable``, the ids of a moderator's channels, nothing
    else is shown, no messages before a sentence, and no link to the operator's pages.
    """

    home: str = "/review"
    actor_id: int = OPERATOR
    readable: frozenset[int] | None = None

    def may_read(self, memory: Memory, source: ReviewSource | None) -> bool:
        """Whether a memory and its sentence are shown."""
        places = {memory.channel_id} if source is None else {memory.channel_id, source.channel_id}
        return self.readable is None or places <= self.readable


@router.get("/review")
async def queue(request: Request, guild: str = "") -> Response:
    """Show what waits, in all servers or in one; the view is recorded in the members' audits."""
    guild_id = number(guild, "A server")
    servers = server_choices(context_of(request))
    guild_ids = [server_id for server_id, _ in servers] if guild_id is None else [guild_id]
    return await show_queue(request, Reviewer(), guild_ids, servers, guild)


async def show_queue(
    request: Request,
    reviewer: Reviewer,
    guild_ids: Sequence[int],
    servers: Sequence[tuple[int, str]] = (),
    guild: str = "",
) -> Response:
    """Show what waits in these servers; ``servers`` and ``guild`` are for the choice of one."""
    context = context_of(request)
    waiting = await context.app.memory.reviews.waiting(*guild_ids)
    return show(
        request,
        "review.html",
        home_of_list=reviewer.home,
        is_operator=reviewer.readable is None,
        servers=servers,
        guild=guild,
        waiting=await _with_sources(request, reviewer, waiting[:PAGE_SIZE]),
        more=max(0, len(waiting) - PAGE_SIZE),
        links_to_discord=context.links_to_discord,
        delay_s=DELAY_S,
    )


def add_decisions(router: APIRouter, reviewer_of: Callable[..., Reviewer]) -> None:
    """Add the pages of one memory to the router of a list; ``reviewer_of`` is a dependency."""

    @router.get("/review/{guild_id}/{memory_id}")
    async def decision(
        request: Request,
        guild_id: PathId,
        memory_id: PathId,
        reviewer: Annotated[Reviewer, Depends(reviewer_of)],
    ) -> Response:
        """Show what became of one memory: its buttons, *Undo*, or the decision."""
        review = await context_of(request).app.memory.reviews.standing(guild_id, memory_id)
        return show(
            request,
            "review_decision.html",
            home_of_list=reviewer.home,
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
        reviewer: Annotated[Reviewer, Depends(reviewer_of)],
        context: InContext,
        guild: Annotated[str, Form()] = "",
    ) -> Response:
        """Decide in a few seconds, or undo a decision; ``guild`` is the server that the list shows.

        If another moderator has decided already, that is shown instead of the buttons.
        """
        number(guild, "A server")
        is_part = bool(request.headers.get("hx-request"))
        if await context.app.memory.reviews.find(guild_id, memory_id) is None:
            if is_part:
                return go_to(f"{reviewer.home}/{guild_id}/{memory_id}")
            raise await _decided(context, guild_id, memory_id)
        if decision == "undo":
            _decisions(request).undo(memory_id)
        else:
            approve = decision == "approve"
            carry_out = partial(
                _carry_out, context, guild_id, memory_id, reviewer.actor_id, approve=approve
            )
            _decisions(request).add(memory_id, carry_out, approve=approve)
        if is_part:
            return go_to(f"{reviewer.home}/{guild_id}/{memory_id}")
        return go_to(f"{reviewer.home}?guild={guild}#waiting-{memory_id}")


async def rewrite(
    request: Request, reviewer: Reviewer, guild_id: int, memory_id: int, text: str
) -> Response:
    """Approve a waiting memory with another text, in place of a decision that is pending.

    Raises Conflict for one that does not wait any more, HTTPException for one that the reviewer
    may not read, and as ``Browser.change`` does.
    """
    app = context_of(request).app
    memory = await app.memory.reviews.find(guild_id, memory_id)
    if memory is None:
        raise await _decided(context_of(request), guild_id, memory_id)
    sources = await app.memory.reviews.sources([memory])
    if not reviewer.may_read(memory, sources.get(memory_id)):
        raise HTTPException(404)
    change = MemoryEdit(text=text, status=Status.ACTIVE)
    await app.admin.browser.change(memory_id, change, actor_id=reviewer.actor_id)
    _decisions(request).undo(memory_id)
    return go_to(f"{reviewer.home}?done=approved")


async def _decided(context: DashboardContext, guild_id: int, memory_id: int) -> Conflict:
    """Return the error that says what became of a memory that does not wait any more."""
    review = await context.app.memory.reviews.standing(guild_id, memory_id)
    return Conflict(DECIDED[review.outcome])


async def _carry_out(
    context: DashboardContext, guild_id: int, memory_id: int, actor_id: int, *, approve: bool
) -> None:
    """Carry out a decision as a moderator's; one that was made before stays."""
    open_sources = await context.discord.open_sources(guild_id)
    await context.app.memory.editor.review(guild_id, memory_id, approve, actor_id, open_sources)


def _decisions(request: Request) -> PendingDecisions:
    decisions: PendingDecisions = request.app.state.decisions
    return decisions


async def _with_sources(
    request: Request, reviewer: Reviewer, memories: Sequence[Memory]
) -> list[dict[str, Any]]:
    """Return waiting memories with names and sentences; the operator's view is recorded.

    ``pending``: it is about to be approved or rejected. ``is_editable``: it is a note, and the
    reviewer may read it.
    """
    context = context_of(request)
    sources = await context.app.memory.reviews.sources(memories)
    if reviewer.readable is not None:
        sources = {id_: replace(source, context=()) for id_, source in sources.items()}
    turns = {turn.id: turn for source in sources.values() for turn in source.context}
    named_members = {memory.member for memory in memories}
    member_turns = [turn for turn in turns.values() if turn.role is Role.MEMBER]
    named_members |= {turn.member for turn in member_turns}
    named_members |= {
        Member(turn.guild_id, user_id) for turn in turns.values() for user_id in turn.about_ids
    }
    names = await names_of(context, named_members)
    if reviewer.readable is None:
        await context.app.admin.browser.record_view(*named_members)
    waiting = []
    for memory in memories:
        guild_id, source = memory.member.guild_id, sources.get(memory.id)
        is_read = reviewer.may_read(memory, source)
        if not is_read:
            memory, source = replace(memory, text=tr(HIDDEN), channel_id=0), None
        waiting.append(
            {
                "memory": memory,
                "name": names[memory.member],
                "server": server_name(context, guild_id),
                "channel": context.channel_names(guild_id).get(memory.channel_id, ""),
                "source": source,
                "context": [
                    (names.get(Member(guild_id, turn.author_id), "Kith"), turn.text)
                    for turn in (source.context if source else ())
                ],
                "pending": _decisions(request)[memory.id],
                "is_editable": is_read and memory.form is MemoryForm.NOTE,
            }
        )
    return waiting


add_decisions(router, lambda: Reviewer())
