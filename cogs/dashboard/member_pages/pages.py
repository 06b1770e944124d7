"""A member's own pages: see, search, correct and forget memories, and choose consent."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.bot.texts import CONSENT_NOW
from cogs.console.ids import snowflake
from cogs.dashboard.pages.entering import closed, entrance, visits_of
from cogs.dashboard.pages.layout import go_to, server_name, show
from cogs.dashboard.web.context import DashboardContext, InContext, context_of
from cogs.dashboard.web.language import sentence_of, tr
from cogs.dashboard.web.visits import MEMBERS, NoVisit, VisitSession
from cogs.memory.display import Display
from cogs.memory.items import correct_item, parse_item, unknown_item
from cogs.memory.memory_text import LOOP_WORDS, MORE_MESSAGES, STATUS_WORDS
from utils.common.errors import BadInput
from utils.memory.member_data.search import MAX_SEARCH_LENGTH, SearchFilter
from utils.models.attachment import without_placeholders
from utils.models.conversation import Target, TargetKind
from utils.models.episode import OpenLoop
from utils.models.memory import MEMORY_LIMIT, Consent, Member, Memory
from utils.models.memory import Form as MemoryForm
from utils.models.recall import MemberMessage, MemberView
from utils.models.transfer import Statement

HOME = MEMBERS.home
LINES_PER_PAGE = 50
CHOOSE_SOME = "Choose at least one."

router = APIRouter(prefix=HOME, include_in_schema=False)
router.include_router(
    entrance(
        MEMBERS,
        "Your memories",
        "See, correct and forget what Kith knows about you. This link works once; the visit lasts "
        "an hour.",
    )
)


@dataclass(frozen=True, slots=True)
class PageRow:
    """A memory, a loop or a stored message; ``is_own`` False: of the linked account."""

    item: Target
    text: str
    kind: str
    at: datetime
    ends_at: datetime | None
    status: str = ""
    is_quoted: bool = False
    is_own: bool = True
    channel_id: int = 0

    @property
    def is_correctable(self) -> bool:
        """Whether the member may say what is true instead."""
        return self.is_own and self.item.kind is not TargetKind.MESSAGE


def view_lines(view: MemberView, member: Member) -> list[PageRow]:
    """Return everything that is noted of a member, newest first, then what is left open."""
    return [*_memories(view.rows, member), *map(_loop, view.loops)]


def _memories(rows: Iterable[Memory], member: Member) -> list[PageRow]:
    return [
        PageRow(
            Target(TargetKind.MEMORY, row.id),
            row.text,
            row.kind.value,
            row.last_confirmed_at,
            row.expires_at,
            STATUS_WORDS.get(row.status, ""),
            is_quoted=row.form is MemoryForm.QUOTE,
            is_own=row.user_id == member.user_id,
            channel_id=row.channel_id,
        )
        for row in rows
    ]


def _loop(loop: OpenLoop) -> PageRow:
    return PageRow(
        Target(TargetKind.LOOP, loop.id),
        loop.text,
        LOOP_WORDS[loop.kind],
        loop.created_at,
        loop.expires_at,
        channel_id=loop.channel_id,
    )


def _message(message: MemberMessage) -> PageRow:
    return PageRow(
        Target(TargetKind.MESSAGE, message.id),
        without_placeholders(message.text),
        "message",
        message.said_at,
        message.expires_at,
        is_quoted=True,
    )


@dataclass(frozen=True, slots=True)
class Visit:
    """A member who looks, and the channels that may be quoted to them."""

    member: Member
    sources: frozenset[int]


async def visit_of(request: Request) -> Visit:
    """Return who looks. Raises NoVisit, also if they have left the server."""
    session: VisitSession = request.state.visit
    member, access = session.member, visits_of(request, MEMBERS)
    sources = access.sources.get(member)
    if sources is None:
        view = context_of(request).discord
        sources = await view.member_sources(member.guild_id, member.user_id)
        if sources is None:
            access.revoke(member)
            raise NoVisit(MEMBERS)
        access.sources[member] = sources
    return Visit(member, sources)


InVisit = Annotated[Visit, Depends(visit_of)]


@router.get("")
async def overview(
    request: Request, context: InContext, visit: InVisit, q: str = "", page: int = 1
) -> Response:
    """Show what Kith knows, or what a search finds, and the choices of consent."""
    member, data = visit.member, context.app.memory.member_data
    view = await data.show(member, linked_sources=visit.sources)
    wrong = ""
    lines = view_lines(view, member)
    if q.strip():
        lines, wrong = await _search(context, visit, q)
    pages = max(1, -(-len(lines) // LINES_PER_PAGE))
    page = min(max(1, page), pages)
    places = {*await data.places(member.user_id), member.guild_id}
    return show(
        request,
        "me.html",
        place=server_name(context, member.guild_id),
        profile=view.profile,
        messages=view.messages,
        is_linked=view.linked_id is not None,
        lines=lines[(page - 1) * LINES_PER_PAGE : page * LINES_PER_PAGE],
        page=page,
        last_page=pages,
        q=q,
        wrong=wrong,
        limit=MAX_SEARCH_LENGTH,
        here=member.guild_id,
        consent=CONSENT_NOW[view.consent],
        places=[(place, server_name(context, place)) for place in sorted(places)],
    )


async def _search(context: DashboardContext, visit: Visit, q: str) -> tuple[list[PageRow], str]:
    """Return what a search finds, exact matches first, and what is wrong with it or left out."""
    member, app = visit.member, context.app
    zone = (await app.guilds.settings.get(member.guild_id)).zone
    try:
        result = await app.memory.ranked_search.of_member(
            member,
            q,
            linked_sources=visit.sources,
            only=SearchFilter.of(None, None, None, app.clock.now(), zone),
            name=context.discord.name_of(member.guild_id, member.user_id) or "",
        )
    except BadInput as error:
        return [], sentence_of(error)
    lines = [*_memories(result.rows, member), *map(_message, result.messages)]
    for row in result.others:
        lines += _memories([row], member) if isinstance(row, Memory) else [_message(row)]
    count = len(result.messages)
    return lines, tr(MORE_MESSAGES, count=count) if result.has_more_messages else ""


@router.get("/items/{reference}")
async def item(request: Request, reference: str, context: InContext, visit: InVisit) -> Response:
    """Show one memory with the member's words behind it, and a form to correct it."""
    line = await _own_line(context, visit, parse_item(reference))
    data, item = context.app.memory.member_data, line.item
    why = await data.why(visit.member, item.id) if item.kind is TargetKind.MEMORY else None
    return show(
        request,
        "me_item.html",
        line=line,
        quotes=[entry for entry in why.evidence if entry.quote] if why else [],
        before=why.past if why else (),
        limit=MEMORY_LIMIT,
    )


@router.post("/items/{reference}")
async def correct(
    reference: str, context: InContext, visit: InVisit, text: Annotated[str, Form()] = ""
) -> Response:
    """Replace a memory by the member's words."""
    app, now = context.app, context.app.clock.now()
    line = await _own_line(context, visit, parse_item(reference))
    statement = Statement(text, snowflake(now), line.channel_id)
    await correct_item(app, visit.member, line.item, statement, Display(now))
    return go_to(f"{HOME}?done=corrected")


async def _own_line(context: DashboardContext, visit: Visit, reference: Target) -> PageRow:
    """Return one of the member's own memories or loops. Raises BadInput if it is not theirs."""
    view = await context.app.memory.member_data.show(visit.member)
    for line in view_lines(view, visit.member):
        if line.item == reference:
            return line
    raise unknown_item(reference)


@router.post("/forget")
async def forget(
    context: InContext, visit: InVisit, items: Annotated[list[str] | None, Form()] = None
) -> Response:
    """Forget what was chosen and is still there. Raises BadInput if nothing is."""
    if not items:
        raise BadInput(CHOOSE_SOME)
    chosen = [parse_item(typed) for typed in items]
    if not await context.app.conversation.tools.forget(visit.member, chosen):
        raise unknown_item(chosen[0])
    return go_to(f"{HOME}?done=forgotten")


@router.post("/forget-everything")
async def forget_everything(request: Request, context: InContext, visit: InVisit) -> Response:
    """Forget everything in this place; the visit ends with that."""
    await context.app.memory.editor.forget_all(visit.member)
    return closed(request, MEMBERS)


@router.post("/consent")
async def consent(
    request: Request,
    context: InContext,
    visit: InVisit,
    choice: Annotated[Consent, Form()],
    places: Annotated[list[int] | None, Form()] = None,
) -> Response:
    """Choose consent for several places at once; none here ends the visit."""
    member = visit.member
    member_places = {*await context.app.memory.member_data.places(member.user_id), member.guild_id}
    if not places:
        raise BadInput(CHOOSE_SOME)
    if not member_places.issuperset(places):
        raise BadInput("I store nothing about you in that server. Choose one from the list.")
    for place in places:
        await context.app.memory.editor.set_consent(Member(place, member.user_id), choice)
    if choice is Consent.OFF and member.guild_id in places:
        return closed(request, MEMBERS)
    return go_to(f"{HOME}?done=consent")
