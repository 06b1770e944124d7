"""The policy pages: the active recall policy, the shadow, every version, and rollback."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.editing import check_reason
from cogs.dashboard.pages.layout import PathId, go_to, number, show
from cogs.dashboard.pages.recall_policy import EDIT, Action, carry_out, diff_lines
from cogs.dashboard.web.context import ACTOR, InContext, context_of
from utils.memory.policy.recall_policy_fields import policy_diff

router = APIRouter()


@router.get("/policy")
async def policies(request: Request, context: InContext) -> Response:
    """Show the active policy, the report of the shadow, and every version."""
    versions = context.app.policies.versions
    active, shadow = await versions.active(), await versions.shadow()
    report = await versions.shadow_report() if shadow else None
    return show(
        request,
        "policy.html",
        active=active,
        shadow=shadow,
        report=report,
        versions=await versions.versions(),
        edit=EDIT,
        shadow_differs=diff_lines(policy_diff(active.policy, shadow.policy)) if shadow else (),
        servers=context.discord.servers(),
    )


@router.get("/policy/recall/{version}")
async def version(request: Request, version: PathId) -> Response:
    """Show a version, and what would change if it were active."""
    versions = context_of(request).app.policies.versions
    row = await versions.row(version)
    if row is None:
        raise HTTPException(404)
    active, chosen = await versions.active(), await versions.get(version)
    return show(
        request,
        "policy_version.html",
        active=active,
        row=row,
        differs=diff_lines(policy_diff(active.policy, chosen)),
        from_standard=diff_lines(policy_diff(await versions.get(0), chosen)),
    )


@router.post("/policy/recall/{version}/{action}")
async def choose(
    request: Request,
    version: PathId,
    action: Action,
    days: Annotated[str, Form()] = "",
    only: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Apply a version or run it in the shadow, if the one it was compared with is still active."""
    expected = number(only, "A version")
    return await carry_out(request, action, version, days, check_reason(reason), expected)


@router.post("/policy/shadow/end")
async def end_shadow(request: Request, reason: Annotated[str, Form()] = "") -> Response:
    """End the shadow."""
    versions = context_of(request).app.policies.versions
    ended = await versions.end_shadow(actor=ACTOR, reason=check_reason(reason))
    return go_to(f"/policy?done={'shadow-ended' if ended else 'same'}")


@router.post("/policy/rollback")
async def rollback(
    request: Request,
    only: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    """Make the previous policy active again, if the version that was shown is still active."""
    versions = context_of(request).app.policies.versions
    await versions.rollback(
        actor=ACTOR, reason=check_reason(reason), only=number(only, "A version")
    )
    return go_to("/policy?done=rolled-back")
