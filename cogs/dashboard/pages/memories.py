"""The list of all memories: search, filter, sort, and forget or approve several at once."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Depends, Form
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import choices, go_to, number, server_choices, server_name, show
from cogs.dashboard.pages.members import names_of, one_of
from cogs.dashboard.pages.people import member_named
from cogs.dashboard.web.context import DashboardContext, InContext
from cogs.dashboard.web.language import plural, sentence_of, tr
from utils.common.errors import BadInput
from utils.models.admin import MAX_ID, MAX_ON_PAGE, MemoryFilter, MemoryOrder, Page
from utils.models.memory import Form as MemoryForm
from utils.models.memory import Kind, Memory, Status
from utils.models.operator import OPERATOR
from utils.models.policy import Outcome

router = APIRouter()

PAGE_SIZE = 50
EMPTY: Page[Memory] = Page()
FORMS = {MemoryForm.NOTE: "Note", MemoryForm.QUOTE: "The member's own words"}
Action = Annotated[Literal["approve", "forget"], Form()]
Ids = Annotated[list[Annotated[int, Field(ge=0, le=MAX_ID)]], Form(max_length=MAX_ON_PAGE)]
SORTED_BY = (
    (MemoryOrder.TEXT, "Memory"),
    (MemoryOrder.KIND, "Kind"),
    (MemoryOrder.STATUS, "Status"),
    (MemoryOrder.SAID, "Last said"),
    (MemoryOrder.EXPIRES, "Expires"),
)
_COUNT = re.compile(r"[0-9]{1,4}")
RESULTS = {
    "forgotten": ("{count} memory is forgotten.", "{count} memories are forgotten."),
    "approved": (
        "{count} memory is approved and used from the next reply.",
        "{count} memories are approved and used from the next reply.",
    ),
    "left": (
        "{count} was left as it is: it no longer waits, or its server is frozen.",
        "{count} were left as they are: they no longer wait, or their server is frozen.",
    ),
}


class ListQuery(BaseModel):
    """What a list is filtered and sorted by, as its address names it."""

    model_config = ConfigDict(str_strip_whitespace=True)

    guild: str = ""
    member: str = ""
    kind: str = ""
    form: str = ""
    status: str = ""
    text: str = ""
    sort: str = ""


@router.get("/memories")
async def memories(
    request: Request, query: Annotated[ListQuery, Depends()], context: InContext, cursor: str = ""
) -> Response:
    """Show the memories that match; their members see in their audit that the operator looked."""
    picked = query.model_dump()
    problem, page = "", EMPTY
    try:
        page = await _load(context, picked, number(cursor, "A page"))
    except BadInput as error:
        problem = sentence_of(error)
    lines = await _lines(context, page.rows)
    filters = {name: value for name, value in picked.items() if value}
    headings, now = {}, filters.get("sort", "")
    for order, label in SORTED_BY:  # a second click turns the direction around
        direction = {order.value: "ascending", f"-{order}": "descending"}.get(now, "")
        sort = f"-{order}" if direction == "ascending" else order.value
        link = f"/memories?{urlencode({**filters, 'sort': sort})}"
        headings[order.value] = {"label": label, "link": link, "direction": direction}
    results: Iterable[str] = (
        plural(int(request.query_params[name]), singular, plural_text)
        for name, (singular, plural_text) in RESULTS.items()
        if _COUNT.fullmatch(request.query_params.get(name, ""))
    )
    return show(
        request,
        "memories.html",
        status=400 if problem else 200,
        wrong=problem,
        lines=lines,
        picked=picked,
        headings=headings,
        message=" ".join(results),
        servers=server_choices(context, has_direct_messages=True),
        kinds=choices(Kind),
        forms=[(form.value, tr(label)) for form, label in FORMS.items()],
        statuses=choices(Status),
        back=urlencode(filters),
        is_partial=page.is_partial,
        cursor=page.cursor,
        further=f"/memories?{urlencode({**filters, 'cursor': page.cursor})}",
    )


@router.post("/memories/selected")
async def selected(
    request: Request,
    action: Action,
    context: InContext,
    ids: Ids | None = None,
    back: Annotated[str, Form()] = "",
) -> Response:
    """Ask whether the selected memories should be approved or forgotten."""
    items = await context.app.admin.browser.pick(ids or [])
    may_be = {Status.PROPOSED} if action == "approve" else {*Status} - {Status.FORGOTTEN}
    chosen = [item for item in items if item.status in may_be]
    return show(
        request,
        "memories_selected.html",
        status=200 if chosen else 400,
        action=action,
        lines=await _lines(context, chosen),
        left=len(items) - len(chosen),
        back=dict(parse_qsl(back)),
    )


@router.post("/memories/selected/confirmed")
async def confirmed(
    request: Request,
    action: Action,
    ids: Ids,
    context: InContext,
    back: Annotated[str, Form()] = "",
) -> Response:
    """Approve or forget memories; the page before asked for confirmation."""
    browser = context.app.admin.browser
    items = await browser.pick(ids)
    count = sum(
        [
            await (_approve(context, item) if action == "approve" else browser.forget(item.id))
            for item in items
        ]
    )
    results = {"approved" if action == "approve" else "forgotten": count, "left": len(ids) - count}
    counted = {name: number for name, number in results.items() if number}
    return go_to(f"/memories?{urlencode({**dict(parse_qsl(back)), **counted})}")


async def _approve(context: DashboardContext, item: Memory) -> bool:
    """Approve a waiting memory; False if it no longer waits, or its server is frozen."""
    try:
        review = await context.app.memory.editor.review(
            item.guild_id,
            item.id,
            True,
            OPERATOR,
            await context.discord.open_sources(item.guild_id),
        )
    except BadInput:
        return False
    return review.is_new and review.outcome is Outcome.APPROVED


async def _load(
    context: DashboardContext, picked: dict[str, str], cursor: int | None
) -> Page[Memory]:
    """Return a page of the list, and complete the member in ``picked``. Raises BadInput."""
    guild_id = number(picked["guild"], "A server")
    user_id, picked["member"] = await member_named(context, guild_id, picked["member"])
    filters = MemoryFilter(
        guild_id=guild_id,
        user_id=user_id,
        kind=one_of(Kind, picked["kind"]),
        form=one_of(MemoryForm, picked["form"]),
        status=one_of(Status, picked["status"]),
        text=picked["text"],
    )
    return await context.app.admin.browser.items(
        filters,
        cursor,
        PAGE_SIZE,
        order=one_of(MemoryOrder, picked["sort"].removeprefix("-")) or MemoryOrder.NEWEST,
        is_descending=picked["sort"].startswith("-") or not picked["sort"],
    )


async def _lines(context: DashboardContext, items: Sequence[Memory]) -> list[dict[str, Any]]:
    """Return these memories with names; the view is recorded in their members' audits."""
    names = await names_of(context, (item.member for item in items))
    await context.app.admin.browser.record_view(*names)
    return [
        {
            "item": item,
            "name": names[item.member],
            "server": server_name(context, item.guild_id),
        }
        for item in items
    ]
