"""Pages of servers, their members, and the memories of a member."""

import difflib
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import (
    PathId,
    actor_name,
    go_to,
    number,
    person_name,
    server_name,
    show,
)
from cogs.dashboard.pages.overview import server_tiles
from cogs.dashboard.web.context import DashboardContext, InContext, Server, context_of
from cogs.dashboard.web.language import tr
from utils.common.errors import BadInput
from utils.models.admin import MemoryFilter
from utils.models.memory import (
    DIRECT_MESSAGES,
    MAX_PROFILE_VERSIONS,
    Member,
)

router = APIRouter()

PAGE_SIZE = 50
E = TypeVar("E", bound=StrEnum)
Pieces = list[tuple[str, str]]
"""Words of a text, each after "same", "gone" or "new"."""


@router.get("/servers")
async def servers(request: Request, context: InContext) -> Response:
    """List the servers that Kith is in."""
    listed = [*context.discord.servers(), Server(DIRECT_MESSAGES, tr("Direct messages"))]
    censuses = await context.app.admin.statistics.censuses([server.id for server in listed])
    return show(
        request, "servers.html", servers=[(server, censuses.get(server.id)) for server in listed]
    )


@router.get("/servers/{guild_id}")
async def members(
    request: Request, guild_id: PathId, context: InContext, cursor: str = "", text: str = ""
) -> Response:
    """List the known members of a server."""
    page = await context.app.admin.browser.members(
        guild_id, number(cursor, "A page"), PAGE_SIZE, text=text, name_of=context.discord.name_of
    )
    further = {"cursor": page.cursor, "text": text}
    return show(
        request,
        "members.html",
        guild_id=guild_id,
        server=server_name(context, guild_id),
        members=[(row, person_name(context, guild_id, row.user_id, row.name)) for row in page.rows],
        text=text,
        tiles=await server_tiles(context, guild_id),
        is_server=guild_id != DIRECT_MESSAGES,
        cursor=page.cursor,
        further=f"/servers/{guild_id}?{urlencode(further)}",
    )


@router.get("/servers/{guild_id}/members/{user_id}")
async def member(
    request: Request, guild_id: PathId, user_id: PathId, context: InContext, cursor: str = ""
) -> Response:
    """Show a member's memories; the view is recorded in their audit."""
    member_filter = MemoryFilter(guild_id=guild_id, user_id=user_id)
    page = await context.app.admin.browser.items(member_filter, number(cursor, "A page"), PAGE_SIZE)
    member_key = Member(guild_id, user_id)
    member_view = await context.app.memory.member_data.show(member_key, for_others=True)
    profile_history = await context.app.admin.browser.profiles(member_key)
    messages = await context.app.memory.member_data.messages(member_key, for_others=True)
    await context.app.admin.browser.record_view(member_key)
    linked_id = member_view.linked_id
    linked_name = await name_of(context, Member(guild_id, linked_id)) if linked_id else ""
    return show(
        request,
        "member.html",
        guild_id=guild_id,
        user_id=user_id,
        server=server_name(context, guild_id),
        name=await name_of(context, member_key),
        member_view=member_view,
        linked_name=linked_name,
        revisions=history(profile_history),
        views=[
            (actor_name(context, guild_id, view.actor_id, user_id), view.at)
            for view in member_view.views
        ],
        items=page.rows,
        messages=messages,
        cursor=page.cursor,
    )


@router.post("/servers/{guild_id}/members/{user_id}/messages/{event_id}/forget")
async def forget_message(
    request: Request, guild_id: PathId, user_id: PathId, event_id: PathId
) -> Response:
    """Forget a stored message permanently; the page asked for confirmation."""
    browser = context_of(request).app.admin.browser
    is_erased = await browser.forget_message(Member(guild_id, user_id), event_id)
    outcome = "forgotten" if is_erased else "same"
    return go_to(f"/servers/{guild_id}/members/{user_id}?done={outcome}")


async def name_of(context: DashboardContext, member: Member) -> str:
    """Return a member's name: from their last message, from Discord, or their id."""
    return (await names_of(context, [member]))[member]


async def names_of(context: DashboardContext, members: Iterable[Member]) -> dict[Member, str]:
    """Return the names of these members."""
    distinct = set(members)
    stored = await context.app.admin.browser.names(distinct)
    return {
        member: person_name(context, member.guild_id, member.user_id, stored.get(member))
        for member in distinct
    }


def one_of(kind: type[E], value: str) -> E | None:
    """Return the enum member of a form value; None if empty. Raises BadInput if unknown."""
    try:
        return kind(value) if value else None
    except ValueError:
        raise BadInput("Unknown choice: {value}.", value=value[:40]) from None


def history(
    profile_history: Sequence[tuple[datetime, str]],
) -> list[tuple[datetime, Pieces]]:
    """Return since when each version of a profile is, and its changes, newest first. Pure."""
    texts = [text for _, text in profile_history]
    if len(texts) < MAX_PROFILE_VERSIONS:  # otherwise older versions may exist
        texts.append("")  # the first version replaced nothing
    return [
        (since, difference(old, text))
        for (since, text), old in zip(profile_history, texts[1:], strict=False)
    ]


def difference(before: str, after: str) -> Pieces:
    """Return the words of two texts, and whether they are "same", "gone" or "new". Pure."""
    old, new = before.split(), after.split()
    pieces: Pieces = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        removed, added = " ".join(old[old_from:old_to]), " ".join(new[new_from:new_to])
        if tag == "equal":
            pieces.append(("same", added))
        else:
            pieces += [
                (fate, words) for fate, words in (("gone", removed), ("new", added)) if words
            ]
    return pieces
