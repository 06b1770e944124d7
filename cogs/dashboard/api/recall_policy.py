"""Recall's policy: what holds in all servers, its versions, going back, and the shadow."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import AfterValidator, Field, WithJsonSchema

from cogs.dashboard.api.calls import CONFLICT, NOT_FOUND, Call, InHouse, Shape
from cogs.dashboard.house import ACTOR
from utils.errors import NotFound
from utils.model.policy import REASON_LIMIT
from utils.model.read_policy import MOST_SHADOW_DAYS
from utils.read_policies import (
    LIMITS,
    MOST_VERSION,
    NewVersion,
    PolicyInForce,
    ReadPolicies,
    ReadPolicy,
    cautions,
    fields_from_json,
    flat,
    policy_diff,
)
from utils.text import clean, one_line

NO_SHADOW = "No policy is in the shadow."

router = APIRouter(route_class=Call, tags=["recall's policy"], prefix="/recall-policy")


def _with_words(reason: str) -> str:
    if not one_line(clean(reason)):
        raise ValueError("say why, in a few words")
    return reason


Reason = Annotated[
    str,
    Field(min_length=1, max_length=REASON_LIMIT, examples=["fewer, better fitting memories"]),
    AfterValidator(_with_words),
]
Version = Annotated[int, Path(ge=0, le=MOST_VERSION, description="0 is the standard policy.")]
Fields = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "properties": {
                name: {
                    "type": "integer" if of.is_whole else "number",
                    "minimum": of.least,
                    "maximum": of.most,
                }
                for name, of in LIMITS.items()
            },
            "additionalProperties": False,
            "minProperties": 1,
            "examples": [{"block_tokens": 450, "asking.text": 1.2}],
        }
    ),
]
"""Fields of a policy by their paths, or nested; ReadPolicies checks them."""

Only = Annotated[
    int | None,
    Field(ge=0, le=MOST_VERSION, examples=[7], description="Just if that version holds."),
]
"""The version that was looked at."""


class FieldChange(Shape):
    """A field in which two policies differ."""

    field: str = Field(examples=["asking.text"])
    before: float
    after: float


class InForce(Shape):
    """A policy in use: all its fields, who chose it, when and why.

    ``until`` is when a shadow ends; ``rolls_back``: a breach of drift ends what holds; ``differs``:
    from the standard policy, or for a shadow from what holds.
    """

    version: int = Field(description="0 is the standard policy, which the program brings.")
    since: datetime | None
    actor: str = Field(examples=[ACTOR])
    reason: str
    until: datetime | None
    rolls_back: bool
    fields: dict[str, float]
    differs: list[FieldChange]

    @classmethod
    def of(cls, found: PolicyInForce, other: ReadPolicy) -> "InForce":
        """Return a policy as it is sent."""
        return cls(
            version=found.version,
            since=found.since,
            actor=found.actor,
            reason=found.reason,
            until=found.until,
            rolls_back=found.rolls_back,
            fields=flat(found.policy),
            differs=_differences(other, found.policy),
        )


class VersionLine(Shape):
    """A version: who made it, when and why; ``previous`` held before it, null where none did."""

    version: int
    at: datetime | None
    actor: str
    reason: str
    previous: int | None


class Versions(Shape):
    """The newest versions, newest first; the standard policy is the last."""

    versions: list[VersionLine]


class VersionDetail(Shape):
    """A version's fields, and what would change if it held."""

    version: int
    fields: dict[str, float]
    differs: list[FieldChange] = Field(description="From what holds now.")


class Applied(Shape):
    """The new version, what it changed, and what about it is seldom meant."""

    version: int
    changed: list[FieldChange]
    cautions: list[str]


class NewPolicy(Shape):
    """The fields that are to change of what holds, and why.

    ``rolls_back``: a breach of drift takes it back by itself.
    """

    fields: Fields
    reason: Reason
    rolls_back: bool = False
    only: Only = None


class Why(Shape):
    """Why something is done."""

    reason: Reason


class Back(Shape):
    """Why the policy before this one is to hold again."""

    reason: Reason
    only: Only = None


class NewShadow(Shape):
    """The fields in which the shadow is to differ from what holds, for how long, and why."""

    fields: Fields
    days: int = Field(ge=1, le=MOST_SHADOW_DAYS, examples=[7])
    reason: Reason
    only: Only = None


class Interval(Shape):
    """A mean with the ends of its 95 % confidence interval."""

    mean: float
    low: float
    high: float


class Report(Shape):
    """What a shadow showed so far: shares and means over recalls, by name."""

    version: int
    recalls: int
    members: int
    values: dict[str, Interval] = Field(
        examples=[{"overlap": {"mean": 0.91, "low": 0.88, "high": 0.94}}]
    )


class Shadow(Shape):
    """What is in the shadow (null: nothing, or its time is over), and what it showed."""

    shadow: InForce | None
    report: Report


@router.get("", summary="Recall's policy")
async def get_recall_policy(house: InHouse) -> InForce:
    """Return the policy that every recall goes by now, in all servers."""
    found = house.core.read_policies
    return InForce.of(await found.active(), await found.get(0))


@router.put("", summary="Change recall's policy", responses=CONFLICT)
async def put_recall_policy(house: InHouse, new: NewPolicy) -> Applied:
    """Change the named fields from the next recall on, in every process; a version of its own
    keeps who and why. Try what is uncertain in the shadow first."""
    made = await house.core.read_policies.apply(
        _fields(new.fields),
        actor=ACTOR,
        reason=new.reason,
        rolls_back=new.rolls_back,
        only=new.only,
    )
    return _applied(made)


@router.get("/versions", summary="List versions of recall's policy")
async def list_recall_policies(house: InHouse) -> Versions:
    """Return who made which version, when and why."""
    rows = await house.core.read_policies.versions()
    return Versions(versions=[VersionLine.model_validate(row) for row in rows])


@router.get("/versions/{version}", summary="Look at a version", responses=NOT_FOUND)
async def get_version(house: InHouse, version: Version) -> VersionDetail:
    """Return a version, and how it differs from what holds."""
    found = house.core.read_policies
    chosen, active = await found.get(version), await found.active()
    return VersionDetail(
        version=version, fields=flat(chosen), differs=_differences(active.policy, chosen)
    )


@router.post(
    "/versions/{version}/apply", summary="Let a version hold", responses=NOT_FOUND | CONFLICT
)
async def apply_version(house: InHouse, version: Version, why: Why) -> Applied:
    """Let a version hold (again) from the next recall on, in every process, as a new version."""
    return _applied(await house.core.read_policies.apply(version, actor=ACTOR, reason=why.reason))


@router.post("/rollback", summary="Roll recall's policy back", responses=CONFLICT)
async def roll_back(house: InHouse, back: Back) -> Applied:
    """Let the policy hold again that held before this one, in every process at once. Once more
    goes a step further back."""
    made = await house.core.read_policies.rollback(actor=ACTOR, reason=back.reason, only=back.only)
    return _applied(made)


@router.get("/shadow", summary="What the shadow showed", responses=NOT_FOUND)
async def get_shadow(house: InHouse) -> Shadow:
    """Return how what the shadow would have recalled differs from what was recalled."""
    report = await house.core.read_policies.shadow_report()
    if report is None:
        raise NotFound(NO_SHADOW)
    return Shadow(
        shadow=await _in_shadow(house.core.read_policies), report=Report.model_validate(report)
    )


@router.put("/shadow", summary="Start a shadow", responses=CONFLICT)
async def start_shadow(house: InHouse, new: NewShadow) -> Applied:
    """Run a policy beside the one that holds, for some days and without effect; it takes the place
    of one that is in the shadow already."""
    made = await house.core.read_policies.start_shadow(
        _fields(new.fields), new.days, actor=ACTOR, reason=new.reason, only=new.only
    )
    return _applied(made)


@router.delete("/shadow", summary="End the shadow", status_code=204, responses=NOT_FOUND)
async def end_shadow(
    house: InHouse, reason: Annotated[str, Query(max_length=200, description="Why.")] = ""
) -> None:
    """Take the policy out of the shadow; what it showed stays until pruning."""
    if not await house.core.read_policies.end_shadow(actor=ACTOR, reason=reason):
        raise NotFound(NO_SHADOW)


async def _in_shadow(found: ReadPolicies) -> InForce | None:
    shadow = await found.shadow()
    return None if shadow is None else InForce.of(shadow, (await found.active()).policy)


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    return fields_from_json(json.dumps(given))


def _applied(made: NewVersion) -> Applied:
    return Applied(
        version=made.version,
        changed=_differences(made.before, made.policy),
        cautions=cautions(made.policy),
    )


def _differences(before: ReadPolicy, after: ReadPolicy) -> list[FieldChange]:
    return [FieldChange.model_validate(one) for one in policy_diff(before, after)]
