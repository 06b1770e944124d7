"""The jobs page: when scheduled jobs ran and will run, and running one now."""

from collections import defaultdict

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import show
from cogs.dashboard.web.context import context_of
from cogs.dashboard.web.language import sentence_of
from utils.common.errors import KithError

router = APIRouter()

DESCRIPTIONS = {
    "prune": "Erases what has expired and what is over the cap.",
    "heartbeat": "Stores a heartbeat for doctor --live.",
    "uses": "Stores which memories were recalled, and the daily counts.",
    "census": "Counts memories for the overview.",
    "drift": "Compares learning and recall with earlier weeks.",
    "ledger": "Mirrors the erasure ledger outside the database.",
}


@router.get("/jobs")
async def show_jobs(request: Request) -> Response:
    """Show every job."""
    return await _page(request)


@router.post("/jobs/{name}")
async def run(request: Request, name: str) -> Response:
    """Run a job now and show its report."""
    context = context_of(request)
    try:
        if name in {job.name for job in await context.jobs.all()}:  # others are refused below
            await context.app.admin.browser.record_operator_action(f"ran {name}")
        report = await context.jobs.run(name)
    except KithError as error:
        return await _page(request, ran=name, message=sentence_of(error), is_success=False)
    return await _page(request, ran=name, message=report)


async def _page(
    request: Request, *, ran: str = "", message: str = "", is_success: bool = True
) -> Response:
    jobs = await context_of(request).jobs.all()
    descriptions = defaultdict(str, DESCRIPTIONS)
    return show(
        request,
        "jobs.html",
        jobs=jobs,
        words=descriptions,
        ran=ran,
        message=message,
        is_success=is_success,
    )
