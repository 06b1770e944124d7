"""A server's write policy: what is learnt there, and how long it stays."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import NOT_FOUND, ActorId, Call, GivenId, InHouse, Shape
from utils.model.memory import Kind
from utils.model.operator import OPERATOR
from utils.model.policy import REASON_LIMIT, PolicyChange, WriteMode, WritePolicy

NONE = "none"  # as a moderator would type it

router = APIRouter(route_class=Call, tags=["policy"])
GuildId = Annotated[GivenId, Query(description="A server; 0 is direct messages.")]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]


class Policy(Shape):
    """What of a server's policy holds, or is to hold; confidences lie between 0 and 1."""

    mode: WriteMode
    active_from: Share
    proposed_from: Share
    passing_from: Share
    pattern_days: Count
    approve_kinds: list[Kind] = Field(description="Kinds that wait for a moderator each time.")
    writes_per_session: Count
    writes_per_hour: Count
    longest_days: dict[Kind, Count] = Field(description="Shorter lives than their kinds have.")
    cap: Count = Field(description="Memories kept of one member, at most.")
    recall: bool = Field(description="Whether anything is recalled here.")

    @classmethod
    def of(cls, policy: WritePolicy) -> "Policy":
        """Return a policy as it is sent."""
        return cls(
            mode=policy.mode,
            active_from=policy.active_from,
            proposed_from=policy.proposed_from,
            passing_from=policy.passing_from,
            pattern_days=policy.pattern_days,
            approve_kinds=sorted(policy.approve_kinds),
            writes_per_session=policy.writes_per_session,
            writes_per_hour=policy.writes_per_hour,
            longest_days=dict(policy.longest_days),
            cap=policy.cap,
            recall=policy.recall,
        )


class NewChoice(Shape):
    """The fields that are to change, and why; what is not named stays as it is."""

    mode: WriteMode | None = None
    active_from: Share | None = None
    proposed_from: Share | None = None
    passing_from: Share | None = None
    pattern_days: Count | None = None
    approve_kinds: list[Kind] | None = None
    writes_per_session: Count | None = None
    writes_per_hour: Count | None = None
    longest_days: dict[Kind, Count] | None = None
    cap: Count | None = None
    recall: bool | None = None
    reason: str = Field(default="", max_length=REASON_LIMIT, examples=["too much was learnt"])

    def chosen(self) -> dict[str, Any]:
        """Return the fields as a moderator would have typed them."""
        fields = self.model_dump(exclude_none=True, exclude={"reason"})
        if self.approve_kinds is not None:
            fields["approve_kinds"] = ", ".join(self.approve_kinds) or NONE
        if self.longest_days is not None:
            fields["longest_days"] = ", ".join(
                f"{kind} {self.longest_days.get(kind, NONE)}" for kind in Kind
            )
        return fields


class PolicyResult(Shape):
    """What held before, what holds now, and as which version (0: never changed)."""

    before: Policy
    after: Policy
    version: int

    @classmethod
    def of(cls, made: PolicyChange) -> "PolicyResult":
        """Return a change as it is sent."""
        return cls(before=Policy.of(made.before), after=Policy.of(made.after), version=made.version)


class PolicyVersion(Shape):
    """A policy that was chosen: by whom, when and why."""

    version: int
    at: datetime
    actor_id: ActorId
    reason: str
    policy: Policy


class PolicyVersions(Shape):
    """The policies that a server chose, newest first."""

    versions: list[PolicyVersion]


class Restored(Shape):
    """The version that is to hold again, and why; 0 is the operator's, for every server."""

    version: int = Field(ge=0, le=2**31 - 1, examples=[3])
    reason: str = Field(default="", max_length=REASON_LIMIT, examples=["it learnt too little"])


@router.get("/policy", summary="A server's write policy")
async def get_policy(house: InHouse, guild_id: GuildId) -> Policy:
    """Return the policy that holds in a server now."""
    return Policy.of(await house.core.guilds.policy(guild_id))


@router.put("/policy", summary="Change a server's write policy")
async def put_policy(house: InHouse, guild_id: GuildId, change: NewChoice) -> PolicyResult:
    """Change the named fields, in every process at once; a version of its own keeps who and why."""
    made = await house.core.guilds.set_policy(
        guild_id, change.chosen(), actor_id=OPERATOR, reason=change.reason
    )
    return PolicyResult.of(made)


@router.get("/policy/versions", summary="List versions of a server's write policy")
async def list_policies(house: InHouse, guild_id: GuildId) -> PolicyVersions:
    """Return who chose which policy, when and why."""
    found = await house.core.guilds.policy_versions(guild_id)
    return PolicyVersions(
        versions=[
            PolicyVersion(
                version=one.version,
                at=one.at,
                actor_id=one.actor_id,
                reason=one.reason,
                policy=Policy.of(one.policy),
            )
            for one in found
        ]
    )


@router.post("/policy/restore", summary="Restore a server's write policy", responses=NOT_FOUND)
async def restore_policy(house: InHouse, guild_id: GuildId, wanted: Restored) -> PolicyResult:
    """Let an earlier policy hold again, in every process at once, as a version of its own."""
    made = await house.core.guilds.restore_policy(guild_id, wanted.version, OPERATOR, wanted.reason)
    return PolicyResult.of(made)
