"""One memory: what it says, why it is believed, what became of it; edited and forgotten here."""

import json
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import (
    PathId,
    actor_name,
    go_to,
    house_of,
    server_name,
    show,
)
from cogs.dashboard.pages.members import name_of, one_of
from utils.errors import BadInput
from utils.model.browsing import Item, ItemChange, ItemDetail
from utils.model.memory import Importance, Member, Method, Status

router = APIRouter()

LAST_MOMENT = timedelta(days=1, microseconds=-1)  # of the day that was chosen
READ_BY = {
    Method.MODEL: "read by a model",
    Method.RULE: "found by a rule",
    Method.EXPLICIT: "told to Kith to remember",
    Method.IMPORT: "imported",
}
STANDS_OTHERWISE = (
    "Somebody changed this memory since the form was loaded; nothing was saved. This is how it "
    "stands now: choose again."
)
CHOOSABLE = (Status.ACTIVE, Status.SHADOW, Status.PROPOSED)


@router.get("/memories/{memory_id}")
async def look(request: Request, memory_id: PathId) -> Response:
    """Show a memory; that the operator looked is in its member's audit."""
    return await _page(request, await _found(request, memory_id))


@router.post("/memories/{memory_id}")
async def edit(
    request: Request,
    memory_id: PathId,
    status: Annotated[str, Form()] = "",
    importance: Annotated[str, Form()] = "",
    ends: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
    stood: Annotated[str, Form()] = "",
) -> Response:
    """Change how a memory stands, how much it matters, or when it ends.

    ``stood`` is what the form was made of: what somebody decided since then is not undone unseen.
    """
    detail = await _found(request, memory_id)
    now = detail.item
    if stood != standing(now):
        return await _page(request, detail, wrong=STANDS_OTHERWISE, status=409)
    chosen = one_of(Status, status)
    expires_at = _end_of(ends)
    keeps_end = _day(now.expires_at) == ends.strip()
    change = ItemChange(
        status=None if chosen is now.status else chosen,
        importance=_importance(importance, now.importance),
        expires_at=None if keeps_end else expires_at,
        is_permanent=not keeps_end and expires_at is None,
    )
    if change == ItemChange():
        return go_to(f"/memories/{memory_id}?done=same")
    try:
        await house_of(request).core.browser.change(memory_id, change, reason)
    except BadInput as error:
        return await _page(request, detail, wrong=str(error), status=400)
    return go_to(f"/memories/{memory_id}?done=saved")


@router.post("/memories/{memory_id}/forget")
async def forget(request: Request, memory_id: PathId) -> Response:
    """Forget a memory for good; the page asked once before."""
    detail = await _found(request, memory_id)
    done = await house_of(request).core.browser.forget(memory_id)
    member = f"/servers/{detail.item.guild_id}/members/{detail.item.user_id}"
    return go_to(f"{member}?done={'forgotten' if done else 'same'}")


async def _found(request: Request, memory_id: int) -> ItemDetail:
    detail = await house_of(request).core.browser.item(memory_id)
    if detail is None:
        raise HTTPException(404)
    return detail


async def _page(
    request: Request, detail: ItemDetail, *, wrong: str = "", status: int = 200
) -> Response:
    house, item = house_of(request), detail.item
    whose = Member(item.guild_id, item.user_id)
    await house.core.browser.note_view(whose)  # whatever the page is shown for, it is read
    channels = {one.id: one.name for one in house.discord.channels(item.guild_id)}
    return show(
        request,
        "memory.html",
        status=status,
        wrong=wrong,
        detail=detail,
        item=item,
        name=await name_of(house, whose),
        server=server_name(house, item.guild_id),
        channel=channels.get(item.channel_id, str(item.channel_id)),
        audit=[
            (
                actor_name(house, item.guild_id, one.actor_id, item.user_id),
                one,
                in_words(one.before),
                in_words(one.after),
            )
            for one in detail.audit
        ],
        statuses=[(one.value, one.value) for one in CHOOSABLE],
        importances=[(one.name.lower(), one.name.lower()) for one in Importance],
        ends=_day(item.expires_at),
        stood=standing(item),
        read_by=READ_BY,
        is_editable=item.status in CHOOSABLE,
    )


def standing(item: Item) -> str:
    """Return all that the form can change of a memory, in one line. Pure."""
    end = "" if item.expires_at is None else item.expires_at.isoformat()
    return f"{item.status} {item.importance.name} {end}"


def in_words(text: str | None) -> str:
    """Return what the audit holds of a change: its fields, one after another. Pure."""
    try:
        fields = json.loads(text or "")
    except ValueError:
        return text or ""
    if not isinstance(fields, dict):
        return text or ""
    return ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in fields.items())


def _importance(chosen: str, now: Importance) -> Importance | None:
    if not chosen or chosen == now.name.lower():
        return None
    try:
        return Importance[chosen.upper()]
    except KeyError:
        raise BadInput("Importance is low, medium or high.") from None


def _day(at: datetime | None) -> str:
    return "" if at is None else at.date().isoformat()


def _end_of(day: str) -> datetime | None:
    """Return the last moment of a day (UTC); None for none. Raises BadInput."""
    if not day.strip():
        return None
    try:
        return datetime.strptime(day.strip(), "%Y-%m-%d").replace(tzinfo=UTC) + LAST_MOMENT
    except (ValueError, OverflowError):
        raise BadInput("That is no date; write it as year-month-day.") from None
