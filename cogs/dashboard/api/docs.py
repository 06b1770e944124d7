"""The OpenAPI document and Swagger UI, served without other hosts."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response
from fastapi.routing import iter_route_contexts
from markupsafe import Markup

from cogs.dashboard.pages.layout import show

CALLS = "/api/memory"
SECURITY = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "DASHBOARD_TOKEN, for scripts.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "kith_session",
        "description": "The cookie of a logged-in browser; changes also need the header "
        "X-CSRF-Token.",
    },
}
CONTENT_SECURITY_POLICY = (  # Swagger UI's style sheet embeds its icons
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
)
OPENAPI = Markup('<a href="/api/openapi.json">/api/openapi.json</a>')

router = APIRouter(include_in_schema=False)


@router.get("/openapi.json")
async def openapi(request: Request) -> JSONResponse:
    """Return the OpenAPI document; it is cached, because building takes a second."""
    if not hasattr(request.app.state, "document"):
        request.app.state.document = await asyncio.to_thread(document, request.app.routes)
    return JSONResponse(request.app.state.document)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """Return the Swagger UI page."""
    return show(
        request,
        "api.html",
        headers={"content-security-policy": CONTENT_SECURITY_POLICY},
        openapi=OPENAPI,
    )


def document(routes: Any) -> dict[str, Any]:
    """Return the OpenAPI document of the API's routes."""
    schema = get_openapi(
        title="Kith",
        version="1",
        summary="Kith's memory, for its operator.",
        routes=[
            route for route in iter_route_contexts(routes) if (route.path or "").startswith(CALLS)
        ],
    )
    schema.setdefault("components", {})["securitySchemes"] = SECURITY
    schema["security"] = [{name: []} for name in SECURITY]
    return schema
