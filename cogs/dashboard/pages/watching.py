"""The watching page: tension by channel, alerts, open cases, and what moderators did about them.

It names no watched member and shows no score of a message: those are for moderators, on Discord.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import actor_name, chosen_server, server_choices, show
from cogs.dashboard.web.charts import level_over_time
from cogs.dashboard.web.context import DashboardContext, InContext, context_of
from cogs.dashboard.web.language import tr
from utils.database.sentiment.alerts import MAX_ALERTS
from utils.models.alert import ActionKind, Alert, AlertState
from utils.models.sentiment import TensionSubject
from utils.sentiment.alert_service import RETENTION

router = APIRouter()

HOURS = 7 * 24
ACTIONS = {
    ActionKind.TIME_OUT: "timed a member out for {amount} min",
    ActionKind.WARN: "warned a member",
    ActionKind.SLOW_MODE: "set slow mode to {amount} s",
    ActionKind.END_SLOW_MODE: "ended slow mode",
    ActionKind.OPEN_CASE: "opened a case",
    ActionKind.CLOSE_CASE: "closed the case",
    ActionKind.DISMISS: "dismissed the alert",
    ActionKind.FALSE_ALARM: "called it a false alarm",
    ActionKind.AUTO_TIME_OUT: "timed a member out for {amount} min by itself",
    ActionKind.WOULD_TIME_OUT: "would have timed a member out for {amount} min (dry run)",
}
View = dict[str, Any]  # what the template shows of a channel or an alert
TAGS = {AlertState.OPEN: "warn", AlertState.CASE: "bad"}


@router.get("/watching")
async def watching(request: Request, context: InContext, guild: str = "") -> Response:
    """Show what is watched in a server, by default the first one."""
    return await show_watching(
        request, chosen_server(context, guild), server_choices(context), None
    )


async def show_watching(
    request: Request,
    guild_id: int | None,
    servers: Sequence[tuple[int, str]],
    readable: Collection[int] | None,
) -> Response:
    """Show what is watched in a server.

    Args:
        request: the request.
        guild_id: the server; None: there is none.
        servers: those that can be chosen.
        readable: the ids of the channels that a moderator reads, who may decide about their
            alerts; None: the operator looks.
    """
    context = context_of(request)
    alerts: list[View] = []
    older: list[View] = []
    channels: list[View] = []
    if guild_id is not None:
        alerts, older = await _alerts(context, guild_id, readable)
        channels = await _channels(context, guild_id, readable)
    return show(
        request,
        "watching.html",
        is_moderator=readable is not None,
        servers=servers,
        guild_id=guild_id,
        channels=channels,
        cases=[view for view in (*alerts, *older) if view["alert"].state is AlertState.CASE],
        alerts=alerts,
        limit=MAX_ALERTS if len(alerts) == MAX_ALERTS else 0,
        deeds=sorted(
            ((view, deed) for view in (*alerts, *older) for deed in view["actions"]),
            key=lambda row: row[1][1].at,
            reverse=True,
        ),
    )


async def _channels(
    context: DashboardContext, guild_id: int, readable: Collection[int] | None
) -> list[View]:
    """Return the watched channels, the tensest first."""
    app, now = context.app, context.app.clock.now()
    settings = await app.sentiment.channels.settings(guild_id)
    zone = (await app.guilds.settings.latest(guild_id)).zone
    channel_ids = [
        watched.channel_id
        for watched in await app.sentiment.channels.channels(guild_id)
        if readable is None or watched.channel_id in readable
    ]
    views = []
    for channel_id in channel_ids:
        subject = TensionSubject.channel(guild_id, channel_id)
        history = await app.sentiment.tension.history(subject, settings, HOURS)
        plot = scale = None
        if any(point.messages for point in history):
            plot, scale = level_over_time(history, settings.tension_alert, now, zone)
        name = context.channel_name(guild_id, channel_id)
        level = history[-1].tension
        views.append({"name": name, "level": level, "plot": plot, "scale": scale})
    return sorted(views, key=lambda view: -view["level"])


async def _alerts(
    context: DashboardContext, guild_id: int, readable: Collection[int] | None
) -> tuple[list[View], list[View]]:
    """Return the alerts of the last 30 days, and the open cases that are older, newest first."""
    service, since = context.app.sentiment.alerts, context.app.clock.now() - RETENTION
    recent = await service.newest(guild_id, since, place_ids=readable)
    recent_ids = {alert.alert_id for alert in recent}
    older = [case for case in await service.open_cases(guild_id) if case.alert_id not in recent_ids]

    def readable_of(alerts: Iterable[Alert]) -> list[View]:
        return [
            {
                "alert": alert,
                "channel": context.channel_name(guild_id, alert.place_id),
                "tag": TAGS.get(alert.state, ""),
                "actions": [
                    (
                        actor_name(context, guild_id, act.actor_id),
                        act,
                        tr(ACTIONS[act.kind], amount=act.amount),
                    )
                    for act in alert.actions
                ],
            }
            for alert in alerts
            if readable is None or alert.place_id in readable
        ]

    return readable_of(recent), readable_of(reversed(older))
