"""Alerts of the watched channels that a moderator reads: the operator's page, and deciding."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.layout import PathId, go_to, show
from cogs.dashboard.pages.watching import show_watching
from cogs.dashboard.web.context import DashboardContext, InContext, Moderator
from cogs.dashboard.web.visits import MODERATORS
from cogs.sentiment.alert_buttons import BUTTON_ACTIONS
from utils.common.errors import BadInput, Conflict, NotFound
from utils.models.alert import Alert, AlertState, hottest

router = APIRouter(prefix=MODERATORS.home)

MAX_LINES = 10  # each is a request to Discord
DECISIONS = ("case", "close", "dismiss", "false")


@router.get("/alerts")
async def alerts(request: Request, moderator: InVisit) -> Response:
    """Show tension and alerts."""
    return await show_watching(request, moderator.guild_id, (), moderator.readable)


@router.get("/alerts/{alert_id}")
async def alert(
    request: Request, alert_id: PathId, context: InContext, moderator: InVisit, lines: str = ""
) -> Response:
    """Show one alert; with ``lines``, what was said, if it still stands on Discord."""
    alert = await _alert_of(context, moderator, alert_id)
    quoted_lines = None
    if lines:
        readable = (
            message for message in alert.messages if message.channel_id in moderator.readable
        )
        quoted_lines = await context.discord.lines(moderator.guild_id, hottest(readable, MAX_LINES))
    hidden = "case" if alert.state is AlertState.CASE else "close"
    return show(
        request,
        "mod_alert.html",
        alert=alert,
        channel=moderator.channel_names.get(alert.place_id, ""),
        said=quoted_lines,
        decisions=[
            (name, BUTTON_ACTIONS[name].label)
            for name in DECISIONS
            if alert.is_undecided and name != hidden
        ],
    )


@router.post("/alerts/{alert_id}")
async def decide(
    alert_id: PathId,
    context: InContext,
    moderator: InVisit,
    decision: Annotated[str, Form()] = "",
) -> Response:
    """Decide on an alert. Raises Conflict if another moderator was faster."""
    if decision not in DECISIONS:
        raise BadInput("Choose what to do about the alert.")
    alert = await _alert_of(context, moderator, alert_id)
    kind, user_id = BUTTON_ACTIONS[decision].kind, moderator.member.user_id
    if not await context.app.sentiment.alerts.decide(alert, kind, user_id):
        raise Conflict("Another moderator has decided on this alert already.")
    return go_to(f"/mod/alerts/{alert_id}?done=saved")


async def _alert_of(context: DashboardContext, moderator: Moderator, alert_id: int) -> Alert:
    """Return an alert. Raises NotFound for one in a channel that the moderator does not read."""
    alert = await context.app.sentiment.alerts.get(moderator.guild_id, alert_id)
    if alert is None or alert.place_id not in moderator.readable:
        raise NotFound("There is no such alert in a channel that you read.")
    return alert
