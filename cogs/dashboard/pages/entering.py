"""Enter a member's or a moderator's pages by a one-time link, and leave them."""

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import go_to, show
from cogs.dashboard.web.context import context_of
from cogs.dashboard.web.visits import VisitKind, Visits, VisitSession


def visits_of(request: Request, kind: VisitKind) -> Visits:
    """Return the links and sessions of a kind."""
    visits: Mapping[VisitKind, Visits] = request.app.state.visits
    return visits[kind]


def entrance(kind: VisitKind, title: str, lead: str) -> APIRouter:
    """Return the routes that open a link and end a visit; ``title`` and ``lead`` say of what."""
    router = APIRouter()
    link = kind.link.removeprefix(kind.home) + "{code}"

    @router.get(link)
    async def ask(request: Request, code: str) -> Response:
        """Ask to open the page; only the button uses the link up, so a preview of it does not."""
        return show(request, "enter.html", title=title, lead=lead)

    @router.post(link)
    async def enter(request: Request, code: str) -> Response:
        """Exchange a one-time link for a session. Raises UsedVisitLink."""
        session = visits_of(request, kind).use_link(code)
        response = go_to(kind.home)
        public_url = context_of(request).app.settings.dashboard_public_url or ""
        response.set_cookie(
            kind.cookie,
            session.id,
            max_age=kind.session_s,
            path=kind.home,
            httponly=True,
            samesite="strict",
            secure=public_url.startswith("https:"),
        )
        return response

    @router.post("/logout")
    async def log_out(request: Request) -> Response:
        """End somebody's visits."""
        session: VisitSession = request.state.visit
        visits_of(request, kind).revoke(session.member)
        return closed(request, kind)

    return router


def closed(request: Request, kind: VisitKind) -> Response:
    """Say that it is done and that the visit is over."""
    request.state.visit = None
    response = show(request, "closed.html", command=kind.command)
    response.delete_cookie(kind.cookie, path=kind.home)
    return response
