"""Logging in with the token, and out again."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.access import COOKIE, SESSION_S, Access, TooManyAttempts, WrongToken
from cogs.dashboard.gate import address_of
from cogs.dashboard.pages.layout import go_to, show

router = APIRouter()


@router.get("/login")
async def ask(request: Request) -> Response:
    """Ask for the token; whoever has shown it goes on."""
    return go_to("/") if request.state.session else show(request, "login.html", wrong="")


@router.post("/login")
async def log_in(request: Request, token: Annotated[str, Form()] = "") -> Response:
    """Exchange the token for a session's cookie."""
    access: Access = request.app.state.access
    try:
        session = access.log_in(token.strip(), address_of(request))
    except WrongToken as error:
        return show(request, "login.html", status=401, wrong=str(error))
    except TooManyAttempts as error:
        headers = {"retry-after": str(int(error.wait_s) + 1)}
        return show(request, "login.html", status=429, headers=headers, wrong=str(error))
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
    if request.state.session is not None:  # a script with the token has none
        access.log_out(request.state.session)
    response = go_to("/login")
    response.delete_cookie(COOKIE)
    return response
