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
from cogs.dashboard.web.language import COOKIE as LANGUAGE_COOKIE
from cogs.dashboard.web.language import COOKIE_S as LANGUAGE_COOKIE_S
from cogs.dashboard.web.language import languages, sentence_of
from cogs.dashboard.web.middleware import LANGUAGE, LINK, address_of

router = APIRouter()


@router.get("/login")
async def ask(request: Request) -> Response:
    """Show the login form, or redirect if already logged in."""
    return go_to("/") if request.state.session else _form(request)


@router.post("/login")
async def log_in(
    request: Request, token: Annotated[str, Form()] = "", link: Annotated[str, Form()] = ""
) -> Response:
    """Check the token or a one-time link, and set the session cookie."""
    access: Access = request.app.state.access
    try:
        session = (
            access.use_link(link.strip().rpartition(LINK)[2])
            if link
            else access.log_in(token.strip(), address_of(request))
        )
    except (WrongToken, UsedLink) as error:
        return _form(request, sentence_of(error), 401)
    except TooManyAttempts as error:
        headers = {"retry-after": str(int(error.wait_s) + 1)}
        return _form(request, sentence_of(error), 429, headers)
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
        return _form(request, sentence_of(error), 401)


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


@router.get(LANGUAGE + "{code}")
async def choose_language(request: Request, code: str, to: str = "/") -> Response:
    """Show the pages in this language and begin with the path ``to``."""
    response = go_to(to)  # the middleware takes off any host
    if code in languages():
        response.set_cookie(
            LANGUAGE_COOKIE,
            code,
            LANGUAGE_COOKIE_S,
            samesite="lax",
            secure=request.url.scheme == "https",
            httponly=True,
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
