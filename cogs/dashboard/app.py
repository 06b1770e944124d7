"""The dashboard's application: pages, API and what keeps them safe, put together."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.exception_handlers import request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from cogs.dashboard import api, operations, pages
from cogs.dashboard.access import COOKIE, Access, Denied, Forged, TooManyAttempts
from cogs.dashboard.gate import API, Gate, TooLarge
from cogs.dashboard.house import House
from cogs.dashboard.pages.layout import show
from utils.errors import (
    UNFORESEEN,
    BadInput,
    Conflict,
    DatabaseError,
    KithError,
    ModelError,
    NotFound,
    SettingsError,
    log_unforeseen,
)

STATIC_FILES = Path(__file__).parent / "static"
METRICS = "/metrics"
NOT_FOUND = "There is no such page, or what it showed is gone."
NOT_UNDERSTOOD = "The form was not filled in as it should be; go back, and check what you chose."
STATUS = (
    (Denied, 401),
    (Forged, 403),
    (TooLarge, 413),
    (NotFound, 404),
    (Conflict, 409),
    (BadInput, 400),
    (TooManyAttempts, 429),
    (DatabaseError, 503),
    (ModelError, 502),
)


def create_app(house: House) -> FastAPI:
    """Build the application. Raises SettingsError where DASHBOARD_TOKEN is not set."""
    token = house.core.settings.dashboard_token
    if token is None:
        raise SettingsError("The dashboard needs DASHBOARD_TOKEN in .env: 16 characters or more.")
    app = FastAPI(title="Kith", openapi_url=None, docs_url=None, redoc_url=None)
    app.state.house = house
    app.state.access = Access(token.get_secret_value().strip(), house.core.clock)
    app.mount("/static", StaticFiles(directory=STATIC_FILES), name="static")
    app.include_router(operations.router)
    app.include_router(api.router)
    app.include_router(pages.router)
    for error in (HTTPException, RequestValidationError):  # Gate sees all others
        app.add_exception_handler(error, answer)
    app.add_middleware(Gate, access=app.state.access, answer=answer)
    app.add_middleware(operations.CountRequests, metrics=house.core.metrics)
    return app


async def answer(request: Request, error: Exception) -> Response:
    """Return one sentence for whatever went wrong: as a page, or as JSON for scripts."""
    is_call = request.url.path.startswith((API, METRICS))
    if is_call and isinstance(error, RequestValidationError):
        return await request_validation_exception_handler(request, error)
    status, sentence, reference = _in_words(error)
    headers = dict(getattr(error, "headers", None) or {})
    if isinstance(error, TooManyAttempts):
        headers["retry-after"] = str(int(error.wait_s) + 1)
    if is_call:
        if status == 401:
            headers["www-authenticate"] = "Bearer"
        return JSONResponse({"detail": sentence, "reference": reference}, status, headers)
    if isinstance(error, Denied):
        return _to_login(request)
    return show(request, "error.html", status=status, headers=headers, sentence=sentence)


def _in_words(error: Exception) -> tuple[int, str, str | None]:
    """Return a status, a sentence, and the log's reference for what nobody foresaw."""
    if isinstance(error, KithError):
        status = next((code for kind, code in STATUS if isinstance(error, kind)), 500)
        return status, str(error), None
    if isinstance(error, HTTPException):
        sentence = NOT_FOUND if error.status_code == 404 else str(error.detail)
        return error.status_code, sentence, None
    if isinstance(error, RequestValidationError):
        if any(one["loc"][0] == "path" for one in error.errors()):
            return 404, NOT_FOUND, None
        return 422, NOT_UNDERSTOOD, None
    reference = log_unforeseen(error)
    return 500, UNFORESEEN.format(reference=reference), reference


def _to_login(request: Request) -> Response:
    """Send a browser to the login; htmx is told so in a header, since it follows redirects."""
    if request.headers.get("hx-request"):
        response = Response(headers={"hx-redirect": "/login"})
    else:
        response = RedirectResponse("/login", 303)
    if COOKIE in request.cookies:
        response.delete_cookie(COOKIE)
    return response
