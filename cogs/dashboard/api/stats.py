"""Numbers, and pruning."""

from datetime import date, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from cogs.dashboard.api.calls import CONFLICT, NOT_FOUND, Call, GivenId, Id, InHouse, Shape
from utils.errors import BadInput, Conflict, NotFound
from utils.model.operator import Counted
from utils.upkeep import PRUNE

MOST_DAYS = 90
NOT_COUNTED = "Nothing of that was counted yet; run the job named census."

router = APIRouter(route_class=Call, tags=["upkeep"])


class Census(Shape):
    """What memory consisted of when it was last counted; ``guild_id`` null: in all servers."""

    guild_id: Id | None
    at: datetime
    members: int = Field(description="Members that Kith knows.")
    rows: int = Field(description="What is remembered now: active, proposed or in the shadow.")
    by_status: dict[str, int]
    by_kind: dict[str, int]
    by_importance: dict[str, int]
    by_age: dict[str, int] = Field(description="At most a day, a week, a month old, and so on.")
    expiring: list[int] = Field(description="How many end in each of the next twelve weeks.")
    permanent: int


class DayCount(Shape):
    """How often something happened in a day (UTC)."""

    day: date
    name: Counted
    label: str
    count: int


class Stats(Shape):
    """The last census, and what happened lately."""

    census: Census
    counts: list[DayCount]


class Pruned(Shape):
    """What pruning did, in words."""

    report: str = Field(examples=["3 expired, 0 over the cap"])


@router.get("/stats", summary="Numbers of a server, or of all", responses=NOT_FOUND)
async def get_stats(
    house: InHouse,
    guild_id: Annotated[GivenId | None, Query(description="Without one: all servers.")] = None,
    days: Annotated[int, Query(ge=1, le=MOST_DAYS, description="Today included.")] = 30,
) -> Stats:
    """Return what was counted last; counting itself is a job."""
    census = await house.core.census.latest(guild_id)
    if census is None:
        raise NotFound(NOT_COUNTED)
    tally, names = house.core.tally, list(Counted)
    first = house.core.clock.now().date() - timedelta(days=days - 1)
    if guild_id is None:
        counts = await tally.totals(first, names)
    else:
        counts = await tally.since(first, names, guild_id)
    return Stats(
        census=Census.model_validate(census),
        counts=[
            DayCount(day=one.day, name=one.name, label=one.label, count=one.count) for one in counts
        ],
    )


@router.post("/prune", summary="Prune now", responses=CONFLICT)
async def prune(house: InHouse) -> Pruned:
    """Remove what is over, and tidy up, as happens daily."""
    await house.core.browser.note_deed("ran prune")
    try:
        return Pruned(report=await house.jobs.run(PRUNE))
    except BadInput as error:  # somebody is at it
        raise Conflict(str(error)) from None
