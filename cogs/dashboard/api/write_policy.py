"""API routes for a server's write policy: what is learned there, and for how long."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import ApiModel, IdParameter
from cogs.dashboard.web.context import InContext
from utils.models.memory import Kind
from utils.models.operator import OPERATOR
from utils.models.policy import REASON_LIMIT, Share, WriteMode, WritePolicy

router = APIRouter(tags=["policy"])
GuildId = Annotated[IdParameter, Query(description="A server; 0 is direct messages.")]
Count = Annotated[int, Field(ge=1, le=1_000_000)]


class PolicyRequest(ApiModel):
    """The fields to change, and why; fields that are not named stay as they are."""

    mode: WriteMode | None = None
    active_from: Share | None = None
    proposed_from: Share | None = None
    passing_from: Share | None = None
    pattern_days: Count | None = None
    approve_kinds: list[Kind] | None = None
    refused_kinds: list[Kind] | None = None
    writes_per_session: Count | None = None
    writes_per_hour: Count | None = None
    longest_days: dict[Kind, Count] | None = None
    cap: Count | None = None
    recall: bool | None = None
    reason: str = Field(default="", max_length=REASON_LIMIT, examples=["too much was learned"])

    def changes(self) -> dict[str, Any]:
        """Return the fields that the body names."""
        return self.model_dump(exclude_none=True, exclude={"reason"})


class PolicyChangeResponse(ApiModel):
    """The policy before and after a change, and its version (0: never changed)."""

    before: WritePolicy
    after: WritePolicy
    version: int


@router.get("/policy", summary="A server's write policy")
async def get_policy(context: InContext, guild_id: GuildId) -> WritePolicy:
    """Return a server's active policy."""
    return await context.app.guilds.settings.policy(guild_id)


@router.put("/policy", summary="Change a server's write policy")
async def put_policy(
    context: InContext, guild_id: GuildId, change: PolicyRequest
) -> PolicyChangeResponse:
    """Change the named fields in every process at once. A new version records who and why."""
    result = await context.app.guilds.settings.set_policy(
        guild_id, change.changes(), actor_id=OPERATOR, reason=change.reason
    )
    return PolicyChangeResponse.model_validate(result)
