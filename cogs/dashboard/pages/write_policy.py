"""A server's write policy: chosen in a form, its effect shown, and only then saved."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.editing import Line, held_of, worth
from cogs.dashboard.pages.layout import (
    PathId,
    actor_name,
    go_to,
    house_of,
    number,
    server_name,
    show,
)
from utils.errors import BadInput, Conflict
from utils.guild_book import HOLDS_OTHERWISE
from utils.model.memory import Kind
from utils.model.operator import OPERATOR
from utils.model.policy import WriteMode, WritePolicy

router = APIRouter()

MODES = (
    (WriteMode.AUTO, "auto: what is sure is kept"),
    (WriteMode.SHADOW, "shadow: kept, never used"),
    (WriteMode.MANUAL, "manual: a moderator decides each"),
)
LABELS = {
    "mode": "Mode",
    "active_from": "In use from",
    "proposed_from": "Proposed from",
    "passing_from": "Passing things from",
    "pattern_days": "Days that make a pattern",
    "approve_kinds": "Kinds that wait for approval",
    "writes_per_session": "New memories a session",
    "writes_per_hour": "New memories an hour",
    "longest_days": "Longest life in days",
    "cap": "Memories of a member",
    "recall": "Recall",
}
SHARES = ("active_from", "proposed_from", "passing_from")
COUNTS = ("pattern_days", "writes_per_session", "writes_per_hour", "cap")
LIFE = "life_"  # begins the names of the fields for each kind's longest life
NONE = "none"


@router.get("/policy/servers/{guild_id}")
async def look(request: Request, guild_id: PathId) -> Response:
    """Show what may be kept in a server, and every version of that."""
    _check_is_there(request, guild_id)
    return await _page(request, guild_id)


@router.post("/policy/servers/{guild_id}/preview")
async def preview(request: Request, guild_id: PathId) -> Response:
    """Show what the form would change, and of what that was learnt; nothing is saved."""
    _check_is_there(request, guild_id)
    typed = await _typed(request)
    held = (await house_of(request).core.guilds.latest(guild_id)).policy_version
    if number(typed.get("held"), "A version") != held:
        return await _page(request, guild_id, wrong=HOLDS_OTHERWISE, status=409)
    try:
        return await _page(request, guild_id, typed=typed, is_preview=True)
    except BadInput as error:
        return await _page(request, guild_id, typed=typed, wrong=str(error), status=400)


@router.post("/policy/servers/{guild_id}")
async def save(request: Request, guild_id: PathId) -> Response:
    """Save what was previewed."""
    _check_is_there(request, guild_id)
    typed = await _typed(request)
    held = held_of(typed)
    try:
        change = await house_of(request).core.guilds.set_policy(
            guild_id,
            chosen_of(typed),
            actor_id=OPERATOR,
            reason=typed.get("reason", ""),
            only=held,
        )
    except Conflict as error:
        return await _page(request, guild_id, wrong=str(error), status=409)
    done = "saved" if change.before != change.after else "same"
    return go_to(f"/policy/servers/{guild_id}?done={done}")


@router.post("/policy/servers/{guild_id}/restore")
async def restore(request: Request, guild_id: PathId) -> Response:
    """Let an earlier version hold again."""
    _check_is_there(request, guild_id)
    typed = await _typed(request)
    version = number(typed.get("version"), "A version")
    if version is None:
        raise BadInput("Choose a version.")
    change = await house_of(request).core.guilds.restore_policy(
        guild_id, version, OPERATOR, typed.get("reason", "")
    )
    done = "rolled-back" if change.before != change.after else "same"
    return go_to(f"/policy/servers/{guild_id}?done={done}")


def _check_is_there(request: Request, guild_id: int) -> None:
    """Raise HTTPException for a server that Kith is not in: nothing is to be chosen for it."""
    if all(one.id != guild_id for one in house_of(request).discord.servers()):
        raise HTTPException(404)


async def _page(
    request: Request,
    guild_id: int,
    *,
    typed: Mapping[str, str] | None = None,
    is_preview: bool = False,
    wrong: str = "",
    status: int = 200,
) -> Response:
    house = house_of(request)
    book = house.core.guilds
    policy, settings = await book.policy(guild_id), await book.latest(guild_id)
    versions = await book.policy_versions(guild_id)
    typed = as_typed(policy) | dict(typed or {})
    effects, lines = None, []
    if is_preview:
        chosen = chosen_of(typed)
        effects = await book.preview_policy(guild_id, chosen)
        lines = differences(as_typed(policy), typed)
    return show(
        request,
        "write_policy.html",
        status=status,
        wrong=wrong,
        is_old=status == 409,
        at=f"/policy/servers/{guild_id}",
        server=server_name(house, guild_id),
        held=settings.policy_version,
        typed=typed,
        kept_as_is={n: typed[n] for n in typed if n not in ("approve_kinds", "reason")},
        modes=[(mode.value, words) for mode, words in MODES],
        labels=LABELS,
        shares=SHARES,
        counts=COUNTS,
        kinds=[kind.value for kind in Kind],
        approved=typed["approve_kinds"].split(", "),
        effects=effects,
        lines=lines,
        versions=[
            (
                one,
                actor_name(house, guild_id, one.actor_id),
                differences(as_typed(policy), as_typed(one.policy)),
            )
            for one in versions
        ],
    )


async def _typed(request: Request) -> dict[str, str]:
    """Return a form's fields; boxes that were ticked under one name are one list."""
    form = await request.form()
    typed = {name: str(value) for name, value in form.items() if name != "csrf"}
    boxes = [str(one) for one in form.getlist("approve_kinds") if str(one)]
    return {**typed, "approve_kinds": ", ".join(boxes), "recall": typed.get("recall", "off")}


def as_typed(policy: WritePolicy) -> dict[str, str]:
    """Return a policy as its form has it. Pure."""
    plain = {name: repr(float(getattr(policy, name))) for name in SHARES}
    plain |= {name: str(getattr(policy, name)) for name in COUNTS}
    lives = {f"{LIFE}{kind}": str(policy.longest_days.get(kind, "")) for kind in Kind}
    kinds = ", ".join(kind for kind in Kind if kind in policy.approve_kinds)
    recall = "on" if policy.recall else "off"
    return {"mode": policy.mode, **plain, **lives, "approve_kinds": kinds, "recall": recall}


def chosen_of(typed: Mapping[str, str]) -> dict[str, Any]:
    """Return a form as GuildBook takes it. Raises BadInput for what is no number. Pure."""
    chosen: dict[str, Any] = {name: typed[name] for name in ("mode",) if name in typed}
    chosen |= {name: _share(LABELS[name], typed[name]) for name in SHARES if name in typed}
    for name in COUNTS:
        value = number(typed.get(name), LABELS[name])
        if value is not None:
            chosen[name] = value
    chosen["approve_kinds"] = typed["approve_kinds"] or NONE
    lives = {kind: number(typed.get(f"{LIFE}{kind}"), LABELS["longest_days"]) for kind in Kind}
    chosen["longest_days"] = ", ".join(f"{kind} {days or NONE}" for kind, days in lives.items())
    chosen["recall"] = typed.get("recall") == "on"
    return chosen


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[Line]:
    """Return what differs between two forms, in words. Pure."""
    named = {one.name: LABELS[one.name] for one in fields(WritePolicy) if one.name in before}
    named |= {f"{LIFE}{kind}": f"{LABELS['longest_days']}: {kind}" for kind in Kind}
    return [
        Line(label, before[name] or NONE, after.get(name) or NONE)
        for name, label in named.items()
        if worth(before[name]) != worth(after.get(name, ""))
    ]


def _share(label: str, typed: str) -> float:
    try:
        return float(typed.strip())
    except ValueError:
        raise BadInput("{what} lies between 0 and 1.", what=label) from None
