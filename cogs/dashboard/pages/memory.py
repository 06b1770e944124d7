"""The page of one memory: text, evidence, history; change or forget it."""

import json
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import PathId, actor_name, choices, go_to, server_name, show
from cogs.dashboard.pages.members import name_of, one_of
from cogs.dashboard.web.context import context_of
from cogs.dashboard.web.language import sentence_of, tr
from utils.admin.memory_edits import CHANGEABLE, choosable
from utils.common.errors import BadInput
from utils.models.admin import MemoryEdit
from utils.models.memory import Importance, Memory, Method, Status, VerifiedBy
from utils.models.transfer import MemoryDetail

router = APIRouter()

END_OF_DAY = timedelta(days=1, microseconds=-1)
READ_BY = {
    Method.MODEL: "extracted by a model",
    Method.RULE: "found by a rule",
    Method.EXPLICIT: "saved by command",
    Method.IMPORT: "imported",
}
VERIFIED_BY = {
    VerifiedBy.NONE: "not verified: these are the member's words",
    VerifiedBy.MODEL: "verified by a model",
    VerifiedBy.RULE: "verified by a rule",
    VerifiedBy.MEMBER: "verified by the member",
    VerifiedBy.MODERATOR: "verified by a moderator",
    VerifiedBy.IMPORT: "vouched for by the import",
}


@router.get("/memories/{memory_id}")
async def show_memory(request: Request, memory_id: PathId) -> Response:
    """Show a memory; the view is recorded in the member's audit."""
    return await _page(request, await _load(request, memory_id))


@router.post("/memories/{memory_id}")
async def edit(
    request: Request,
    memory_id: PathId,
    status: Annotated[str, Form()] = "",
    importance: Annotated[str, Form()] = "",
    ends: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
    stood: Annotated[str, Form()] = "",
    text: Annotated[str | None, Form()] = None,
) -> Response:
    """Change a memory's text, status, importance or expiry.

    A new text makes a new memory, whose page is shown. ``stood`` is the state the form was made
    from: a newer change must not be overwritten unseen.
    """
    detail = await _load(request, memory_id)
    now = detail.item
    if stood != form_state(now):
        return await _page(
            request,
            detail,
            wrong=tr(
                "This memory changed since the form was loaded, so nothing was saved. The form "
                "now shows its current values."
            ),
            status=409,
        )
    chosen = one_of(Status, status)
    expires_at = _end_of(ends)
    keeps_end = _day(now.expires_at) == ends.strip()
    try:
        grade = Importance[importance.upper()] if importance else now.importance
    except KeyError:
        raise BadInput("Importance is low, medium or high.") from None
    change = MemoryEdit(
        text=None if text is None or text.strip() == now.text else text,
        status=None if chosen is now.status else chosen,
        importance=None if grade is now.importance else grade,
        expires_at=None if keeps_end else expires_at,
        is_permanent=not keeps_end and expires_at is None,
    )
    if change == MemoryEdit():
        return go_to(f"/memories/{memory_id}?done=same")
    try:
        changed = await context_of(request).app.admin.browser.change(memory_id, change, reason)
    except BadInput as error:
        return await _page(request, detail, wrong=sentence_of(error), status=400)
    return go_to(f"/memories/{changed.id}?done=saved")


@router.post("/memories/{memory_id}/forget")
async def forget(request: Request, memory_id: PathId) -> Response:
    """Forget a memory permanently; the page asked for confirmation."""
    detail = await _load(request, memory_id)
    outcome = await context_of(request).app.admin.browser.forget(memory_id)
    member = f"/servers/{detail.item.guild_id}/members/{detail.item.user_id}"
    return go_to(f"{member}?done={'forgotten' if outcome else 'same'}")


async def _load(request: Request, memory_id: int) -> MemoryDetail:
    detail = await context_of(request).app.admin.browser.item(memory_id)
    if detail is None:
        raise HTTPException(404)
    return detail


async def _page(
    request: Request, detail: MemoryDetail, *, wrong: str = "", status: int = 200
) -> Response:
    context, item = context_of(request), detail.item
    await context.app.admin.browser.record_view(item.member)  # every response shows the memory
    channels = context.channel_names(item.guild_id)
    return show(
        request,
        "memory.html",
        status=status,
        wrong=wrong,
        detail=detail,
        links_to_discord=context.links_to_discord,
        item=item,
        name=await name_of(context, item.member),
        server=server_name(context, item.guild_id),
        channel=channels.get(item.channel_id) or tr("Channel {id}", id=item.channel_id),
        audit=[
            (
                actor_name(context, item.guild_id, change.actor_id, item.user_id),
                change,
                in_words(change.before),
                in_words(change.after),
            )
            for change in detail.audit
        ],
        statuses=choices(choosable(item)),
        importances=[(choice.name.lower(), tr(choice.name.lower())) for choice in Importance],
        ends=_day(item.expires_at),
        stood=form_state(item),
        read_by=READ_BY,
        verified_by=VERIFIED_BY,
        is_editable=item.status in CHANGEABLE,
    )


def form_state(item: Memory) -> str:
    """Return the state that the form can change, as one line. Pure."""
    end = "" if item.expires_at is None else item.expires_at.isoformat()
    return f"{item.status} {item.importance.name} {end}"


def in_words(text: str | None) -> str:
    """Return an audit entry's JSON as readable text. Pure."""
    try:
        fields = json.loads(text or "")
    except ValueError:
        return text or ""
    if not isinstance(fields, dict):
        return text or ""
    return ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in fields.items())


def _day(at: datetime | None) -> str:
    return "" if at is None else at.date().isoformat()


def _end_of(day: str) -> datetime | None:
    """Return the end of a day (UTC); None if empty. Raises BadInput."""
    if not day.strip():
        return None
    try:
        return datetime.strptime(day.strip(), "%Y-%m-%d").replace(tzinfo=UTC) + END_OF_DAY
    except (ValueError, OverflowError):
        raise BadInput("That is not a date. Write it as year-month-day.") from None
