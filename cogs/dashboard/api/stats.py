"""API routes for statistics and pruning."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import CONFLICT, NOT_FOUND, ApiModel, IdParameter, response_of
from cogs.dashboard.web.context import InContext
from utils.common.errors import Conflict, NotFound
from utils.models.admin import Census
from utils.models.operator import CENSUS_NAMES, CounterName, DailyCount

MAX_DAYS = 90

router = APIRouter(tags=["upkeep"])


@dataclass(frozen=True, slots=True)
class Stats:
    """The last census and the daily counts."""

    census: Census
    counts: list[DailyCount]


StatsResponse = response_of(
    "StatsResponse",
    Stats,
    "The last census and the daily counts.",
    census=response_of(
        "CensusResponse",
        Census,
        "The last count of memories; ``guild_id`` null: in all servers.",
        members=Field(description="Members that Kith knows."),
        rows=Field(description="Current memories: active, proposed or shadow."),
        by_age=Field(description="By age: at most a day, a week, a month, and so on."),
        expiring=Field(description="How many expire in each of the next twelve weeks."),
    ),
    counts=list[  # type: ignore[misc]
        response_of(
            "DailyCountResponse",
            DailyCount,
            "How often something happened on a day (UTC).",
            guild_id=None,
        )
    ],
)


class PruneResponse(ApiModel):
    """The report of a pruning run."""

    report: str = Field(examples=["3 expired, 0 over the cap"])


@router.get(
    "/stats",
    summary="Statistics of a server, or of all",
    response_model=StatsResponse,
    responses=NOT_FOUND,
)
async def get_stats(
    context: InContext,
    guild_id: Annotated[IdParameter | None, Query(description="Without one: all servers.")] = None,
    days: Annotated[int, Query(ge=1, le=MAX_DAYS, description="Today included.")] = 30,
) -> Stats:
    """Return the last count; counting is a scheduled job."""
    census = await context.app.admin.statistics.latest(guild_id)
    if census is None:
        raise NotFound("There are no statistics yet; they are counted every hour.")
    counters, names = context.app.runtime.counters, set(CounterName) - CENSUS_NAMES
    first = context.app.clock.now().date() - timedelta(days=days - 1)
    return Stats(census, await counters.since(first, names, guild_id))


@router.post("/prune", summary="Prune now", responses=CONFLICT)
async def prune(context: InContext) -> PruneResponse:
    """Run the daily pruning now."""
    await context.app.admin.browser.record_operator_action("ran prune")
    report = await context.app.admin.job_runs.prune()
    if report is None:
        raise Conflict("Kith is pruning just now; wait until it is done.")
    return PruneResponse(report=str(report))
