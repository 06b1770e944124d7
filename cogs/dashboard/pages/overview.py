"""The overview: what Kith knows, learns, spends and refuses, in figures and charts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import House
from cogs.dashboard.pages import charts
from cogs.dashboard.pages.charts import Bar, Columns
from cogs.dashboard.pages.layout import count, house_of, number, show
from utils.model.browsing import Census
from utils.model.memory import DIRECT_MESSAGES, Status
from utils.model.operator import Counted, DayCount

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
CHARTED = (Counted.LEARNT, Counted.MESSAGES, Counted.REPLIES, Counted.REFUSED)


@dataclass(frozen=True, slots=True)
class Counts:
    """A census as the page draws it."""

    at: datetime
    members: int
    active: int
    waiting: int
    kinds: list[Bar]
    ages: list[Bar]
    ends: Columns
    permanent: int
    statuses: list[Bar]


@router.get("/")
async def overview(request: Request, guild: str = "") -> Response:
    """Show the figures of one server, or of all."""
    house = house_of(request)
    guild_id = number(guild, "A server")
    today = house.core.clock.now().date()
    counted = await house.core.tally.since(today - timedelta(days=DAYS - 1), CHARTED, guild_id)
    census = await house.core.census.latest(guild_id)
    health = await house.core.health.check()
    spend = await house.core.upkeep.usage(guild_id, DAYS)
    spent = {(one.day, one.purpose): 0.0 for one in spend}
    for one in spend:
        spent[one.day, one.purpose] += one.usage.total
    return show(
        request,
        "overview.html",
        servers=_servers(house),
        guild_id=guild_id,
        health=health,
        census=_counts(census) if census else None,
        figures=_figures(health.figures, sum(v for (day, _), v in spent.items() if day == today)),
        learnt=_chart("Memories learnt", "memories", _of(counted, Counted.LEARNT), today),
        talk=_chart("Messages and replies", "messages", _talk(counted), today),
        spend=_chart("Model spend", "tokens", spent, today),
        refused=charts.largest_first(_by_label(counted, Counted.REFUSED)),
    )


def _servers(house: House) -> list[tuple[int, str]]:
    found = [(one.id, one.name) for one in house.discord.servers()]
    return [*found, (DIRECT_MESSAGES, "Direct messages")]


def _counts(census: Census) -> Counts:
    weeks = [(census.at + n * WEEK).date() for n in range(len(census.expiring))]
    ends = {(week, "memories"): float(n) for week, n in zip(weeks, census.expiring, strict=True)}
    return Counts(
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
    """Return what else stands at the top: a name, a value, and a note."""
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


def _of(counted: Iterable[DayCount], name: Counted) -> dict[tuple[date, str], float]:
    """Return what was counted under a name, by day and label, of all servers together."""
    sums: dict[tuple[date, str], float] = {}
    for one in counted:
        if one.name is name:
            sums[one.day, one.label] = sums.get((one.day, one.label), 0) + one.count
    return sums


def _talk(counted: Iterable[DayCount]) -> dict[tuple[date, str], float]:
    heard = _of(counted, Counted.MESSAGES)
    answered = _of(counted, Counted.REPLIES)
    sums = {(day, f"heard: {label}"): value for (day, label), value in heard.items()}
    for (day, _), value in answered.items():
        sums[day, "replies"] = sums.get((day, "replies"), 0) + value
    return sums


def _by_label(counted: Iterable[DayCount], name: Counted) -> dict[str, float]:
    sums: dict[str, float] = {}
    for (_, label), value in _of(counted, name).items():
        sums[label] = sums.get(label, 0) + value
    return sums
