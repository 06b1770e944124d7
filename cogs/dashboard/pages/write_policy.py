"""The editor of a server's write policy: a form, a preview of its effect, then save."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.editing import DiffLine, base_version_of, normalized
from cogs.dashboard.pages.layout import (
    PathId,
    actor_name,
    choices,
    go_to,
    number,
    server_name,
    show,
)
from cogs.dashboard.web.context import context_of
from cogs.dashboard.web.language import sentence_of, tr
from utils.common.errors import BadInput, Conflict
from utils.guilds.settings import POLICY_CHANGED
from utils.memory.policy.policy_form import field_schemas
from utils.models.memory import Kind
from utils.models.operator import OPERATOR
from utils.models.policy import WriteMode, WritePolicy

router = APIRouter()

MODES = (
    (WriteMode.AUTO, "used at once (auto)"),
    (WriteMode.SHADOW, "stored, and not used (shadow)"),
    (WriteMode.MANUAL, "used once a moderator approved them (manual)"),
)
LABELS = {
    "mode": "New memories are",
    "active_from": "In use from",
    "proposed_from": "Proposed from",
    "passing_from": "Passing things from",
    "pattern_days": "Days that make a pattern",
    "approve_kinds": "Kinds that wait for approval",
    "refused_kinds": "Kinds that are never learned",
    "writes_per_session": "New memories per session",
    "writes_per_hour": "New memories per hour",
    "longest_days": "Maximum lifetime in days",
    "cap": "Memories per member",
    "recall": "Recall",
}
KIND_LISTS = ("approve_kinds", "refused_kinds")
SHARES = [name for name, field in field_schemas().items() if field.get("type") == "number"]
COUNTS = [name for name, field in field_schemas().items() if field.get("type") == "integer"]
MAXIMA = {name: field_schemas()[name]["maximum"] for name in COUNTS}
LIFE = "life_"  # prefix of the fields for each kind's maximum lifetime
NONE = "none"


async def _known_server(request: Request, guild_id: PathId) -> int:
    """Return the server of a path; one without Kith has no policy to choose, which is a 404.

    FastAPI runs it in the event loop, where Discord's cache belongs, because it is async.
    """
    if all(server.id != guild_id for server in context_of(request).discord.servers()):
        raise HTTPException(404)
    return guild_id


async def _typed(request: Request) -> dict[str, str]:
    """Return the fields of a form; the ticked kinds are joined with commas."""
    form = await request.form()
    typed = {name: str(value) for name, value in form.items() if name != "csrf"}
    boxes = {name: ", ".join(filter(None, map(str, form.getlist(name)))) for name in KIND_LISTS}
    return {**typed, **boxes, "recall": typed.get("recall", "off")}


GuildId = Annotated[int, Depends(_known_server)]
Typed = Annotated[dict[str, str], Depends(_typed)]


@router.get("/policy/servers/{guild_id}")
async def look(request: Request, guild_id: GuildId) -> Response:
    """Show a server's write policy and its versions."""
    return await _page(request, guild_id)


@router.post("/policy/servers/{guild_id}/preview")
async def preview(request: Request, guild_id: GuildId, typed: Typed) -> Response:
    """Show what the form would change, and its effect on the last memories. Saves nothing."""
    active_version = (await context_of(request).app.guilds.settings.latest(guild_id)).policy_version
    if number(typed.get("base_version"), "A version") != active_version:
        return await _page(request, guild_id, wrong=tr(POLICY_CHANGED), status=409)
    try:
        return await _page(request, guild_id, typed=typed, is_preview=True)
    except BadInput as error:
        return await _page(request, guild_id, typed=typed, wrong=sentence_of(error), status=400)


@router.post("/policy/servers/{guild_id}")
async def save(request: Request, guild_id: GuildId, typed: Typed) -> Response:
    """Save the previewed policy."""
    base_version = base_version_of(typed)
    try:
        change = await context_of(request).app.guilds.settings.set_policy(
            guild_id,
            parse_form(typed),
            actor_id=OPERATOR,
            reason=typed.get("reason", ""),
            only=base_version,
        )
    except Conflict as error:
        return await _page(request, guild_id, wrong=sentence_of(error), status=409)
    outcome = "saved" if change.before != change.after else "same"
    return go_to(f"/policy/servers/{guild_id}?done={outcome}")


@router.post("/policy/servers/{guild_id}/restore")
async def restore(request: Request, guild_id: GuildId, typed: Typed) -> Response:
    """Make an earlier version active again."""
    version = number(typed.get("version"), "A version")
    if version is None:
        raise BadInput("Choose a version.")
    change = await context_of(request).app.guilds.settings.restore_policy(
        guild_id, version, OPERATOR, typed.get("reason", "")
    )
    outcome = "rolled-back" if change.before != change.after else "same"
    return go_to(f"/policy/servers/{guild_id}?done={outcome}")


async def _page(
    request: Request,
    guild_id: int,
    *,
    typed: Mapping[str, str] | None = None,
    is_preview: bool = False,
    wrong: str = "",
    status: int = 200,
) -> Response:
    context = context_of(request)
    guild_settings = context.app.guilds.settings
    policy, settings = await guild_settings.policy(guild_id), await guild_settings.latest(guild_id)
    versions = await guild_settings.policy_versions(guild_id)
    active = form_values(policy)
    typed = active | dict(typed or {})
    effects, lines = None, []
    if is_preview:
        effects = await guild_settings.preview_policy(guild_id, parse_form(typed))
        lines = differences(active, typed)
    return show(
        request,
        "write_policy.html",
        status=status,
        wrong=wrong,
        is_old=status == 409,
        at=f"/policy/servers/{guild_id}",
        server=server_name(context, guild_id),
        base_version=settings.policy_version,
        typed=typed,
        hidden_values={n: typed[n] for n in typed if n not in (*KIND_LISTS, "reason")},
        modes=[(mode.value, tr(words)) for mode, words in MODES],
        active=active,
        standard=form_values(WritePolicy(cap=context.app.settings.memory_cap)),
        maxima=MAXIMA | {"cap": context.app.settings.memory_cap},
        labels=LABELS,
        shares=SHARES,
        counts=COUNTS,
        kinds=choices(Kind),
        chosen_kinds={name: typed[name].split(", ") for name in KIND_LISTS},
        effects=effects,
        lines=lines,
        versions=[
            (
                version,
                actor_name(context, guild_id, version.actor_id),
                differences(form_values(policy), form_values(version.policy)),
            )
            for version in versions
        ],
    )


def form_values(policy: WritePolicy) -> dict[str, str]:
    """Return the form values of a policy. Pure."""
    plain = {name: repr(float(getattr(policy, name))) for name in SHARES} | {
        name: str(getattr(policy, name)) for name in COUNTS
    }
    lives = {f"{LIFE}{kind}": str(policy.longest_days.get(kind, "")) for kind in Kind}
    kinds = {
        name: ", ".join(kind for kind in Kind if kind in getattr(policy, name))
        for name in KIND_LISTS
    }
    recall = "on" if policy.recall else "off"
    return {"mode": policy.mode, **plain, **lives, **kinds, "recall": recall}


def parse_form(typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a form for GuildSettingsService. Raises BadInput. Pure."""
    chosen: dict[str, Any] = {name: typed[name] for name in ("mode",) if name in typed} | {
        name: _share(LABELS[name], typed[name]) for name in SHARES if name in typed
    }
    for name in COUNTS:
        value = number(typed.get(name), tr(LABELS[name]))
        if value is not None:
            chosen[name] = value
    chosen |= {name: typed[name] or NONE for name in KIND_LISTS}
    lives = {kind: number(typed.get(f"{LIFE}{kind}"), tr(LABELS["longest_days"])) for kind in Kind}
    chosen["longest_days"] = {kind: days for kind, days in lives.items() if days}
    chosen["recall"] = typed.get("recall") == "on"
    return chosen


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[DiffLine]:
    """Return the fields that differ between two forms. Pure."""
    named = {
        field.name: tr(LABELS[field.name]) for field in fields(WritePolicy) if field.name in before
    } | {f"{LIFE}{kind}": f"{tr(LABELS['longest_days'])}: {tr(kind)}" for kind in Kind}
    return [
        DiffLine(label, _value(name, before[name]), _value(name, after.get(name, "")))
        for name, label in named.items()
        if normalized(before[name]) != normalized(after.get(name, ""))
    ]


def _value(name: str, typed: str) -> str:
    """Return a value of the form in words."""
    if name == "mode":
        return tr(dict(MODES)[WriteMode(typed)])
    return ", ".join(tr(part) for part in (typed or NONE).split(", "))


def _share(label: str, typed: str) -> float:
    try:
        return float(typed.strip())
    except ValueError:
        raise BadInput("{what} must be a number between 0 and 1.", what=tr(label)) from None
