"""The audit: who did what, when, to whose memory. The words are on each memory's own page, where
looking at them is noted."""

from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import actor_name, house_of, number, server_name, show
from cogs.dashboard.pages.members import names_of
from cogs.dashboard.pages.memory import in_words
from utils.model.browsing import AuditLine
from utils.model.memory import DIRECT_MESSAGES, SERVER_ITSELF, Member

router = APIRouter()

A_PAGE = 50


@router.get("/audit")
async def audit(
    request: Request,
    guild: str = "",
    member: str = "",
    action: str = "",
    cursor: str = "",
) -> Response:
    """Show the audit, newest first, as far as it was chosen."""
    house = house_of(request)
    page = await house.core.browser.audit(
        guild_id=number(guild, "A server"),
        user_id=number(member, "A member"),
        action=action.strip(),
        cursor=number(cursor, "A page"),
        limit=A_PAGE,
    )
    picked = {"guild": guild, "member": member, "action": action}
    servers = [(one.id, one.name) for one in house.discord.servers()]
    names = await names_of(house, (Member(one.guild_id, one.user_id) for one in page.rows))
    lines = [
        (
            server_name(house, one.guild_id),
            names[Member(one.guild_id, one.user_id)],
            actor_name(house, one.guild_id, one.actor_id, one.user_id),
            one,
        )
        for one in page.rows
    ]
    return show(
        request,
        "audit.html",
        lines=lines,
        reason=_reason,
        picked=picked,
        servers=[*servers, (DIRECT_MESSAGES, "Direct messages")],
        cursor=page.cursor,
        further=f"/audit?{urlencode({**picked, 'cursor': page.cursor})}",
    )


def _reason(line: AuditLine) -> str:
    """Return why the operator did what concerns no member; of others nothing is told here. Pure."""
    is_told = line.memory_id is None and line.user_id == SERVER_ITSELF
    return in_words(line.after) if is_told else ""
