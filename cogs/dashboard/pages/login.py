"""Log in with the token or a one-time link, and log out."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import go_to, show
from cogs.dashboard.web.access import (
    COOKIE,
    SESSION_S,
    Access,
    Session,
    TooManyAttempts,
    UsedLink,
    WrongToken,
)
from cogs.dashboard.web.middleware import LINK, address_of

router = APIRouter()


@router.get("/login")
async def ask(request: Request) -> Response:
    """Show the login form, or redirect if already logged in."""
    return go_to("/") if request.state.session else _form(request)


@router.post("/login")
async def log_in(request: Request, token: Annotated[str, Form()] = "") -> Response:
    """Check the token and set the session cookie."""
    access: Access = request.app.state.access
    try:
        session = access.log_in(token.strip(), address_of(request))
    except WrongToken as error:
        return _form(request, str(error), 401)
    except TooManyAttempts as error:
        headers = {"retry-after": str(int(error.wait_s) + 1)}
        return _form(request, str(error), 429, headers)
    return _enter(request, session)


@router.get(LINK + "{code}")
async def use_link(request: Request, code: str) -> Response:
    """Exchange a one-time link for a session; a browser that is logged in leaves it unused."""
    access: Access = request.app.state.access
    if request.state.session is not None:
        return go_to("/")
    try:
        return _enter(request, access.use_link(code))
    except UsedLink as error:
        return _form(request, str(error), 401)


def _enter(request: Request, session: Session) -> Response:
    """Redirect to the first page, with the session's cookie."""
    response = go_to("/")
    response.set_cookie(
        COOKIE,
        session.id,
        max_age=SESSION_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """End this browser's session."""
    access: Access = request.app.state.access
    if request.state.session is not None:  # None for a script with the token
        access.log_out(request.state.session)
    response = go_to("/login")
    response.delete_cookie(COOKIE)
    return response


def _form(
    request: Request, wrong: str = "", status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Show the login form, with what was wrong."""
    access: Access = request.app.state.access
    return show(
        request,
        "login.html",
        status=status,
        headers=headers,
        wrong=wrong,
        has_token=access.has_token,
    )
