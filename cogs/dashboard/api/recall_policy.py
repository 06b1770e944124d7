"""API routes for the recall policy of all servers: show it, and change it."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field, WithJsonSchema

from cogs.dashboard.api.calls import CONFLICT, ApiModel
from cogs.dashboard.pages.editing import check_reason
from cogs.dashboard.web.context import ACTOR, InContext
from utils.memory.evaluation.policy_versions import MAX_VERSION
from utils.memory.policy.recall_policy_fields import (
    cautions,
    field_schemas,
    fields_from_json,
    flat,
    policy_diff,
)
from utils.models.policy import REASON_LIMIT
from utils.models.recall_policy import FieldChange

router = APIRouter(tags=["recall's policy"], prefix="/recall-policy")


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
    """The active policy: all its fields, who chose it, when and why.

    ``rolls_back``: drift ends the policy automatically. ``differs`` compares with the standard
    policy.
    """

    version: int = Field(description="0 is the built-in standard policy.")
    since: datetime | None
    actor: str = Field(examples=[ACTOR])
    reason: str
    rolls_back: bool
    fields: dict[str, float]
    differs: list[FieldChange]


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
    reason: str = Field(max_length=REASON_LIMIT, examples=["fewer, better memories"])
    rolls_back: bool = False
    only: ExpectedVersion = None


@router.get("", summary="Recall's policy")
async def get_recall_policy(context: InContext) -> ActivePolicyResponse:
    """Return the active policy of all servers."""
    versions = context.app.policies.versions
    active = await versions.active()
    return ActivePolicyResponse(
        version=active.version,
        since=active.since,
        actor=active.actor,
        reason=active.reason,
        rolls_back=active.rolls_back,
        fields=flat(active.policy),
        differs=policy_diff(await versions.get(0), active.policy),
    )


@router.put("", summary="Change recall's policy", responses=CONFLICT)
async def put_recall_policy(context: InContext, new: RecallPolicyRequest) -> AppliedResponse:
    """Change the named fields in every process, starting with the next recall. This makes a new
    version, which records who and why. Try an uncertain change in the shadow first."""
    new_version = await context.app.policies.versions.apply(
        fields_from_json(json.dumps(new.fields)),
        actor=ACTOR,
        reason=check_reason(new.reason),
        rolls_back=new.rolls_back,
        only=new.only,
    )
    return AppliedResponse(
        version=new_version.version,
        changed=policy_diff(new_version.before, new_version.policy),
        cautions=cautions(new_version.policy),
    )
