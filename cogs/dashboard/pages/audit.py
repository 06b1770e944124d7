"""The audit page: who did what, when, to whose memory.

The texts are on each memory's own page, where viewing them is recorded.
"""

from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import actor_name, number, server_choices, server_name, show
from cogs.dashboard.pages.members import names_of
from cogs.dashboard.pages.memory import in_words
from cogs.dashboard.pages.people import member_named
from cogs.dashboard.web.context import context_of
from cogs.dashboard.web.language import sentence_of, tr
from utils.common.errors import BadInput
from utils.models.admin import AuditEntry, Page
from utils.models.memory import SERVER_USER_ID, Member

router = APIRouter()

A_PAGE = 50
EMPTY: Page[AuditEntry] = Page()
EVERYTHING = "all"
ACTIONS = (
    "viewed",
    "learnt",
    "quoted",
    "confirmed",
    "superseded",
    "changed",
    "approved",
    "rejected",
    "forgotten",
    "undone",
    "restored",
    "merged",
    "exported",
    "imported",
)


@router.get("/audit")
async def audit(
    request: Request,
    guild: str = "",
    member: str = "",
    action: str = "",
    cursor: str = "",
) -> Response:
    """Show the audit entries that match, newest first."""
    context = context_of(request)
    picked = {"guild": guild, "member": member.strip(), "action": action}
    wrong, page = "", EMPTY
    try:
        guild_id = number(guild, "A server")
        user_id, picked["member"] = await member_named(context, guild_id, picked["member"])
        page = await context.app.admin.browser.audit(
            guild_id=guild_id,
            user_id=user_id,
            action="" if action == EVERYTHING else action,
            without_looks=not action,
            cursor=number(cursor, "A page"),
            limit=A_PAGE,
        )
    except BadInput as error:
        wrong = sentence_of(error)
    names = await names_of(context, (Member(entry.guild_id, entry.user_id) for entry in page.rows))
    lines = [
        (
            server_name(context, entry.guild_id),
            names[Member(entry.guild_id, entry.user_id)],
            actor_name(context, entry.guild_id, entry.actor_id, entry.user_id),
            entry,
        )
        for entry in page.rows
    ]
    return show(
        request,
        "audit.html",
        status=400 if wrong else 200,
        wrong=wrong,
        actions=[(EVERYTHING, tr("Everything")), *((one, tr(one)) for one in ACTIONS)],
        lines=lines,
        reason=_reason,
        picked=picked,
        servers=server_choices(context, has_direct_messages=True),
        cursor=page.cursor,
        further=f"/audit?{urlencode({**picked, 'cursor': page.cursor})}",
    )


def _reason(entry: AuditEntry) -> str:
    """Return the reason of an operator action that is about no member, else "". Pure."""
    is_about_no_member = entry.memory_id is None and entry.user_id == SERVER_USER_ID
    return in_words(entry.after) if is_about_no_member else ""
