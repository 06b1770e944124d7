"""The command palette (Ctrl-K): pages, servers and members by their names, memories by number.

It shows no memory's text, so searching in it is no look at a memory.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import PAGES, person_name, server_name, show
from cogs.dashboard.pages.people import servers_of
from cogs.dashboard.web.context import DashboardContext, context_of
from cogs.dashboard.web.language import tr

router = APIRouter()

MAX_MEMBERS = 6
MAX_SERVERS = 6
_NUMBER = re.compile(r"#?([0-9]{1,19})")


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """A place to go to: what it is called, what it is, and where it is."""

    text: str
    kind: str
    link: str
    place: str = ""


@router.get("/palette")
async def palette(request: Request, q: str = "") -> Response:
    """Return the places whose names fit what was typed, as links."""
    context, typed = context_of(request), q.strip()
    entries = [
        PaletteEntry(tr(name), "Page", to)
        for to, name in PAGES
        if typed.casefold() in tr(name).casefold()
    ]
    if typed:
        entries += _servers(context, typed)
        entries += await _members(context, typed)
        entries += _memories(typed)
    return show(request, "palette.html", entries=entries, typed=q)


def _servers(context: DashboardContext, typed: str) -> list[PaletteEntry]:
    fitting = [s for s in context.discord.servers() if typed.casefold() in s.name.casefold()]
    return [
        PaletteEntry(server.name, "Server", f"/servers/{server.id}")
        for server in fitting[:MAX_SERVERS]
    ]


async def _members(context: DashboardContext, typed: str) -> list[PaletteEntry]:
    rows = await context.app.admin.browser.find_members(
        servers_of(context, None), typed, MAX_MEMBERS
    )
    return [
        PaletteEntry(
            person_name(context, row.guild_id, row.user_id, row.name),
            "Member",
            f"/servers/{row.guild_id}/members/{row.user_id}",
            server_name(context, row.guild_id),
        )
        for row in rows
    ]


def _memories(typed: str) -> Iterator[PaletteEntry]:
    number = _NUMBER.fullmatch(typed)
    if number:
        yield PaletteEntry(f"#{number[1]}", "Memory", f"/memories/{number[1]}")
    yield PaletteEntry(
        tr("Search memories for “{words}”", words=typed),
        "Memories",
        f"/memories?{urlencode({'text': typed})}",
    )
