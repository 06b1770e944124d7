"""Members by their names: suggestions while somebody types, and whom a typed name means."""

import re

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import number, person_name, server_name, show
from cogs.dashboard.web.context import DashboardContext, InContext
from utils.common.errors import BadInput
from utils.models.admin import KnownMember
from utils.models.memory import DIRECT_MESSAGES

router = APIRouter()

MAX_SUGGESTED = 12
MAX_SERVERS = 100  # in which one name is looked for
MAX_NAMED = 5
_WITH_ID = re.compile(r".*\(([0-9]{1,19})\)", re.DOTALL)


@router.get("/suggestions/members")
async def suggest(
    request: Request, context: InContext, member: str = "", guild: str = ""
) -> Response:
    """Return members whose names or ids fit what was typed, as options of a field."""
    rows = await _find(context, number(guild, "A server"), member)
    options = [
        (
            with_id(person_name(context, row.guild_id, row.user_id, row.name), row.user_id),
            server_name(context, row.guild_id),
        )
        for row in rows
    ]
    return show(request, "suggestions.html", options=options)


async def _find(context: DashboardContext, guild_id: int | None, typed: str) -> list[KnownMember]:
    """Return members with this part of their name, or this id, in a server or (None) in all."""
    if not typed.strip():
        return []
    listed = [server.id for server in context.discord.servers()][:MAX_SERVERS]
    places = [*listed, DIRECT_MESSAGES] if guild_id is None else [guild_id]
    return await context.app.admin.browser.find_members(
        places, typed, MAX_SUGGESTED, name_of=context.discord.name_of
    )


def with_id(name: str, user_id: int) -> str:
    """Return how a field names a member; two members may have the same name. Pure."""
    return f"{name} ({user_id})"


async def user_id_of(context: DashboardContext, guild_id: int | None, typed: str) -> int:
    """Return the user of a name, an id, or both. Raises BadInput unless exactly one matches."""
    typed = typed.strip()
    rows = await _find(context, guild_id, typed)
    exact = {row.user_id: row.name for row in rows if row.name.casefold() == typed.casefold()}
    named = _WITH_ID.fullmatch(typed)
    if not exact and (named or (typed.isascii() and typed.isdecimal())):
        return number(named[1] if named else typed, "A member") or 0
    matches = exact or {row.user_id: row.name for row in rows}
    if not matches:
        raise BadInput(
            "Kith knows no member with that name or id; look at the server's member list."
        )
    if len(matches) > 1:
        choices = [with_id(name, user_id) for user_id, name in matches.items()]
        raise BadInput(
            "Several members have that name; choose one of them: {names}",
            names=", ".join(choices[:MAX_NAMED]),
        )
    return next(iter(matches))


async def member_named(
    context: DashboardContext, guild_id: int | None, typed: str
) -> tuple[int | None, str]:
    """Return the user whom a filter names, and the filter with name and id; None and "" for all.

    Raises BadInput as :func:`user_id_of`.
    """
    if not typed.strip():
        return None, ""
    user_id = await user_id_of(context, guild_id, typed)
    name = typed.strip().removesuffix(f"({user_id})").strip()
    return user_id, with_id(name, user_id) if name != str(user_id) else name
