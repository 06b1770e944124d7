"""Log in with the token, and log out."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import go_to, show
from cogs.dashboard.web.access import COOKIE, SESSION_S, Access, TooManyAttempts, WrongToken
from cogs.dashboard.web.middleware import address_of

router = APIRouter()


@router.get("/login")
async def ask(request: Request) -> Response:
    """Show the login form, or redirect if already logged in."""
    return go_to("/") if request.state.session else show(request, "login.html", wrong="")


@router.post("/login")
async def log_in(request: Request, token: Annotated[str, Form()] = "") -> Response:
    """Check the token and set the session cookie."""
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
    if request.state.session is not None:  # None for a script with the token
        access.log_out(request.state.session)
    response = go_to("/login")
    response.delete_cookie(COOKIE)
    return response
