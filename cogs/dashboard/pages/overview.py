"""The overview page: memories, learning, token use and refusals as figures and charts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages import charts
from cogs.dashboard.pages.charts import Columns, HorizontalBar
from cogs.dashboard.pages.layout import number, show
from cogs.dashboard.web.context import DashboardContext, context_of
from cogs.dashboard.web.language import count, tr
from utils.models.admin import Census
from utils.models.memory import DIRECT_MESSAGES, Status
from utils.models.operator import CounterName, DailyCount

router = APIRouter()

DAYS = 30
WEEK = timedelta(days=7)
AGES = {  # of Census.by_age
    "day": "up to a day",
    "week": "up to a week",
    "month": "up to a month",
    "quarter": "up to 3 months",
    "year": "up to a year",
    "older": "older",
}
CHARTED = (
    CounterName.LEARNT,
    CounterName.MESSAGES,
    CounterName.REPLIES,
    CounterName.REFUSED,
    CounterName.VERDICTS,
)


@dataclass(frozen=True, slots=True)
class CensusView:
    """A census prepared for the page."""

    at: datetime
    members: int
    active: int
    waiting: int
    kinds: list[HorizontalBar]
    ages: list[HorizontalBar]
    ends: Columns
    permanent: int
    statuses: list[HorizontalBar]


@router.get("/")
async def overview(request: Request, guild: str = "") -> Response:
    """Show the statistics of one server or of all."""
    context = context_of(request)
    guild_id = number(guild, "A server")
    today = context.app.clock.now().date()
    counters, first = context.app.runtime.counters, today - timedelta(days=DAYS - 1)
    if guild_id is None:
        counted = await counters.totals(first, CHARTED)
    else:
        counted = await counters.since(first, CHARTED, guild_id)
    census = await context.app.admin.statistics.latest(guild_id)
    health = await context.app.admin.health.check()
    usage = await context.app.admin.job_runs.usage(guild_id, DAYS)
    spent = {(use.day, use.purpose): 0.0 for use in usage}
    for use in usage:
        spent[use.day, use.purpose] += use.usage.total
    return show(
        request,
        "overview.html",
        servers=_servers(context),
        guild_id=guild_id,
        health=health,
        census=_counts(census) if census else None,
        figures=_figures(health.figures, sum(v for (day, _), v in spent.items() if day == today)),
        learned=_chart("Memories learned", "memories", _of(counted, CounterName.LEARNT), today),
        talk=_chart("Messages and replies", "messages", _talk(counted), today),
        spend=_chart("Model spend", "tokens", spent, today),
        refused=charts.largest_first(_by_label(counted, CounterName.REFUSED)),
        verdicts=charts.largest_first(_by_label(counted, CounterName.VERDICTS)),
    )


def _servers(context: DashboardContext) -> list[tuple[int, str]]:
    servers = [(server.id, server.name) for server in context.discord.servers()]
    return [*servers, (DIRECT_MESSAGES, tr("Direct messages"))]


def _counts(census: Census) -> CensusView:
    weeks = [(census.at + n * WEEK).date() for n in range(len(census.expiring))]
    ends = {(week, "memories"): float(n) for week, n in zip(weeks, census.expiring, strict=True)}
    return CensusView(
        at=census.at,
        members=census.members,
        active=census.by_status.get(Status.ACTIVE, 0),
        waiting=census.by_status.get(Status.PROPOSED, 0),
        kinds=charts.largest_first(census.by_kind),
        ages=charts.bars((AGES[age], census.by_age.get(age, 0)) for age in AGES),
        ends=charts.columns("Expiry ahead", "memories", ends, weeks, "week"),
        permanent=census.permanent,
        statuses=charts.largest_first(census.by_status),
    )


def _figures(
    figures: Mapping[str, float | None], tokens_today: float
) -> list[tuple[str, str, str]]:
    """Return the figures at the top: name, value, note."""
    oldest_s = figures.get("queue_s") or 0.0
    return [
        ("Tokens today", count(tokens_today), ""),
        (
            "Unread messages",
            _known(figures.get("queue"), "{:,.0f}"),
            f"the oldest waits {oldest_s / 60:.0f} min" if oldest_s >= 60 else "",
        ),
        ("Discord latency", _known(figures.get("gateway_s"), "{:.2f} s"), ""),
        ("Database latency", _known(figures.get("database_s"), "{:.3f} s"), ""),
    ]


def _known(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value)


def _chart(title: str, unit: str, counted: dict[tuple[date, str], float], today: date) -> Columns:
    return charts.daily(title, unit, counted, last=today, days=DAYS)


def _of(counted: Iterable[DailyCount], name: CounterName) -> dict[tuple[date, str], float]:
    """Return the counts of one name by day and label, summed over servers."""
    sums: dict[tuple[date, str], float] = {}
    for entry in counted:
        if entry.name is name:
            sums[entry.day, entry.label] = sums.get((entry.day, entry.label), 0) + entry.count
    return sums


def _talk(counted: Iterable[DailyCount]) -> dict[tuple[date, str], float]:
    received = _of(counted, CounterName.MESSAGES)
    answered = _of(counted, CounterName.REPLIES)
    sums = {(day, f"received: {label}"): value for (day, label), value in received.items()}
    for (day, _), value in answered.items():
        sums[day, "replies"] = sums.get((day, "replies"), 0) + value
    return sums


def _by_label(counted: Iterable[DailyCount], name: CounterName) -> dict[str, float]:
    sums: dict[str, float] = {}
    for (_, label), value in _of(counted, name).items():
        sums[label] = sums.get(label, 0) + value
    return sums
