"""API routes for statistics and pruning."""

from datetime import date, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import CONFLICT, NOT_FOUND, ApiModel, Id, IdParameter
from cogs.dashboard.web.context import InContext
from utils.common.errors import Conflict, NotFound
from utils.models.operator import CENSUS_NAMES, CounterName

MAX_DAYS = 90
NOT_COUNTED = "There are no statistics yet; they are counted every hour."
ELSEWHERE = "Kith is pruning just now; wait until it is done."

router = APIRouter(tags=["upkeep"])


class CensusResponse(ApiModel):
    """The last count of memories; ``guild_id`` null: in all servers."""

    guild_id: Id | None
    at: datetime
    members: int = Field(description="Members that Kith knows.")
    rows: int = Field(description="Current memories: active, proposed or shadow.")
    by_status: dict[str, int]
    by_kind: dict[str, int]
    by_importance: dict[str, int]
    by_age: dict[str, int] = Field(description="By age: at most a day, a week, a month, and so on.")
    expiring: list[int] = Field(description="How many expire in each of the next twelve weeks.")
    permanent: int


class DailyCountResponse(ApiModel):
    """How often something happened on a day (UTC)."""

    day: date
    name: CounterName
    label: str
    count: int


class StatsResponse(ApiModel):
    """The last census and the daily counts."""

    census: CensusResponse
    counts: list[DailyCountResponse]


class PruneResponse(ApiModel):
    """The report of a pruning run."""

    report: str = Field(examples=["3 expired, 0 over the cap"])


@router.get("/stats", summary="Statistics of a server, or of all", responses=NOT_FOUND)
async def get_stats(
    context: InContext,
    guild_id: Annotated[IdParameter | None, Query(description="Without one: all servers.")] = None,
    days: Annotated[int, Query(ge=1, le=MAX_DAYS, description="Today included.")] = 30,
) -> StatsResponse:
    """Return the last count; counting is a scheduled job."""
    census = await context.app.admin.statistics.latest(guild_id)
    if census is None:
        raise NotFound(NOT_COUNTED)
    counters, names = context.app.runtime.counters, set(CounterName) - CENSUS_NAMES
    first = context.app.clock.now().date() - timedelta(days=days - 1)
    if guild_id is None:
        counts = await counters.totals(first, names)
    else:
        counts = await counters.since(first, names, guild_id)
    return StatsResponse(
        census=CensusResponse.model_validate(census),
        counts=[DailyCountResponse.model_validate(entry) for entry in counts],
    )


@router.post("/prune", summary="Prune now", responses=CONFLICT)
async def prune(context: InContext) -> PruneResponse:
    """Run the daily pruning now."""
    await context.app.admin.browser.record_operator_action("ran prune")
    report = await context.app.admin.job_runs.prune()
    if report is None:
        raise Conflict(ELSEWHERE)
    return PruneResponse(report=str(report))
