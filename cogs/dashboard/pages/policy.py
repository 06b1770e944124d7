"""Recall's policy: what holds, what runs in the shadow, every version, and going back."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import ACTOR
from cogs.dashboard.pages.editing import given
from cogs.dashboard.pages.layout import PathId, go_to, house_of, number, show
from cogs.dashboard.pages.recall_policy import EDIT, in_words
from utils.read_policies import policy_diff

router = APIRouter()


@router.get("/policy")
async def policies(request: Request) -> Response:
    """Show which policy holds, what the shadow showed, and every version."""
    house = house_of(request)
    found = house.core.read_policies
    active, shadow = await found.active(), await found.shadow()
    report = await found.shadow_report() if shadow else None
    return show(
        request,
        "policy.html",
        active=active,
        shadow=shadow,
        report=report,
        versions=await found.versions(),
        edit=EDIT,
        shadow_differs=in_words(policy_diff(active.policy, shadow.policy)) if shadow else (),
        servers=house.discord.servers(),
    )


@router.get("/policy/recall/{version}")
async def version(request: Request, version: PathId) -> Response:
    """Show a version, and what would change if it held."""
    found = house_of(request).core.read_policies
    row = await found.row(version)
    if row is None:
        raise HTTPException(404)
    active, chosen = await found.active(), await found.get(version)
    return show(
        request,
        "policy_version.html",
        active=active,
        row=row,
        differs=in_words(policy_diff(active.policy, chosen)),
        from_standard=in_words(policy_diff(await found.get(0), chosen)),
    )


@router.post("/policy/recall/{version}/apply")
async def apply(
    request: Request,
    version: PathId,
    only: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Let a version hold again, from the next reply on, if what it was compared with still does."""
    found, held = house_of(request).core.read_policies, number(only, "A version")
    await found.apply(version, actor=ACTOR, reason=given(reason), only=held)
    return go_to("/policy?done=saved")


@router.post("/policy/recall/{version}/shadow")
async def start_shadow(
    request: Request,
    version: PathId,
    days: Annotated[str, Form()] = "",
    only: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Run a version beside the one that holds, if it was compared with that, without effect."""
    found, held = house_of(request).core.read_policies, number(only, "A version")
    lasts = number(days, "How many days") or 0
    await found.start_shadow(version, lasts, actor=ACTOR, reason=given(reason), only=held)
    return go_to("/policy?done=shadow-started")


@router.post("/policy/shadow/end")
async def end_shadow(request: Request, reason: Annotated[str, Form()] = "") -> Response:
    """Take the policy out of the shadow."""
    found = house_of(request).core.read_policies
    ended = await found.end_shadow(actor=ACTOR, reason=given(reason))
    return go_to(f"/policy?done={'shadow-ended' if ended else 'same'}")


@router.post("/policy/rollback")
async def rollback(
    request: Request,
    only: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Let the policy before this one hold again, if the one that was looked at still does."""
    found = house_of(request).core.read_policies
    await found.rollback(actor=ACTOR, reason=given(reason), only=number(only, "A version"))
    return go_to("/policy?done=rolled-back")
