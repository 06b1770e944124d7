"""Who uses a moderator's pages: Discord is asked at each request whether they are one still."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from cogs.dashboard.pages.entering import visits_of
from cogs.dashboard.web.context import Moderator, context_of
from cogs.dashboard.web.visits import MODERATORS, NoVisit, VisitSession


async def moderator_of(request: Request) -> Moderator:
    """Return the moderator; FastAPI asks once a request.

    Raises NoVisit, and ends their visits, if they have left the server or lost *Manage Server*.
    """
    session: VisitSession = request.state.visit
    moderator = await context_of(request).discord.moderator(session.member)
    if moderator is None:
        visits_of(request, MODERATORS).revoke(session.member)
        request.state.visit = None
        raise NoVisit(MODERATORS)
    return moderator


InVisit = Annotated[Moderator, Depends(moderator_of)]
"""The moderator as a parameter of a route."""
