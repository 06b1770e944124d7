"""Recall's policy: what holds, what runs in the shadow, every version, and going back."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import ACTOR
from cogs.dashboard.pages.layout import PathId, go_to, house_of, number, show
from utils.errors import BadInput
from utils.read_policies import policy_diff

router = APIRouter()

REASON_NEEDED = "Say in a few words why: whoever looks at the versions later will want to know."


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
        differs=policy_diff(await found.get(0), active.policy),
        shadow_differs=policy_diff(active.policy, shadow.policy) if shadow else (),
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
        differs=policy_diff(active.policy, chosen),
        from_standard=policy_diff(await found.get(0), chosen),
    )


@router.post("/policy/recall/{version}/apply")
async def apply(request: Request, version: PathId, reason: Annotated[str, Form()] = "") -> Response:
    """Let a version hold again, from the next reply on."""
    found = house_of(request).core.read_policies
    await found.apply(version, actor=ACTOR, reason=_given(reason))
    return go_to("/policy?done=saved")


@router.post("/policy/recall/{version}/shadow")
async def start_shadow(
    request: Request,
    version: PathId,
    days: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Run a version beside the one that holds, without effect."""
    found = house_of(request).core.read_policies
    lasts = number(days, "How many days") or 0
    await found.start_shadow(version, lasts, actor=ACTOR, reason=_given(reason))
    return go_to("/policy?done=shadow-started")


@router.post("/policy/shadow/end")
async def end_shadow(request: Request, reason: Annotated[str, Form()] = "") -> Response:
    """Take the policy out of the shadow."""
    found = house_of(request).core.read_policies
    ended = await found.end_shadow(actor=ACTOR, reason=_given(reason))
    return go_to(f"/policy?done={'shadow-ended' if ended else 'same'}")


@router.post("/policy/rollback")
async def rollback(
    request: Request,
    only: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Let the policy before this one hold again, if the one that was looked at still does."""
    found = house_of(request).core.read_policies
    await found.rollback(actor=ACTOR, reason=_given(reason), only=number(only, "A version"))
    return go_to("/policy?done=rolled-back")


def _given(reason: str) -> str:
    if not reason.strip():
        raise BadInput(REASON_NEEDED)
    return reason
