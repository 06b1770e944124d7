"""Servers, their members, and what is remembered of one of them."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import House, Server
from cogs.dashboard.pages.layout import (
    PathId,
    actor_name,
    house_of,
    number,
    person_name,
    server_name,
    show,
)
from utils.errors import BadInput
from utils.model.browsing import ItemFilter
from utils.model.memory import (
    DIRECT_MESSAGES,
    MOST_EDITIONS,
    Edition,
    Kind,
    Member,
    Source,
    Status,
)

router = APIRouter()

A_PAGE = 50
E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a text and what became of them: "same", "gone" or "new"."""

    fate: str
    words: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A profile that took another's place, since when, and how the words differ."""

    since: datetime
    pieces: tuple[Piece, ...]


@router.get("/servers")
async def servers(request: Request) -> Response:
    """List the servers that Kith is in."""
    house = house_of(request)
    places = [*house.discord.servers(), Server(DIRECT_MESSAGES, "Direct messages")]
    counted = await house.core.census.by_server([one.id for one in places])
    return show(request, "servers.html", servers=[(one, counted.get(one.id)) for one in places])


@router.get("/servers/{guild_id}")
async def members(request: Request, guild_id: PathId, cursor: str = "", text: str = "") -> Response:
    """List a server's members that Kith knows."""
    house = house_of(request)
    page = await house.core.browser.members(guild_id, number(cursor, "A page"), A_PAGE, text=text)
    further = {"cursor": page.cursor, "text": text}
    return show(
        request,
        "members.html",
        guild_id=guild_id,
        server=server_name(house, guild_id),
        members=[(one, person_name(house, guild_id, one.user_id, one.name)) for one in page.rows],
        text=text,
        cursor=page.cursor,
        further=f"/servers/{guild_id}?{urlencode(further)}",
    )


@router.get("/servers/{guild_id}/members/{user_id}")
async def member(
    request: Request,
    guild_id: PathId,
    user_id: PathId,
    kind: str = "",
    status: str = "",
    source: str = "",
    text: str = "",
    cursor: str = "",
) -> Response:
    """Show what is remembered of a member; that the operator looked is in their audit."""
    house = house_of(request)
    chosen = ItemFilter(
        guild_id=guild_id,
        user_id=user_id,
        kind=one_of(Kind, kind),
        status=one_of(Status, status),
        source=one_of(Source, source),
        text=text.strip(),
    )
    page = await house.core.browser.items(chosen, number(cursor, "A page"), A_PAGE)
    whose = Member(guild_id, user_id)
    shown = await house.core.reader.show(whose)
    editions = await house.core.browser.profiles(whose)
    await house.core.browser.note_view(whose)
    picked = {"kind": kind, "status": status, "source": source, "text": text}
    return show(
        request,
        "member.html",
        guild_id=guild_id,
        user_id=user_id,
        server=server_name(house, guild_id),
        name=await name_of(house, whose),
        shown=shown,
        revisions=history(editions),
        views=[(actor_name(house, guild_id, one.actor_id, user_id), one.at) for one in shown.views],
        items=page.rows,
        picked=picked,
        kinds=[(one.value, one.value) for one in Kind],
        statuses=[(one.value, one.value) for one in Status],
        sources=[(one.value, one.value) for one in Source],
        cursor=page.cursor,
        further=f"?{urlencode({**picked, 'cursor': page.cursor})}",
    )


async def name_of(house: House, member: Member) -> str:
    """Return what a member is called: as they last spoke, as Discord says, or their number."""
    return (await names_of(house, [member]))[member]


async def names_of(house: House, members: Iterable[Member]) -> dict[Member, str]:
    """Return what these members are called."""
    those = set(members)
    known = await house.core.browser.names(those)
    return {one: person_name(house, one.guild_id, one.user_id, known.get(one)) for one in those}


def one_of(kind: type[E], value: str) -> E | None:
    """Return the choice of that name; None for none. Raises BadInput for one there is not."""
    try:
        return kind(value) if value else None
    except ValueError:
        raise BadInput("There is no such choice: {value}.", value=value[:40]) from None


def history(editions: Sequence[Edition]) -> list[Revision]:
    """Return what each edition of a profile changed in the one before, newest first. Pure."""
    texts = [one.text for one in editions]
    if len(texts) < MOST_EDITIONS:  # else there may be more, and the last is told of no further
        texts.append("")  # before the first there was none
    return [
        Revision(one.since, difference(old, one.text))
        for one, old in zip(editions, texts[1:], strict=False)
    ]


def difference(before: str, after: str) -> tuple[Piece, ...]:
    """Return two texts as one, word by word. Pure."""
    old, new = before.split(), after.split()
    pieces: list[Piece] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        gone, came = " ".join(old[old_from:old_to]), " ".join(new[new_from:new_to])
        if tag == "equal":
            pieces.append(Piece("same", came))
        else:
            pieces += [
                Piece(fate, words) for fate, words in (("gone", gone), ("new", came)) if words
            ]
    return tuple(pieces)
