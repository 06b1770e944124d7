"""The recall debugger: what a message would bring to mind, and why; it counts as no use."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import Channel, House
from cogs.dashboard.pages.layout import house_of, number, person_name, show
from cogs.dashboard.pages.members import name_of
from utils.errors import BadInput
from utils.model.browsing import Explained, MemberRow
from utils.model.memory import Member
from utils.model.recall import Cut

router = APIRouter()

MOST_SUGGESTED = 50
CUTS = {
    Cut.NOT_ACTIVE: "It waits for review, or is kept in the shadow.",
    Cut.OVER: "Its time is over.",
    Cut.UNREADABLE: "Somebody who reads along here cannot read where it was said.",
    Cut.FADED: "It was said too long ago, for its kind.",
    Cut.NO_MATCH: "No word, day, topic or meaning in common.",
    Cut.FLOOR: "It matches too little beside the best.",
    Cut.CROWD: "Many others of its kind match better.",
    Cut.PROFILE: "The profile says it already.",
    Cut.SHORTER: "A shorter way of saying it is told.",
    Cut.MOST_OF_KIND: "Enough of its kind is told.",
    Cut.UNFIT: "By today's rules, it is never told.",
    Cut.SAME_WORDS: "Something in the same words is told.",
    Cut.NO_ROOM: "The budget had no room left.",
    Cut.MOST_ITEMS: "Enough is told.",
}
NOBODY = "Kith knows nobody of that name or id there; look at the server's members."
SEVERAL = "Several have that name: choose one by id. {names}"
NO_PLACE = "Choose a server and a channel."


@router.get("/recall")
async def ask(
    request: Request, guild: str = "", channel: str = "", member: str = "", text: str = ""
) -> Response:
    """Ask for the place, the member and the message."""
    return await _page(request, guild, channel, member, text)


@router.post("/recall")
async def explain(
    request: Request,
    guild: Annotated[str, Form()] = "",
    channel: Annotated[str, Form()] = "",
    member: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
) -> Response:
    """Show what would be recalled; that the operator looked is in the member's audit."""
    house = house_of(request)
    try:
        whose, found = await _explained(house, guild, channel, member, text)
    except BadInput as error:
        return await _page(request, guild, channel, member, text, wrong=str(error), status=400)
    shown = [(one, CUTS[one.cut] if one.cut else "", _terms(one.terms)) for one in found.considered]
    typed = str(whose.user_id)
    return await _page(
        request,
        guild,
        channel,
        typed,
        text,
        found=found,
        considered=shown,
        name=await name_of(house, whose),
    )


async def _explained(
    house: House, guild: str, channel: str, member: str, text: str
) -> tuple[Member, Explained]:
    guild_id, channel_id = number(guild, "A server"), number(channel, "A channel")
    if guild_id is None or channel_id is None:
        raise BadInput(NO_PLACE)
    whose = Member(guild_id, await _user_id(house, guild_id, member))
    audience = await house.discord.audience(guild_id, channel_id, whose.user_id)
    names = {one.id: one.name for one in house.discord.channels(guild_id)}
    found = await house.core.browser.explain(
        guild_id,
        channel_id,
        whose.user_id,
        text,
        audience,
        name=await name_of(house, whose),
        channel_name=names.get(channel_id, ""),
    )
    await house.core.browser.note_view(whose)
    return whose, found


async def _user_id(house: House, guild_id: int, typed: str) -> int:
    """Return who is meant by an id or a name. Raises BadInput unless it is one person."""
    typed = typed.strip()
    if typed.isdecimal() and typed.isascii():
        return number(typed, "A member") or 0
    page = await house.core.browser.members(guild_id, text=typed, limit=MOST_SUGGESTED)
    exact = [one for one in page.rows if one.name.casefold() == typed.casefold()]
    found = exact or list(page.rows)
    if not typed or not found:
        raise BadInput(NOBODY)
    if len(found) > 1:
        raise BadInput(SEVERAL, names=", ".join(f"{one.name}: {one.user_id}" for one in found[:5]))
    return found[0].user_id


def _terms(terms: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """Return each term, its value, and its share of the largest (0 to 100), the largest first."""
    most = max((abs(value) for value in terms.values()), default=1.0)
    ordered = sorted(terms.items(), key=lambda one: -abs(one[1]))
    return [(name, value, round(100 * abs(value) / most, 1)) for name, value in ordered]


async def _page(
    request: Request,
    guild: str,
    channel: str,
    member: str,
    text: str,
    *,
    status: int = 200,
    wrong: str = "",
    found: Explained | None = None,
    considered: Sequence[object] = (),
    name: str = "",
) -> Response:
    house = house_of(request)
    servers = [(one.id, one.name) for one in house.discord.servers()]
    chosen = guild or (str(servers[0][0]) if servers else "")
    channels: Sequence[Channel] = ()
    known: Sequence[MemberRow] = ()
    guild_id = number(chosen, "A server")
    if guild_id is not None:
        channels = house.discord.channels(guild_id)
        known = (await house.core.browser.members(guild_id, limit=MOST_SUGGESTED)).rows
    return show(
        request,
        "recall.html",
        status=status,
        wrong=wrong,
        servers=servers,
        channels=[(one.id, f"#{one.name}") for one in channels],
        known=[
            (one.user_id, person_name(house, one.guild_id, one.user_id, one.name)) for one in known
        ],
        picked={"guild": chosen, "channel": channel, "member": member, "text": text},
        found=found,
        considered=considered,
        name=name,
    )
