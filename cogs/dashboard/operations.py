"""Health and metrics endpoints.

``GET /api/memory/health`` needs no token and names no person, server or address. ``GET /metrics``
needs the token, as every other page.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cogs.dashboard.web.context import InContext
from utils.runtime.metrics import Metrics

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
TIMEOUT_S = 5.0  # Prometheus gives up after ten
NO_ANSWER = 500  # if the connection ended without a response

router = APIRouter()


@router.get(
    "/api/memory/health",
    summary="Health, with reasons if it is not well",
    responses={503: {"description": "Kith is unwell; see the reasons."}},
)
async def health(context: InContext) -> JSONResponse:
    """Return 200 if healthy and 503 if not, with reasons and figures (seconds, counts).

    Checks are cached for five seconds, and concurrent requests share one.
    """
    report = await context.app.admin.health.check()
    body: dict[str, Any] = {
        "status": "ok" if report.is_well else "unwell",
        "reasons": report.reasons,
        "figures": dict(report.figures),
    }
    return JSONResponse(body, 200 if report.is_well else 503)


@router.get("/metrics", include_in_schema=False)
async def metrics(context: InContext) -> Response:
    """Return all metrics in Prometheus's format, after a health check if it finishes in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(TIMEOUT_S):
            await context.app.admin.health.check()
    body = generate_latest(context.app.runtime.metrics.registry)
    return Response(body, headers={"content-type": CONTENT_TYPE_LATEST})


@dataclass(eq=False, repr=False)
class CountRequests:
    """Counts requests by route pattern, including refused ones: it is the outermost middleware."""

    _app: ASGIApp
    _metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = NO_ANSWER

        async def send_and_record(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_record)
        finally:
            method = scope["method"] if scope["method"] in METHODS else OTHER
            route = getattr(scope.get("route"), "path", OTHER)
            self._metrics.requests.labels(route, method, str(status)).inc()
