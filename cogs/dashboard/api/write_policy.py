"""API routes for a server's write policy: what is learned there, and for how long."""

from typing import Annotated, Any, get_type_hints

from fastapi import APIRouter, Query
from pydantic import Field, create_model

from cogs.dashboard.api.calls import ApiModel, IdParameter
from cogs.dashboard.web.context import InContext
from utils.models.operator import OPERATOR
from utils.models.policy import REASON_LIMIT, WritePolicy

router = APIRouter(tags=["policy"])
GuildId = Annotated[IdParameter, Query(description="A server; 0 is direct messages.")]
_FIELDS: dict[str, Any] = {
    name: (kind | None, None)
    for name, kind in get_type_hints(WritePolicy, include_extras=True).items()
}


PolicyRequest = create_model(
    "PolicyRequest",
    __base__=ApiModel,
    __doc__="The fields to change, and why; fields that are not named stay as they are.",
    **_FIELDS,
    reason=(str, Field(default="", max_length=REASON_LIMIT, examples=["too much was learned"])),
)


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
    context: InContext,
    guild_id: GuildId,
    change: PolicyRequest,  # type: ignore[valid-type]
) -> PolicyChangeResponse:
    """Change the named fields in every process at once. A new version records who and why."""
    chosen = change.model_dump(exclude_none=True)  # type: ignore[attr-defined]
    reason = chosen.pop("reason")
    result = await context.app.guilds.settings.set_policy(
        guild_id, chosen, actor_id=OPERATOR, reason=reason
    )
    return PolicyChangeResponse.model_validate(result)
