"""The audit page: who did what, when, to whose memory, which its members see was looked at."""

import json
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.editing import SETTING_LABELS
from cogs.dashboard.pages.layout import actor_name, number, server_choices, server_name, show
from cogs.dashboard.pages.members import names_of
from cogs.dashboard.pages.memory import in_words
from cogs.dashboard.pages.people import member_named
from cogs.dashboard.pages.setting_words import SettingWords
from cogs.dashboard.web.context import DashboardContext, InContext
from cogs.dashboard.web.language import sentence_of, tr
from utils.common.errors import BadInput
from utils.models.admin import Page
from utils.models.memory import SERVER_USER_ID, Member
from utils.models.transfer import AuditEntry

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
    context: InContext,
    guild: str = "",
    member: str = "",
    action: str = "",
    cursor: str = "",
) -> Response:
    """Show the audit entries that match, newest first."""
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
    # The texts of the memories, without confidential ones; their members' audits record the view.
    browser = context.app.admin.browser
    memories = await browser.pick({entry.memory_id for entry in page.rows if entry.memory_id})
    readable = [item for item in memories if item.text]
    await browser.record_view(*{item.member for item in readable})
    words = {item.id: item.text for item in readable}
    lines = [
        (
            server_name(context, entry.guild_id),
            names[Member(entry.guild_id, entry.user_id)],
            actor_name(context, entry.guild_id, entry.actor_id, entry.user_id),
            entry,
            words.get(entry.memory_id or 0, "") or _reason(context, entry),
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
        picked=picked,
        servers=server_choices(context, has_direct_messages=True),
        cursor=page.cursor,
        further=f"/audit?{urlencode({**picked, 'cursor': page.cursor})}",
    )


def _reason(context: DashboardContext, entry: AuditEntry) -> str:
    """Return what a server's setting became, or why the operator did something; else ""."""
    if entry.memory_id is not None or entry.user_id != SERVER_USER_ID:
        return ""
    if entry.before is None or entry.after is None or not entry.after.startswith("{"):
        return in_words(entry.after)
    words = SettingWords(context, entry.guild_id, context.channel_names(entry.guild_id))
    return ", ".join(
        f"{tr(SETTING_LABELS.get(name, name))}: {words.value(name, value)}"
        for name, value in json.loads(entry.after).items()
    )
