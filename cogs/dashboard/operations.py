"""What machines ask: whether all is well, and how much of everything happened.

``GET /api/memory/health`` is open to whoever may connect, and names no person, server or address;
``GET /metrics`` is for whoever has the token, as every other page.
"""

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client.exposition import choose_encoder
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cogs.dashboard.house import House
from utils.metrics import Metrics

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
PATIENCE_S = 5.0  # Prometheus gives up after ten, and would know nothing then
NO_ANSWER = 500  # where the connection ended without one

router = APIRouter()


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


InHouse = Annotated[House, Depends(_house)]


@router.get(
    "/api/memory/health",
    summary="Whether all is well, and if not, why",
    responses={503: {"description": "Something is wrong; the reasons say what."}},
)
async def health(house: InHouse) -> JSONResponse:
    """Return 200 if all is well and 503 if not, with reasons and figures (seconds, counts).

    Cheap: a check holds for five seconds, and requests at the same time share one.
    """
    report = await house.core.health.check()
    told: dict[str, Any] = {
        "status": "ok" if report.is_well else "unwell",
        "reasons": report.reasons,
        "figures": dict(report.figures),
    }
    return JSONResponse(told, 200 if report.is_well else 503)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, house: InHouse) -> Response:
    """Return every metric in Prometheus's format, as fresh as a health check that ends in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            await house.core.health.check()
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    body = encode(house.core.metrics.registry)
    return Response(body, headers={"content-type": content_type})


class CountRequests:
    """Counts requests by the pattern of their route, outermost: also those that are refused."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = NO_ANSWER

        async def noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting_status)
        finally:
            method = scope["method"] if scope["method"] in METHODS else OTHER
            route = getattr(scope.get("route"), "path", OTHER)
            self._metrics.requested(route, method, status)
