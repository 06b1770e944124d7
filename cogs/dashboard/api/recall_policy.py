"""API routes for the recall policy of all servers: versions, rollback and the shadow."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator, Field, WithJsonSchema

from cogs.dashboard.api.calls import CONFLICT, NOT_FOUND, ApiModel
from cogs.dashboard.web.context import ACTOR, InContext
from utils.common.errors import NotFound
from utils.common.text import clean, one_line
from utils.memory.evaluation.policy_versions import (
    MAX_VERSION,
    ActiveRecallPolicy,
    NewVersion,
    RecallPolicyVersions,
)
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import (
    cautions,
    field_schemas,
    fields_from_json,
    flat,
    policy_diff,
)
from utils.models.policy import REASON_LIMIT
from utils.models.recall_policy import MAX_SHADOW_DAYS, FieldChange, ShadowReport, VersionRow

NO_SHADOW = "No policy is in the shadow."

router = APIRouter(tags=["recall's policy"], prefix="/recall-policy")


def _check_reason(reason: str) -> str:
    if not one_line(clean(reason)):
        raise ValueError("say why in a few words")
    return reason


Reason = Annotated[
    str,
    Field(min_length=1, max_length=REASON_LIMIT, examples=["fewer, better memories"]),
    AfterValidator(_check_reason),
]
Version = Annotated[int, Path(ge=0, le=MAX_VERSION, description="0 is the standard policy.")]
Fields = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "properties": field_schemas(),
            "additionalProperties": False,
            "minProperties": 1,
            "examples": [{"block_tokens": 450, "asking.text": 1.2}],
        }
    ),
]
"""Fields of a policy by their paths, or nested; RecallPolicyVersions checks them."""

ExpectedVersion = Annotated[
    int | None,
    Field(ge=0, le=MAX_VERSION, examples=[7], description="Only if this version is active."),
]
"""The active version that the caller has seen."""


class ActivePolicyResponse(ApiModel):
    """A policy in use: all its fields, who chose it, when and why.

    ``until`` is when a shadow ends. ``rolls_back``: drift ends the policy automatically.
    ``differs`` compares with the standard policy, for a shadow with the active one.
    """

    version: int = Field(description="0 is the built-in standard policy.")
    since: datetime | None
    actor: str = Field(examples=[ACTOR])
    reason: str
    until: datetime | None
    rolls_back: bool
    fields: dict[str, float]
    differs: list[FieldChange]

    @classmethod
    def of(cls, active: ActiveRecallPolicy, compared_with: RecallPolicy) -> "ActivePolicyResponse":
        """Return a policy as it is sent."""
        return cls(
            version=active.version,
            since=active.since,
            actor=active.actor,
            reason=active.reason,
            until=active.until,
            rolls_back=active.rolls_back,
            fields=flat(active.policy),
            differs=_differences(compared_with, active.policy),
        )


class VersionsResponse(ApiModel):
    """The newest versions, newest first; the standard policy is the last."""

    versions: list[VersionRow]


class VersionResponse(ApiModel):
    """A version's fields, and what would change if it were active."""

    version: int
    fields: dict[str, float]
    differs: list[FieldChange] = Field(description="From the active policy.")


class AppliedResponse(ApiModel):
    """The new version, what it changed, and warnings about unusual values."""

    version: int
    changed: list[FieldChange]
    cautions: list[str]


class RecallPolicyRequest(ApiModel):
    """The fields of the active policy to change, and why.

    ``rolls_back``: drift rolls the change back automatically.
    """

    fields: Fields
    reason: Reason
    rolls_back: bool = False
    only: ExpectedVersion = None


class ReasonRequest(ApiModel):
    """The reason for a change."""

    reason: Reason


class RollbackRequest(ApiModel):
    """Why the previous policy should be active again."""

    reason: Reason
    only: ExpectedVersion = None


class ShadowRequest(ApiModel):
    """How the shadow differs from the active policy, for how long, and why."""

    fields: Fields
    days: int = Field(ge=1, le=MAX_SHADOW_DAYS, examples=[7])
    reason: Reason
    only: ExpectedVersion = None


class ShadowResponse(ApiModel):
    """The policy in the shadow (null: none, or it has ended), and its report."""

    shadow: ActivePolicyResponse | None
    report: ShadowReport


@router.get("", summary="Recall's policy")
async def get_recall_policy(context: InContext) -> ActivePolicyResponse:
    """Return the active policy of all servers."""
    versions = context.app.policies.versions
    return ActivePolicyResponse.of(await versions.active(), await versions.get(0))


@router.put("", summary="Change recall's policy", responses=CONFLICT)
async def put_recall_policy(context: InContext, new: RecallPolicyRequest) -> AppliedResponse:
    """Change the named fields in every process, starting with the next recall. This makes a new
    version, which records who and why. Try an uncertain change in the shadow first."""
    new_version = await context.app.policies.versions.apply(
        _fields(new.fields),
        actor=ACTOR,
        reason=new.reason,
        rolls_back=new.rolls_back,
        only=new.only,
    )
    return _applied_response(new_version)


@router.get("/versions", summary="List versions of recall's policy")
async def list_recall_policies(context: InContext) -> VersionsResponse:
    """Return the newest versions: who made each one, when and why."""
    rows = await context.app.policies.versions.versions()
    return VersionsResponse(versions=list(rows))


@router.get("/versions/{version}", summary="Look at a version", responses=NOT_FOUND)
async def get_version(context: InContext, version: Version) -> VersionResponse:
    """Return a version, and how it differs from the active one."""
    versions = context.app.policies.versions
    chosen, active = await versions.get(version), await versions.active()
    return VersionResponse(
        version=version, fields=flat(chosen), differs=_differences(active.policy, chosen)
    )


@router.post("/versions/{version}/apply", summary="Apply a version", responses=NOT_FOUND | CONFLICT)
async def apply_version(
    context: InContext, version: Version, why: ReasonRequest
) -> AppliedResponse:
    """Apply a version as a new one in every process, starting with the next recall."""
    return _applied_response(
        await context.app.policies.versions.apply(version, actor=ACTOR, reason=why.reason)
    )


@router.post("/rollback", summary="Roll recall's policy back", responses=CONFLICT)
async def roll_back(context: InContext, back: RollbackRequest) -> AppliedResponse:
    """Make the previous policy active again, in every process at once. Repeat it to go a step
    further back."""
    new_version = await context.app.policies.versions.rollback(
        actor=ACTOR, reason=back.reason, only=back.only
    )
    return _applied_response(new_version)


@router.get("/shadow", summary="What the shadow showed", responses=NOT_FOUND)
async def get_shadow(context: InContext) -> ShadowResponse:
    """Return how the shadow's recall differs from the active policy's."""
    report = await context.app.policies.versions.shadow_report()
    if report is None:
        raise NotFound(NO_SHADOW)
    return ShadowResponse(
        shadow=await _shadow_response(context.app.policies.versions), report=report
    )


@router.put("/shadow", summary="Start a shadow", responses=CONFLICT)
async def start_shadow(context: InContext, new: ShadowRequest) -> AppliedResponse:
    """Run a policy beside the active one for some days, without effect. It replaces a policy that
    is already in the shadow."""
    new_version = await context.app.policies.versions.start_shadow(
        _fields(new.fields), new.days, actor=ACTOR, reason=new.reason, only=new.only
    )
    return _applied_response(new_version)


@router.delete("/shadow", summary="End the shadow", status_code=204, responses=NOT_FOUND)
async def end_shadow(
    context: InContext, reason: Annotated[str, Query(max_length=200, description="Why.")] = ""
) -> None:
    """End the shadow; its report stays until pruning."""
    if not await context.app.policies.versions.end_shadow(actor=ACTOR, reason=reason):
        raise NotFound(NO_SHADOW)


async def _shadow_response(versions: RecallPolicyVersions) -> ActivePolicyResponse | None:
    shadow = await versions.shadow()
    if shadow is None:
        return None
    return ActivePolicyResponse.of(shadow, (await versions.active()).policy)


def _fields(fields: dict[str, Any]) -> dict[str, Any]:
    return fields_from_json(json.dumps(fields))


def _applied_response(new_version: NewVersion) -> AppliedResponse:
    return AppliedResponse(
        version=new_version.version,
        changed=_differences(new_version.before, new_version.policy),
        cautions=cautions(new_version.policy),
    )


def _differences(before: RecallPolicy, after: RecallPolicy) -> list[FieldChange]:
    return list(policy_diff(before, after))
