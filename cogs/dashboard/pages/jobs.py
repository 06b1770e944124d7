"""The scheduled jobs: when they ran, when they will, and running one now."""

from collections import defaultdict

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import house_of, show
from utils.errors import KithError

router = APIRouter()

WORDS = {
    "prune": "Erases what has expired and what is over the cap.",
    "heartbeat": "Leaves a sign of life for doctor --live.",
    "uses": "Writes down what was recalled and counted.",
    "census": "Counts memories for the overview.",
    "drift": "Compares what is learnt and recalled with the time before.",
    "ledger": "Mirrors the erasure ledger outside the database.",
}


@router.get("/jobs")
async def look(request: Request) -> Response:
    """Show every job."""
    return await _page(request)


@router.post("/jobs/{name}")
async def run(request: Request, name: str) -> Response:
    """Run a job now, and show what it did."""
    house = house_of(request)
    try:
        if name in {one.name for one in await house.jobs.all()}:  # what is none is refused below
            await house.core.browser.note_deed(f"ran {name}")
        did = await house.jobs.run(name)
    except KithError as error:
        return await _page(request, told=f"{name}: {error}", told_well=False)
    return await _page(request, told=f"{name}: {did}")


async def _page(request: Request, *, told: str = "", told_well: bool = True) -> Response:
    jobs = await house_of(request).jobs.all()
    words = defaultdict(str, WORDS)
    return show(request, "jobs.html", jobs=jobs, words=words, told=told, told_well=told_well)
