"""Build the dashboard's FastAPI application: pages, API, middleware, error handling."""

from pathlib import Path
from urllib.parse import urlsplit

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from cogs.dashboard import api, moderator_pages, operations, pages
from cogs.dashboard.api.calls import faults_of
from cogs.dashboard.member_pages import pages as member_pages
from cogs.dashboard.pages.layout import show
from cogs.dashboard.web.access import COOKIE, Access, Denied, RefusedRequest, TooManyAttempts
from cogs.dashboard.web.connections import LimitRequests
from cogs.dashboard.web.context import DashboardContext
from cogs.dashboard.web.decisions import PendingDecisions
from cogs.dashboard.web.language import sentence_of, tr
from cogs.dashboard.web.middleware import (
    API,
    AuthMiddleware,
)
from cogs.dashboard.web.visits import MEMBERS, MODERATORS, NoVisit, UsedVisitLink, Visits
from utils.common.errors import (
    UNEXPECTED_ERROR,
    BadInput,
    Conflict,
    DatabaseError,
    KithError,
    ModelError,
    NotFound,
    log_unexpected,
)
from utils.common.text import clean

STATIC_FILES = Path(__file__).parent / "static"
METRICS = "/metrics"
NOT_FOUND = "This page does not exist, or what it showed was deleted."
STATUS = (
    (Denied, 401),
    (NoVisit, 401),
    (UsedVisitLink, 401),
    (NotFound, 404),
    (Conflict, 409),
    (BadInput, 400),
    (TooManyAttempts, 429),
    (DatabaseError, 503),
    (ModelError, 502),
)


def create_app(context: DashboardContext) -> FastAPI:
    """Return the application; without DASHBOARD_TOKEN, only one-time links log in."""
    secret = context.app.settings.dashboard_token
    token = None if secret is None else secret.get_secret_value()
    app = FastAPI(title="Kith", openapi_url=None, docs_url=None, redoc_url=None)
    app.state.context = context
    app.state.access = Access(token, context.app.clock)
    app.state.decisions = PendingDecisions(context.app.clock)
    app.mount("/static", StaticFiles(directory=STATIC_FILES), name="static")
    for router in (operations.router, api.router, pages.router):
        app.include_router(router)
    names, visits = context.app.settings.dashboard_names, {}
    if public_url := context.app.settings.dashboard_public_url:
        visits = {kind: Visits(kind, context.app.clock) for kind in (MEMBERS, MODERATORS)}
        names = (*names, urlsplit(public_url).hostname or "")
        app.include_router(member_pages.router)
        app.include_router(moderator_pages.router)
    app.state.visits = visits
    for error in (HTTPException, RequestValidationError):  # AuthMiddleware handles all others
        app.add_exception_handler(error, answer)
    app.add_middleware(AuthMiddleware, app.state.access, answer, names, visits.values())
    app.add_middleware(LimitRequests)
    app.add_middleware(operations.CountRequests, context.app.runtime.metrics)
    return app


async def answer(request: Request, error: Exception) -> Response:
    """Return an error response: a page, or JSON for scripts."""
    is_call = request.url.path.startswith((API, METRICS))
    status, sentence, reference = _describe(error)
    headers = dict(getattr(error, "headers", None) or {})
    if isinstance(error, TooManyAttempts):
        headers["retry-after"] = str(int(error.wait_s) + 1)
    if is_call:
        if status == 401:
            headers["www-authenticate"] = "Bearer"
        if isinstance(error, RequestValidationError):
            status, sentence = 422, faults_of(error.errors())
        elif status == 400:  # the request can be read, and asks for something impossible
            status = 422
        return JSONResponse({"detail": clean(sentence), "reference": reference}, status, headers)
    if isinstance(error, Denied):
        if request.headers.get("hx-request"):  # htmx follows redirects itself
            response = Response(headers={"hx-redirect": "/login"})
        else:
            response = RedirectResponse("/login", 303)
        if COOKIE in request.cookies:
            response.delete_cookie(COOKIE)
        return response
    response = show(request, "error.html", status=status, headers=headers, sentence=sentence)
    if isinstance(error, NoVisit):
        response.delete_cookie(error.kind.cookie, path=error.kind.home)
    return response


def _describe(error: Exception) -> tuple[int, str, str | None]:
    """Return the status, the sentence, and the log reference of an unexpected error."""
    if isinstance(error, RefusedRequest):
        return error.response_status, sentence_of(error), None
    if isinstance(error, KithError):
        status = next((code for kind, code in STATUS if isinstance(error, kind)), 500)
        return status, sentence_of(error), None
    if isinstance(error, HTTPException):
        sentence = NOT_FOUND if error.status_code == 404 else error.detail
        return error.status_code, tr(sentence), None
    if isinstance(error, RequestValidationError):
        if any(fault["loc"][0] == "path" for fault in error.errors()):
            return 404, tr(NOT_FOUND), None
        return 422, tr("The form is not valid; go back and check your choices."), None
    reference = log_unexpected(error)
    return 500, tr(UNEXPECTED_ERROR, reference=reference), reference
