"""The overview page: memories, learning, token use and refusals as figures and charts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import number, server_choices, show
from cogs.dashboard.web import charts
from cogs.dashboard.web.context import DashboardContext, InContext
from cogs.dashboard.web.language import amount, count, plural, tr
from utils.admin.costs import cost_of, costs_by_model
from utils.admin.health import Reason
from utils.common.grouping import summed
from utils.database.admin.token_usage import DailyTokenUse
from utils.models.admin import Census
from utils.models.memory import Status
from utils.models.operator import CounterName, DailyCount

router = APIRouter()

DAYS = 30
RANGES = (7, 30, 90)
NONE = "–"
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
class Tile:
    """A figure at the top: its name, its value, the page that says more, and a note."""

    name: str
    value: str
    link: str
    note: str = ""


@router.get("/")
async def overview(
    request: Request, context: InContext, guild: str = "", days: str = ""
) -> Response:
    """Show the statistics of one server or of all, over the last days."""
    guild_id, chosen_days = number(guild, "A server"), number(days, "How many days")
    shown_days = chosen_days if chosen_days in RANGES else DAYS
    today = context.app.clock.now().date()
    counters, first = context.app.runtime.counters, today - timedelta(days=shown_days - 1)
    counted = await counters.since(first, CHARTED, guild_id)
    census = await context.app.admin.statistics.latest(guild_id)
    health = await context.app.admin.health.check()
    usage = await context.app.admin.job_runs.usage(guild_id, shown_days)
    spent = summed(((use.day, use.purpose), use.usage.total) for use in usage)
    chart = partial(charts.daily, last=today, days=shown_days)
    server = "" if guild_id is None else f"?guild={guild_id}"
    members = "/servers" if guild_id is None else f"/servers/{guild_id}"
    of_today = [use for use in usage if use.day == today]
    tokens = sum(use.usage.total for use in of_today)
    cost, oldest_s = _cost(context, of_today), health.figures.get("queue_s") or 0.0
    return show(
        request,
        "overview.html",
        servers=server_choices(context, has_direct_messages=True),
        guild_id=guild_id,
        days=shown_days,
        ranges=[(n, plural(n, "Last day", "Last {count} days")) for n in RANGES],
        reasons=[
            tr(reason.template, **reason.values) if isinstance(reason, Reason) else tr(reason)
            for reason in health.reasons
        ],
        census=_counts(census) if census else None,
        tiles=[
            *_census_tiles(census, members, server),
            Tile("Tokens today", count(tokens), "#spend", cost if tokens and cost else ""),
            Tile(
                "Unread messages",
                _known(health.figures.get("queue"), 1, ""),
                "/settings",
                tr("the oldest waits {count} min", count=count(oldest_s // 60))
                if oldest_s >= 60
                else "",
            ),
            Tile(
                "Discord latency", _known(health.figures.get("gateway_s"), 1000, "ms"), "/settings"
            ),
            Tile(
                "Database latency",
                _known(health.figures.get("database_s"), 1000, "ms"),
                "/settings",
            ),
        ],
        cost=_cost(context, usage),
        models=_models(context, usage),
        learned=chart(tr("Memories learned"), tr("memories"), _of(counted, CounterName.LEARNT)),
        talk=chart(tr("Messages and replies"), tr("messages"), _talk(counted)),
        spend=chart(tr("Model spend"), tr("tokens"), spent),
        refused=charts.largest_first(_by_label(counted, CounterName.REFUSED)),
        verdicts=charts.largest_first(_by_label(counted, CounterName.VERDICTS)),
    )


def _cost(context: DashboardContext, usage: Iterable[DailyTokenUse]) -> str | None:
    """Return what the tokens cost, as text; None where a model has no price."""
    cost = cost_of(usage, context.app.settings)
    return None if cost is None else amount(cost, context.app.settings.model_currency)


def _models(context: DashboardContext, usage: Iterable[DailyTokenUse]) -> list[tuple[str, ...]]:
    """Return the models that were used, the most tokens first, with calls, tokens and cost."""
    settings = context.app.settings
    return [
        (
            model.model or NONE,
            count(model.calls),
            count(model.usage.total),
            NONE if model.cost is None else amount(model.cost, settings.model_currency),
        )
        for model in costs_by_model(usage, settings)
    ]


def _counts(census: Census) -> dict[str, Any]:
    """Return a census prepared for the page."""
    weeks = [(census.at + n * WEEK).date() for n in range(len(census.expiring))]
    ends = {(week, "memories"): float(n) for week, n in zip(weeks, census.expiring, strict=True)}
    return {
        "at": census.at,
        "kinds": charts.largest_first(census.by_kind),
        "ages": charts.bars((AGES[age], census.by_age.get(age, 0)) for age in AGES),
        "ends": charts.columns(tr("Expiry ahead"), tr("memories"), ends, weeks, "week"),
        "later": sum(census.by_age.values()) - sum(census.expiring) - census.permanent,
        "permanent": census.permanent,
        "statuses": charts.largest_first(census.by_status),
    }


async def server_tiles(context: DashboardContext, guild_id: int) -> list[Tile]:
    """Return the figures at the top of a server's page, with the pages that say more."""
    census = await context.app.admin.statistics.latest(guild_id)
    cases = await context.app.sentiment.alerts.open_cases(guild_id)
    watched = await context.app.sentiment.channels.channels(guild_id)
    server = f"?guild={guild_id}"
    return [
        *_census_tiles(census, "#members", server),
        Tile("Watched channels", count(len(watched)), f"/watching{server}"),
        Tile("Open cases", count(len(cases)), f"/watching{server}"),
    ]


def _census_tiles(census: Census | None, members: str, server: str) -> list[Tile]:
    """Return a census as tiles; ``members`` and ``server`` are where they lead, or how it ends."""
    status = census.by_status if census else {}
    return [
        Tile("Members known", count(census.members) if census else NONE, members),
        Tile(
            "Memories in use",
            count(status.get(Status.ACTIVE, 0)) if census else NONE,
            f"/memories{server}",
        ),
        Tile(
            "Waiting for review",
            count(status.get(Status.PROPOSED, 0)) if census else NONE,
            f"/review{server}",
        ),
    ]


def _known(value: float | None, factor: float, unit: str) -> str:
    """Return a figure as a whole number with its unit; NONE if it is unknown."""
    if value is None:
        return NONE
    text = "<1" if 0 < value * factor < 0.5 else count(value * factor)
    return f"{text}\N{NO-BREAK SPACE}{unit}".rstrip("\N{NO-BREAK SPACE}")


def _of(counted: Iterable[DailyCount], name: CounterName) -> dict[tuple[date, str], float]:
    """Return the counts of one name by day and label."""
    return {(entry.day, entry.label): entry.count for entry in counted if entry.name is name}


def _talk(counted: Iterable[DailyCount]) -> Mapping[tuple[date, str], float]:
    received = _of(counted, CounterName.MESSAGES).items()
    replies = _of(counted, CounterName.REPLIES).items()
    return summed(
        [
            *(((day, f"received: {label}"), value) for (day, label), value in received),
            *(((day, "replies"), value) for (day, _), value in replies),
        ]
    )


def _by_label(counted: Iterable[DailyCount], name: CounterName) -> Mapping[str, float]:
    return summed((label, value) for (_, label), value in _of(counted, name).items())
